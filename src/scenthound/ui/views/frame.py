"""What all pages have in common: the head with the crawl's name and its engine, the way to the other views, light and
dark.

On a phone the ways to the views lie at the bottom, within reach of a thumb.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from nicegui import context, ui

from scenthound.crawl.diagnosis.speed import harvest
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.ui.api import options_of
from scenthound.ui.api_models import Start
from scenthound.ui.nicegui_compat import draws
from scenthound.ui.views.live import Live
from scenthound.ui.views.preload import needed_soon
from scenthound.ui.views.widgets import asked, button, in_browser, titled_dialog
from scenthound.ui.watch import Look, Watch, Watches
from scenthound.ui.window import Window

THEME: Final = "scenthound_theme"  # the cookie that remembers light or dark
_ICONS: Final = {"auto": "brightness_auto", "light": "light_mode", "dark": "dark_mode"}
_NEXT: Final = {"auto": "dark", "dark": "light", "light": "auto"}
_DOING: Final = {
    "stopped": "Stopped",
    "starting": "Starting …",
    "crawling": "Crawling",
    "paused": "Paused",
    "asking": "Asking questions …",
    "learning": "Learning …",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A link to one of the pages of a crawl."""

    path: str
    name: str
    icon: str


VIEWS: Final = (
    View(path="", name="Monitor", icon="insights"),
    View(path="/results", name="Results", icon="travel_explore"),
    View(path="/groups", name="Groups", icon="bubble_chart"),
    View(path="/map", name="Map", icon="hub"),
    View(path="/topics", name="Topics", icon="account_tree"),
    View(path="/sql", name="SQL", icon="terminal"),
    View(path="/news", name="News", icon="notifications"),
    View(path="/settings", name="Settings", icon="tune"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What every page gets: the window, and the watches of its crawls."""

    window: Window
    watches: Watches

    def crawl(self, name: str) -> "Crawl":
        watch = self.watches.of(name)
        return Crawl(desk=self, name=name, directory=self.window.open(name), watch=watch, live=Live(watch))


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """The crawl of a page, and the parts of the page that follow it."""

    desk: Desk
    name: str
    directory: CrawlDirectory
    watch: Watch
    live: Live

    def address(self, view: str = "") -> str:
        return f"/crawl/{quote(self.name, safe='')}{view}"

    def map_address(self, *, url: str = "", topic: str = "") -> str:
        """Return the path of the map around a page or a topic."""
        return f"{self.address('/map')}?{urlencode({'url': url} if url else {'topic': topic})}"

    @property
    def api(self) -> str:
        return f"/api/crawls/{quote(self.name, safe='')}"


@contextmanager
def frame(
    title: str, *, desk: Desk, crawl: Crawl | None = None, here: str | None = None, charts: bool = False
) -> Iterator[None]:
    """Lay out a page. The block makes its main part; `charts` says whether it has charts."""
    ui.page_title(f"{title} · scenthound")
    _without_main(context.client.content)
    ui.colors(primary="#2f6f4f", negative="#b3261e")
    ui.add_head_html(needed_soon(charts=charts) + '<link rel="stylesheet" href="/static/window.css">')
    ui.add_body_html(f'<script defer src="/static/window.js" data-draws="{"yes" if draws() else "no"}"></script>')
    with ui.element("a").props('href="#main"').classes("skip"):
        ui.label("Skip to the content")
    with ui.element("header").classes("head"):
        with ui.element("a").props('href="/" aria-label="scenthound: all crawls"').classes("brand"):
            ui.icon("pets").props('aria-hidden="true"')
            ui.label("scenthound").classes("brand-name")
        if crawl is not None:
            with ui.element("h1").classes("crawl-name").props('dir="auto"'):
                ui.label(crawl.name)
        ui.element("div").classes("grow")
        if crawl is not None:
            _engine(crawl)
        _theme()
    if crawl is not None:
        _ways(crawl, here)
    with ui.element("main").props('id="main" tabindex="-1"').classes("main"):
        yield


def _without_main(content: ui.element) -> None:
    """Remove the landmarks that NiceGUI adds around every page; ours is the only main part."""
    around = content.parent_slot.parent if content.parent_slot is not None else None
    if around is not None and around.tag == "q-page":
        around.tag = "div"


def _ways(crawl: Crawl, here: str | None) -> None:
    with ui.element("nav").classes("ways").props('aria-label="Views of this crawl"'):
        for view in VIEWS:
            current = ' aria-current="page"' if view.path == here else ""
            with ui.element("a").props(f'href="{crawl.address(view.path)}"{current}'):
                ui.icon(view.icon).props('aria-hidden="true"')
                ui.label(view.name)


def _theme() -> None:
    chosen = context.client.request.cookies.get(THEME, "auto")
    chosen = chosen if chosen in _ICONS else "auto"
    dark = ui.dark_mode({"auto": None, "light": False, "dark": True}[chosen])
    state = {"chosen": chosen}

    def turn() -> None:
        new = state["chosen"] = _NEXT[state["chosen"]]
        dark.value = {"auto": None, "light": False, "dark": True}[new]
        toggle.props(f'icon={_ICONS[new]} aria-label="Colours: {new}"')
        in_browser(context.client, "remember", name=THEME, value=new)

    toggle = button("", turn, icon=_ICONS[chosen], label=f"Colours: {chosen}")


def _engine(crawl: Crawl) -> None:
    """Show the state of the crawl's process, with its buttons."""
    engine = crawl.desk.window.engine
    with ui.element("div").classes("engine").props('role="group" aria-label="The crawl"'):
        state = ui.label("").classes("state").props('role="status" aria-live="polite"')
        start = button("Start", lambda: start_dialog(crawl), icon="play_arrow", label="Start the crawl").classes(
            "start"
        )
        go_on = button(
            "Go on",
            _told(crawl, engine.start, "The crawl goes on."),
            icon="play_arrow",
            label="Resume the crawl",
        )
        pause = button(
            "Pause",
            _told(crawl, engine.pause, "It pauses when what is in flight has landed."),
            icon="pause",
            label="Pause the crawl",
        )
        stop = button(
            "Stop",
            _told(crawl, engine.stop, "It ends when what is in flight has landed; everything is saved."),
            icon="stop",
            label="Stop the crawl",
        )

    def show(look: Look) -> None:
        doing = look.engine.doing
        state.text = _doing(look)
        state.classes(replace=f"state {doing}")
        start.visible = doing in ("stopped", "asking", "learning")
        go_on.visible = doing == "paused"
        pause.visible = doing == "crawling" and look.engine.steerable
        stop.visible = look.engine.running and look.engine.steerable

    crawl.live.show(show)


def _doing(look: Look) -> str:
    """Return the state in words. Before the first page, it is fetching examples."""
    doing = look.engine.doing
    if doing == "crawling" and not look.census.pages:
        return "Fetching examples …"
    return _DOING[doing] + (f" · {look.pulse.pages_per_second:.1f}/s" if doing == "crawling" and look.pulse else "")


def _told(crawl: Crawl, do: Callable[[CrawlDirectory], None], text: str) -> Callable[[], object]:
    async def act() -> None:
        if await asked(do, crawl.directory) is not None:
            ui.notify(text)
            await crawl.live.look()

    return act


def start_dialog(crawl: Crawl, *, forgiving: bool = False) -> None:
    """Ask for the limits of the crawl, and start it."""
    with titled_dialog("Start the crawl") as dialog:
        if not crawl.directory.begun:
            ui.link("See first how well it will go", crawl.address("/topics"))
        pages = ui.number("Stop after this many pages in total", value=1000, min=0, step=100, precision=0).props(
            'hint="0 means no limit" autofocus'
        )
        minutes = ui.number("Stop after this many minutes", value=0, min=0).props('hint="0 means no limit"')
        forgive = ui.checkbox("Give hosts that failed too often another chance", value=forgiving)

        async def start() -> None:
            limits = Start(pages=int(pages.value or 0), minutes=float(minutes.value or 0), forgive=bool(forgive.value))
            if await asked(crawl.desk.window.engine.start, crawl.directory, options_of(limits)) is not None:
                dialog.close()
                ui.notify("The crawl is starting.")
                await crawl.live.look()

        for field in (pages, minutes):
            field.on("keydown.enter", start)
        with ui.row().classes("actions"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Start", on_click=start).props("unelevated no-caps").mark("start")


def harvest_text(look: Look) -> str:
    rate = harvest(look.census)
    return "–" if rate is None else f"{rate:.3f}"
