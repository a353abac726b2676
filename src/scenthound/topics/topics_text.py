"""Writing a topics file. An edit keeps the comments, the order and the layout of everything it does not change.

The file is split at its `[[topic]]` lines. Topics that have not changed keep their text byte for byte, and tomlkit
edits the text of those that have: parsing 3,000 topics with tomlkit takes 2.8 s, one takes 1 ms. The result is read
back. If it does not mean the topics that were asked for, the topic is written without its inner comments.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from scenthound.errors import TopicsError
from scenthound.settings.help import toml_value
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.topics_file import topics_in

_HEAD = """\
# What this crawl looks for. Pages like the examples of good topics are wanted;
# the web addresses among those examples are where the crawl starts.
"""
_BEGIN = re.compile(r"^[ \t]*\[\[[ \t]*topic[ \t]*\]\][ \t]*(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A topic in a file: from the comments above it to those above the next one."""

    topic: Topic
    text: str


def topics_text(topics: Topics) -> str:
    """Write topics as the file that `load_topics` reads."""
    return _HEAD + "".join(f"\n{_block_text(topic)}" for topic in topics.topics)


def rewritten(text: str, topics: Topics, renamed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Write topics into the text of an existing topics file.

    `renamed` maps the old path of a topic to its new one.
    """
    new = "".join(_kept(text, topics, renamed)) if text else ""
    return new if _means(new, topics) else topics_text(topics)


def _means(text: str, topics: Topics) -> bool:
    try:
        return topics_in(text) == topics
    except (TopicsError, tomllib.TOMLDecodeError):
        return False


def _kept(text: str, topics: Topics, renamed: Mapping[str, str]) -> Iterator[str]:
    starts = [_with_comments_above(text, found.start()) for found in _BEGIN.finditer(text)]
    if not starts:
        return  # all topics are in one list, `topic = [{…}]`
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    try:
        blocks = [_Block(topic=topics_in(part).topics[0], text=part) for part in parts]
    except (TopicsError, tomllib.TOMLDecodeError):
        return  # a line of a multi-line text looks like the start of a topic
    there = {renamed.get(block.topic.path, block.topic.path): block for block in blocks}
    yield text[: starts[0]]
    for topic in topics.topics:
        before = there.get(topic.path)
        yield _block_after(before, topic) if before else f"\n{_block_text(topic)}"


def _with_comments_above(text: str, start: int) -> int:
    """Return the start of the comments right above a topic: they belong to it."""
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return start


def _block_after(block: _Block, topic: Topic) -> str:
    if block.topic == topic:
        return block.text
    from scenthound.topics.topic_block import edited_topic

    body = block.text.rstrip("\n")
    blank_lines = block.text[len(body) + 1 :]
    new = edited_topic(f"{body}\n", block.topic, topic)
    if not _means(new, Topics(topics=(topic,))):
        comments = (line for line in body.split("\n") if line.lstrip().startswith("#"))
        new = "".join(f"{line}\n" for line in comments) + _block_text(topic)
    return new + blank_lines


def _block_text(topic: Topic) -> str:
    lines = ["[[topic]]", f"path = {toml_value(topic.path)}", f"good = {toml_value(topic.good)}"]
    if topic.lead:
        lines.append("lead = true")
    if topic.query:
        lines.append(f"query = {toml_value(topic.query)}")
    return "\n".join([*lines, *_examples_text(topic.examples)]) + "\n"


def _examples_text(examples: Sequence[str]) -> list[str]:
    return ["examples = [", *_example_lines(examples), "]"] if examples else ["examples = []"]


def _example_lines(examples: Sequence[str]) -> Iterator[str]:
    yield from (f"    {toml_value(example)}," for example in examples)
