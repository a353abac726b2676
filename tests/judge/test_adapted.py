"""A critic fitted to a crawl: what a reader refuses teaches words, and where a whole site is refused, the site."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.judge.adaptation.adapted import AdaptedCritic, AdaptedLearner, refused_sites
from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.taxonomy import NOT_WANTED
from tests.judge.small_pages import SAYINGS, examples, lessons, page, spoken_page

pytestmark = pytest.mark.slow

CYCLING, GOLF = "Sport/Cycling", "Sport/Golf"
LEARNER = AdaptedLearner(inner=LogisticLearner())


def elsewhere(host: str, topic: str = CYCLING, count: int = 6) -> list[Page]:
    """Pages of a topic on another host."""
    return [replace(page(topic, number), url=f"http://{host}/{number}") for number in range(500, 500 + count)]


def refusing(taught: Lessons, pages: Sequence[Page]) -> Lessons:
    refused = tuple(Example(topic=NOT_WANTED, name=one.url, page=one) for one in pages)
    return replace(taught, examples=(*taught.examples, *refused))


def relevance(critic: AdaptedCritic, pages: Sequence[Page]) -> float:
    return float(critic.judge(pages)[:, critic.classes.index(CYCLING)].mean())


def test_a_refused_site_sinks_and_nothing_else_does() -> None:
    """A farm copies the texts of the topic: its words cannot be told from good ones."""
    taught, farm, club = lessons(*examples(CYCLING, 8), others=60), elsewhere("www.farm.test"), elsewhere("club.test")
    before = LEARNER.fit(taught, seed=1)
    after = LEARNER.fit(refusing(taught, farm[:4]), seed=1)
    assert relevance(before, farm) > 0.5
    assert relevance(after, elsewhere("mirror.farm.test")) < 0.3
    assert relevance(after, club) == relevance(before, club)


def test_the_site_of_the_good_examples_is_never_refused() -> None:
    """On one site alone, pages differ by their words."""
    here = [
        replace(one, page=replace(one.page, url=f"http://only.test/{n}")) for n, one in enumerate(examples(CYCLING, 8))
    ]
    golf = elsewhere("only.test", GOLF, 20)
    critic = LEARNER.fit(refusing(lessons(*here, others=60), golf[:18]), seed=1)
    assert critic.refused == {}
    assert relevance(critic, elsewhere("only.test")) > 0.5 > relevance(critic, golf)


def test_a_good_page_outweighs_two_refused_ones() -> None:
    taught, club = lessons(*examples(CYCLING, 8), others=60), elsewhere("club.test")
    taught = replace(taught, examples=(*taught.examples, Example(topic=CYCLING, name=club[0].url, page=club[0])))
    assert refused_sites(refusing(taught, club[1:4])) == {}
    assert refused_sites(refusing(taught, club[1:6])) == {"club.test": 3}


def test_where_topics_compete_a_refused_page_is_one_of_the_nearest_of_them() -> None:
    """A page half about golf was taken for one about cycling."""
    taught = lessons(*examples(CYCLING, 8), *examples(GOLF, 8), *examples("Arts/Music", 8))
    words = f"{SAYINGS[GOLF]} {SAYINGS[GOLF]} {SAYINGS[CYCLING]}"
    refused = spoken_page("http://mixed.test/1", words)
    before = LEARNER.fit(taught, seed=1)
    after = LEARNER.fit(refusing(taught, [refused]), seed=1, before=before)
    assert set(after.classes) == set(before.classes)
    assert relevance(after, [refused]) < relevance(before, [refused])
    fresh = [page(CYCLING, number) for number in range(900, 920)]
    assert relevance(after, fresh) > relevance(before, fresh) - 0.1
    again = LEARNER.fit(refusing(taught, [refused]), seed=1)
    assert np.array_equal(again.judge(fresh), after.judge(fresh)), "whoever was in charge before"


def test_a_refused_site_is_kept_with_the_critic(tmp_path: Path) -> None:
    taught, farm = lessons(*examples(CYCLING, 8), others=60), elsewhere("farm.test")
    critic = LEARNER.fit(refusing(taught, farm[:2]), seed=1)
    critic.save(tmp_path / "model")
    again = AdaptedCritic.load(tmp_path / "model")
    assert again.refused == critic.refused == {"farm.test": 2}
    assert np.array_equal(again.judge(farm), critic.judge(farm))


def test_archetypes_that_are_much_alike_do_not_make_the_critic_strict() -> None:
    """The crawl chose them because they are like the examples, so most good pages are less like them."""
    club, golf = elsewhere("club.test", count=40), elsewhere("links.test", GOLF, 60)
    background = tuple(replace(page("", number), url="") for number in range(60))
    own = replace(lessons(*examples(CYCLING, 2)), others=background, at_hand=(*club, *golf))
    twins = [spoken_page(f"http://twins.test/{n}", f"{SAYINGS[CYCLING]} " * 5) for n in range(8)]
    added = (Example(topic=CYCLING, name=one.url, page=one, assumed=True) for one in twins)
    taught = replace(own, examples=(*own.examples, *added))
    plain, critic = LEARNER.fit(own, seed=1), LEARNER.fit(taught, seed=1)
    assert critic.share(taught) == pytest.approx(plain.share(own), abs=0.02)
    assert relevance(critic, club) > 0.5 > relevance(critic, golf)
