"""Edits of the taxonomy: functions from topics to topics that also say what changed and what to learn again.

After FOCUS §2.1: the user refines the tree, moves examples, and marks topics good. No good topic may stand above
another; an edit that would bring this about is refused with the way out. Paths are whole ones here (`names.find_topic`
makes them of what is typed).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scenthound.counted import count
from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical
from scenthound.taxonomy import Topic, Topics, ancestors, is_address, is_at_or_below, parent
from scenthound.topics.edit_effect import in_words, nodes_to_learn
from scenthound.topics.sentences import quoted
from scenthound.topics.topic_names import is_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Edited topics, with one sentence about the change.

    `changed` are the paths that the edit is about, as they are called now, or were where they are gone. `retrain` holds
    the nodes ("" is the root) below which other examples stand than before, so that how their children are told apart
    must be learnt again. It is empty when topics were only marked or renamed. `renamed` leads from old paths to new
    ones.
    """

    topics: Topics
    says: str
    changed: tuple[str, ...]
    retrain: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()


def add_topic(topics: Topics, path: str, *, good: bool = False, examples: Sequence[str] = (), query: str = "") -> Edit:
    """Add a topic; its ancestors are implied by its path."""
    if not is_path(path):
        raise TopicsError(f'"{path}" is not a path; write names separated by /, such as "Recreation/Cycling"')
    if topics.find(path):
        raise TopicsError(f'"{path}" already exists; add to it with: example add "{path}" URL…')
    new = Topic(path=path, examples=tuple(dict.fromkeys(examples)), query=query)
    with_it = Topics(topics=(*topics.topics, new))
    marked = mark_good(with_it, path).topics if good else with_it
    as_good = ", as a good topic," if good else ""
    what = f'"{path}" was added{as_good} with {count(len(new.examples), "example")}' + (" and a query" if query else "")
    return _edit(topics, marked, what, (path,))


def remove_topic(topics: Topics, path: str) -> Edit:
    """Remove a topic with everything below it."""
    gone = _existing(topics, path)
    if len(gone) == len(topics.topics):
        raise TopicsError(f'"{path}" is the only topic; add another one before you remove it')
    kept = Topics(topics=tuple(topic for topic in topics.topics if topic not in gone))
    examples = sum(len(topic.examples) for topic in gone)
    below = sorted({node for node in topics.nodes if is_at_or_below(node, path)} - {path})
    what = f'"{path}" was removed' + (f" with {quoted(below)} below it" if below else "")
    return _edit(topics, kept, f"{what}, and {count(examples, 'example')} of it", (path, *below))


def rename_topic(topics: Topics, path: str, name: str) -> Edit:
    """Give a topic another name; its subtopics follow."""
    if not is_path(name) or "/" in name:
        raise TopicsError(
            f'"{name}" cannot be the name of a topic: it must not be empty or contain /; use move to put a topic '
            f"elsewhere"
        )
    return _carried(topics, path, "/".join(filter(None, (parent(path), name))), "renamed")


def move_topic(topics: Topics, path: str, new_parent: str) -> Edit:
    """Move a topic with everything below it; "" is the top of the tree."""
    if is_at_or_below(new_parent, path) and new_parent:
        raise TopicsError(f'"{path}" cannot be below itself; choose another parent')
    if new_parent and new_parent not in topics.nodes:
        raise TopicsError(f'there is no topic "{new_parent}"; add it first')
    return _carried(topics, path, "/".join(filter(None, (new_parent, path.rpartition("/")[2]))), "moved")


