"""Which priorities are told, and when: what the store knows is what the apprentice expects, as nearly as it matters."""

from collections.abc import Iterator, Sequence
from itertools import compress
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.apprentice.memory.ground import FETCHED, Floats, Ints
from scenthound.apprentice.priorities import FAR, HEAD, HEAD_EVERY, LATELY, PATIENCE, TOLERANCE, Priorities
from scenthound.apprentice.scent import ScentModel
from scenthound.types import Lesson, LessonLink
from tests.apprentice.made_lessons import OFTEN, lessons, taught
from tests.often import often

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**9)
WIDE = [f"http://h{n % 9}.test/{n % 5}/wren{n}" for n in range(1_500)]
CAPACITY = 120


class Told:
    """A frontier that does as it is told."""

    def __init__(self, model: ScentModel, *, sample: float = 0.0) -> None:
        self.model = model
        self.priorities = Priorities(model, sample=sample, seed=1)
        self.told: dict[str, float] = {}
        self.hear(self.priorities.all())

    def take(self, *batch: Lesson) -> dict[str, float]:
        touched = [self.model.learn(lesson).touched for lesson in batch]
        return self.hear(self.priorities.after(len(batch), np.concatenate(touched)))

    def hear(self, moves: dict[str, float]) -> dict[str, float]:
        self.told |= moves
        return moves

    def waiting(self) -> dict[str, float]:
        """What priority all that waits should have."""
        urls = self.model.ground.waiting()
        return {self.model.ground.names[url]: score for url, score in zip(urls, self.model.urgency(urls), strict=True)}

    def astray(self) -> list[str]:
        """Return the URLs of which the frontier believes something else than is expected, or has not heard."""
        expected = self.waiting()
        least = FAR * max(expected.values(), default=0.0)

        def differs(told: float, score: float) -> bool:
            return abs(told - score) > TOLERANCE * max(told, score, least) + 1e-12

        return [url for url, score in expected.items() if url not in self.told or differs(self.told[url], score)]


def in_batches(log: list[Lesson], seed: int) -> Iterator[list[Lesson]]:
    chance, at = Random(seed), 0
    while at < len(log):
        size = chance.choice([1, 1, 2, 7])
        yield log[at : at + size]
        at += size


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 80))
def test_when_all_was_thought_over_the_frontier_knows_what_is_expected(seed: int, many: int) -> None:
    frontier = Told(taught([]))
    for batch in in_batches(lessons(seed, many), seed):
        frontier.take(*batch)
    frontier.hear(frontier.priorities.all())
    assert frontier.astray() == []


@OFTEN
@given(seed=SEEDS, many=st.integers(1, 80))
def test_every_link_is_told_of_at_once(seed: int, many: int) -> None:
    frontier = Told(taught([]))
    for batch in in_batches(lessons(seed, many), seed):
        frontier.take(*batch)
        assert frontier.waiting().keys() <= frontier.told.keys()


@OFTEN
@given(seed=SEEDS, many=st.integers(1, 80))
def test_nothing_is_told_of_what_does_not_wait(seed: int, many: int) -> None:
    frontier = Told(taught([]), sample=0.5)
    for batch in in_batches(lessons(seed, many), seed):
        moves = frontier.take(*batch)
        assert moves.keys() <= frontier.waiting().keys()


@OFTEN
@given(seed=SEEDS, many=st.integers(20, 80))
def test_what_is_as_it_was_is_not_told_again(seed: int, many: int) -> None:
    frontier = Told(taught(lessons(seed, many)))
    assert frontier.priorities.all() == {}


@often(5)
@given(seed=SEEDS)
def test_the_frontier_knows_what_is_expected_after_much_was_forgotten(seed: int) -> None:
    frontier, forgot = Told(taught([], capacity=CAPACITY)), 0
    for batch in in_batches(lessons(seed, 150, urls=WIDE, links=20), seed):
        ground = frontier.model.ground
        frontier.take(*batch)
        if frontier.model.ground is not ground:
            forgot += 1
            assert frontier.astray() == []
    assert forgot > 3


@OFTEN
@given(seed=SEEDS)
def test_what_is_drawn_comes_next_and_is_known_to_be_drawn_once(seed: int) -> None:
    log = lessons(seed, 60)
    frontier, ever = Told(taught(log[:10]), sample=0.5), set[str]()
    for lesson in log[10:]:
        moves, waiting = frontier.take(lesson), frontier.waiting()
        drawn = list(compress(waiting, frontier.priorities.note_fetched(list(waiting))))
        assert len(drawn) <= 1
        assert not any(frontier.priorities.note_fetched(drawn))
        for url in drawn:
            ever.add(url)
            assert moves[url] >= max(frontier.told[other] for other in waiting if other == url or other not in ever)
    assert len(ever) > 10


def test_without_a_sample_nothing_is_drawn() -> None:
    log = lessons(3, 80)
    frontier = Told(taught([]))
    for lesson in log:
        frontier.take(lesson)
    assert not any(frontier.priorities.note_fetched(frontier.model.ground.names))


