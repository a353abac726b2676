"""The topics of a crawl as rows: what each is to the crawl, its examples, and how many pages were found of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.reader_store import reading
from scenthound.services.topics.archetype_list import ArchetypeRow
from scenthound.taxonomy import Topic, Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicRow:
    """A topic; `state` is good, below good, lead, below lead, path or other.

    `pages` is None where the crawl has not begun.
    """

    path: str
    good: bool
    state: str
    examples: tuple[str, ...]
    query: str
    pages: int | None
    lead: bool = False
    archetypes: tuple[ArchetypeRow, ...] = ()


def rows_of(
    topics: Topics, pages: Mapping[str, int] | None = None, archetypes: Sequence[ArchetypeRow] = ()
) -> list[TopicRow]:
    """Return every topic, parents before children."""
    return [_row(topics, path, pages, archetypes) for path in topics.nodes]


def pages_by_topic(directory: CrawlDirectory) -> dict[str, int] | None:
    """Count pages by their most likely topic, examples left out; None where there is no crawl yet."""
    if not directory.begun:
        return None
    with reading(directory) as store:
        return {topic: counted.pages for topic, counted in store.topic_counts().items()}


def state_of(topics: Topics, path: str) -> str:
    """Tell what a topic is to the crawl: good, below good, lead, below lead, path, or other."""
    topic = topics.find(path)
    if topics.is_good(path):
        return "good" if topic is not None and topic.good else "below good"
    if topics.is_lead(path):
        return "lead" if topic is not None and topic.lead else "below lead"
    return "path" if topics.is_path(path) else "other"


def _row(topics: Topics, path: str, pages: Mapping[str, int] | None, archetypes: Sequence[ArchetypeRow]) -> TopicRow:
    topic = topics.find(path) or Topic(path=path)
    return TopicRow(
        path=path,
        good=topic.good,
        state=state_of(topics, path),
        examples=topic.examples,
        query=topic.query,
        pages=None if pages is None else pages.get(path, 0),
        lead=topic.lead,
        archetypes=tuple(one for one in archetypes if one.topic == path),
    )