def mark_good(topics: Topics, path: str, *, widen: bool = False) -> Edit:
    """Mark a topic good; with `widen`, instead of good topics below it."""
    _existing(topics, path)
    for topic in topics.good:
        if topic.path == path:
            raise TopicsError(f'"{path}" is already good')
        if is_at_or_below(path, topic.path):
            raise TopicsError(
                f'"{topic.path}" above it is already good, so "{path}" is too; to narrow down, unmark that one first'
            )
    lower = [topic.path for topic in topics.good if is_at_or_below(topic.path, path)]
    if lower and not widen:
        raise TopicsError(
            f'{quoted(lower)} below "{path}" {"is" if len(lower) == 1 else "are"} good; to widen: scenthound topics '
            f"DIR mark PATH --widen"
        )
    for one in lower:
        topics = _with(topics, one, lambda topic: replace(topic, good=False))
    named = topics if topics.find(path) else Topics(topics=(*topics.topics, Topic(path=path)))
    marked = _with(named, path, lambda topic: replace(topic, good=True, lead=False))
    within = f", with {quoted(lower)} in it" if lower else ""
    return Edit(topics=marked, says=f'"{path}" is good now{within}; {in_words(frozenset())}.', changed=(path, *lower))


def mark_lead(topics: Topics, path: str) -> Edit:
    """Mark a topic a lead: its links are followed, and its pages are not collected."""
    _existing(topics, path)
    for upper in (*topics.good, *topics.leads):
        if is_at_or_below(path, upper.path) and not (upper.good and upper.path == path):
            what = "good" if upper.good else "a lead"
            where = "" if upper.path == path else f' because of "{upper.path}" above it'
            raise TopicsError(f'"{path}" is already {what}{where}')
    named = topics if topics.find(path) else Topics(topics=(*topics.topics, Topic(path=path)))
    was_good = any(topic.path == path for topic in topics.good)
    marked = _with(named, path, lambda topic: replace(topic, good=False, lead=True))
    instead = ", no longer good," if was_good else ""
    says = f'"{path}" is a lead now{instead}: its links are followed and its pages are not collected'
    return Edit(topics=marked, says=f"{says}; {in_words(frozenset())}.{_none_good(marked)}", changed=(path,))


def unmark(topics: Topics, path: str) -> Edit:
    """Remove the mark of a good topic or of a lead."""
    topic = topics.find(path)
    if topic is not None and topic.lead:
        unmarked = _with(topics, path, lambda topic: replace(topic, lead=False))
        return Edit(topics=unmarked, says=f'"{path}" is no longer a lead; {in_words(frozenset())}.', changed=(path,))
    if topic is None or not topic.good:
        above = next((good.path for good in topics.good if is_at_or_below(path, good.path)), "")
        way = f'it counts as good because of "{above}" above it' if above else "scenthound topics DIR shows which are"
        raise TopicsError(f'"{path}" is not marked good; {way}')
    unmarked = _with(topics, path, lambda topic: replace(topic, good=False))
    says = f'"{path}" is no longer good; {in_words(frozenset())}.{_none_good(unmarked)}'
    return Edit(topics=unmarked, says=says, changed=(path,))


def add_examples(topics: Topics, path: str, examples: Sequence[str]) -> Edit:
    """Append examples to a topic."""
    _existing(topics, path)
    named = topics if topics.find(path) else Topics(topics=(*topics.topics, Topic(path=path)))
    there = {_key(example) for topic in named.topics if topic.path == path for example in topic.examples}
    new = list({_key(example): example for example in examples if _key(example) not in there}.values())
    if not new:
        raise TopicsError(f'"{path}" already has {quoted(examples)}')
    more = _with(named, path, lambda topic: replace(topic, examples=(*topic.examples, *new)))
    return _edit(topics, more, f'"{path}" has {count(len(new), "more example")}', (path,))


def drop_examples(topics: Topics, path: str, examples: Sequence[str]) -> Edit:
    """Remove examples from a topic."""
    gone = _held(topics, path, examples)
    fewer = _with(topics, path, lambda topic: replace(topic, examples=_without(topic.examples, gone)))
    return _edit(topics, fewer, f'"{path}" has {count(len(gone), "example")} fewer', (path,))


