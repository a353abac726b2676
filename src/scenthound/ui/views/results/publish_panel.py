"""Publish: makes the portal of a crawl, shows how far it is, says where it is, and opens it."""

import os
import webbrowser
from dataclasses import dataclass
from typing import Final

from nicegui import context, ui

from scenthound.counted import count
from scenthound.services.portal.portal_process import is_published, publish_apart, site_of
from scenthound.services.portal.publication import Published
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, fault

_LOCAL: Final = ("127.0.0.1", "::1")


@dataclass(slots=True)
class _Progress:
    step: str = "starting"
    done: int = 0
    pages: int = 0

    def hear(self, step: str, done: int, pages: int) -> None:
        self.step, self.done, self.pages = step, done, pages


class PublishPanel:
    """The button, the progress, and what was made."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._progress = _Progress()
        ui.label(
            "A portal is a site of static files: topics with their best pages, hubs, sites, what is new, feeds, and "
            "search in the reader's browser. It needs no server: copy the folder to where it is to be read."
        )
        ui.label("Title, colours, introduction and more are settings in [portal].").classes("muted")
        with ui.row().classes("publish-tools"):
            self._button = (
                ui.button("Publish", icon="public", on_click=self._publish).props("unelevated no-caps").mark("publish")
            )
            self._open = (
                ui.button("Open", icon="open_in_new", on_click=self._show).props("outline no-caps").mark("open portal")
            )
            self._take = (
                ui.button("Download", icon="download", on_click=self._download)
                .props("outline no-caps")
                .mark("take portal")
            )
        self._said = ui.label("").classes("told").props('role="status"')
        self._bar = ui.linear_progress(value=0.0, show_value=False).props('aria-label="Progress of the portal"')
        self._bar.set_visibility(False)
        self._timer = ui.timer(0.3, self._tell, active=False)
        there = is_published(crawl.directory)
        self._offer(there)
        if there:
            self._said.text = (
                f"The portal is in {site_of(crawl.directory).resolve()}. Publish again to bring it up to date."
            )

    async def _publish(self) -> None:
        self._progress = _Progress()
        self._working(True)
        made = await asked(publish_apart, self._crawl.directory, self._progress.hear)
        self._working(False)
        if isinstance(made, Published):
            self._said.text = (
                f"{count(made.pages, 'page')} in {count(made.topics, 'topic')}: {count(made.files, 'file')}, "
                f"{made.written:,} of them written now, in {site_of(self._crawl.directory).resolve()}"
            )
        else:
            self._said.text = "The portal was not made."
        self._offer(is_published(self._crawl.directory))

    def _working(self, on: bool) -> None:
        self._button.set_enabled(not on)
        self._bar.set_visibility(on)
        self._timer.active = on
        if on:
            self._tell()

    def _tell(self) -> None:
        now = self._progress
        self._said.text = f"{now.step}: {now.done:,} of {now.pages:,}" if now.pages else f"{now.step} …"
        self._bar.value = now.done / now.pages if now.pages else 0.0

    def _offer(self, there: bool) -> None:
        self._open.set_visibility(there and _has_screen())
        self._take.set_visibility(there)

    def _show(self) -> None:
        """Open the portal as a file. The window does not serve it: its scripts would run as the window's own."""
        index = (site_of(self._crawl.directory) / "index.html").resolve()
        if not webbrowser.open(index.as_uri()):
            fault(f"no browser could be started; open {index}")

    def _download(self) -> None:
        ui.navigate.to(f"{self._crawl.api}/portal")


def _has_screen() -> bool:
    """Tell whether the browser that looks at the window can be on this machine's screen."""
    request = context.client.request
    here = request.client is not None and request.client.host in _LOCAL
    return here and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
