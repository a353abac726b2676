"""All pages of the window, by their paths."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from nicegui import ui

from scenthound.errors import ScenthoundError
from scenthound.ui.views.crawls import crawls, new_crawl
from scenthound.ui.views.frame import Crawl, Desk
from scenthound.ui.views.groups.company_view import company
from scenthound.ui.views.groups.groups_view import groups
from scenthound.ui.views.lost import add_lost, answer_fault
from scenthound.ui.views.map.map_view import neighbourhood
from scenthound.ui.views.monitor.monitor_view import monitor
from scenthound.ui.views.news.news_view import news
from scenthound.ui.views.results.results_view import results
from scenthound.ui.views.settings_view import settings
from scenthound.ui.views.sql_view import sql
from scenthound.ui.views.teach.teach_view import teach
from scenthound.ui.views.topics.topics_view import topics
from scenthound.ui.views.widgets import quickly
from scenthound.ui.watch import Watches
from scenthound.ui.window import Window

View = Callable[[Crawl], Awaitable[None] | None]

_OF_A_CRAWL: dict[str, View] = {
    "": monitor,
    "/results": results,
    "/groups": groups,
    "/company": company,
    "/map": neighbourhood,
    "/topics": topics,
    "/teach": teach,
    "/sql": sql,
    "/news": news,
    "/settings": settings,
}


def add_views(app: FastAPI, window: Window) -> None:
    """Add the pages to the server. A new view is a line above and one in `frame.VIEWS`."""
    desk = Desk(window=window, watches=Watches(window))

    @ui.page("/")
    def _list() -> RedirectResponse | None:
        if window.crawls.single:
            return RedirectResponse(f"/crawl/{quote(window.crawls.path.name, safe='')}")
        crawls(desk)
        return None

    @ui.page("/new")
    def _new() -> None:
        new_crawl(desk)

    for path, view in _OF_A_CRAWL.items():
        _add(desk, path, view)
    add_lost(desk)
    ui.run_with(
        app,
        title="scenthound",
        dark=None,
        tailwind=False,
        language="en-GB",
        favicon="🐾",
        show_welcome_message=False,
        gzip_middleware_factory=None,
        reconnect_timeout=10.0,
    )


def _add(desk: Desk, path: str, view: View) -> None:
    @ui.page(f"/crawl/{{name}}{path}")
    async def page(name: str, request: Request) -> Response | None:
        try:
            crawl = desk.crawl(name)
            crawl.directory.settings(), crawl.directory.topics()  # what cannot be read gets a page that says so
            await quickly(crawl.watch.look())  # so that the numbers come with the page, and not after it
            made = view(crawl)
            if made is not None:
                await made
        except ScenthoundError as error:
            return answer_fault(desk, request, name, error)
        return None
