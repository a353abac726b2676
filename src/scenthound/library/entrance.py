"""The two ways to a crawl in Python: open one that is there, or make a new one."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.library.opened_crawl import Crawl, overrides
from scenthound.services.crawls.new_crawl import Wish, make_crawl


def open(path: Path | str) -> Crawl:
    """Open the crawl in a folder."""
    return Crawl(CrawlDirectory.open(path))


def new(
    path: Path | str,
    urls: str | Iterable[str] = (),
    *,
    topics: Path | str | None = None,
    bookmarks: Path | str | None = None,
    dmoz: Path | str | None = None,
    under: str | Iterable[str] = (),
    folder: Path | str | None = None,
    query: str | None = None,
    start: str | Iterable[str] = (),
    good: str | Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
) -> Crawl:
    """Make a crawl from examples of what you want, and open it. The arguments are those of `scenthound new`.

    Give `urls`, or one source: a topics file, bookmarks, a web directory (`dmoz`), a folder of documents, or a `query`
    in words. `good` names the good topics; `settings` are written into crawl.toml.
    """
    wish = Wish(
        path=Path(path),
        urls=_several(urls),
        topics=_path(topics),
        bookmarks=_path(bookmarks),
        dmoz=_path(dmoz),
        under=_several(under),
        folder=_path(folder),
        query=query,
        start=_several(start),
        good=_several(good),
        overrides=overrides(settings or {}),
    )
    make_crawl(wish)
    return open(path)


def _several(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)
