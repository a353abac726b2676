"""What can be smelt of a URL: the same however many are asked about at once, and a number whatever the lessons were."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.memory.ground import Floats, Ints
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.scent import ScentModel
from scenthound.apprentice.scents import smell
from scenthound.types import Lesson, LessonLink
from tests.apprentice.made_lessons import OFTEN, lessons, taught, words_of
from tests.often import often

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**9)
WIDE = [f"http://h{n % 7}.test/{'birds' if n % 3 else 'fish'}/wren{n}" for n in range(2_000)]


def smelt(model: ScentModel, urls: Ints) -> Floats:
    return smell(model.ground, model.lexicon, urls)


@often(8)
@given(seed=SEEDS)
def test_few_at_once_smell_as_many_at_once_and_as_one_by_one(seed: int) -> None:
    model = taught(lessons(seed, 100, urls=WIDE, links=40))
    waiting = model.ground.waiting()
    assert len(waiting) > 500
    many = smelt(model, waiting)
    few = np.concatenate([smelt(model, some) for some in np.array_split(waiting, len(waiting) // 50)])
    alone = np.concatenate([smelt(model, waiting[place : place + 1]) for place in range(0, len(waiting), 20)])
    assert (few == many).all()
    assert (alone == many[::20]).all()


@OFTEN
@given(seed=SEEDS, many=st.integers(1, 40), data=st.data())
def test_a_score_does_not_depend_on_what_else_is_asked(seed: int, many: int, data: st.DataObject) -> None:
    model = taught(lessons(seed, many))
    everything = np.arange(len(model.ground.names))
    order = data.draw(st.permutations(everything.tolist()))
    some = np.array(order[: data.draw(st.integers(1, len(order)))])
    assert model.scores(some) == pytest.approx(model.scores(everything)[some], abs=1e-9)
    assert model.urgency(some) == pytest.approx(model.urgency(everything)[some], abs=1e-9)


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
def test_every_lesson_leaves_numbers_and_chances(seed: int, many: int) -> None:
    model = ScentModel()
    for lesson in lessons(seed, many):
        score = model.learn(lesson).score
        assert score is None or 0.0 <= score <= 1.0
    everything = np.arange(len(model.ground.names))
    assert np.isfinite(smelt(model, everything)).all()
    for chances in (model.scores(everything), model.urgency(everything)):
        assert ((chances >= 0.0) & (chances <= 1.0)).all()


@pytest.mark.parametrize("relevance", [0.0, 1.0])
def test_a_web_that_is_all_good_or_all_bad_is_no_reason_for_infinities(relevance: float) -> None:
    log = [
        Lesson(url=url, relevance=relevance, links=(LessonLink(after, 1, 1),), stream=words_of([[1], [2], [3]]))
        for url, after in pairwise(WIDE[:301])
    ]
    model = taught(log)
    last = np.array([model.ground.number(WIDE[300])])
    assert np.isfinite(smelt(model, last)).all()
    assert model.scores(last)[0] == pytest.approx(relevance, abs=0.2)


def test_with_an_empty_log_there_is_nothing_to_score() -> None:
    model = ScentModel()
    assert smelt(model, model.ground.waiting()).shape == (0, len(NAMES))
    assert model.scores(model.ground.waiting()).tolist() == []


def test_a_link_smells_of_what_stands_beside_it() -> None:
    good, bad, own = 1, 2, 3

    def listed(url: str, items: list[tuple[str, int]]) -> Lesson:
        """A page with a word before each link, and the links far from each other."""
        links = tuple(LessonLink(target, 10 * n + 1, 10 * n + 1) for n, (target, _) in enumerate(items))
        return Lesson(
            url=url, relevance=0.5, links=links, stream=words_of([x for _, w in items for x in ([w], [own], *[[]] * 8)])
        )

    known = [(url, good if n % 2 else bad) for n, url in enumerate(WIDE[:40])]
    came = [Lesson(url=url, relevance=float(word == good)) for url, word in known]
    new = [("http://new.test/1", good), ("http://new.test/2", bad)]
    model = taught([listed("http://index.test/", known), *came, listed("http://other.test/", new)])
    urls = np.array([model.ground.number(url) for url, _ in new])
    rows = smelt(model, urls)
    for name in ("near", "around"):
        wanted, unwanted = rows[:, NAMES.index(name)]
        assert wanted > 1.0 > -1.0 > unwanted
    better, worse = model.scores(urls)
    assert better > 2 * worse