def test_about_as_many_are_drawn_as_the_sample_says() -> None:
    log = lessons(3, 400, urls=WIDE, links=3)
    model = taught([])
    priorities, drawn = Priorities(model, sample=0.2, seed=4), 0
    for lesson in log:
        priorities.after(1, model.learn(lesson).touched)
        drawn += sum(priorities.note_fetched(model.ground.names))
    assert drawn == pytest.approx(0.2 * len(log), rel=0.25)


def test_what_was_best_once_is_no_measure_of_what_is_left() -> None:
    """The best turns out to be bad, again and again: differences that did not matter do when that is all there is."""
    one_host = [f"http://h.test/{n % 5}/wren{n}" for n in range(1_500)]
    good = [replace(one, relevance=1.0) for one in lessons(8, 40, urls=one_host) if not one.redirect]
    frontier = Told(taught(good))
    before = max(frontier.waiting().values())
    for _ in range(60):
        waiting = frontier.waiting()
        frontier.take(Lesson(url=max(waiting, key=waiting.__getitem__), relevance=0.0))
        frontier.hear(frontier.priorities.all())
        assert frontier.astray() == []
    assert max(frontier.waiting().values()) < 0.5 * before


def test_what_is_far_below_all_that_was_fetched_lately_is_told_roughly_and_what_comes_near_exactly() -> None:
    """The links of a poor host have been tried, and are left alone while there are good ones; then they are all there
    is.
    """
    good, poor = (Lesson(url=f"http://{name}.test/", relevance=x) for name, x in (("good", 0.9), ("poor", 0.05)))
    links = {
        "good": [f"http://good.test/{n}" for n in range(300)],
        "poor": [f"http://poor.test/{n}" for n in range(50)],
    }
    lists = [replace(one, links=tuple(map(LessonLink, links[name]))) for one, name in ((good, "good"), (poor, "poor"))]
    frontier, left = Told(taught(lists)), set(links["poor"][15:])

    def fetch(urls: Sequence[str], relevance: float) -> None:
        for url in urls:
            frontier.priorities.note_fetched([url])
            frontier.take(Lesson(url=url, relevance=relevance))
        frontier.hear(frontier.priorities.all())

    fetch(links["poor"][:15], 0.0)
    assert frontier.astray() == []
    fetch(links["good"][: 2 * LATELY], 1.0)
    assert {*frontier.astray()} == left
    assert max(frontier.told[url] for url in left) < min(frontier.told[url] for url in links["good"][2 * LATELY :])
    fetch(links["good"][2 * LATELY :], 1.0)
    fetch(links["poor"][15:35], 0.0)
    assert len(frontier.waiting()) == 15
    assert frontier.astray() == []


def test_the_head_is_thought_over_every_few_lessons_though_no_lesson_touches_it() -> None:
    """With so many links that it takes more lessons until all are thought over."""
    lists = [
        Lesson(url=f"http://lists.test/{n}", relevance=n / 40, links=tuple(map(LessonLink, WIDE[n::40])))
        for n in range(40)
    ]
    more = [replace(one, url=f"{one.url}/again") for one in lists]
    frontier = Told(taught([*lists, *more]))
    assert len(frontier.model.ground.links.source) > HEAD_EVERY * PATIENCE
    edge = sorted(frontier.told.values(), reverse=True)[HEAD]  # of those that promise the same, some are of the head
    head = {url for url, told in frontier.told.items() if told > edge}
    for n in range(
        HEAD_EVERY
    ):  # nothing leads there, and nothing from there anywhere; but the hosts are known better now
        frontier.take(Lesson(url=f"http://h{n}.test/elsewhere", relevance=1.0 - n % 2))
    astray = set(frontier.astray())
    assert head
    assert not astray & head
    assert astray


def test_when_the_best_are_gone_small_differences_are_told_at_once() -> None:
    """A few good links are fetched, and what is left is poor: a change that was too small to be told beside them is
    told now.
    """
    good, poor = ([f"http://{name}.test/{n}" for n in range(many)] for name, many in (("good", 4), ("poor", 40)))
    model = Ranked([*good, *poor])
    priorities = Priorities(model)
    model.worth = dict.fromkeys(good, 0.9) | dict.fromkeys(poor, 0.04)
    priorities.begin(0)
    for url in good:
        model.ground.urls.state.values[model.ground.number(url)] = FETCHED
    model.worth[poor[0]] = 0.043
    assert priorities.some(np.array([model.ground.number(poor[0])])) == {poor[0]: 0.043}


class Ranked(ScentModel):
    """An apprentice that thinks of URLs what it is told to think."""

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__()
        self.learn(Lesson(url="http://list.test/", relevance=1.0, links=tuple(map(LessonLink, urls))))
        self.worth = dict[str, float]()

    def urgency(self, urls: Ints) -> Floats:
        return np.array([self.worth[self.ground.names[url]] for url in urls.tolist()])
