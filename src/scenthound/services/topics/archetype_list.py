"""The archetypes of a crawl as people see them: apart from the examples, each with its reason."""

from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.learning.learnt_note import learnt_of
from scenthound.services.crawls.reader_store import reading


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchetypeRow:
    """A page that the crawl has added to the examples of a topic, and why."""

    topic: str
    url: str
    title: str
    confidence: float
    reason: str


def archetypes_of(directory: CrawlDirectory) -> tuple[ArchetypeRow, ...]:
    """Return the archetypes of which the user has said nothing yet, in the order in which they came."""
    crawl = directory.settings().crawl
    if not directory.begun or not crawl.archetypes or crawl.phases != "auto":
        return ()
    with reading(directory) as store:
        found = learnt_of(store).in_force(directory.topics())
        held = store.held([one.url for one in found])
    return tuple(
        ArchetypeRow(
            topic=one.topic,
            url=one.url,
            title=held[one.url].title if one.url in held else "",
            confidence=one.confidence,
            reason=one.reason,
        )
        for one in found
    )
