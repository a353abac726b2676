"""Assembles the server: API, archived copies, static files, and the views."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi import Path as ParameterOfPath
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.gzip import GZipMiddleware

from scenthound.errors import ScenthoundError
from scenthound.services.results.archived_page import archived_page
from scenthound.terminal import in_json
from scenthound.ui.api import metrics_route, routes, status_of_fault
from scenthound.ui.api_models import LARGEST
from scenthound.ui.api_news import feed_routes
from scenthound.ui.api_page import api_html, described
from scenthound.ui.headers import PLAIN, SANDBOX
from scenthound.ui.login import entrance
from scenthound.ui.request_guard import App, Guard, Receive, Rules, Scope, Send
from scenthound.ui.window import Window


def build_app(window: Window, rules: Rules, *, views: bool = True) -> App:
    """Return the server as an ASGI application; without `views`, only the API."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await window.reader.close()

    app = FastAPI(
        title="scenthound",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=life,
        default_response_class=HarmlessResponse,
    )
    _documents(app, window)
    app.include_router(routes(window))
    app.include_router(metrics_route(window))
    app.include_router(entrance(rules))
    app.include_router(feed_routes(window))
    _copies(app, window)
    _faults(app)
    app.mount("/static", StaticFiles(directory=Path(str(files("scenthound.ui") / "static"))))
    if views:
        from scenthound.ui.views.routes import add_views

        add_views(app, window)
    return _packed(Guard(app, rules))


class HarmlessResponse(JSONResponse):
    """JSON that is safe in a terminal, such as with `curl`."""

    def render(self, content: Any) -> bytes:
        written = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return in_json(written).encode()


def _packed(app: App) -> App:
    """Compress responses for other machines. On this machine it only costs: 0.1 s for the first load of Monitor."""
    packing = GZipMiddleware(app, minimum_size=2000)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        local = (scope.get("client") or ("",))[0] in ("127.0.0.1", "::1")
        await (app if local else packing)(scope, receive, send)

    return answer


def _documents(app: FastAPI, window: Window) -> None:
    @app.get("/api/openapi.json", include_in_schema=False)
    def openapi() -> JSONResponse:
        return JSONResponse(described(window))

    @app.get("/api/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(api_html(described(window)), headers={"content-security-policy": PLAIN})


def _copies(app: FastAPI, window: Window) -> None:
    @app.get("/archived/{crawl}/{n}", include_in_schema=False)
    def copy(crawl: str, n: Annotated[int, ParameterOfPath(ge=0, le=LARGEST)]) -> Response:
        found = archived_page(window.open(crawl), n)
        headers = {"content-security-policy": SANDBOX, "cache-control": "no-store"}
        if not found.shown:
            name = quote(found.page.url.rstrip("/").rpartition("/")[2] or f"page-{n}", safe="")
            headers["content-disposition"] = f"attachment; filename*=UTF-8''{name}"
        kind = f"{found.mime}; charset=utf-8" if found.shown else "application/octet-stream"
        return Response(found.body, headers=headers, media_type=kind)


def _faults(app: FastAPI) -> None:
    """Return errors as one sentence."""

    @app.exception_handler(ScenthoundError)
    def ours(_request: Request, error: ScenthoundError) -> JSONResponse:
        return HarmlessResponse({"error": _cut(str(error))}, status_code=status_of_fault(error))

    @app.exception_handler(RequestValidationError)
    def unreadable(_request: Request, error: RequestValidationError) -> JSONResponse:
        told = [_in_words(one) for one in error.errors()]
        return HarmlessResponse({"error": _cut("; ".join(told))}, status_code=400)

    @app.exception_handler(UnicodeError)
    def unwritable(_request: Request, _error: UnicodeError) -> JSONResponse:
        return HarmlessResponse({"error": _HALF_A_LETTER}, status_code=400)

    @app.exception_handler(StarletteHTTPException)
    async def theirs(request: Request, error: StarletteHTTPException) -> Response:
        """Answer requests that FastAPI refuses; for the API in its own format."""
        if not request.url.path.startswith("/api/"):
            return await http_exception_handler(request, error)
        return HarmlessResponse({"error": str(error.detail)}, status_code=error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    def fault(_request: Request, error: Exception) -> JSONResponse:
        """Answer unexpected errors. The server's log has the details."""
        return HarmlessResponse({"error": f"{type(error).__name__}: {error}"}, status_code=500)


_LONGEST = 1000  # characters of an error
_HALF_A_LETTER = "a text holds half of a letter (a lone surrogate, as \\ud800) or is not UTF-8; send whole letters"


def _cut(text: str) -> str:
    """Shorten user input that an error repeats."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


def _in_words(one: Mapping[str, Any]) -> str:
    """Say what is wrong in a request, and where."""
    if one["type"] == "json_invalid":
        return f"the body is not JSON: {one.get('ctx', {}).get('error', one['msg'])}"
    where = ".".join(str(part) for part in one["loc"][1:])
    return f"{where}: {one['msg']}" if where else str(one["msg"])
