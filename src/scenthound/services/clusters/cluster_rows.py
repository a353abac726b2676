"""Groups as JSON has them: for the command line and for the API."""

from typing import Any

from scenthound.search.types import PageFacts
from scenthound.services.clusters.crawl_clusters import Cluster, Clusters


def as_table(found: Clusters) -> dict[str, Any]:
    """Return groups as plain values."""
    return {
        "topic": found.topic,
        "query": found.words,
        "site": found.site,
        "says": found.says,
        "pages": found.pages,
        "without_text": found.left,
        "copies": found.copies,
        "clearness": found.clearness,
        "behind": found.behind,
        "milliseconds": round(1000 * found.seconds, 1),
        "above": [_group(group) for group in found.above],
        "groups": [_group(group) for group in found.groups],
    }


def _group(group: Cluster) -> dict[str, Any]:
    return {
        "place": group.place,
        "label": group.label,
        "terms": list(group.terms),
        "pages": group.pages,
        "share": group.share,
        "topic": group.topic,
        "language": group.language,
        "best": [_page(page) for page in group.best],
    }


def _page(page: PageFacts) -> dict[str, Any]:
    return {
        "n": page.n,
        "url": page.url,
        "host": page.host,
        "title": page.title,
        "topic": page.topic,
        "relevance": page.relevance,
    }
