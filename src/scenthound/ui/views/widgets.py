"""Small pieces that several pages are made of: tiles with a number, empty states, relevance as a bar, calls that may
fail.

Texts from crawled pages are shown by `ui.label` and the like, which never take them for markup.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import urlsplit

from nicegui import Client, run, ui

from scenthound.errors import ScenthoundError

P = ParamSpec("P")
T = TypeVar("T")

_MOMENT: Final = 0.3  # seconds for which a page waits for what it shows


async def asked(do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | bool | None:
    """Run a function in a thread. Show an error and return None if it fails; True means no value."""
    try:
        value = await run.io_bound(do, *args, **kwargs)
    except ScenthoundError as error:
        fault(str(error))
        return None
    return True if value is None else value


async def quickly(work: Awaitable[T]) -> T | None:
    """Wait a moment for a part of the page; None if it takes longer and has to follow later."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=_MOMENT)
    return task.result() if done else None


def fault(text: str) -> None:
    """Show an error."""
    ui.notify(text[:1].upper() + text[1:], type="negative", multi_line=True, timeout=8000, close_button="Close")


def button(text: str, on_click: Callable[..., Any], *, icon: str, label: str) -> ui.button:
    """Make a quiet button with an icon. `label` describes it for screen readers."""
    made = ui.button(text, icon=icon, on_click=on_click, color=None).props("flat dense no-caps").classes("quiet")
    made.props["aria-label"] = label  # never as part of a text that is read as props: it may hold words of others
    with made:
        ui.tooltip(label)
    return made


@contextmanager
def titled_dialog(title: str) -> Iterator[ui.dialog]:
    """Open a dialog with a title; the block makes its content. It is removed when it is closed."""
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        dialog.props["aria-label"] = title
        ui.label(title).classes("title").props('dir="auto"')
        yield dialog
    dialog.on("hide", dialog.delete)
    dialog.open()


def title_button(text: str, on_click: Callable[..., Any]) -> ui.button:
    """Make the title of a page a button that opens its card."""
    return ui.button(text, on_click=on_click, color=None).props("flat dense no-caps align=left").classes("page-title")


def tile(name: str, help_text: str = "") -> ui.label:
    """Make a tile and return the label of its number."""
    with ui.element("div").classes("tile"):
        ui.label(name).classes("tile-name")
        value = ui.label("–").classes("tile-value")
        if help_text:
            ui.label(help_text).classes("tile-help")
    return value


def empty(icon: str, title: str, text: str) -> None:
    """Show an empty state, with what to do."""
    with ui.element("div").classes("empty"):
        ui.icon(icon).props('aria-hidden="true"')
        ui.label(title).classes("empty-title")
        ui.label(text).classes("empty-text")


def relevance(value: float | None, *, name: str = "relevance") -> None:
    """Show a relevance, or another number from 0 to 1, as a number and a bar."""
    if value is None:
        ui.label("not judged").classes("muted")
        return
    with ui.element("div").classes("relevance").props('role="img"') as shown:
        shown.props["aria-label"] = f"{name} {value:.2f}"
        with ui.element("div").classes("relevance-bar"):
            ui.element("div").style(f"width: {100 * min(1.0, max(0.0, value)):.0f}%")
        ui.label(f"{value:.2f}")


Bar = tuple[str, float, str]  # a name, its number, and what is written behind the bar


class Bars:
    """Names with bars. While the names stay the same, only changed values are sent."""

    def __init__(self, rows: Sequence[Bar] = ()) -> None:
        self._names: list[str] = []
        self._parts: list[tuple[ui.element, ui.label]] = []
        self._place = ui.element("div").classes("bars").props('role="list"')
        self.show(rows)

    def show(self, rows: Sequence[Bar]) -> None:
        names = [name for name, _, _ in rows]
        if names != self._names:
            self._names = names
            self._place.clear()
            with self._place:
                self._parts = [_bar(name) for name in names]
        most = max((number for _, number, _ in rows), default=0.0) or 1.0
        for (bar, written), (_, number, text) in zip(self._parts, rows, strict=True):
            bar.style(replace=f"width: {100 * number / most:.1f}%")
            written.text = text


def _bar(name: str) -> tuple[ui.element, ui.label]:
    with ui.element("div").classes("bar-row").props('role="listitem"'):
        ui.label(name).classes("bar-name").props('dir="auto"')
        with ui.element("div").classes("bar"):
            bar = ui.element("div")
        return bar, ui.label("").classes("bar-number")


def panel(title: str) -> ui.element:
    """Make a section with a heading."""
    section = ui.element("section").classes("panel")
    with section, ui.element("h2"):
        ui.label(title)
    return section


def outside(url: str, text: str = "") -> None:
    """Link to a web page in a new tab without a referrer. Anything but a URL stays plain text."""
    if urlsplit(url).scheme not in ("http", "https"):
        ui.label(text or url)
        return
    link = ui.link(text or url, url, new_tab=True).classes("outside")
    link._props["rel"] = "noopener noreferrer"
    link._props["dir"] = "auto"


def in_browser(client: Client, verb: str, **data: object) -> None:
    """Call a function of `static/window.js` with some data. Nothing is evaluated there."""
    client.run_javascript(json.dumps([verb, data]))


def moment(at: float) -> str:
    """Write a time in the server's time zone.

    >>> len(moment(0.0))
    16
    """
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")


def lines_of(text: str | None) -> list[str]:
    """Return the non-empty lines of a text.

    >>> lines_of(" a \\n\\nb")
    ['a', 'b']
    """
    return [line.strip() for line in (text or "").splitlines() if line.strip()]
