"""Groups of the pages of a topic, a search or a site, each with a name and its best pages, and groups within groups.

The vectors, the texts and the topics of pages come from the search index, which is brought up to date first. The same
pages always fall into the same groups, so that a group is known by its place: 2.1 is the first group in the second.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.search.compile import Compiler
from scenthound.search.groups import CLEAR, FEWEST, MOST_GROUPS, Grouping, group_vectors
from scenthound.search.index import SearchReader, sound
from scenthound.search.labels import PAGES, LabelledPage, label_groups
from scenthound.search.query_language import parse_query
from scenthound.search.types import Filters, PageFacts
from scenthound.services.search.catch_up import Heard, Progress
from scenthound.services.search.crawl_search import CrawlFacts, SearchWish, up_to_date
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.copied_pages import ids_of_copies
from scenthound.topics.topic_names import find_topic

BEST: Final = 10  # pages of a group that are kept as its best, and become the examples of a topic
_CLOSE: Final = 0.7  # weight of closeness to the middle; the rest is relevance
_SAME: Final = 0.985  # cosine from which two pages say the same, and the second is no example
_NAMED_FROM: Final = 0.6  # of a group, nearest to its middle, from which it gets its name
_NAME_TERMS: Final = 3
_KNOWN: Final = 32  # answers that are kept for the next question

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterWish:
    """Which pages to group, as users say it; `groups` 0 lets the pages choose. `into` leads into groups: (2, 1)."""

    topic: str = ""
    words: str = ""
    site: str = ""
    groups: int = 0
    into: tuple[int, ...] = ()
    whole: bool = True
    heard: Heard = field(default=lambda progress: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A group: its place, its name, typical terms, commonest topic and language, and its best pages, best first.

    `ids` are all its pages in the database, best first too.
    """

    place: str
    label: str
    terms: tuple[str, ...]
    pages: int
    share: float
    topic: str
    language: str
    best: tuple[PageFacts, ...]
    ids: tuple[int, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """The groups of some pages, largest first.

    `above` are the groups that were walked into. `left` counts pages without text, `copies` pages that repeat others.
    `clearness` is how much better two halves of the pages agree on the groups than by chance, None if the user chose
    the number. `says` is one line on what was found.
    """

    topic: str
    words: str
    site: str
    above: tuple[Cluster, ...]
    pages: int
    left: int
    copies: int
    groups: tuple[Cluster, ...]
    clearness: float | None
    behind: int
    seconds: float
    says: str


def clusters_of(directory: CrawlDirectory, wish: ClusterWish) -> Clusters:
    """Group the pages that are wished for."""
    if not (wish.groups == 0 or 2 <= wish.groups <= MOST_GROUPS):
        raise UsageError(f"groups: from 2 to {MOST_GROUPS}, or none to let the pages choose")
    topic = find_topic(directory.topics(), wish.topic) if wish.topic else ""
    parse_query(wish.words)  # what cannot be read is said before an index is built
    begun = time.perf_counter()
    reader, behind = up_to_date(directory, SearchWish(whole=wish.whole, heard=wish.heard))
    with asking(directory) as con, sound(directory.search):
        found = _Question(reader, CrawlFacts(con), ids_of_copies(con), wish, topic).level(wish.into)
    return Clusters(
        topic=topic,
        words=wish.words,
        site=wish.site,
        above=found.above,
        pages=found.pages,
        left=found.left,
        copies=found.copies,
        groups=found.groups,
        clearness=found.clearness,
        behind=behind,
        seconds=time.perf_counter() - begun,
        says=_says(found),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """The groups of a set of pages, with the rows of each."""

    above: tuple[Cluster, ...]
    pages: int
    left: int
    copies: int
    groups: tuple[Cluster, ...]
    rows: tuple[Places, ...]
    clearness: float | None


class _Question:
    """One question to one state of an index."""

    def __init__(
        self, reader: SearchReader, facts: CrawlFacts, copies: Sequence[int], wish: ClusterWish, topic: str
    ) -> None:
        self._reader = reader
        self._facts = facts
        self._copies = copies
        self._wish = wish
        self._filters = Filters(topic=topic, site=wish.site).checked()
        self._addresses: dict[int, tantivy.DocAddress] = {}
        self._kept = (str(reader.folder), repr(reader.state), topic, wish.words, wish.site, wish.groups, len(copies))

    def level(self, into: tuple[int, ...]) -> _Level:
        """Return the groups at a place, from memory if they have been asked for before."""
        return _answers(self._kept, into, _Once(lambda: self._level(into)))

    def _level(self, into: tuple[int, ...]) -> _Level:
        self._find_addresses()
        if not into:
            rows = np.array(sorted(self._addresses), dtype=np.intp)
            return self._grouped(rows, (), left=0, copies=len(self._copied))
        outer = self.level(into[:-1])
        if not 1 <= into[-1] <= len(outer.groups):
            there = f"there are {len(outer.groups)}" if outer.groups else "there is none"
            raise UsageError(f"there is no group {place_of(into)}; {there} at this place")
        above = (*outer.above, outer.groups[into[-1] - 1])
        return self._grouped(outer.rows[into[-1] - 1], above, left=0, copies=0)

    def _find_addresses(self) -> None:
        """Find the pages in the index, copies left out."""
        if self._addresses:
            return
        compiler = Compiler(self._reader.schema, self._reader.state.by_language)
        node = parse_query(self._wish.words)
        query = compiler.filtered(compiler.query(node, self._wish.words) if node is not None else None, self._filters)
        searcher = self._reader.searcher
        addresses = [address for _, address in searcher.search(query, max(1, searcher.num_docs), count=False).hits]
        places = searcher.fast_field_values("row", addresses)
        known = self._reader.rows.rows["id"]
        copies = set(self._copies)
        self._copied = []
        for place, address in zip(places, addresses, strict=True):
            if place is None or place >= len(known) or not known[int(place)]:
                continue  # of a process that was killed before it acknowledged
            if int(known[int(place)]) in copies:
                self._copied.append(int(place))
            else:
                self._addresses[int(place)] = address

    def _grouped(self, rows: Places, above: tuple[Cluster, ...], *, left: int, copies: int) -> _Level:
        index = self._reader.rows
        fine = index.fine[rows].astype(np.float32) if len(index.fine) else np.zeros((len(rows), 1), dtype=np.float32)
        has_text = np.einsum("ij,ij->i", fine, fine) > 0
        if has_text.any():
            left, rows, fine = int((~has_text).sum()), rows[has_text], fine[has_text]
        grouping = group_vectors(fine, self._wish.groups, self._tried)
        members = [np.flatnonzero(grouping.of == number) for number in range(grouping.groups)]
        ordered = [self._best_first(rows, some, grouping) for some in members]
        names = self._names(rows, members, grouping)
        place = ".".join(one.place.rpartition(".")[2] for one in above)
        groups = tuple(
            self._cluster(f"{place}.{number}".lstrip("."), of_group, terms, fine, rows)
            for number, (of_group, terms) in enumerate(zip(ordered, names, strict=True), 1)
        )
        return _Level(
            above=above,
            pages=len(rows),
            left=left,
            copies=copies,
            groups=groups,
            rows=tuple(np.sort(rows[some]) for some in members),
            clearness=None if self._wish.groups or not grouping.trials else round(grouping.clearness, 3),
        )

    def _tried(self, done: int, of: int) -> None:
        self._wish.heard(Progress(done=done, pages=of, step="trying numbers of groups"))

    def _best_first(self, rows: Places, members: Places, grouping: Grouping) -> Places:
        relevance = np.nan_to_num(np.asarray(self._reader.rows.rows["relevance"])[rows[members]])
        score = _CLOSE * grouping.closeness[members] + (1 - _CLOSE) * relevance
        return members[np.argsort(-score, kind="stable")]

    def _names(self, rows: Places, members: Sequence[Places], grouping: Grouping) -> list[tuple[str, ...]]:
        chosen = []
        for some in members:
            ordered = some[np.argsort(-grouping.closeness[some], kind="stable")]
            last = max(0, round(_NAMED_FROM * len(ordered)) - 1, min(PAGES, len(ordered)) - 1)
            chosen.append(rows[ordered[np.unique(np.linspace(0, last, PAGES).astype(np.intp))]])
        facts = self._facts_of(np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.intp))
        return label_groups(
            [[self._read(int(row), facts[int(row)]) for row in some if int(row) in facts] for some in chosen]
        )

    def _read(self, row: int, page: PageFacts) -> LabelledPage:
        text = self._reader.text(self._addresses[row])
        return LabelledPage(title=page.title, text=text, language=page.language or self._language, site=page.host)

    @property
    def _language(self) -> str:
        return next(iter(self._reader.state.by_language), "")

    def _facts_of(self, rows: Places) -> dict[int, PageFacts]:
        ids = self._reader.rows.rows["id"][rows]
        known = self._facts.facts([int(id) for id in ids])
        return {int(row): known[int(id)] for row, id in zip(rows, ids, strict=True) if int(id) in known}

    def _cluster(
        self, place: str, members: Places, terms: tuple[str, ...], fine: NDArray[np.float32], rows: Places
    ) -> Cluster:
        index, topics = self._reader.rows.rows, [*self._reader.state.topics, ""]
        best = self._facts_of(rows[_different(members, fine)])
        numbers = Counter(np.asarray(index["topic"])[rows[members]].tolist())
        return Cluster(
            place=place,
            label=", ".join(terms[:_NAME_TERMS]) or "pages without words",
            terms=terms,
            pages=len(members),
            share=round(len(members) / len(rows), 4),
            topic=topics[numbers.most_common(1)[0][0]],
            language=Counter(page.language for page in best.values()).most_common(1)[0][0] if best else "",
            best=tuple(best.values()),
            ids=tuple(index["id"][rows[members]].tolist()),
        )


def _different(members: Places, fine: NDArray[np.float32]) -> Places:
    """Return the first of some places whose pages are not nearly the same."""
    chosen: list[int] = []
    for member in members[: 10 * BEST].tolist():
        if not chosen or float((fine[chosen] @ fine[member]).max()) < _SAME:
            chosen.append(member)
        if len(chosen) == BEST:
            break
    return np.array(chosen or members[:1].tolist(), dtype=np.intp)


class _Once:
    """Work for an answer that is not kept yet; as a part of a key it is equal to any other."""

    def __init__(self, work: Callable[[], _Level]) -> None:
        self.work = work

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Once)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=_KNOWN)
def _answers(kept: tuple[object, ...], into: tuple[int, ...], once: _Once) -> _Level:
    return once.work()


