"""The paper's apprentice behind the guide: best-first, then naive Bayes on the words around links (APPRENTICE §3.7)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.bayes.bayes_model import NAMED, bounded
from scenthound.types import Lesson, LessonLink
from tests.apprentice.cycling_lessons import CYCLING, Leaf, at, lists, number, page, redirect, score, taught, touched


def test_at_first_the_best_page_that_cites_a_url_counts() -> None:
    model = taught(page("a", 0.3, ("golf", "x")), page("b", 0.7, ("golf", "x"), ("gear", "y")), start=100)
    assert (score(model, "x"), score(model, "y")) == (0.7, 0.7)
    (why,) = model.explain(model.reasons(number(model, "x")))
    assert why.said == "relevance of the best page that cites it"
    assert why.weight == pytest.approx(np.log(0.7 / 0.3))


def test_then_the_words_of_the_link_count() -> None:
    model = taught(*CYCLING)
    assert score(model, "more") > 0.5 > score(model, "other")


def test_a_page_has_the_score_that_it_had_before_it_was_fetched() -> None:
    model = taught(*CYCLING)
    expected, why = score(model, "more"), model.reasons(number(model, "more"))
    learnt = model.learn(page("more", 0.2))
    assert (learnt.score, learnt.reasons) == (expected, why)
    unforeseen = model.learn(page("seed", 0.9))
    assert (unforeseen.score, unforeseen.reasons, model.explain(unforeseen.reasons)) == (None, b"", [])


def test_only_pages_teach_the_apprentice_of_the_paper() -> None:
    model = taught(*CYCLING)
    others, expected = score(model, "other"), score(model, "more")
    learnt = model.learn(Lesson(url=at("more"), relevance=0.0, failed=True))
    assert (learnt.score, touched(model, learnt)) == (expected, set())
    assert number(model, "more") not in model.ground.waiting()
    assert score(model, "other") == others


def test_what_a_lesson_touches_is_where_the_page_leads_and_everything_at_the_switch() -> None:
    model = taught(CYCLING[0])
    assert touched(model, model.learn(page("good", 0.9, ("hub", "new"), ("hub", "start")))) == {"new"}
    assert touched(model, model.learn(CYCLING[2])) == {"more", "other", "new"}
    assert touched(model, model.learn(page("more", 0.9, ("hub", "newer"), ("hub", "new")))) == {"new", "newer"}


@pytest.mark.parametrize(("start", "switched"), [(2, True), (3, False)])
def test_it_waits_for_so_many_lessons_that_say_something_about_links(start: int, switched: bool) -> None:
    """The start page itself is a lesson, but not about a link."""
    assert (score(taught(*CYCLING, start=start), "other") < 0.5) is switched


def test_it_waits_for_both_buckets() -> None:
    many_good = page("start", 0.9, *(("gear", f"good{i}") for i in range(5)), ("golf", "bad"), ("golf", "other"))
    model = taught(many_good, *(page(f"good{i}", 0.9) for i in range(5)))
    assert score(model, "other") == 0.9
    model.learn(page("bad", 0.1))
    assert score(model, "other") < 0.5


def test_links_to_pages_fetched_before_teach_too() -> None:
    """Nothing is learnt of a link of a page to itself."""
    model = taught(page("good", 0.9), page("bad", 0.1))
    model.learn(page("start", 0.9, ("gear", "good"), "", ("golf", "bad"), "", ("gear", "more"), "", ("hub", "start")))
    assert score(model, "more") > 0.5
    model.learn(page("next", 0.9, ("gear", "unknown"), "", ("hub", "unheard")))
    assert score(model, "unheard") == bounded(np.array([0.0]))[0]


def test_a_page_that_comes_twice_is_no_new_instance() -> None:
    assert score(taught(*CYCLING, *CYCLING[1:]), "more") == score(taught(*CYCLING), "more")


@pytest.mark.slow
@pytest.mark.parametrize("d_max", [0, 1, 3])
def test_it_finds_out_itself_how_far_to_look(d_max: int) -> None:
    """The word that tells is three leaves before the link; 0 leaves the choice to the apprentice."""
    model = taught(*lists(30, telling_at=-3), d_max=d_max, start=100)
    leaves: list[Leaf] = ["gear", "x", "x", ("w1", "more"), "", "", "", "golf", "x", "x", ("w1", "other")]
    model.learn(page("last", 0.5, *leaves))
    difference = score(model, "more") - score(model, "other")
    assert difference == 0 if d_max == 1 else difference > 0.05


@pytest.mark.slow
def test_how_far_to_look_is_chosen_once() -> None:
    """All of what is seen later has its word three leaves away, where nobody looks any more."""
    model = taught(*lists(30, telling_at=0), *lists(60, telling_at=-3, seed=5), d_max=0, start=100)
    model.learn(page("last", 0.5, "gear", "x", "x", ("w1", "more")))
    said = [part.said for part in model.explain(model.reasons(number(model, "more")))]
    assert not any("leaves" in one for one in said)


def test_links_to_what_redirects_lead_further() -> None:
    start = page("start", 0.9, ("gear", "good"), "", ("golf", "bad"), "", ("gear", "old"))
    model = taught(start, page("good", 0.9), page("bad", 0.1))
    promised = score(model, "old")
    assert touched(model, model.learn(redirect("old", "new"))) == {"new"}
    assert score(model, "new") == promised > 0.5
    model.learn(page("late", 0.9, ("golf", "older"), "", ("hub hub", "old")))
    assert len(model.ground.citing(number(model, "new"))) == 2
    model.learn(redirect("older", "old"))
    assert len(model.ground.citing(number(model, "new"))) == 3


def test_links_that_turn_out_to_lead_to_a_known_page_teach() -> None:
    """Both pages are seeds; the links to them stand on another page and go through redirects."""
    start = page(
        "start", 0.9, ("gear", "old good"), "", ("golf", "old bad"), "", ("gear", "more"), "", ("golf", "less")
    )
    model = taught(page("good", 0.9), page("bad", 0.1), start)
    assert score(model, "more") == 0.9
    model.learn(redirect("old good", "good"))
    model.learn(redirect("old bad", "bad"))
    assert score(model, "more") > 0.5 > score(model, "less")


def test_redirects_in_a_circle_lead_nowhere() -> None:
    model = taught(page("start", 0.9, ("gear", "a")), redirect("a", "b"), redirect("b", "a"))
    assert touched(model, model.learn(page("next", 0.9, ("hub", "a"), ("hub", "b")))) == set()


def test_what_no_page_cites_was_named_by_the_user() -> None:
    model = taught(*CYCLING)
    assert touched(model, model.learn(redirect("seed", "new seed"))) == set()  # it keeps the priority that it has
    assert score(model, "new seed") == NAMED


def test_links_that_are_not_followed_teach_and_promise_nothing() -> None:
    start = page("start", 0.9, ("gear", "good"), "", ("golf", "bad"), "", ("gear", "more"), followed=False)
    model = taught(start, page("good", 0.9), page("bad", 0.1))
    assert score(model, "more") == 0.0
    model.learn(page("next", 0.2, ("gear", "more"), "", ("golf", "other")))
    assert score(model, "more") > 0.5 > score(model, "other")


def test_pages_without_words_and_links_without_leaves_are_no_trouble() -> None:
    nowhere, beyond = (LessonLink(at("good"), *leaves) for leaves in ((-1, -1), (3, 4)))
    bare, odd = (Lesson(url=at("bare"), relevance=0.9, links=(LessonLink(at("x")), link)) for link in (nowhere, beyond))
    model = taught(bare, *CYCLING)
    assert score(model, "more") == score(taught(odd, *CYCLING), "more")
    assert score(model, "x") == pytest.approx(bounded(np.array([np.log(3 / 2)]))[0])  # two good links, a bad one


def test_topics_of_the_citing_page_are_features() -> None:
    lessons = [
        page("bikes", 0.5, ("here", "good"), "", ("here", "more"), topics=("Sport/Cycling",)),
        page("greens", 0.5, ("here", "bad"), "", ("here", "other"), topics=("Sport/Golf",)),
        page("good", 0.9),
        page("bad", 0.1),
    ]
    blind, seeing = taught(*lessons), taught(*lessons, topics=True)
    assert score(blind, "more") == score(blind, "other")
    assert score(seeing, "more") > score(seeing, "other")
    said = [part.said for part in seeing.explain(seeing.reasons(number(seeing, "more")))]
    assert said == ["topics of the page that cites it"]


@pytest.mark.slow
def test_what_links_nearby_led_to_is_a_feature() -> None:
    """Good links stand together, and so do bad ones; the words are all the same."""
    for far in (False, True):
        lessons = [
            lesson
            for this in range(4)
            for lesson in (
                page(f"list{this}", 0.5, *[("x", f"good{this}.{i}") for i in range(4)], "", "", ("x", f"bad{this}.0"), ("x", f"bad{this}.1")),
                *(page(f"{name}{this}.{i}", relevance) for name, relevance, many in (("good", 0.9, 4), ("bad", 0.1, 2)) for i in range(many)),
            )
        ]  # fmt: skip
        model = taught(*lessons, cocitation=True)
        gap = ["", ""] if far else []
        learnt = model.learn(page("last", 0.5, ("x", "first"), *gap, ("x", "second")))
        assert touched(model, learnt) == {"first", "second"}
        before = score(model, "second")
        learnt = model.learn(page("first", 0.9))
        assert touched(model, learnt) == {"second"}
        said = [part.said for part in model.explain(model.reasons(number(model, "second")))]
        assert (score(model, "second") > before + 0.01) is not far
        assert ("what links near it led to" in said) is not far


def test_reasons_add_up_to_the_score_and_name_the_words_that_are_at_hand() -> None:
    lesson = page("next", 0.9, "hub", ("gear gear", "new"), "chain")
    start = page("start", 0.9, "hub", ("gear", "good"), "", "", "hub", ("golf", "bad"), "", "", ("golf", "worse"))
    model = taught(start, page("good", 0.9), page("bad", 0.1), page("worse", 0.1), lesson)
    parts = model.explain(model.reasons(number(model, "new")), ("gear", "hub", "golf"))
    assert [part.said for part in parts] == [
        "words of the link, most of all 'gear'",
        "how links have turned out so far",
        "words 1 leaf before it, most of all 'hub'",
    ]
    assert bounded(np.array([sum(part.weight for part in parts)]))[0] == pytest.approx(score(model, "new"))
    assert [part.weight for part in parts] == sorted((part.weight for part in parts), key=abs, reverse=True)


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e4))
def test_links_keep_their_order_however_sure_naive_bayes_is(log_odds: float, more: float) -> None:
    less, better = bounded(np.array([log_odds, log_odds + more])).tolist()
    assert 0.0 < less < better < 1.0
