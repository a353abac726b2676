"""A group becomes a topic: below the topic that was asked for, with its best pages as examples."""

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.services.clusters.crawl_clusters import Cluster, Clusters, ClusterWish, clusters_of, place_of
from scenthound.services.topics.topic_edits import Edited, Editing


def make_topic(directory: CrawlDirectory, wish: ClusterWish, *, name: str = "") -> Edited:
    """Make a topic of the group that `wish.into` leads to. The edit can be undone like any other."""
    if not wish.into:
        raise UsageError("say which group becomes a topic, such as 2, or 2.1 for the first group in the second")
    outer = clusters_of(directory, _around(wish))
    number = wish.into[-1]
    if not 1 <= number <= len(outer.groups):
        there = f"there are {len(outer.groups)}" if outer.groups else "there is none"
        raise UsageError(f"there is no group {place_of(wish.into)}; {there} at this place")
    return add_topic(directory, outer, outer.groups[number - 1], name=name)


def add_topic(directory: CrawlDirectory, found: Clusters, group: Cluster, *, name: str = "") -> Edited:
    """Make a topic of a group that was found."""
    chosen = name.strip() or name_of(group)
    if "/" in chosen:
        raise UsageError(f'"{chosen}" cannot be the name of a topic: it must not contain /')
    above = found.topic or group.topic
    path = f"{above}/{chosen}" if above else chosen
    examples = [page.url for page in group.best]
    return Editing(directory.path).add(path, examples, good=False, query="")


def name_of(group: Cluster) -> str:
    """Return the name of a topic that is made of a group: its two most typical terms.

    >>> name_of(Cluster(place="1", label="", terms=("hub gears", "TCP/IP"), pages=1, share=1.0, topic="", language="",
    ...     best=()))
    'Hub gears, TCP IP'
    """
    terms = ", ".join(group.terms[:2]).replace("/", " ")
    return (terms[:1].upper() + terms[1:]) or f"Group {group.place}"


def _around(wish: ClusterWish) -> ClusterWish:
    """Return the wish for the groups among which the wanted one is."""
    return ClusterWish(
        topic=wish.topic,
        words=wish.words,
        site=wish.site,
        groups=wish.groups,
        into=wish.into[:-1],
        whole=wish.whole,
        heard=wish.heard,
    )