def place_of(into: Sequence[int]) -> str:
    """Return a place as people write it.

    >>> place_of((2, 1))
    '2.1'
    """
    return ".".join(map(str, into))


def into_of(place: str) -> tuple[int, ...]:
    """Read a place.

    >>> into_of("2.1"), into_of("")
    ((2, 1), ())
    """
    parts = place.split(".") if place.strip() else []
    if not all(re.fullmatch(r"\s*0*[1-9][0-9]{0,4}\s*", part) for part in parts):
        raise UsageError(
            f'"{place}" is no place of a group; write its number, or 2.1 for the first group in the second'
        )
    return tuple(int(part) for part in parts)


def _says(found: _Level) -> str:
    """Say in a line what was found."""
    if not found.pages:
        return "No page is here to group."
    if not found.groups or not any(group.terms for group in found.groups):
        return f"The {found.pages:,} pages here have no text to group them by."
    if len(found.groups) == 1:
        few = f"fewer than {FEWEST} pages" if found.pages < FEWEST else "these pages are all alike, and"
        return f"{few} are one group".capitalize() + f": {found.groups[0].label}."
    line = f"{found.pages:,} pages fall into {len(found.groups)} groups."
    if found.clearness is not None and found.clearness < CLEAR:
        line += " The borders between them are not clear; other numbers of groups are as good (--groups)."
    return line
