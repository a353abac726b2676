"""Editing the text of one topic with tomlkit, which keeps comments and layout."""

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, Item, Table

from scenthound.settings.help import toml_value
from scenthound.taxonomy import Topic


def edited_topic(text: str, before: Topic, after: Topic) -> str:
    """Return the text of a topic with only the changed values replaced; "" if tomlkit cannot edit it.

    >>> text = '[[topic]]\\npath = "A"  # mine\\nexamples = ["a", "b"]  # two\\n'
    >>> before = Topic(path="A", examples=("a", "b"))
    >>> print(edited_topic(text, before, Topic(path="B", good=True, examples=("b", "c"))), end="")
    [[topic]]
    path = "B"  # mine
    good = true
    examples = ["b", "c"]  # two
    """
    try:
        document = tomlkit.parse(text)
        topics = document.get("topic")
        if not isinstance(topics, AoT) or len(topics) != 1:
            return ""
        _edit(topics[0], before, after)
        return tomlkit.dumps(document)
    except TOMLKitError:
        return ""


def _edit(table: Table, before: Topic, after: Topic) -> None:
    changed = {
        key: getattr(after, key)
        for key in ("path", "good", "lead", "query")
        if getattr(after, key) != getattr(before, key)
    }
    examples = table.get("examples")
    moved = isinstance(examples, Item) and any(key not in table for key in changed)
    if moved:
        table.remove("examples")  # new keys come before this list, which may be long
    for key, value in changed.items():
        table[key] = _item(value)
    if moved:
        table.append("examples", examples)
    if after.examples != before.examples:
        _edit_examples(table, after)


def _edit_examples(table: Table, after: Topic) -> None:
    """Remove and append examples, so that the others keep their lines and comments."""
    examples = table.get("examples")
    if not isinstance(examples, Array) or not examples:
        table["examples"] = _list_of(after)
        return
    for place in reversed(range(len(examples))):
        if examples[place] not in after.examples:
            del examples[place]
    there = set(examples)
    for example in after.examples:
        if example not in there:
            examples.append(_item(example))


def _list_of(topic: Topic) -> Array:
    """Write examples one to a line."""
    examples = tomlkit.array().multiline(True)
    examples.extend(_item(example) for example in topic.examples)
    return examples


def _item(value: object) -> Item:
    return tomlkit.value(toml_value(value))
