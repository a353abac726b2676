"""A receiver of webhooks on loopback that keeps what it gets, and answers as the test wants."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(slots=True)
class Receiver:
    """`got` are the parcels in their order, `headers` those of the last one. `on_post` is called before the answer."""

    port: int = 0
    status: int = 200
    got: list[dict[str, Any]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    on_post: Callable[[], object] = lambda: None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/news"

    @property
    def ids(self) -> list[str]:
        return [item["id"] for parcel in self.got for item in parcel["news"]]

    @property
    def titles(self) -> list[str]:
        return [item["title"] for parcel in self.got for item in parcel["news"]]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.got.append(json.loads(body))
            receiver.headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.on_post()
            self.send_response(receiver.status)
            self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # the client was killed

    server = Server(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
