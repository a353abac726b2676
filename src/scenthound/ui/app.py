"""The one place that puts the server together: API, archived copies, our own files, and the views."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

from scenthound.desk.archived import archived_page
from scenthound.errors import ScenthoundError
from scenthound.ui.api import metrics_route, routes, status_of_fault
from scenthound.ui.api_page import api_html, described
from scenthound.ui.entrance import entrance
from scenthound.ui.guard import App, Guard, Receive, Rules, Scope, Send
from scenthound.ui.headers import PLAIN, SANDBOX
from scenthound.ui.window import Window


def build_app(window: Window, rules: Rules, *, views: bool = True) -> App:
    """Return the server as one ASGI application; without `views`, only what other programs use."""

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await window.reader.close()

    app = FastAPI(title="scenthound", docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    _documents(app, window)
    app.include_router(routes(window))
    app.include_router(metrics_route(window))
    app.include_router(entrance(rules))
    _copies(app, window)
    _faults(app)
    app.mount("/static", StaticFiles(directory=Path(str(files("scenthound.ui") / "static"))))
    if views:
        from scenthound.ui.views.all import add_views  # NiceGUI takes a second to import

        add_views(app, window)
    return _packed(Guard(app, rules))


def _packed(app: App) -> App:
    """Compress answers for browsers elsewhere. On one machine that only costs: 0.1 s of processor time for what the Monitor loads first."""
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
    def copy(crawl: str, n: int) -> Response:
        found = archived_page(window.open(crawl), n)
        headers = {"content-security-policy": SANDBOX, "cache-control": "no-store"}
        if not found.shown:
            name = quote(found.page.url.rstrip("/").rpartition("/")[2] or f"page-{n}", safe="")
            headers["content-disposition"] = f"attachment; filename*=UTF-8''{name}"
        kind = f"{found.mime}; charset=utf-8" if found.shown else "application/octet-stream"
        return Response(found.body, headers=headers, media_type=kind)


def _faults(app: FastAPI) -> None:
    """Let what went wrong come back as one sentence."""

    @app.exception_handler(ScenthoundError)
    def ours(_request: Request, error: ScenthoundError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, status_code=status_of_fault(error))

    @app.exception_handler(RequestValidationError)
    def unreadable(_request: Request, error: RequestValidationError) -> JSONResponse:
        told = [f"{'.'.join(str(part) for part in one['loc'][1:])}: {one['msg']}" for one in error.errors()]
        return JSONResponse({"error": "; ".join(told)}, status_code=400)
