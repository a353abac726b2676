"""An answer of search as JSON has it: for the command line and for the API."""

from dataclasses import asdict
from typing import Any

from scenthound.search.types import Hit
from scenthound.services.search.crawl_search import Found


def as_table(found: Found) -> dict[str, Any]:
    """Return an answer as plain values."""
    answer = found.answer
    return {
        "matches": answer.matches,
        "pages": answer.pages,
        "behind": found.behind,
        "milliseconds": round(1000 * found.seconds, 1),
        "topic": found.topic,
        "did_you_mean": answer.did_you_mean,
        "hits": [_hit(hit) for hit in answer.hits],
        "facets": {name: {one.value: one.pages for one in counts} for name, counts in answer.facets.items()},
    }


def _hit(hit: Hit) -> dict[str, Any]:
    page = hit.page
    return {
        "n": page.n,
        "url": page.url,
        "host": page.host,
        "title": page.title,
        "language": page.language,
        "mime": page.mime,
        "topic": page.topic,
        "relevance": page.relevance,
        "authority": page.authority,
        "fetched_at": page.fetched_at,
        "score": round(hit.score, 6),
        "by_words": hit.by_words,
        "parts": asdict(hit.parts),
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
    }
