"""Edits of the taxonomy as functions from topics to topics, each saying what it changed and what must be learnt anew.

After FOCUS §2.1: the user refines the tree, moves examples, and marks topics good. No good topic may stand above
another; an edit that would bring this about is refused with the way out. Paths are whole ones here (`names.find_topic`
makes them of what is typed).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical
from scenthound.taxonomy import Topic, Topics, ancestors, is_address, is_at_or_below, parent
from scenthound.topics.names import is_path
from scenthound.topics.teaching import in_words, to_learn_anew
from scenthound.topics.wording import count, quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Edited topics, and in one sentence what is different.

    `changed` are the paths that the edit is about, as they are called now, or were where they are gone. `retrain` holds
    the nodes ("" is the root) below which other examples stand than before, so that how their children are told apart
    must be learnt anew. It is empty when topics were only marked or renamed. `renamed` leads from old paths to new ones.
    """

    topics: Topics
    says: str
    changed: tuple[str, ...]
    retrain: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()


def add_topic(topics: Topics, path: str, *, good: bool = False, examples: Sequence[str] = (), query: str = "") -> Edit:
    """Put a topic into the tree; the topics above it come with its path."""
    if not is_path(path):
        raise TopicsError(f'"{path}" is no path: names with one / between them, such as "Recreation/Cycling"')
    if topics.find(path):
        raise TopicsError(f'"{path}" exists already; add to it with: example add "{path}" URL…')
    new = Topic(path=path, examples=tuple(dict.fromkeys(examples)), query=query)
    with_it = Topics(topics=(*topics.topics, new))
    marked = mark_good(with_it, path).topics if good else with_it
    as_good = ", as a good topic," if good else ""
    what = f'"{path}" was added{as_good} with {count(len(new.examples), "example")}' + (" and a query" if query else "")
    return _edit(topics, marked, what, (path,))


def remove_topic(topics: Topics, path: str) -> Edit:
    """Take a topic out, with everything below it."""
    gone = _existing(topics, path)
    if len(gone) == len(topics.topics):
        raise TopicsError(f'"{path}" is all there is; add another topic before you remove it')
    kept = Topics(topics=tuple(topic for topic in topics.topics if topic not in gone))
    examples = sum(len(topic.examples) for topic in gone)
    below = sorted({node for node in topics.nodes if is_at_or_below(node, path)} - {path})
    what = f'"{path}" was removed' + (f" with {quoted(below)} below it" if below else "")
    return _edit(topics, kept, f"{what}, and {count(examples, 'example')} of it", (path, *below))


def rename_topic(topics: Topics, path: str, name: str) -> Edit:
    """Give a topic another name in its place; what stands below it follows."""
    if not is_path(name) or "/" in name:
        raise TopicsError(
            f'"{name}" is no name for a topic: it must not be empty or hold a /; move takes a topic elsewhere'
        )
    return _carried(topics, path, "/".join(filter(None, (parent(path), name))), "renamed")


def move_topic(topics: Topics, path: str, new_parent: str) -> Edit:
    """Take a topic, with everything below it, to another place; "" is the top of the tree."""
    if is_at_or_below(new_parent, path) and new_parent:
        raise TopicsError(f'"{path}" cannot stand below itself; choose a parent outside of it')
    if new_parent and new_parent not in topics.nodes:
        raise TopicsError(f'there is no topic "{new_parent}"; add it first')
    return _carried(topics, path, "/".join(filter(None, (new_parent, path.rpartition("/")[2]))), "moved")


def mark_good(topics: Topics, path: str, *, widen: bool = False) -> Edit:
    """Mark a topic as one whose pages are wanted; with `widen`, in place of good ones below it."""
    _existing(topics, path)
    for topic in topics.good:
        if topic.path == path:
            raise TopicsError(f'"{path}" is good already')
        if is_at_or_below(path, topic.path):
            raise TopicsError(
                f'"{topic.path}" above it is good, and "{path}" with it; to narrow down, unmark that first'
            )
    lower = [topic.path for topic in topics.good if is_at_or_below(topic.path, path)]
    if lower and not widen:
        raise TopicsError(
            f'{quoted(lower)} below "{path}" {"is" if len(lower) == 1 else "are"} good; to widen: scenthound topics DIR mark PATH --widen'
        )
    for one in lower:
        topics = _with(topics, one, lambda topic: replace(topic, good=False))
    named = topics if topics.find(path) else Topics(topics=(*topics.topics, Topic(path=path)))
    marked = _with(named, path, lambda topic: replace(topic, good=True))
    within = f", with {quoted(lower)} in it" if lower else ""
    return Edit(topics=marked, says=f'"{path}" is good now{within}; {in_words(frozenset())}.', changed=(path, *lower))


