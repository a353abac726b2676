"""The groups of a portal: pages of a topic that are alike, as `scenthound clusters` finds them."""

from collections.abc import Sequence
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.clusters.crawl_clusters import ClusterWish, clusters_of
from scenthound.services.portal.portal_types import PageGroup

MARK: Final = "clusters 1"  # change it with the method: portals are then made again
_FEWEST: Final = 30  # pages of a topic that are worth dividing


class PageGroups:
    """Finds the groups of a topic's pages. All topics together have no groups: the topics divide them."""

    def __init__(self, directory: CrawlDirectory) -> None:
        self._directory = directory

    def __call__(self, topic: str, ids: Sequence[int]) -> Sequence[PageGroup]:
        if not topic or len(ids) < _FEWEST:
            return ()
        found = clusters_of(self._directory, ClusterWish(topic=topic)).groups
        shown = set(ids)
        groups = [PageGroup(label=one.label, pages=tuple(id for id in one.ids if id in shown)) for one in found]
        return groups if len(groups) > 1 else ()
