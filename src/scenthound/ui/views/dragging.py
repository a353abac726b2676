"""Dragging in the tree of topics: a topic or an example is carried as text of a type of our own, and dropped on a topic.

The browser's own drag and drop is enough; on a phone, where it does not exist, and for the keyboard, the menus do the same.
A link that is dragged here from another page becomes an example.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

from nicegui import events, ui

from scenthound.taxonomy import is_at_or_below, parent
from scenthound.ui.asked import EditKind, TopicEdit

_TYPE: Final = "application/x-scenthound"
_OVER: Final = "(e) => {{ e.preventDefault(); e.stopPropagation(); e.currentTarget.classList.{verb}('over'); }}"
_DROP: Final = f"""(e) => {{
    e.preventDefault(); e.stopPropagation(); e.currentTarget.classList.remove('over');
    emit({{ours: e.dataTransfer.getData('{_TYPE}'), links: e.dataTransfer.getData('text/uri-list')}});
}}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What was dropped: a topic, an example of it, or links from elsewhere."""

    topic: str = ""
    example: str = ""
    links: tuple[str, ...] = ()


def carry(element: ui.element, topic: str, example: str = "") -> None:
    """Let an element be dragged."""
    load = json.dumps(json.dumps({"topic": topic, "example": example}))
    element.props("draggable=true")
    element.on(
        "dragstart",
        js_handler=f"(e) => {{ e.stopPropagation(); e.dataTransfer.effectAllowed = 'move'; e.dataTransfer.setData('{_TYPE}', {load}); }}",
    )


def take(element: ui.element, dropped: Any) -> None:
    """Let things be dropped on an element; `dropped` is called with what the browser says, for `carried`."""
    element.on("dragover", js_handler=_OVER.format(verb="add"))
    element.on("dragleave", js_handler=_OVER.format(verb="remove"))
    element.on("drop", dropped, js_handler=_DROP)


def carried(event: events.GenericEventArguments) -> Carried:
    """Read what was dropped; whatever is not of our making is links or nothing.

    >>> carried(events.GenericEventArguments(sender=None, client=None, args={"ours": "", "links": "https://a.test/"})).links
    ('https://a.test/',)
    """
    said = event.args if isinstance(event.args, dict) else {}
    links = tuple(line for line in str(said.get("links", "")).split() if line.startswith(("http://", "https://")))
    try:
        ours = json.loads(said.get("ours") or "{}")
        return Carried(topic=str(ours.get("topic", "")), example=str(ours.get("example", "")), links=links)
    except (TypeError, ValueError, AttributeError):
        return Carried(links=links)


def edit_of(what: Carried, to: str) -> TopicEdit | None:
    """Return what dropping something on a topic means ("" is the top of the tree); None where it changes nothing.

    >>> edit_of(Carried(topic="Sport/Golf"), "Arts").to
    'Arts'
    >>> edit_of(Carried(topic="Sport/Golf"), "Sport") is None
    True
    """
    if what.example and to and to != what.topic:
        return TopicEdit(edit=EditKind.MOVE_EXAMPLES, topic=what.topic, to=to, examples=[what.example])
    if what.topic and not what.example and parent(what.topic) != to and not (to and is_at_or_below(to, what.topic)):
        return TopicEdit(edit=EditKind.MOVE, topic=what.topic, to=to or "/")
    if what.links and not what.topic and to:
        return TopicEdit(edit=EditKind.ADD_EXAMPLES, topic=to, examples=list(what.links))
    return None
