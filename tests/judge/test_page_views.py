"""Headings and the first sentences say what kind of page it is: they order pages that speak of the same things."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.judge.adaptation.adapted import AdaptedCritic, AdaptedLearner
from scenthound.judge.adaptation.page_views import NO_VIEWS, Views, first_words, heading_words, learn_views
from scenthound.judge.critic import Page
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.parse.words.page_terms import terms_of, terms_of_text
from scenthound.parse.words.terms import pack, unpack
from scenthound.types import Reading
from tests.judge.small_pages import examples, lessons, page

pytestmark = pytest.mark.slow

CYCLING = "Sport/Cycling"
RIDER, RACE = "Early life\nCareer\nHonours", "Route\nStages\nResults"


def headed(one: Page, headings: str) -> Page:
    """Return a page with these headings in its text."""
    known = terms_of(Reading(headings=headings, leaves=(headings,), language="en"))
    own, none = one.terms, np.zeros(len(known), dtype=np.uint16)
    terms = replace(
        own,
        terms=(*own.terms, *known.terms),
        title=np.concatenate((own.title, none)),
        main=np.concatenate((own.main, none)),
        rest=np.concatenate((own.rest, none)),
        headings=np.concatenate((np.zeros(len(own), dtype=np.uint16), known.headings)),
    )
    return replace(one, terms=terms)


def fitted(*, with_headings: bool) -> AdaptedCritic:
    """A critic of eight riders, and of a crawl of riders and races that speak of cycling alike."""
    wanted = examples(CYCLING, 8)
    crawled = [page(CYCLING, number) for number in range(100, 160)]
    if with_headings:
        wanted = [replace(one, page=headed(one.page, RIDER)) for one in wanted]
        crawled = [headed(one, RIDER if number % 3 == 0 else RACE) for number, one in enumerate(crawled)]
    return AdaptedLearner(inner=LogisticLearner(), parts=("headings",)).fit(
        replace(lessons(*wanted, others=60), at_hand=tuple(crawled)), seed=1
    )


def relevance(critic: AdaptedCritic, one: Page) -> float:
    return float(critic.judge([one])[0, critic.classes.index(CYCLING)])


def test_a_page_of_the_examples_kind_is_more_relevant(tmp_path: Path) -> None:
    critic, fresh = fitted(with_headings=True), page(CYCLING, 700)
    rider, race, plain = (relevance(critic, one) for one in (headed(fresh, RIDER), headed(fresh, RACE), fresh))
    assert rider > plain > race
    critic.save(tmp_path / "critic")
    kept = AdaptedCritic.load(tmp_path / "critic")
    assert relevance(kept, headed(fresh, RIDER)) == rider


def test_without_headings_nothing_changes() -> None:
    critic, fresh = fitted(with_headings=False), page(CYCLING, 700)
    assert critic.views is NO_VIEWS
    assert relevance(critic, headed(fresh, RIDER)) == relevance(critic, fresh)


def test_a_single_page_is_judged_as_among_many() -> None:
    critic = fitted(with_headings=True)
    pages = [headed(page(CYCLING, number), RIDER if number % 2 else RACE) for number in range(300, 320)]
    assert [critic.judge([one])[0].tolist() for one in pages] == critic.judge(pages).tolist()


def test_headings_that_all_pages_of_a_site_have_say_nothing() -> None:
    """The template of the site takes them away before anybody learns from them."""
    site = [replace(headed(page(CYCLING, n), "Navigation"), url=f"http://only.test/{n}") for n in range(400, 440)]
    critic = AdaptedLearner(inner=LogisticLearner()).fit(
        replace(lessons(*examples(CYCLING, 8), others=60), at_hand=tuple(site)), seed=1
    )
    [cleaned] = critic.templates.clean(site[:1])
    assert heading_words(cleaned) == []


def test_too_few_examples_with_headings_teach_nothing() -> None:
    pages = [headed(page(CYCLING, number), RIDER) for number in range(4)]
    plain = [page(CYCLING, number) for number in range(10, 16)]
    found = learn_views([*pages[:2], *plain], pages, np.zeros(4), parts=("headings",))
    assert found.views is NO_VIEWS
    assert not found.held_back.any()


def begun(beginning: str, rest: str) -> Page:
    return Page(terms=terms_of_text(f"{beginning} {rest}", language="en"))


def test_a_page_that_begins_like_the_examples_is_nearer_to_them() -> None:
    """Both kinds of page use the same words; only the order differs."""
    filler = " ".join(f"word{number}" for number in range(120))
    rider, race = "champion born cyclist career", "annual race route stages"
    riders = [begun(rider, f"{filler} {race}") for _ in range(20)]
    races = [begun(race, f"{filler} {rider}") for _ in range(40)]
    found = learn_views(riders[:8], [*riders[8:], *races], np.linspace(-3.0, 3.0, 52), parts=("beginning",))
    like, unlike = found.views.shifts([riders[0], races[0]])
    assert like > 0 > unlike
    assert (found.held_back > 0).all()


def test_the_beginning_of_a_text_survives_packing() -> None:
    """Stored terms keep the order of the text, which the beginning needs."""
    terms = terms_of_text("Zebras graze. Antelopes run, and zebras watch the antelopes.", language="en")
    assert first_words(Page(terms=unpack(pack(terms)))) == ["zebra", "graze", "antelop", "run", "watch"]


def test_a_critic_of_an_earlier_version_keeps_its_headings() -> None:
    said = {"words": {"career": [1.0, 0.5]}, "middle": 0.1, "spread": 0.2, "strength": 0.4}
    old = Views.of_model({"headings": said})
    [shift] = old.shifts([headed(page(CYCLING, 1), "Career")])
    assert shift == old.parts["headings"].moved(np.array([0.5]))[0]
    assert Views.of_model({}) == Views(parts={})
    assert Views.of_model({"headings": {"words": {}, "middle": 0, "spread": 1, "strength": 0}}) == Views(parts={})
