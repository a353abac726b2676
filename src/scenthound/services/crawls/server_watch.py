"""A crawl in numbers for those who watch it: its census, its engines, and what its server has to do."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.reader_store import reading
from scenthound.services.status.crawl_status import engines_of
from scenthound.store.postgres.activity import ServerFigures, server_figures
from scenthound.store.store_place import Place, reader_at
from scenthound.types import Census, EngineView


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A look at a crawl. Engines and server are those of a crawl on a server."""

    census: Census
    running: bool
    engines: tuple[EngineView, ...] = ()
    server: ServerFigures | None = None


def watched(directory: CrawlDirectory) -> Watched:
    """Look at a crawl that has begun."""
    with reading(directory) as store:
        engines, census = tuple(engines_of(store)), store.census(now=0.0)
    return Watched(
        census=census,
        running=directory.is_running() or bool(engines),
        engines=engines,
        server=_server(directory.store),
    )


def _server(place: Place) -> ServerFigures | None:
    if isinstance(place, Path):
        return None
    with closing(reader_at(place)) as con:
        return server_figures(con)
