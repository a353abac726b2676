"""`scenthound serve`: open the window on a port, print its URL, and keep it open until Ctrl-C."""

import errno
import html
import ipaddress
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from scenthound.errors import UsageError
from scenthound.own_folder import write_own
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.services.news.watch_process import resume_watches
from scenthound.terminal import say
from scenthound.ui.app import build_app
from scenthound.ui.request_guard import Rules
from scenthound.ui.sessions import Sessions, new_token
from scenthound.ui.window import Window

PORT: Final = 8765
_TRIED: Final = 20  # ports from the usual one on
NO_TOKEN: Final = "There is no token: every user and program of this machine can do here what you can."


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """The arguments of the command. `port` None means the usual one or the next free one; 0 means any.

    `names` are a proxy's. Without a `token`, everybody who can reach the port can do what its user can. An `attached`
    window belongs to another program: it closes when its standard input ends.
    """

    path: Path
    overrides: Sequence[str] = ()
    host: str = "127.0.0.1"
    port: int | None = None
    names: Sequence[str] = ()
    token: bool = True
    show: bool = True
    attached: bool = False


def serve(wanted: Serving) -> int:
    """Serve until it is stopped."""
    crawls = Crawls.at(wanted.path)
    window = Window(crawls=crawls, overrides=tuple(wanted.overrides))
    if not wanted.token and not is_loopback(wanted.host):
        raise UsageError("--no-token works only on this machine; remove it or --host")
    with listening(wanted) as listener:
        port = listener.getsockname()[1]
        token = new_token() if wanted.token else ""
        rules = rules_of(wanted, port, token)
        asked = f"?token={token}" if token else ""
        address = address_of(wanted.host, port) + asked
        app = build_app(window, rules)
        # It warns, with a whole stack, when something is ready for a page that its reader has left; here that is no
        # news.
        logging.getLogger("nicegui").setLevel(logging.ERROR)
        say(f"The window is open at {address}", flush=True)
        for name in wanted.names:
            say(f"Behind the proxy: https://{name}/{asked}", flush=True)
        if not token:
            say(NO_TOKEN, file=sys.stderr, flush=True)
        if not crawls.names():
            say(f"There is no crawl in {wanted.path} yet; make the first one in the window.", flush=True)
        if not wanted.attached:
            threading.Thread(target=_resume, args=(crawls,), daemon=True).start()
            say("Ctrl-C closes it; crawls that were started in it go on.", flush=True)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_max_size=2_000_000,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        if wanted.attached:
            threading.Thread(target=_close_with_input, args=(server,), daemon=True).start()
        with _shown(address, port) if wanted.show and can_show() else nullcontext():
            server.run(sockets=[listener])
    for one in window.engine.at_work():
        say(f"Process {one.process} goes on crawling; kill -INT {one.process} stops it in good order.", file=sys.stderr)
    return 0


def _resume(crawls: Crawls) -> None:
    """Take up the watches that the window began. Each takes a second to start, for which nobody need wait."""
    for name in resume_watches(crawls):
        say(f"{name} is watched again.", file=sys.stderr, flush=True)


@contextmanager
def _shown(address: str, port: int) -> Iterator[None]:
    """Open the browser with a file that redirects to the URL.

    Every user of a machine can see what its programs are started with, and so must not see the token there.
    """
    page = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={html.escape(address)}">\n'
    try:
        file = write_own(f"window-{port}.html", page)
    except OSError as error:
        say(f"The browser is not opened ({error.strerror}: {error.filename}); open the address.", file=sys.stderr)
        yield
        return
    threading.Timer(0.5, webbrowser.open, (file.as_uri(),)).start()
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def _close_with_input(server: uvicorn.Server) -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    server.should_exit = True


def rules_of(wanted: Serving, port: int, token: str) -> Rules:
    """Return the allowed host names and sessions."""
    local = is_loopback(wanted.host)
    own = (
        {"localhost", "127.0.0.1", "::1"}
        if local
        else {"localhost", socket.gethostname().lower(), socket.getfqdn().lower()}
    )
    proxied = {name.lower() for name in wanted.names}
    names = own | {wanted.host.strip("[]").lower()} | proxied
    sessions = Sessions(token) if token else None
    return Rules(names=names, port=port, proxied=proxied, addresses=not local, sessions=sessions)


def listening(wanted: Serving) -> socket.socket:
    """Return a socket on the given port, or on the next free one by default."""
    ports = [wanted.port] if wanted.port is not None else [*range(PORT, PORT + _TRIED), 0]
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    for port in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((wanted.host.strip("[]"), port))
            listener.listen(128)
        except OSError as error:
            listener.close()
            fault, nobodys = error.strerror or str(error), _is_nobodys(error)
            continue
        return listener
    cure = "--host takes an address of this machine" if nobodys else "--port 0 takes a free one"
    raise UsageError(f"{wanted.host} port {ports[0]} is not available: {fault}; {cure}")


def _is_nobodys(error: OSError) -> bool:
    """Return whether the address is wrong, not the port."""
    return isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def address_of(host: str, port: int) -> str:
    """Return the URL to open. If it listens on all addresses, use the machine's name."""
    name = host.strip("[]")
    if name in ("0.0.0.0", "::"):
        name = socket.gethostname()
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def can_show() -> bool:
    """Return whether there is a desktop. Without one, a text browser would take over the terminal."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
