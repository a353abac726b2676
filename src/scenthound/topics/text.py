"""Writing a topics file. Where one was there before, what its author wrote about unchanged topics stays as it stands.

A file is taken apart at its lines `[[topic]]`. A topic that has changed is edited line by line if it is laid out as
`topics_text` does it, one example to a line; else it is written anew, with its comments above it. (tomlkit would keep
more in the second case, at the price of one more dependency.) Whatever comes out must mean the topics that were asked
for, or the file is written anew without comments.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from scenthound.errors import TopicsError
from scenthound.settings_help import toml_value
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.file import topics_in

_HEAD = """\
# What this crawl looks for. Pages like the examples of good topics are wanted;
# the web addresses among those examples are where the crawl starts.
"""
_BEGIN = re.compile(r"^[ \t]*\[\[[ \t]*topic[ \t]*\]\][ \t]*(?:#.*)?$", re.MULTILINE)
_VALUE = r"(?:true|false|\"(?:[^\"\\]|\\.)*\"|'[^']*')"
_KEY_LINE = re.compile(rf"\s*(path|good|query)\s*=\s*{_VALUE}\s*(#.*)?")
_EXAMPLE_LINE = re.compile(rf"\s*({_VALUE})\s*,\s*(?:#.*)?")
_NO_EXAMPLES = re.compile(r"\s*examples\s*=\s*\[\s*\]\s*")
_QUIET_LINE = re.compile(r"\s*(?:#.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A topic as it stands in a file, from its comments above to the next topic's."""

    topic: Topic
    text: str


def topics_text(topics: Topics) -> str:
    """Write topics as the file that `load_topics` reads."""
    return _HEAD + "".join(f"\n{_block_text(topic)}" for topic in topics.topics)


def rewritten(text: str, topics: Topics, renamed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Write topics into a topics file that there is already, keeping its comments as far as that can be done.

    `renamed` leads from the paths in the file to those that the same topics have now.
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
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    try:
        blocks = [_Block(topic=topics_in(part).topics[0], text=part) for part in parts]
    except (TopicsError, tomllib.TOMLDecodeError):
        return  # a line within a longer text looks like the beginning of a topic
    there = {renamed.get(block.topic.path, block.topic.path): block for block in blocks}
    yield text[: starts[0]] if starts else text
    for topic in topics.topics:
        before = there.get(topic.path)
        yield _block_after(before, topic) if before else f"\n{_block_text(topic)}"


def _with_comments_above(text: str, start: int) -> int:
    """Return where the comments begin that stand right above a topic: they are about it."""
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return start


def _block_after(block: _Block, topic: Topic) -> str:
    if block.topic == topic:
        return block.text
    body = block.text.rstrip("\n")
    blank_lines = block.text[len(body) + 1 :]
    lines = body.split("\n")
    new = "\n".join(_edited(lines, topic)) + "\n"
    if not _means(new, Topics(topics=(topic,))):
        new = "".join(f"{line}\n" for line in lines if line.lstrip().startswith("#")) + _block_text(topic)
    return new + blank_lines


def _edited(lines: Sequence[str], topic: Topic) -> Iterator[str]:
    """Change the lines of a block that differ; lines of any other form are passed on, and what comes out is checked."""
    missing = dict.fromkeys(topic.examples)
    said: dict[str, str | bool] = {"path": topic.path, "good": topic.good, "query": topic.query}
    for line in lines:
        if found := _KEY_LINE.fullmatch(line):
            remark = f"  {found[2]}" if found[2] else ""
            yield f"{found[1]} = {toml_value(said.pop(found[1]))}{remark}"
        elif found := _EXAMPLE_LINE.fullmatch(line):
            example = tomllib.loads(f"value = {found[1]}")["value"]
            if example in missing:
                del missing[example]
                yield line
        elif _NO_EXAMPLES.fullmatch(line):
            yield from _before(line, said, ())
            yield from _examples_text(list(missing))
        else:
            yield from _before(line, said, list(missing))
            yield line


def _before(line: str, said: dict[str, str | bool], missing: Sequence[str]) -> Iterator[str]:
    """Yield what must stand before a line: keys that were not there, examples before the end of their list."""
    if line.strip() == "]":
        yield from _example_lines(missing)
    elif not _QUIET_LINE.fullmatch(line) and not _BEGIN.fullmatch(line):
        yield from (f"{key} = {toml_value(said.pop(key))}" for key in ("path", "good", "query") if said.get(key))


def _block_text(topic: Topic) -> str:
    lines = ["[[topic]]", f"path = {toml_value(topic.path)}", f"good = {toml_value(topic.good)}"]
    if topic.query:
        lines.append(f"query = {toml_value(topic.query)}")
    return "\n".join([*lines, *_examples_text(topic.examples)]) + "\n"


def _examples_text(examples: Sequence[str]) -> list[str]:
    return ["examples = [", *_example_lines(examples), "]"] if examples else ["examples = []"]


def _example_lines(examples: Sequence[str]) -> Iterator[str]:
    yield from (f"    {toml_value(example)}," for example in examples)
