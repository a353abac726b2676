"""Pages for what cannot be shown: an address that does not exist, a crawl that is not there or is damaged, a fault of
ours.

NiceGUI has such pages of its own, which stay blank here: they are laid out without our frame, and with it without our
script.
"""

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from nicegui import Client, app, context, ui

from scenthound.errors import ScenthoundError
from scenthound.services.crawls.crawl_list import UnknownCrawlError
from scenthound.ui.views.frame import Desk, frame


def add_lost(desk: Desk) -> None:
    """Answer all errors with our own pages."""

    @app.exception_handler(404)
    def nowhere(request: Request, _error: Exception) -> Response:
        if request.url.path.startswith(("/api/", "/static/", "/archived/")):
            return JSONResponse({"error": f"there is nothing at {request.url.path}"}, status_code=404)
        return _answer(desk, request, 404, "There is no such page", f"Nothing has the address {request.url.path}.")

    @app.on_page_exception
    def broken(error: Exception) -> None:
        where = "The terminal in which the window was started says more."
        _lay_out(desk, context.client.request, "This page cannot be shown", f"{type(error).__name__}: {error}. {where}")


def answer_fault(desk: Desk, request: Request, name: str, error: ScenthoundError) -> Response:
    """Say why a page of a crawl cannot be shown."""
    if isinstance(error, UnknownCrawlError):
        return _answer(desk, request, 404, f"There is no crawl “{name}” here", "It may have been moved or renamed.")
    return _answer(desk, request, 500, f"The crawl “{name}” cannot be read", f"{error}.")


def _answer(desk: Desk, request: Request, status: int, title: str, text: str) -> Response:
    with Client(ui.page(""), request=request) as client:
        _lay_out(desk, request, title, text)
    return client.build_response(request, status)


def _lay_out(desk: Desk, request: Request, title: str, text: str) -> None:
    with frame(title, desk=desk), ui.element("div").classes("panel lost"):
        with ui.element("h1"):
            ui.label(title).props('dir="auto"')
        ui.label(text).classes("lost-text").props('dir="auto"')
        with ui.row().classes("lost-ways"):
            if desk.window.crawls.names():
                ui.link("All crawls" if not desk.window.crawls.single else "The crawl", "/").classes("way")
            ui.link("Try again", request.url.path).classes("way")
