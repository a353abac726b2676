"""The bench of critics: on a made-up web that a reader can follow, and floors on a real one."""

from pathlib import Path

import numpy as np
import pytest

from bench.critics import (
    DEFAULT,
    Contender,
    Scores,
    contenders,
    draw_examples,
    draw_spare,
    report,
    sizeable,
    sort_into_leaves,
    tell_topics,
    trials,
)
from bench.labelled import LabelledWeb, labelled_web
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.settings.schema import CriticSettings
from tests.judge.small_pages import SAYINGS, page
from tests.often import THOROUGH
from tests.parse.webs import beginning

pytestmark = pytest.mark.slow

TOPICS = [topic for topic in SAYINGS if topic]


@pytest.fixture(scope="module")
def web() -> LabelledWeb:
    """Thirty pages of each topic, and 300 of none; one page in ten has a second label."""
    labelled = [(page(topic, number), topic, number) for topic in TOPICS for number in range(30)]
    seconds = [TOPICS[number % len(TOPICS)] for _, _, number in labelled]
    labels = [
        (topic, second) if number % 10 == 0 and second != topic else (topic,)
        for (_, topic, number), second in zip(labelled, seconds, strict=True)
    ]
    others = [page("", number) for number in range(300)]
    return LabelledWeb(pages=(*(one for one, _, _ in labelled), *others), labels=(*labels, *[()] * len(others)))


def test_examples_are_drawn_once_each_and_never_lie_at_hand(web: LabelledWeb) -> None:
    chance = np.random.default_rng(1)
    drawn = draw_examples(web, sizeable(web), chance)
    spare = draw_spare(web, chance, without=set(drawn))
    assert len(drawn) == 10 * len(TOPICS)
    assert all(topic in web.labels[number] for number, topic in drawn.items())
    assert len(spare) == 252  # six tenths of 420 pages
    assert not spare & set(drawn)


def test_any_label_is_never_harder_to_find_than_the_first(web: LabelledWeb) -> None:
    board = Scores()
    sort_into_leaves(Contender(name="x", learner=LogisticLearner()), web, board, draws=2)
    assert 0.85 < board.mean("first") <= board.mean("any") <= 1
    assert len(board.numbers["training"]) == 2


def test_topics_are_told_from_all_other_pages(web: LabelledWeb) -> None:
    board = Scores()
    tell_topics(Contender(name="x", learner=LogisticLearner()), web, board, every=2)
    assert len(board.numbers["precision"]) == 2
    assert board.mean("precision") > 0.85


def test_the_default_keeps_its_floors_on_the_schools_web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENTHOUND_WEBS", str(beginning("schools", tmp_path).parent))
    if not THOROUGH:
        monkeypatch.setenv("SCENTHOUND_BENCH_CACHE", str(tmp_path))
    schools, board = labelled_web("schools"), Scores()
    assert schools is not None
    sort_into_leaves(Contender(name=DEFAULT, learner=learner_of(CriticSettings())), schools, board, draws=1)
    # On the first pages of the archive there are fewer topics to confuse, and fewer pages to calibrate by.
    assert board.mean("any") > (0.69 if THOROUGH else 0.85)
    assert board.mean("error") < (0.06 if THOROUGH else 0.1)


def test_every_contender_has_a_line_in_each_table(web: LabelledWeb) -> None:
    kinds = contenders()
    leaves = trials(kinds, lambda one, board: sort_into_leaves(one, web, board, draws=1))
    topics = trials(kinds, lambda one, board: tell_topics(one, web, board, every=4))
    genres = {name: Scores() for name in leaves}
    for scores in genres.values():
        scores.add(accuracy=0.5, precision=0.5, error=0.1, training=1.0)
    found = report(leaves, topics, genres)
    assert all(table.count("\n") == len(kinds) + 1 for table in found.text)
    assert {figure.verdict for figure in found.figures if "WebKB" in figure.name} == {"short"}
