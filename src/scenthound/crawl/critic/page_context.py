"""What the graph of a crawl says of its pages: words of links to them, and terms of their neighbours (BINGO §3.4).

Links to a page may be found after the page was judged. Each time the number of pages that cite it has doubled, it is
due to be judged again. The first links count, so that a home page with a million of them costs no more than another.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from scenthound.archive.place import ArchiveFolder
from scenthound.crawl.readers.stored_pages import page_of_archive
from scenthound.judge.critic import Context, Example, Lessons, Page
from scenthound.parse.urls import canonical
from scenthound.parse.words.terms import unpack
from scenthound.store.base import Store
from scenthound.store.rules import CITATIONS_SHOWN
from scenthound.types import Ending, HeldPage, LinkKind, Outcome, Story

NEIGHBOURS: Final = 8  # of a page, those fetched first
AT_HAND: Final = 300  # pages of the crawl that are learnt from: each is read from the archive
_WITH_WORDS: Final = (LinkKind.ANCHOR, LinkKind.AREA)


class Surroundings:
    """Find what is around pages. `archive` has their texts."""

    def __init__(self, store: Store, archive: ArchiveFolder) -> None:
        self._store = store
        self._archive = archive

    def around(self, pages: Sequence[Page]) -> list[Page]:
        """Return pages with their context."""
        return [replace(page, context=self._context(page.url)) if page.site else page for page in pages]

    def lessons(self, lessons: Lessons) -> Lessons:
        """Return lessons whose pages have texts and contexts; those that are no pages of the web stay as they are."""
        pages = iter(self._read([one.page for one in lessons.examples]))
        examples = tuple(Example(topic=one.topic, name=one.name, page=next(pages)) for one in lessons.examples)
        at_hand = tuple(self._read(lessons.at_hand[:AT_HAND]))
        others = tuple(self._read(lessons.others)) if any(page.site for page in lessons.others) else lessons.others
        return replace(lessons, examples=examples, at_hand=(*at_hand, *lessons.at_hand[AT_HAND:]), others=others)

    def due(self, outcomes: Sequence[Outcome]) -> list[HeldPage]:
        """Return the pages that a batch of outcomes cites so much more often that they are to be judged again."""
        new = Counter(
            url
            for outcome in outcomes
            if outcome.ending is Ending.PAGE and not outcome.claim.fetched_before
            for url in {found.link.url for found in outcome.discoveries if found.link.text}
        )
        fresh = {outcome.claim.url for outcome in outcomes}
        held = self._store.held([url for url in new if url not in fresh])
        return [page for url, page in held.items() if page.relevance is not None and self._is_due(url, new[url])]

    def _is_due(self, url: str, new: int) -> bool:
        story = self._store.story(url, now=0.0)
        if story is None:
            return False
        before = max(story.citing_count - new, 0)
        return before < CITATIONS_SHOWN and story.citing_count.bit_length() > before.bit_length()

    def _read(self, pages: Sequence[Page]) -> list[Page]:
        addresses = {page.url: canonical(page.url) or "" for page in pages if page.site}
        held = self._store.held(list(addresses.values()))
        return self.around([self._with_text(page, held.get(addresses.get(page.url, ""))) for page in pages])

    def _with_text(self, page: Page, held: HeldPage | None) -> Page:
        if page.text or held is None or held.spot is None:
            return page
        read = page_of_archive(self._archive, held)
        return replace(page, text=read.text) if read is not None else page

    def _context(self, url: str) -> Context:
        story = self._store.story(url, now=0.0)
        if story is None:
            return Context()
        beside = self._store.neighbours([url], limit=NEIGHBOURS)
        terms = tuple(unpack(page.terms) for page in beside if page.terms)
        return Context(anchors=tuple(_anchors(story)), neighbours=terms)


def _anchors(story: Story) -> Iterator[str]:
    """Yield the words of links to a URL, those of each citing page once: a menu repeats them."""
    seen = set[tuple[str, str]]()
    for one in story.citations:
        if one.text and one.kind in _WITH_WORDS and (one.url, one.text) not in seen:
            seen.add((one.url, one.text))
            yield one.text