def move_examples(topics: Topics, path: str, to: str, examples: Sequence[str]) -> Edit:
    """Move examples from one topic to another."""
    if path == to:
        raise TopicsError(f'"{path}" already has them; name another topic to move them to')
    moved = _held(topics, path, examples)
    fewer = _with(topics, path, lambda topic: replace(topic, examples=_without(topic.examples, moved)))
    _existing(fewer, to)
    named = fewer if fewer.find(to) else Topics(topics=(*fewer.topics, Topic(path=to)))
    there = {_key(example) for topic in named.topics if topic.path == to for example in topic.examples}
    new = tuple(example for example in moved if _key(example) not in there)
    more = _with(named, to, lambda topic: replace(topic, examples=topic.examples + new))
    return _edit(topics, more, f'{count(len(moved), "example")} moved from "{path}" to "{to}"', (path, to))


def _carried(topics: Topics, path: str, new: str, how: str) -> Edit:
    """Change the path of a topic and of all topics below it."""
    carried = _existing(topics, path)
    if new == path:
        raise TopicsError(f'"{path}" already has this name and place')
    if new in topics.nodes:
        raise TopicsError(f'"{new}" already exists; move the examples there, or choose another name')
    _refuse_good_above(topics, path, new, carried)
    after = Topics(
        topics=tuple(
            replace(topic, path=new + topic.path.removeprefix(path)) if topic in carried else topic
            for topic in topics.topics
        )
    )
    nodes = [node for node in topics.nodes if is_at_or_below(node, path)]
    renamed = tuple((node, new + node.removeprefix(path)) for node in nodes)
    what = f'"{path}" was {how} and is "{new}" now' + (f", with {len(nodes) - 1:,} below it" if len(nodes) > 1 else "")
    return _edit(topics, after, what, tuple(now for _, now in renamed), renamed)


def _refuse_good_above(topics: Topics, path: str, new: str, carried: Sequence[Topic]) -> None:
    good = next((topic.path for topic in carried if topic.good), "")
    above = next((topic.path for topic in topics.good if topic.path in ancestors(new)), "")
    if good and above:
        raise TopicsError(f'"{good}" is good and would be below "{above}", which is good too; unmark one first')


def _edit(
    before: Topics, after: Topics, what: str, changed: tuple[str, ...], renamed: tuple[tuple[str, str], ...] = ()
) -> Edit:
    retrain = nodes_to_learn(before, after, dict(renamed))
    rest = _none_good(after) if before.good else ""
    return Edit(
        topics=after, says=f"{what}; {in_words(retrain)}.{rest}", changed=changed, retrain=retrain, renamed=renamed
    )


def _none_good(topics: Topics) -> str:
    return "" if topics.good else " No topic is good now: mark one before you crawl."


def _existing(topics: Topics, path: str) -> tuple[Topic, ...]:
    """Return the topics at a path and below it; raise an error if there are none."""
    found = topics.below(path)
    if not found or not path:
        raise TopicsError(f'there is no topic "{path}"')
    return found


def _with(topics: Topics, path: str, change: Callable[[Topic], Topic]) -> Topics:
    return Topics(topics=tuple(change(topic) if topic.path == path else topic for topic in topics.topics))


def _held(topics: Topics, path: str, examples: Sequence[str]) -> tuple[str, ...]:
    """Return examples in the spelling of the file."""
    topic = topics.find(path)
    there = {_key(example): example for example in topic.examples} if topic else {}
    for example in examples:
        if _key(example) not in there:
            raise TopicsError(f'"{example}" is not an example of "{path}"; scenthound topics DIR --json lists them')
    return tuple(dict.fromkeys(there[_key(example)] for example in examples))


def _without(examples: Sequence[str], gone: Sequence[str]) -> tuple[str, ...]:
    return tuple(example for example in examples if example not in gone)


def _key(example: str) -> str:
    """Return the canonical form of a URL, which all its spellings share."""
    return (canonical(example) or example) if is_address(example) else example
