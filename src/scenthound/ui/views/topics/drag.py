"""Dragging in the tree of topics: a topic or an example is carried as text of a type of our own, and dropped on a
topic.

The browser's own drag and drop is enough (`static/window.js`); on a phone, where it does not exist, and for the
keyboard, the menus do the same. A link that is dragged here from another page becomes an example.
"""

import json
from dataclasses import dataclass

from nicegui import events, ui

from scenthound.taxonomy import is_at_or_below, parent
from scenthound.ui.api_models import EditKind, TopicEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A drop: a topic, one of its examples, or links from elsewhere. `to` is the target topic."""

    topic: str = ""
    example: str = ""
    links: tuple[str, ...] = ()
    to: str = ""


def carry(element: ui.element, topic: str, example: str = "") -> None:
    """Make an element draggable."""
    element.props("draggable=true")
    element.props["data-topic"] = topic
    if example:
        element.props["data-example"] = example


def carry_link(element: ui.element, url: str) -> None:
    """Make an element draggable as a link. Dropped on a topic, the page becomes its example."""
    element.props("draggable=true")
    element.props["data-link"] = url


def take(element: ui.element, topic: str) -> None:
    """Accept drops on an element of a topic ("" for the top). The page gets `topic_drop` events."""
    element.props["data-takes"] = topic


def carried(event: events.GenericEventArguments) -> Carried:
    """Read a drop. Data from elsewhere is links or nothing.

    >>> carried(events.GenericEventArguments(sender=None, client=None, args={"ours": "", "links": "https://a.test/"})).links
    ('https://a.test/',)
    """
    said = event.args if isinstance(event.args, dict) else {}
    links = tuple(line for line in str(said.get("links", "")).split() if line.startswith(("http://", "https://")))
    to = str(said.get("to", ""))
    try:
        ours = json.loads(said.get("ours") or "{}")
        return Carried(topic=str(ours.get("topic", "")), example=str(ours.get("example", "")), links=links, to=to)
    except (TypeError, ValueError, AttributeError):
        return Carried(links=links, to=to)


def edit_of(what: Carried) -> TopicEdit | None:
    """Return the edit that a drop means; None if it changes nothing.

    >>> edit_of(Carried(topic="Sport/Golf", to="Arts")).to
    'Arts'
    >>> edit_of(Carried(topic="Sport/Golf", to="Sport")) is None
    True
    """
    to = what.to
    if what.example and to and to != what.topic:
        return TopicEdit(edit=EditKind.MOVE_EXAMPLES, topic=what.topic, to=to, examples=[what.example])
    if what.topic and not what.example and parent(what.topic) != to and not (to and is_at_or_below(to, what.topic)):
        return TopicEdit(edit=EditKind.MOVE, topic=what.topic, to=to or "/")
    if what.links and not what.topic and to:
        return TopicEdit(edit=EditKind.ADD_EXAMPLES, topic=to, examples=list(what.links))
    return None
