"""A window's server on a loopback port, for as long as a `with` lasts: without the views, in a thread of this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import uvicorn

from scenthound.services.crawls.crawl_list import Crawls
from scenthound.ui.app import build_app
from scenthound.ui.server import Serving, listening, rules_of
from scenthound.ui.window import Window
from tests.patience import PATIENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    client: httpx.Client
    window: Window


@contextmanager
def served(path: Path, *, token: str = "") -> Iterator[Served]:
    """Serve a crawl or a folder of crawls."""
    wanted = Serving(path=path, port=0)
    window = Window(crawls=Crawls.at(path))
    with listening(wanted) as listener:
        port = listener.getsockname()[1]
        app = build_app(window, rules_of(wanted, port, token), views=False)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as client:
                yield Served(client=client, window=window)
        finally:
            server.should_exit = True
            thread.join()
