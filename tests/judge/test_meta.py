"""Feature spaces, and the critic that lets them vote."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.judge.critic import Context, Example, Lessons, Page
from scenthound.judge.critic_kinds import learner_of, load_critic
from scenthound.judge.models.svm import SvmLearner
from scenthound.judge.spaces.decisions import ABSTAINED, Decision
from scenthound.judge.spaces.meta import SPACES, MetaCritic, MetaLearner
from scenthound.judge.spaces.space_views import VIEWS
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import Topic, Topics

WORDS = {
    "Birds": ("wren", "robin", "plumage", "nest", "feather", "warbler", "beak", "egg"),
    "Fish": ("trout", "salmon", "gill", "spawn", "reef", "shoal", "bait", "cod"),
    "": ("granite", "basalt", "quartz", "magma", "fossil", "slate", "lava", "ore"),
}
TOPICS = Topics(topics=(Topic(path="Birds", good=True), Topic(path="Fish")))


def page(topic: str, number: int, *, anchors: str | None = None, around: str | None = None) -> Page:
    """Make a page about a topic; `anchors` and `around` may be about another one."""
    said = _text(topic, number)
    cited, beside = anchors if anchors is not None else topic, around if around is not None else topic
    return Page(
        url=f"http://a.test/{topic}{number}",
        language="en",
        terms=terms_of_text(said, language="en"),
        text=said,
        context=Context(
            anchors=(f"More about {WORDS[cited][number % 8]} and {WORDS[cited][(number + 3) % 8]}", "click here"),
            neighbours=tuple(terms_of_text(_text(beside, number + step), language="en") for step in (1, 2, 3)),
        ),
    )


def _text(topic: str, number: int) -> str:
    words = np.random.default_rng(number).choice(WORDS[topic], 40)
    return " ".join(words.tolist())


def taught(pages: int = 8) -> Lessons:
    examples = [
        Example(topic=topic, name=str(n), page=page(topic, n)) for topic in ("Birds", "Fish") for n in range(pages)
    ]
    return Lessons(topics=TOPICS, examples=tuple(examples), others=tuple(page("", n) for n in range(pages)))


@pytest.fixture(scope="module")
def critic() -> MetaCritic:
    return MetaLearner().fit(taught())


def test_every_space_learns_and_says_how_far_it_can_be_trusted(critic: MetaCritic) -> None:
    assert tuple(critic.critics) == SPACES
    assert all(0.5 < weight <= 1.0 for weight in critic.weights.values())
    assert critic.classes[critic.decisions([page("Fish", 90)])[0]] == "Fish"


def test_links_that_say_nothing_are_no_evidence() -> None:
    silent = replace(page("Birds", 1), context=Context(anchors=("click here", "Read more", "»")))
    assert len(VIEWS["anchors"](silent, "main").terms) == 0
    assert VIEWS["pairs"](replace(silent, text="wren nest"), "main").terms.terms == ("nest+wren",)


def test_a_page_that_nobody_cites_is_judged_by_the_other_spaces(critic: MetaCritic) -> None:
    alone = replace(page("Birds", 50), context=Context(), text="")
    heard = critic.hear([alone, page("Birds", 50)])
    spoke = dict(zip(heard.spaces, heard.spoke[:, 0].tolist(), strict=True))
    assert spoke == {"terms": 1, "pairs": 0, "anchors": 0, "neighbours": 0, "vectors": 1, "combined": 0}
    assert heard.spoke[:, 1].all()
    assert critic.classes[critic.decisions([alone])[0]] == "Birds"


def test_where_the_spaces_disagree_it_abstains_and_the_page_is_on_no_topic(critic: MetaCritic) -> None:
    torn = page("Birds", 50, anchors="Fish", around="")
    assert critic.decided_by(Decision.UNANIMOUS).decisions([torn]).tolist() == [ABSTAINED]
    [row] = critic.decided_by(Decision.UNANIMOUS).judge([torn])
    assert row[:2].max() <= 0.49
    assert row.sum() == pytest.approx(1.0)
    weighted = critic.decided_by(Decision.WEIGHTED)
    assert weighted.classes[weighted.judge([torn])[0].argmax()] == "Birds"  # terms, pairs, vectors, combined


def test_the_best_space_alone_is_asked_when_speed_matters(critic: MetaCritic) -> None:
    fast = critic.decided_by(Decision.BEST)
    assert fast.hear([page("Fish", 60)]).spaces == (critic.best,)
    assert fast.classes[fast.judge([page("Fish", 60)])[0].argmax()] == "Fish"


@pytest.mark.slow
def test_a_space_without_lessons_is_left_out() -> None:
    plain = taught()
    bare = replace(plain, others=tuple(replace(one, text="", context=Context()) for one in plain.others))
    lonely = replace(
        plain, examples=tuple(replace(one, page=replace(one.page, context=Context())) for one in bare.examples)
    )
    assert set(MetaLearner().fit(lonely).critics) == {"terms", "pairs", "vectors", "combined"}


@pytest.mark.slow
def test_pages_that_the_terms_are_sure_of_teach_the_other_spaces() -> None:
    """Co-training: the examples are cited by nobody, and pages of the crawl are."""
    plain = taught()
    uncited = tuple(replace(one, page=replace(one.page, context=Context())) for one in plain.examples)
    crawled = tuple(page(topic, n) for topic in WORDS for n in range(100, 140))
    found = MetaLearner(spaces=("terms", "anchors")).fit(replace(plain, examples=uncited, at_hand=crawled))
    assert "anchors" in found.critics
    torn = page("Birds", 50, anchors="Fish")
    assert found.decided_by(Decision.UNANIMOUS).decisions([torn]).tolist() == [ABSTAINED]


@pytest.mark.slow
def test_it_comes_back_from_disk_with_all_spaces(tmp_path: Path, critic: MetaCritic) -> None:
    critic.save(tmp_path / "meta")
    again = load_critic(tmp_path / "meta")
    pages = [page(topic, n) for topic in WORDS for n in range(70, 74)]
    assert isinstance(again, MetaCritic)
    assert again.weights == critic.weights
    assert again.judge(pages).tolist() == critic.judge(pages).tolist()


def test_settings_choose_spaces_and_decision() -> None:
    made = learner_of(CriticSettings(kind="meta", spaces=["terms", "vectors"], decision="majority", adapt=False))
    assert made == MetaLearner(text="all", spaces=("terms", "vectors"), decision=Decision.MAJORITY)


@pytest.mark.slow
def test_the_svm_goes_the_way_of_the_paper_where_asked_to() -> None:
    """BINGO §2.4: down to the child with the surest yes, and to OTHERS where all say no."""
    lessons, pages = taught(), [page(topic, n) for topic in WORDS for n in range(200, 220)]
    likeliest, paper = (SvmLearner(route=route).fit(lessons) for route in ("likeliest", "paper"))
    routes = paper.routes(pages)
    assert paper.judge(pages).argmax(axis=1).tolist() == routes.tolist()
    assert np.sort(paper.judge(pages), axis=1).tolist() == np.sort(likeliest.judge(pages), axis=1).tolist()
    distances = paper.distances(pages)
    none = paper.classes.index("")
    assert [(row.max() <= 0) for row in distances] == [route == none for route in routes.tolist()]
