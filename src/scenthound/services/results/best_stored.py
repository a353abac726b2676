"""The best hubs and authorities as they were last found beside a crawl: there at once, and as old as that."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.last_scores import recall
from scenthound.distill.ranking import Asked, Ranked, best_authorities, best_hubs
from scenthound.distill.site import Site
from scenthound.errors import UsageError
from scenthound.services.crawls.reader_store import reading
from scenthound.services.results.best_pages import Wanted
from scenthound.services.sql.read_connection import asking
from scenthound.types import Distillation


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPages:
    """Hubs or authorities, best first, the good topics, and the distillation that found them; None if there was none
    yet.

    `alone` says that each page was taken for a site, because all were of one.
    """

    topics: tuple[str, ...]
    found: Distillation | None
    pages: tuple[Ranked, ...] = ()
    alone: bool = False


def stored_hubs(directory: CrawlDirectory, wanted: Wanted) -> StoredPages:
    """Return the hubs that were found last."""
    return _stored(directory, wanted, best_hubs)


def stored_authorities(directory: CrawlDirectory, wanted: Wanted) -> StoredPages:
    """Return the authorities that were found last."""
    return _stored(directory, wanted, best_authorities)


def _stored(
    directory: CrawlDirectory, wanted: Wanted, best: Callable[[sqlite3.Connection, Asked], list[Ranked]]
) -> StoredPages:
    if wanted.topic is not None:
        raise UsageError("what is stored is for all good topics together; ask for one topic without --stored")
    topics = tuple(good.path for good in directory.topics().good)
    with reading(directory) as store:
        found = store.last_distillation()
    if found is None:
        return StoredPages(topics=topics, found=None)
    if wanted.site not in (None, found.site):
        raise UsageError(f"what is stored takes a {found.site} for a site; ask without --stored")
    with asking(directory) as con:
        recall(con)
        pages = best(con, Asked(most=wanted.most, site=Site(found.site)))
    alone = found.site == Site.PAGE and directory.settings().distill.site != "page"
    return StoredPages(topics=topics, found=found, pages=tuple(pages), alone=alone)
