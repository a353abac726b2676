"""Diminishing returns: a registered domain that has had its share of the fetches waits, unless the user gave it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.scent import DOMAIN_SHARE, RETURNS, ScentModel
from scenthound.apprentice.scents import FULL, GRACE, LEAST_GIVEN, LEAST_WORTH, returns
from scenthound.types import Lesson, LessonLink
from tests.apprentice.made_lessons import OFTEN, lessons, taught

SEED = "http://seed.test/"
SHARE = DOMAIN_SHARE


def offered(*urls: str, by: str = SEED) -> Lesson:
    return Lesson(url=by, relevance=0.5, links=tuple(LessonLink(url) for url in urls))


def fetched(*urls: str) -> list[Lesson]:
    return [Lesson(url=url, relevance=0.5) for url in urls]


def worth(model: ScentModel, *urls: str, share: float = SHARE) -> list[float]:
    found: list[float] = returns(
        model.ground, np.array([model.ground.number(url) for url in urls]), share=share
    ).tolist()
    return found


def farm(many: int) -> list[str]:
    """Pages of one domain, each on a host of its own."""
    return [f"http://h{n}.farm.test/" for n in range(many)]


def one_host(many: int) -> list[str]:
    """Pages of the same domain on a single host."""
    return [f"http://www.farm.test/{n}" for n in range(many)]


def others(many: int) -> list[str]:
    return [f"http://other{n}.test/" for n in range(many)]


def alone(model: ScentModel) -> ScentModel:
    """Let an apprentice have all the weight: what it expects and what links are ordered by are then the same but for
    returns.
    """
    model.mixture.restore({"mixture": np.array([1.0, 0.0])})
    return model


@pytest.mark.slow
def test_a_domain_is_worth_less_and_less_on_the_way_to_its_share() -> None:
    urls = one_host(60)
    worths = [worth(taught([offered(*urls), *fetched(*urls[:many])]), urls[-1])[0] for many in (0, 5, 10, 20, 50)]
    assert worths[0] == 1.0
    assert all(less <= more for more, less in pairwise(worths))
    assert worths[1] > 0.6
    assert worths[-1] == LEAST_WORTH


@pytest.mark.slow
def test_beyond_its_share_it_is_worth_next_to_nothing_and_others_all_they_were() -> None:
    urls = farm(60)
    model = alone(taught([offered(*urls, *others(2)), *fetched(*urls[:50])]))
    assert worth(model, urls[-1], *others(2)) == [LEAST_WORTH, 1.0, 1.0]
    last, other = (np.array([model.ground.number(url)]) for url in (urls[-1], others(1)[0]))
    assert model.urgency(last)[0] == pytest.approx(LEAST_WORTH * model.scores(last)[0])
    assert model.urgency(other)[0] == pytest.approx(model.scores(other)[0])


@pytest.mark.slow
def test_it_comes_back_when_others_have_had_their_turn() -> None:
    urls, rest = one_host(30), others(400)
    log = [offered(*urls, *rest), *fetched(*urls[:20])]
    (before,), (after,) = (worth(taught(one), urls[-1]) for one in (log, [*log, *fetched(*rest)]))
    assert before < 0.1
    assert after > 0.9


def test_hosts_of_one_domain_count_together() -> None:
    urls = farm(21)
    apart = [f"http://www.own{n}.test/" for n in range(21)]
    assert worth(taught([offered(*urls), *fetched(*urls[:20])]), urls[-1])[0] < 0.1
    assert worth(taught([offered(*apart), *fetched(*apart[:20])]), apart[-1]) == [1.0]


def test_dead_links_count_as_fetches_of_their_domain() -> None:
    urls = farm(21)
    failed = [Lesson(url=url, relevance=0.0, failed=True) for url in urls[:20]]
    assert worth(taught([offered(*urls), *failed]), urls[-1])[0] < 0.1


@pytest.mark.slow
def test_a_domain_with_all_the_examples_is_never_discounted() -> None:
    urls = [f"http://www.seed.test/{n}" for n in range(200)]
    model = taught([offered(*urls), *fetched(*urls[:190])])
    assert worth(model, *urls[190:]) == [1.0] * 10


@pytest.mark.slow
def test_a_domain_with_some_of_the_examples_may_have_as_much_and_never_less_than_a_part() -> None:
    """Half of the examples are from there: half of what is fetched may be."""
    examples = [*fetched("http://half.test/"), *fetched("http://else.test/")]
    urls = [f"http://half.test/{n}" for n in range(400)]
    log = [*examples, offered(*urls, by="http://half.test/list"), offered(by="http://else.test/list")]
    few, many = (worth(taught([*log, *fetched(*urls[:some])]), urls[-1])[0] for some in (10, 390))
    assert few > worth(taught([offered(*urls), *fetched(*urls[:10])]), urls[-1])[0]
    assert many == LEAST_GIVEN > LEAST_WORTH


@pytest.mark.slow
def test_a_domain_with_examples_keeps_its_worth_for_most_of_the_way() -> None:
    """One of five examples is from there, so it may have no more than a domain without any."""
    domains = ("own.test", *(f"else{n}.test" for n in range(4)))
    log = [offered(*(f"http://{name}/{n}" for n in range(40)), by=f"http://{name}/list") for name in domains]
    urls = one_host(40)
    many = int(0.6 * FULL * SHARE * GRACE / (1 - 1.2 * FULL * SHARE))  # of each, for six tenths of what it may have
    model = taught([*log, offered(*urls), *fetched(*(f"http://own.test/{n}" for n in range(many)), *urls[:many])])
    own, other = worth(model, "http://own.test/39", urls[-1])
    assert own > 0.9
    assert other < 0.75


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_the_share_is_the_users(share: float) -> None:
    """Of n fetches and as many more as are taken to have been elsewhere, a domain has n / (n + GRACE)."""
    urls = one_host(121)
    within, beyond = int(0.5 * share * GRACE / (1 - 0.5 * share)), int(share * GRACE / (1 - share)) + 1
    left = [worth(taught([offered(*urls), *fetched(*urls[:n])]), urls[-1], share=share)[0] for n in (within, beyond)]
    assert left[0] > 0.6
    assert left[1] == LEAST_WORTH
    assert worth(taught([offered(*urls), *fetched(*urls[:120])]), urls[-1], share=1.0)[0] > 0.3


def test_disowned_domains_sink_and_come_back() -> None:
    said, other, fresh = "http://www.spurned.test/a", "http://spurned.test/b", "http://fresh.test/a"

    def told(disowned: dict[str, int]) -> list[float]:
        model = ScentModel()
        model.ground.disown(disowned)
        model.learn(offered(said, other, fresh))
        return worth(model, said, other, fresh)

    assert told({"spurned.test": 4}) == [0.2, 0.2, 1.0]
    assert told({"spurned.test": 1}) == [0.5, 0.5, 1.0]
    assert told({}) == [1.0, 1.0, 1.0]
    assert told({"spurned.test": -3}) == [1.0, 1.0, 1.0]  # more are good than not


@pytest.mark.slow
@OFTEN
@given(seed=st.integers(0, 10**9), many=st.integers(1, 60))
def test_nothing_is_worth_more_than_what_is_expected_of_it(seed: int, many: int) -> None:
    model = alone(taught(lessons(seed, many)))
    everything = np.arange(len(model.ground.names))
    expected, urgency = model.scores(everything), model.urgency(everything)
    assert (urgency <= expected * (1.0 + 1e-12)).all()
    assert (urgency >= LEAST_WORTH * model.novelty(everything) * expected * (1.0 - 1e-12)).all()


def test_an_apprentice_may_do_without() -> None:
    urls, model = farm(60), ScentModel(without=(RETURNS,))
    model.learn_all([offered(*urls), *fetched(*urls[:50])])
    alone(model)
    last = np.array([model.ground.number(urls[-1])])
    assert model.urgency(last) == pytest.approx(model.scores(last))


def test_when_a_domain_gets_cheaper_all_of_its_links_are_thought_over() -> None:
    urls = farm(60)
    model = taught([offered(*urls)])
    touched = [{model.ground.names[url] for url in model.learn(one).touched.tolist()} for one in fetched(*urls[:15])]
    waiting = set(urls[15:])
    assert sum(waiting <= some for some in touched) >= 2


def test_on_a_web_of_one_host_the_place_in_the_frontier_is_what_is_expected_but_for_repeats() -> None:
    urls = [f"http://one.test/{n}" for n in range(40)]
    model = alone(taught(lessons(5, 30, urls=urls, links=6)))
    waiting = model.ground.waiting()
    assert len(waiting)
    assert model.urgency(waiting) == pytest.approx(model.scores(waiting) * model.novelty(waiting), abs=1e-12)


def test_the_robots_txt_of_each_further_host_counts_as_a_fetch() -> None:
    """A page on a host of its own costs two requests, so that five such pages are worth nine fetches."""
    apart, together = farm(6), one_host(6)
    (dear,) = worth(taught([offered(*apart), *fetched(*apart[:5])]), apart[-1])
    (cheap,) = worth(taught([offered(*together), *fetched(*together[:5])]), together[-1])
    assert dear == pytest.approx(1 - (9 / (5 + GRACE) / (FULL * SHARE)) ** 2)
    assert cheap == pytest.approx(1 - (5 / (5 + GRACE) / (FULL * SHARE)) ** 2)


def test_hosts_of_the_users_own_examples_cost_their_domain_nothing() -> None:
    urls = farm(6)
    model = taught([*fetched(*urls[:3]), offered(urls[3], *others(9)), *fetched(urls[3], *others(9))])
    assert model.ground.domains.hosts.values[model.ground.hosts.domain.values[0]] == 1.0
