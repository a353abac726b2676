"""The paper's apprentice on lessons of all kinds: what it learns, keeps and scores does not depend on how they come."""

from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scenthound.apprentice.bayes.bayes_model import BayesModel, bounded
from scenthound.apprentice.bayes.buckets import Bayes
from scenthound.apprentice.bayes.offsets import (
    HIGH_FROM,
    Features,
    cited_features,
    joined,
    text_features,
    topic_features,
)
from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.model import State
from scenthound.parse.words.word_stream import WordStream, pack, unpack
from scenthound.types import Lesson, LessonLink
from tests.apprentice.cycling_lessons import LATER, at, lists, redirect, score, stream_of, taught
from tests.often import often

pytestmark = pytest.mark.slow

# Lessons about a small web, of all kinds that there are: a page is a row of pieces, each of some leaves, that may be
# links.

PLACES = 8


@dataclass(frozen=True)
class Piece:
    leaves: list[str]
    target: int | None


PIECES = st.lists(
    st.builds(
        Piece,
        leaves=st.lists(st.sampled_from(["", "a", "b", "a b", "b b c"]), max_size=2),
        target=st.none() | st.integers(0, PLACES - 1),
    ),
    max_size=6,
)


@st.composite
def logs(draw: st.DrawFn, *, redirects: bool = True) -> list[Lesson]:
    """Draw lessons, one for a URL at the most; what redirects leads to a URL with a greater number, so never in a
    circle.
    """
    urls = draw(st.permutations(range(PLACES)))[: draw(st.integers(0, PLACES - 1))]
    return [
        redirect(str(url), str(draw(st.integers(url + 1, PLACES))))
        if redirects and draw(st.integers(0, 4)) == 0
        else piecewise(str(url), draw(st.sampled_from([0.1, 0.9])), draw(PIECES), draw(st.booleans()))
        for url in urls
    ]


def piecewise(url: str, relevance: float, pieces: list[Piece], is_sport: bool) -> Lesson:
    leaves, links = list[str](), dict[str, LessonLink]()
    for piece in pieces:
        if piece.target is not None:
            first, last = (len(leaves), len(leaves) + len(piece.leaves) - 1) if piece.leaves else (-1, -1)
            links.setdefault(at(str(piece.target)), LessonLink(at(str(piece.target)), first, last))
        leaves += piece.leaves
    topics = ("Sport/Golf",) if is_sport else ("Arts",)
    stream = stream_of(leaves)
    return Lesson(url=at(url), relevance=relevance, topics=topics, links=tuple(links.values()), stream=stream)


class Afterwards:
    """All instances and promises at the end of a log, by definition: page by page, link by link."""

    def __init__(self, lessons: list[Lesson], *, d_max: int, extras: bool) -> None:
        self._moved = {lesson.url: lesson.links[0].url for lesson in lessons if lesson.redirect}
        self._pages = [lesson for lesson in lessons if not lesson.redirect]
        self._fetched = {lesson.url: place for place, lesson in enumerate(self._pages)}
        self._d_max, self._extras = d_max, extras

    def scores(self) -> dict[str, float]:
        """Return those of URLs that were not fetched, or nothing if one bucket is empty."""
        bayes, buckets = Bayes(), set[bool]()
        for lesson in self._pages:
            features = self._features(lesson)
            for row, target in enumerate(self._targets(lesson)):
                if target in self._fetched and target != lesson.url:
                    high = (self._pages[self._fetched[target]].relevance or 0.0) >= HIGH_FROM
                    bayes.learn(of(features, row), np.array([high]))
                    buckets.add(high)
        return self._best(bayes) if len(buckets) == 2 else {}

    def _best(self, bayes: Bayes) -> dict[str, float]:
        best = dict[str, float]()
        for lesson in self._pages:
            promises = bounded(bayes.log_odds(self._features(lesson))).tolist()
            for target, promise in zip(self._targets(lesson), promises, strict=True):
                if target not in self._fetched:
                    best[target] = max(best.get(target, 0.0), promise)
        return best

    def _targets(self, lesson: Lesson) -> list[str]:
        return [self._onward(link.url) for link in lesson.links]

    def _onward(self, url: str) -> str:
        return self._onward(self._moved[url]) if url in self._moved else url

    def _features(self, lesson: Lesson) -> Features:
        first, last = (np.array(side, dtype=np.int64) for side in ([one.first_leaf for one in lesson.links], [one.last_leaf for one in lesson.links]))  # fmt: skip
        words = text_features(unpack(lesson.stream), first, last, d_max=self._d_max)
        if not self._extras:
            return words
        fetched = [self._fetched.get(target, LATER) for target in self._targets(lesson)]
        relevance = [np.nan if place == LATER else self._pages[place].relevance for place in fetched]
        return joined(
            words,
            topic_features(lesson.topics, links=len(lesson.links)),
            cited_features(first, last, np.array(relevance, dtype=np.float64), np.array(fetched, dtype=np.int64), d_max=self._d_max),
        )  # fmt: skip


