"""Dead links: what fails speaks against its host and its folder, and against nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.memory.ground import Ints
from scenthound.apprentice.scent import BLOCK, ScentModel
from scenthound.apprentice.scents import DOUBT, TRUST, alive, smell
from scenthound.types import Lesson, LessonLink
from tests.apprentice.made_lessons import OFTEN, lessons, taught, words_of

SEED = "http://seed.test/"
OWN = 7  # a word


def offered(*urls: str, by: str = SEED) -> Lesson:
    """A page that links to these, each with the same word, far from each other."""
    links = tuple(LessonLink(url, 10 * n, 10 * n) for n, url in enumerate(urls))
    return Lesson(url=by, relevance=0.5, links=links, stream=words_of([[OWN], *[[]] * 9] * len(urls)))


def dead(*urls: str) -> list[Lesson]:
    return [Lesson(url=url, relevance=0.0, failed=True) for url in urls]


def there(*urls: str) -> list[Lesson]:
    return [Lesson(url=url, relevance=0.5) for url in urls]


def numbers(model: ScentModel, *urls: str) -> Ints:
    return np.array([model.ground.number(url) for url in urls])


def chances(model: ScentModel, *urls: str) -> list[float]:
    found: list[float] = alive(model.ground, numbers(model, *urls)).tolist()
    return found


def test_before_anything_was_asked_for_everything_is_taken_to_answer() -> None:
    assert chances(ScentModel(), "http://a.test/", "http://b.test/x/y.pdf") == [1.0, 1.0]


def test_a_folder_of_dead_links_sinks_and_the_rest_of_its_host_less() -> None:
    shots, pages = ([f"http://a.test/{kind}{n}" for n in range(20)] for kind in ("shots/", "pages/"))
    model = taught([offered(*shots, *pages, by="http://a.test/"), *dead(*shots[:10]), *there(*pages[:10])])
    shot, page, elsewhere = chances(model, shots[-1], pages[-1], "http://b.test/")
    assert shot < 0.15
    assert 0.8 < page < elsewhere == 1.0
    shot_score, page_score = model.scores(numbers(model, shots[-1], pages[-1]))
    assert page_score > 5 * shot_score


def test_a_host_that_never_answered_sinks_its_other_links() -> None:
    """Each in a folder of its own."""
    gone, other = ([f"http://{host}.test/{name}/" for name in "abcdef"] for host in ("gone", "other"))
    model = taught([offered(*gone, *other), *dead(*gone[:5]), *there(*other[:5])])
    buried, alike = chances(model, gone[5], other[5])
    assert buried < 0.3
    assert alike > 0.8
    stranger = (2 + TRUST) / (3 + TRUST)  # of three strangers one was dead
    assert buried == pytest.approx(DOUBT * stranger / (5 + DOUBT))


@pytest.mark.parametrize("answered", [0, 3, 10])
def test_what_strangers_are_worth_is_what_strangers_answered(answered: int) -> None:
    urls = [f"http://h{n}.test/" for n in range(10)]
    model = taught([offered(*urls), *there(*urls[:answered]), *dead(*urls[answered:])])
    asked = 1 + len(urls)  # the seed was a stranger too
    assert chances(model, "http://never.test/") == pytest.approx([(1 + answered + TRUST) / (asked + TRUST)])


def test_only_the_first_answer_of_a_host_is_a_strangers() -> None:
    urls = [f"http://a.test/{n}/" for n in range(30)]
    model = taught([offered(*urls, by=urls[0]), *dead(*urls[1:])])
    assert chances(model, "http://never.test/") == [1.0]


@pytest.mark.slow
@OFTEN
@given(seed=st.integers(0, 10**9), many=st.integers(0, 60))
def test_it_is_a_chance_whatever_happened(seed: int, many: int) -> None:
    model = taught(lessons(seed, many))
    found = alive(model.ground, np.arange(len(model.ground.names)))
    assert ((found > 0.0) & (found <= 1.0)).all()


@pytest.mark.slow
def test_dead_links_leave_the_words_of_links_and_what_hosts_yield_unharmed() -> None:
    """A block of lessons more or less, all of them dead, changes nothing that can be smelt of what waits."""
    urls = [f"http://h{n}.test/" for n in range(8 * BLOCK)]
    log = [offered(*urls), *there(*urls[: 3 * BLOCK])]
    before, after = taught(log), taught([*log, *dead(*urls[3 * BLOCK : 7 * BLOCK])])
    waiting = urls[7 * BLOCK :]
    smelt = [smell(model.ground, model.lexicon, numbers(model, *waiting)) for model in (before, after)]
    assert (smelt[0] == smelt[1]).all()
    assert after.regression.taken == before.regression.taken
    assert after.mixture.lead == before.mixture.lead
    assert (after.scores(numbers(after, *waiting)) < before.scores(numbers(before, *waiting))).all()  # strangers fail


def test_a_dead_link_says_what_was_expected_of_it_and_is_expected_no_more() -> None:
    model = taught([offered("http://a.test/")])
    (expected,) = model.scores(numbers(model, "http://a.test/"))
    (lesson,) = dead("http://a.test/")
    assert model.learn(lesson).score == pytest.approx(expected)
    assert not len(model.ground.waiting())
