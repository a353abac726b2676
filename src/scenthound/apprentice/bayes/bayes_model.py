"""The paper's apprentice as a guide needs it: best-first at the beginning, then naive Bayes on the words around links.

Once it has seen enough, it chooses how far to look, learns from every link between fetched pages, and thinks the whole
frontier over (APPRENTICE §3.7). From then on each lesson adds to its counts. §2.2 and §3.8 describe what it reads of a
link.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from scenthound.apprentice.arrays import Column
from scenthound.apprentice.bayes.buckets import Bayes, prior
from scenthound.apprentice.bayes.offsets import HIGH, HIGH_FROM, LOW, Features, cited_features, joined, topic_features
from scenthound.apprentice.bayes.validation import Instances, choose_d_max
from scenthound.apprentice.memory.ground import NONE, Floats, Ground, Ints
from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.memory.tables import Table
from scenthound.apprentice.model import Learnt, Part, State, nothing
from scenthound.parse.words.word_stream import WordStream, number_of, unpack
from scenthound.types import Distillation, Lesson

Flags = NDArray[np.bool_]

WORD_BITS: Final = 24
FARTHEST: Final = 8  # leaves on each side up to which it may choose to look; the paper's best are 5 to 7 (fig. 6)
MOST_VALIDATED: Final = 3_000  # links of each bucket that it chooses by: 0.1 s, for which the crawl waits
BATCH: Final = 4_096  # links whose words are laid out at once
NAMED: Final = 1.0  # the score of what no page cites: the user named it, or something that redirects to it
SOFTNESS: Final = 20.0  # log-odds that give 3/4; half of the links waiting on the schools web have -25 to -6
_OWN: Final = "bayes "  # how the names of its own arrays begin
LATER: Final = np.iinfo(np.int32).max  # the place in the order of fetches of what was not fetched


class BayesModel:
    """Follows the best citing page until `start` lessons gave instances of both buckets.

    With `d_max` 0 it then finds out itself how far to look. With `topics`, the likeliest topics of a page are features
    of its links; with `cocitation`, the outcomes of links nearby are. One that was trained `before`, off-line as in
    §3.5, learns no more.
    """

    def __init__(
        self,
        *,
        d_max: int = 0,
        topics: bool = False,
        cocitation: bool = False,
        start: int = 100,
        before: "BayesModel | None" = None,
    ) -> None:
        self.ground = Ground(bits=WORD_BITS)
        self._around = _Surroundings(self.ground, apart=d_max or FARTHEST)
        self._given_d_max = d_max
        self._topics = topics
        self._cocitation = cocitation
        self._start = start
        self._taught = 0  # lessons that gave instances
        self._low = self._high = 0  # instances of each bucket
        self._d_max = 0
        self._bayes: Bayes | None = None
        if before is not None and before._bayes is not None:
            self._d_max, self._bayes = before._d_max, Bayes.restored(before._bayes.state())
        self._finished = self._bayes is not None

    def learn_all(self, lessons: Sequence[Lesson]) -> list[Learnt]:
        return [self.learn(lesson) for lesson in lessons]

    def learn(self, lesson: Lesson) -> Learnt:
        """Take a lesson in. A link is an instance once: when both its own page and its target are known.

        In the paper only pages teach something. A failed URL just stops waiting.
        """
        url = self.ground.number(lesson.url)
        score, reasons = self._expected(url)
        if lesson.failed:
            self.ground.leave(url)
            return Learnt(score=score, reasons=reasons)
        links, touched = self._redirect(url, lesson) if lesson.redirect else self._meet(url, lesson)
        if self._teach(links):
            touched = self.ground.waiting()
        return Learnt(score=score, reasons=reasons, touched=touched)

    def scores(self, urls: Ints) -> Floats:
        """Return what the best of the links that lead to each URL promises."""
        citing = [self.ground.citing(url) for url in urls.tolist()]
        rows = np.repeat(np.arange(len(urls)), [len(links) for links in citing])
        best = np.full(len(urls), -np.inf)
        np.maximum.at(best, rows, self._promises(np.array(list(chain.from_iterable(citing)), dtype=np.int64)))
        return np.where(np.isneginf(best), NAMED, best)

    def urgency(self, urls: Ints) -> Floats:
        """Return the scores: the paper knows no other reason to prefer a URL."""
        return self.scores(urls)

    def reasons(self, url: int) -> bytes:
        return self._expected(url)[1]

    def explain(self, reasons: bytes, terms: Iterable[str] = ()) -> list[Part]:
        return _explained(reasons, terms)

    def settled(self) -> "BayesModel":
        """Choose again how far to look, by all that was seen, and learn everything once more at that distance."""
        if self._bayes is not None:
            self._switch(np.flatnonzero(self._around.marks.told.values))
        return self

    def knowledge(self) -> State:
        """Return the counts of words, and how far it looks; nothing before it has begun to learn."""
        if self._bayes is None:
            return {}
        return {**self._bayes.state(), "d_max": np.array([self._d_max], dtype=np.int64)}

    @classmethod
    def of_knowledge(cls, known: State, *, topics: bool = False, cocitation: bool = False) -> "BayesModel":
        """Return one that learns no more, with the `knowledge` of another."""
        made = cls(topics=topics, cocitation=cocitation)
        made._d_max, made._bayes, made._finished = int(known["d_max"][0]), Bayes.restored(known), True
        return made

    def state(self) -> State:
        own = {
            "progress": np.array([self._taught, self._low, self._high, self._d_max]),
            **{name: column.values for name, column in self._around.marks.columns().items()},
            **(self._bayes.state() if self._bayes is not None else {}),
        }
        return {**self.ground.state(), **{f"{_OWN}{name}": array for name, array in own.items()}}

    def praise(self, found: Distillation) -> Ints:
        """Make nothing of hubs: in the paper, a link is judged by the words around it alone."""
        self.ground.praise(found)
        return nothing()

    def restore(self, state: State) -> None:
        own = {name.removeprefix(_OWN): array for name, array in state.items() if name.startswith(_OWN)}
        self.ground.restore(state)
        for name, column in self._around.marks.columns().items():
            column.put(own[name])
        self._taught, self._low, self._high, self._d_max = own["progress"].tolist()
        self._bayes = Bayes.restored(own) if "slots" in own else None

    def _meet(self, url: int, lesson: Lesson) -> tuple[Ints, Ints]:
        """Remember a page. Return the links to it and on it, and the waiting URLs whose promise changes."""
        assert lesson.relevance is not None, "pages that were not judged teach nothing"
        citing, first = self.ground.citing(url), len(self.ground.links.source)
        stream = unpack(lesson.stream)
        self._around.add(lesson, stream, topics=self._topics)
        _, targets = self.ground.meet([lesson], [stream])
        self._around.match()
        self._around.marks.page.values[url] = len(self.ground.pages.relevance) - 1
        changed = np.array([*citing, *range(first, len(self.ground.links.source))], dtype=np.int64)
        if self._bayes is not None and self._cocitation:
            beside = self._around.beside(changed[: len(citing)], self._d_max)
            targets = np.concatenate((targets, self.ground.links.target.values[beside]))
        return changed, self._waiting(np.unique(targets))

    def _redirect(self, url: int, lesson: Lesson) -> tuple[Ints, Ints]:
        """Let the links to a URL lead to where it redirects, those found later too; return them and where that is."""
        target = self.ground.end_of(self.ground.number(lesson.links[0].url))
        self._around.match()
        links = self.ground.citing(url)
        self.ground.leave(url)
        self.ground.redirect(url, target)
        return np.array(links, dtype=np.int64), self._waiting(np.array([target]))

    def _waiting(self, urls: Ints) -> Ints:
        return urls[self.ground.may_wait(urls)]

    def _teach(self, links: Ints) -> bool:
        """Learn from those links that have become instances; return whether this was the moment to begin with it."""
        new = self._around.instances(links)
        if not len(new):
            return False
        self._around.marks.told.values[new] = True
        self._count(self._are_high(new))
        if self._bayes is not None:
            if not self._finished:
                self._learn(self._bayes, new)
            return False
        ripe = self._taught >= self._start and self._low > 0 and self._high > 0
        if ripe:
            self._switch(np.flatnonzero(self._around.marks.told.values))
        return ripe

    def _count(self, high: Flags) -> None:
        self._taught += 1
        self._high += int(np.count_nonzero(high))
        self._low += int(np.count_nonzero(~high))

    def _switch(self, seen: Ints) -> None:
        """Begin with all instances so far."""
        self._d_max = self._given_d_max or self._chosen(seen)
        self._bayes = Bayes()
        for begin in range(0, len(seen), BATCH):
            self._learn(self._bayes, seen[begin : begin + BATCH])

    def _chosen(self, seen: Ints) -> int:
        """Choose how far to look by the latest instances of each bucket."""
        high = self._are_high(seen)
        some = np.sort(np.concatenate([seen[high == bucket][-MOST_VALIDATED:] for bucket in (False, True)]))
        targets = self.ground.links.target.values[some].astype(np.int64)
        instances = Instances(features=self._features(some, FARTHEST), high=self._are_high(some), groups=targets)
        return choose_d_max(instances, range(FARTHEST + 1))

    def _learn(self, bayes: Bayes, links: Ints) -> None:
        bayes.learn(self._features(links, self._d_max), self._are_high(links))

    def _are_high(self, links: Ints) -> Flags:
        high: Flags = self.ground.urls.relevance.values[self.ground.links.target.values[links]] >= HIGH_FROM
        return high

    def _features(self, links: Ints, d_max: int) -> Features:
        parts = [self._around.words_near(links, d_max)]
        if self._topics:
            parts.append(self._around.topics_of(links))
        if self._cocitation:
            parts.append(self._around.cited_near(links, d_max))
        return joined(*parts)

    def _promises(self, links: Ints) -> Floats:
        """Return what links promise: those on pages whose links are not followed nothing."""
        pages = self.ground.links.source.values[links]
        if self._bayes is None:
            promises = self.ground.pages.relevance.values[pages]
        else:
            promises = bounded(self._log_odds(self._bayes, links))
        return np.where(self._around.marks.followed.values[pages], promises, 0.0)

    def _log_odds(self, bayes: Bayes, links: Ints) -> Floats:
        order, odds = np.argsort(links), np.empty(len(links))  # links of a page side by side
        for begin in range(0, len(links), BATCH):
            batch = order[begin : begin + BATCH]
            odds[batch] = bayes.log_odds(self._features(links[batch], self._d_max))
        return odds

    def _expected(self, url: int) -> tuple[float | None, bytes]:
        """Return the score of a URL, and the reasons of its best link; no score where there is no link."""
        links = np.array(self.ground.citing(url), dtype=np.int64)
        if not len(links):
            return None, b""
        promises = self._promises(links)
        best = int(np.argmax(promises))
        link = links[best : best + 1]
        if self._bayes is None:
            page = float(self.ground.pages.relevance.values[self.ground.links.source.values[link[0]]])
            return float(promises[best]), _page_reasons(page)
        return float(promises[best]), _link_reasons(self._bayes, self._features(link, self._d_max))


def bounded(log_odds: Floats) -> Floats:
    """Return numbers between 0 and 1 in the order of log-odds.

    Probabilities would not keep the order, because naive Bayes takes each word for a witness of its own: on the schools
    web, one waiting link in eight is beyond ±37, where a probability is exactly 1, or so near 0 that no change would be
    reported. This approaches both ends so slowly that even log-odds of 10,000 differ from others.

    >>> bounded(np.array([-60.0, 0.0, 20.0, 60.0])).tolist()
    [0.125, 0.5, 0.75, 0.875]
    """
    return 0.5 + 0.5 * log_odds / (SOFTNESS + np.abs(log_odds))


class _Marks(Table):
    """The memory besides the ground."""

    def __init__(self, *, apart: int) -> None:
        # Of leaves: where their words begin; the last one is where all words end. Words are fewer than 2³¹: 8 GB of
        # them.
        self.starts = Column(np.int32, [0] * (apart + 1))
        self.first = Column(np.int32)  # of links: the first of their leaves
        self.last = Column(np.int32)
        self.told = Column(np.bool_)  # of links: whether they were learnt from
        self.followed = Column(np.bool_)  # of pages: whether their links may be fetched
        self.topics_end = Column(np.int32)  # of pages: where their topics end, and those of the next begin
        self.topics = Column(np.uint32)  # the tokens of all topics
        self.page = Column(np.int32)  # of URLs: the number of the page there; pages are numbered as they are fetched


class _Surroundings:
    """Knows the words around each link.

    The leaves of all pages are numbered in one row, with `apart` empty ones between two pages. So the surroundings of a
    link never reach another page, and links of many pages can be worked on at once.
    """

    def __init__(self, ground: Ground, *, apart: int) -> None:
        self._ground = ground
        self._apart = apart
        self.marks = _Marks(apart=apart)

    def add(self, lesson: Lesson, stream: WordStream, *, topics: bool) -> None:
        """Take in a page, before the ground does."""
        marks, base = self.marks, len(self.marks.starts) - 1
        leaves = np.array([(link.first_leaf, link.last_leaf) for link in lesson.links], dtype=np.int64).reshape(-1, 2)
        there = (leaves[:, 0] >= 0) & (leaves[:, 1] < len(stream.starts) - 1)
        marks.first.extend(np.where(there, base + leaves[:, 0], NONE))
        marks.last.extend(np.where(there, base + leaves[:, 1], NONE))
        marks.starts.extend(len(self._ground.words) + stream.starts[1:].astype(np.int64))
        marks.starts.add(self._apart, marks.starts.values[-1])
        marks.told.add(len(leaves), False)
        marks.followed.append(lesson.followed)
        marks.topics.extend(topic_features(lesson.topics, links=1).tokens if topics else ())
        marks.topics_end.append(len(marks.topics))

    def match(self) -> None:
        """Make room for the URLs that the ground has met since."""
        self.marks.page.add(len(self._ground.names) - len(self.marks.page), LATER)

    def instances(self, links: Ints) -> Ints:
        """Return the links that lead to a page, another than their own, and were not learnt from."""
        target, source = (column.values[links] for column in (self._ground.links.target, self._ground.links.source))
        page = self.marks.page.values[target]
        new: Flags = (page != LATER) & (page != source) & ~self.marks.told.values[links]
        return links[new]

    def beside(self, links: Ints, reach: int) -> Ints:
        """Return the links up to so many places before and behind some on their pages."""
        begin, end = self._spans(self._ground.links.source.values[links])
        return Ranges.of(np.maximum(begin, links - reach), np.minimum(end, links + reach + 1)).places

    def words_near(self, links: Ints, d_max: int) -> Features:
        """Return the words near links: what `text_features` returns of a single page, and in two thirds of the time."""
        first, last = (column.values[links].astype(np.int64) for column in (self.marks.first, self.marks.last))
        there, starts = first != NONE, self.marks.starts.values
        leaves = Ranges.of(np.where(there, first - d_max, 0), np.where(there, last + d_max + 1, 0))
        rows, leaf = np.repeat(np.arange(len(links)), leaves.sizes), leaves.places
        offsets = np.minimum(leaf - first[rows], 0) + np.maximum(leaf - last[rows], 0)
        words = Ranges.of(starts[leaf], starts[leaf + 1])
        return Features(
            links=len(links),
            rows=np.repeat(rows, words.sizes),
            tokens=self._ground.words.values[words.places].astype(np.uint32),
            offsets=np.repeat(offsets.astype(np.int16), words.sizes),
        )

    def topics_of(self, links: Ints) -> Features:
        """Return the topics of the pages that links stand on."""
        ends, pages = self.marks.topics_end.values, self._ground.links.source.values[links]
        own = Ranges.of(np.where(pages > 0, ends[pages - 1], 0), ends[pages])
        return Features(
            links=len(links),
            rows=np.repeat(np.arange(len(links)), own.sizes),
            tokens=self.marks.topics.values[own.places],
            offsets=np.zeros(len(own.places), dtype=np.int16),
        )

    def cited_near(self, links: Ints, d_max: int) -> Features:
        """Return what is known of the other links around links; `links` are in any order, each once."""
        begin, end = self._spans(np.unique(self._ground.links.source.values[links]))
        every = Ranges.of(begin, end).places
        target = self._ground.links.target.values[every]
        page = self.marks.page.values[target].astype(np.int64)
        relevance = np.where(page != LATER, self._ground.urls.relevance.values[target], np.nan)
        first, last = (column.values[every].astype(np.int64) for column in (self.marks.first, self.marks.last))
        found = cited_features(first, last, relevance, page, d_max=d_max)
        rows = np.full(len(every), NONE, dtype=np.int64)
        rows[np.searchsorted(every, links)] = np.arange(len(links))
        own = rows[found.rows] != NONE
        return Features(
            links=len(links), rows=rows[found.rows[own]], tokens=found.tokens[own], offsets=found.offsets[own]
        )

    def _spans(self, pages: Ints) -> tuple[Ints, Ints]:
        """Return where the links of pages begin and end."""
        first, last = self._ground.pages.first_link.values, len(self._ground.pages.first_link) - 1
        after = np.where(pages < last, first[np.minimum(pages + 1, last)], len(self._ground.links.source))
        return first[pages], after


class _What(IntEnum):
    """The reasons for and against a link."""

    PAGE = 0
    PRIOR = 1
    WORDS = 2
    TOPICS = 3
    NEIGHBOURS = 4


# What speaks, at which offset, how much, and the word that says most of it.
_REASON: Final = np.dtype([("what", "u1"), ("offset", "<i2"), ("weight", "<f4"), ("word", "<u4")])


def _page_reasons(relevance: float) -> bytes:
    odds = float(logit(min(max(relevance, 1e-6), 1.0 - 1e-6)))
    return np.array([(_What.PAGE, 0, odds, 0)], dtype=_REASON).tobytes()


def _link_reasons(bayes: Bayes, features: Features) -> bytes:
    """Add up the reasons for and against one link, offset by offset; the word is one that says the same as the sum."""
    before, count = prior(*bayes.instances), len(features)
    # Each occurrence by itself, as if it were all that a link has.
    weights = bayes.log_odds(replace(features, links=count, rows=np.arange(count))) - before
    spoken: dict[tuple[_What, int], list[tuple[float, int]]] = defaultdict(list)
    for token, offset, weight in zip(*(a.tolist() for a in (features.tokens, features.offsets, weights)), strict=True):
        spoken[_kind(token, offset)].append((weight, token))
    rows = [(_What.PRIOR, 0, before, 0)]
    for (what, offset), said in spoken.items():
        total = sum(weight for weight, _ in said)
        rows.append((what, offset, total, (max if total > 0 else min)(said)[1]))
    return np.array(rows, dtype=_REASON).tobytes()


def _kind(token: int, offset: int) -> tuple[_What, int]:
    if token < 1 << WORD_BITS:
        return _What.WORDS, offset
    return (_What.NEIGHBOURS if token in (LOW, HIGH) else _What.TOPICS), 0


def _explained(reasons: bytes, terms: Iterable[str]) -> list[Part]:
    """Put reasons into words, the weightiest first. Only words among `terms` can be named: the rest are numbers."""
    rows = np.frombuffer(reasons, dtype=_REASON).tolist()
    words = {word for what, _, _, word in rows if what == _What.WORDS}
    named = {number: term for term in terms if (number := number_of(term)) in words}
    parts = [
        Part(said=_said(_What(what), offset, named.get(word, "")), weight=weight)
        for what, offset, weight, word in rows
        if weight
    ]
    return sorted(parts, key=lambda part: -abs(part.weight))


def _said(what: _What, offset: int, word: str) -> str:
    if what is not _What.WORDS:
        return _SAID[what]
    leaves = f"{abs(offset)} {'leaf' if abs(offset) == 1 else 'leaves'}"
    where = "of the link" if not offset else f"{leaves} {'before' if offset < 0 else 'behind'} it"
    return f"words {where}" + (f", most of all {word!r}" if word else "")


_SAID: Final = {
    _What.PAGE: "relevance of the best page that cites it",
    _What.PRIOR: "how links have turned out so far",
    _What.TOPICS: "topics of the page that cites it",
    _What.NEIGHBOURS: "what links near it led to",
}