def of(features: Features, row: int) -> Features:
    own = features.rows == row
    count = int(np.count_nonzero(own))
    return Features(
        links=1, rows=np.zeros(count, dtype=np.int64), tokens=features.tokens[own], offsets=features.offsets[own]
    )


@pytest.mark.parametrize("extras", [False, True])
@often(60)
@given(data=st.data(), d_max=st.integers(1, 3))
def test_each_link_between_fetched_pages_is_learnt_from_once(extras: bool, data: st.DataObject, d_max: int) -> None:
    """Whether the page or its target came first, and however many redirects there are between.

    With what links nearby led to there are none: how much of that was known is said by where links led then, not now.
    """
    log = data.draw(logs(redirects=not extras))
    model = taught(*log, d_max=d_max, topics=extras, cocitation=extras)
    for url, expected in Afterwards(log, d_max=d_max, extras=extras).scores().items():
        assert score(model, url.removeprefix(at(""))) == pytest.approx(expected)


def same(one: State, other: State) -> bool:
    return one.keys() == other.keys() and all(
        array.dtype == other[name].dtype and array.tobytes() == other[name].tobytes() for name, array in one.items()
    )


@often(60)
@given(log=logs(), cut=st.integers(0, PLACES), d_max=st.integers(0, 2), extras=st.booleans())
def test_what_is_restored_goes_on_as_if_nothing_had_happened(
    log: list[Lesson], cut: int, d_max: int, extras: bool
) -> None:
    whole = taught(*log, d_max=d_max, topics=extras, cocitation=extras)
    before = taught(*log[:cut], d_max=d_max, topics=extras, cocitation=extras)
    after = taught(d_max=d_max, topics=extras, cocitation=extras)
    after.restore(before.state())
    for lesson in log[cut:]:
        assert after.learn(lesson).reasons == before.learn(lesson).reasons
    assert same(after.state(), whole.state())
    assert same(before.state(), whole.state())
    waiting = whole.ground.waiting()
    assert after.scores(waiting).tobytes() == whole.scores(waiting).tobytes()


def test_a_checkpoint_is_as_good_as_the_log(tmp_path: Path) -> None:
    lessons = lists(30, telling_at=-3)
    whole, after = taught(*lessons, d_max=0, start=100), taught(d_max=0, start=100)
    before = taught(*lessons[:101], d_max=0, start=100)
    checkpoints = Checkpoints(tmp_path)
    checkpoints.keep(before, kind="bayes", critic=1, lessons=101)
    assert checkpoints.restore(after, kind="bayes", critic=1, most=500) == 101
    for lesson in lessons[101:]:
        after.learn(lesson)
    assert same(after.state(), whole.state())


@given(log=logs(), d_max=st.integers(1, 2))
@often(30)
def test_urls_do_not_change_each_others_scores(log: list[Lesson], d_max: int) -> None:
    model = taught(*log, d_max=d_max, topics=True, cocitation=True)
    waiting = model.ground.waiting()
    alone = [model.scores(np.array([url]))[0] for url in waiting.tolist()]
    assert model.scores(waiting[::-1]).tolist() == alone[::-1]


def many_lessons(pages: int, *, urls: int, seed: int = 1) -> list[Lesson]:
    """Make up pages of 200 leaves and fifty links."""
    draw = np.random.default_rng(seed)
    return [some_page(this, draw.choice(urls, 50, replace=False), draw) for this in range(pages)]


def some_page(this: int, targets: NDArray[np.int64], draw: np.random.Generator) -> Lesson:
    sizes = draw.integers(0, 5, size=200)
    words = draw.integers(0, 20_000, size=int(sizes.sum())).astype(np.uint32)
    stream = WordStream(words=words, starts=np.cumsum([0, *sizes]).astype(np.uint32))
    links = tuple(LessonLink(at(str(url)), 4 * place, 4 * place) for place, url in enumerate(targets.tolist()))
    return Lesson(url=at(str(this)), relevance=0.9 if this % 4 == 0 else 0.1, links=links, stream=pack(stream))


def test_a_page_of_fifty_links_is_learnt_quickly_and_a_frontier_scored_at_once() -> None:
    """The measured times are 0.9 ms a page, and 0.05 s for 20,000 links; much more is allowed, for machines are busy."""
    lessons = many_lessons(400, urls=10_000)
    model = BayesModel(d_max=5, start=50)
    begun = process_time()
    for lesson in lessons:
        model.learn(lesson)
    assert (process_time() - begun) / len(lessons) < 8e-3
    waiting = model.ground.waiting()
    took = list[float]()
    for _ in range(3):  # the first pays for memory that is new
        begun = process_time()
        scores = model.scores(waiting)
        took.append(process_time() - begun)
    assert min(took) < 0.5
    assert len(scores) > 8_000
