"""Numbers of all crawls for Prometheus, in its text format, version 0.0.4."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError
from scenthound.services.crawls.server_watch import Watched, watched
from scenthound.store.postgres.activity import ServerFigures
from scenthound.types import Census, EngineView
from scenthound.ui.window import Window

TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_GAUGES: Final = {
    "pages": "Pages fetched.",
    "waiting": "URLs that wait in the frontier.",
    "claimed": "URLs being fetched now.",
    "known": "URLs known in all.",
    "judged": "Pages judged.",
    "relevance_sum": "Sum of the relevance of all judged pages; by judged it is the harvest rate.",
    "hosts": "Hosts known.",
    "hosts_resting": "Hosts that must rest before they are asked again.",
    "hosts_bad": "Hosts given up.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    """A figure of an engine, or of the server of a crawl."""

    name: str
    help: str
    kind: str = "gauge"


_OF_ENGINES: Final[dict[_Figure, Callable[[EngineView], float]]] = {
    _Figure(name="engine_pages_per_second", help="Pages that an engine fetches a second, lately."): lambda e: e.speed,
    _Figure(name="engine_pages", help="Pages that an engine has fetched since it started."): lambda e: e.pages,
    _Figure(name="engine_shards", help="Shards of an engine, of 1024."): lambda e: e.shards,
    _Figure(name="engine_silent_seconds", help="Seconds since the last sign of life of an engine."): lambda e: e.silent,
    _Figure(name="engine_teaches", help="1 for the engine that trains critics for all."): lambda e: e.teaches,
}
_OF_SERVERS: Final[dict[_Figure, Callable[[ServerFigures], float]]] = {
    _Figure(
        name="server_active_seconds_total",
        help="Seconds that the server has worked on statements of this database, from PostgreSQL 14 on.",
        kind="counter",
    ): lambda s: s.active_seconds,
    _Figure(name="server_commits_total", help="Transactions of this database.", kind="counter"): lambda s: s.commits,
    _Figure(name="server_connections", help="Connections to this database."): lambda s: s.connections,
    _Figure(name="server_bytes", help="Bytes of the crawl on the server, indexes included."): lambda s: s.bytes,
    _Figure(name="server_dead_rows", help="Old versions of rows that wait for vacuum."): lambda s: s.dead_rows,
    _Figure(name="server_live_rows", help="Rows of the crawl."): lambda s: s.live_rows,
    _Figure(name="archive_bytes", help="Bytes of all archive files."): lambda s: s.archive_bytes,
    _Figure(name="archive_files_local", help="Archive files not uploaded."): lambda s: s.archive_files_here,
    _Figure(name="archive_bytes_local", help="Bytes of archive files not uploaded."): lambda s: s.archive_bytes_here,
}


def metrics_text(window: Window) -> str:
    """Return everything as text."""
    return "\n".join(_lines(window)) + "\n"


def _lines(window: Window) -> Iterator[str]:
    found = dict(_looks(window))
    for name, text in _GAUGES.items():
        yield from _head(name, text)
        for crawl, look in found.items():
            yield f'scenthound_{name}{{crawl="{_escaped(crawl)}"}} {getattr(look.census, name):.10g}'
    yield from _head("running", "1 while a process crawls.")
    for crawl, look in found.items():
        yield f'scenthound_running{{crawl="{_escaped(crawl)}"}} {int(look.running)}'
    yield from _head("without_page", "URLs without a page, by reason.")
    for crawl, look in found.items():
        for reason, number in sorted(look.census.reasons.items()):
            yield f'scenthound_without_page{{crawl="{_escaped(crawl)}",reason="{reason}"}} {number}'
    yield from _lines_of_engines(found)
    yield from _lines_of_servers(found)


def _lines_of_engines(found: dict[str, Watched]) -> Iterator[str]:
    if not any(look.engines for look in found.values()):
        return
    for figure, value in _OF_ENGINES.items():
        yield from _head(figure.name, figure.help, figure.kind)
        for crawl, look in found.items():
            for engine in look.engines:
                labels = f'crawl="{_escaped(crawl)}",engine="{engine.number}",name="{_escaped(engine.name)}"'
                yield f"scenthound_{figure.name}{{{labels}}} {value(engine):.10g}"


def _lines_of_servers(found: dict[str, Watched]) -> Iterator[str]:
    servers = {crawl: look.server for crawl, look in found.items() if look.server is not None}
    for figure, value in _OF_SERVERS.items() if servers else ():
        yield from _head(figure.name, figure.help, figure.kind)
        for crawl, server in servers.items():
            yield f'scenthound_{figure.name}{{crawl="{_escaped(crawl)}"}} {value(server):.10g}'


def _looks(window: Window) -> Iterator[tuple[str, Watched]]:
    for name in window.crawls.names():
        directory = window.open(name)
        try:
            yield name, _look(directory)
        except ScenthoundError:  # damaged, or its server is away: the list of crawls says so
            continue


def _look(directory: CrawlDirectory) -> Watched:
    return watched(directory) if directory.begun else Watched(census=Census(), running=directory.is_running())


def _head(name: str, text: str, kind: str = "gauge") -> Iterator[str]:
    yield f"# HELP scenthound_{name} {text}"
    yield f"# TYPE scenthound_{name} {kind}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