def unmark_good(topics: Topics, path: str) -> Edit:
    """Take the mark from a good topic."""
    topic = topics.find(path)
    if topic is None or not topic.good:
        above = next((good.path for good in topics.good if is_at_or_below(path, good.path)), "")
        way = f'it is wanted with "{above}" above it' if above else "scenthound topics DIR shows which are"
        raise TopicsError(f'"{path}" is not marked good; {way}')
    unmarked = _with(topics, path, lambda topic: replace(topic, good=False))
    rest = "" if unmarked.good else " No topic is good any more: mark one before you crawl."
    return Edit(topics=unmarked, says=f'"{path}" is not good any more; {in_words(frozenset())}.{rest}', changed=(path,))


def add_examples(topics: Topics, path: str, examples: Sequence[str]) -> Edit:
    """Hang examples on a topic, behind those that it has."""
    _existing(topics, path)
    named = topics if topics.find(path) else Topics(topics=(*topics.topics, Topic(path=path)))
    there = {_key(example) for topic in named.topics if topic.path == path for example in topic.examples}
    new = list({_key(example): example for example in examples if _key(example) not in there}.values())
    if not new:
        raise TopicsError(f'"{path}" has {quoted(examples)} already')
    more = _with(named, path, lambda topic: replace(topic, examples=(*topic.examples, *new)))
    return _edit(topics, more, f'"{path}" has {count(len(new), "more example")}', (path,))


def drop_examples(topics: Topics, path: str, examples: Sequence[str]) -> Edit:
    """Take examples from a topic."""
    gone = _held(topics, path, examples)
    fewer = _with(topics, path, lambda topic: replace(topic, examples=_without(topic.examples, gone)))
    return _edit(topics, fewer, f'"{path}" has {count(len(gone), "example")} fewer', (path,))


def move_examples(topics: Topics, path: str, to: str, examples: Sequence[str]) -> Edit:
    """Take examples from one topic to another."""
    if path == to:
        raise TopicsError(f'"{path}" has them already; name another topic to move them to')
    moved = _held(topics, path, examples)
    fewer = _with(topics, path, lambda topic: replace(topic, examples=_without(topic.examples, moved)))
    _existing(fewer, to)
    named = fewer if fewer.find(to) else Topics(topics=(*fewer.topics, Topic(path=to)))
    there = {_key(example) for topic in named.topics if topic.path == to for example in topic.examples}
    new = tuple(example for example in moved if _key(example) not in there)
    more = _with(named, to, lambda topic: replace(topic, examples=topic.examples + new))
    return _edit(topics, more, f'{count(len(moved), "example")} moved from "{path}" to "{to}"', (path, to))


def _carried(topics: Topics, path: str, new: str, how: str) -> Edit:
    """Change the beginning of the paths of a topic and all below it."""
    carried = _existing(topics, path)
    if new == path:
        raise TopicsError(f'"{path}" is called so and stands there already')
    if new in topics.nodes:
        raise TopicsError(f'"{new}" exists already; move the examples there, or choose another name')
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
        raise TopicsError(
            f'"{good}" is good and would come to stand below "{above}", which is good too; unmark one first'
        )


def _edit(
    before: Topics, after: Topics, what: str, changed: tuple[str, ...], renamed: tuple[tuple[str, str], ...] = ()
) -> Edit:
    retrain = to_learn_anew(before, after, dict(renamed))
    rest = " No topic is good any more: mark one before you crawl." if before.good and not after.good else ""
    return Edit(
        topics=after, says=f"{what}; {in_words(retrain)}.{rest}", changed=changed, retrain=retrain, renamed=renamed
    )


def _existing(topics: Topics, path: str) -> tuple[Topic, ...]:
    """Return what stands at a path and below it; there must be something."""
    found = topics.below(path)
    if not found or not path:
        raise TopicsError(f'there is no topic "{path}"')
    return found


def _with(topics: Topics, path: str, change: Callable[[Topic], Topic]) -> Topics:
    return Topics(topics=tuple(change(topic) if topic.path == path else topic for topic in topics.topics))


def _held(topics: Topics, path: str, examples: Sequence[str]) -> tuple[str, ...]:
    """Return examples as the topic has them, in the spelling of the file."""
    topic = topics.find(path)
    there = {_key(example): example for example in topic.examples} if topic else {}
    for example in examples:
        if _key(example) not in there:
            raise TopicsError(f'"{example}" is no example of "{path}"; scenthound topics DIR --json lists them')
    return tuple(dict.fromkeys(there[_key(example)] for example in examples))


def _without(examples: Sequence[str], gone: Sequence[str]) -> tuple[str, ...]:
    return tuple(example for example in examples if example not in gone)


def _key(example: str) -> str:
    """Return what two spellings of one address have in common."""
    return (canonical(example) or example) if is_address(example) else example
