"""What an apprentice takes along to another crawl, and what it does not believe."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenthound.apprentice.bayes.bayes_model import BayesModel
from scenthound.apprentice.learnt_before import Knowledge, read_knowledge
from scenthound.apprentice.scent import ScentModel
from scenthound.crawl.order.guides import brand_of, learnt_file, make_of, settings_of
from scenthound.errors import SettingError, UsageError
from scenthound.settings.schema import ApprenticeSettings
from tests.apprentice.made_lessons import lessons, same, taught


@pytest.fixture(scope="module")
def known() -> Knowledge:
    model = taught(lessons(seed=3, many=60))
    return Knowledge(kind="scent", lessons=60, topics=("Birds",), state=model.knowledge())


def test_a_file_gives_back_what_was_known(tmp_path: Path, known: Knowledge) -> None:
    known.write(tmp_path / "k.npz")
    again = read_knowledge(tmp_path / "k.npz")
    assert (again.kind, again.lessons, again.topics, again.name) == ("scent", 60, ("Birds",), known.name)
    assert same(again.state, known.state)


def test_one_that_has_learnt_before_knows_the_words_and_none_of_the_urls(known: Knowledge) -> None:
    begun, fresh = ScentModel(before=known.state), ScentModel()
    assert same(begun.knowledge(), known.state)
    assert len(begun.ground.urls.state) == len(fresh.ground.urls.state)
    assert begun.regression.taken == 0


def test_a_crawl_names_what_its_apprentice_knew(tmp_path: Path, known: Knowledge) -> None:
    settings = ApprenticeSettings(before=known.name)
    path = learnt_file(tmp_path, known.name)
    path.parent.mkdir()
    known.write(path)
    assert same(make_of(settings, crawl=tmp_path)().knowledge(), known.state)
    assert settings_of(brand_of(settings)) == settings
    assert brand_of(ApprenticeSettings()) == "scent links=500000"  # what was kept without it goes on
    alone = make_of(ApprenticeSettings(before=known.name, before_words=False), crawl=tmp_path)().knowledge()
    assert same({"weights": alone["weights"]}, {"weights": known.state["weights"]})
    assert not len(alone["link words.known"])  # the words of one topic mislead a crawl for another
    with pytest.raises(SettingError, match=r'set apprentice\.kind = "scent"'):
        make_of(ApprenticeSettings(kind="bayes", before=known.name), crawl=tmp_path)


@pytest.mark.slow
def test_the_paper_s_apprentice_learns_no_more() -> None:
    model = BayesModel(start=5, d_max=2)
    for lesson in lessons(seed=5, many=80):
        if lesson.redirect or lesson.relevance is not None:
            model.learn(lesson)
    state = model.knowledge()
    assert set(state) == {"slots", "counts", "instances", "d_max"}
    begun = BayesModel.of_knowledge(state)
    for lesson in lessons(seed=6, many=20):
        if lesson.redirect or lesson.relevance is not None:
            begun.learn(lesson)
    assert same(begun.knowledge(), state)


def forged(change: Callable[[dict[str, Any]], object]) -> Callable[[Knowledge], Knowledge]:
    def forge(known: Knowledge) -> Knowledge:
        state: dict[str, Any] = {name: array.copy() for name, array in known.state.items()}
        change(state)
        return Knowledge(kind=known.kind, lessons=known.lessons, topics=known.topics, state=state)

    return forge


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (forged(lambda state: state.pop("weights")), "the list of arrays"),
        (forged(lambda state: state.update(weights=np.full(3, 0.5))), "weights does not have the right form"),
        (forged(lambda state: state["weights"].fill(np.nan)), "weights holds no usable numbers"),
        (forged(lambda state: state["link words.known"].fill(1 << 30)), "link words.known does not have"),
        (forged(lambda state: state["link words.known"].fill(-1)), "link words.known does not have"),
        (forged(lambda state: state.update({"meanings.rows": np.zeros((9000, 3))})), "meanings.rows does not have"),
        (forged(lambda state: state.update({"link words.seen": np.array(["x"])})), "link words.seen holds no usable"),
    ],
)
def test_numbers_that_cannot_be_used_are_refused(
    tmp_path: Path, known: Knowledge, change: Callable[[Knowledge], Knowledge], message: str
) -> None:
    change(known).write(tmp_path / "k.npz")
    with pytest.raises(UsageError) as caught:
        read_knowledge(tmp_path / "k.npz")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def packed(path: Path, head: dict[str, object], **arrays: Any) -> None:
    np.savez(path, head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **arrays)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"not a file of numbers"), "this is not what an apprentice has learnt"),
        (lambda path: np.savez_compressed(path, head=np.zeros(9)), "this is not what an apprentice has learnt"),
        (lambda path: np.savez(path, head=np.array([{}], dtype=object)), "this is not what an apprentice has learnt"),
        (lambda path: packed(path, {"kind": "scent"}), "this is not what an apprentice has learnt"),
        (
            lambda path: packed(path, {"format": 9, "kind": "x", "lessons": 1, "topics": [], "digest": ""}),
            "it has format 9, and this scenthound reads 1; update scenthound",
        ),
        (
            lambda path: packed(path, {"format": 1, "kind": "scent", "lessons": 1, "topics": [], "digest": "x"}),
            "it is damaged",
        ),
        (lambda path: None, "cannot be read: No such file"),
    ],
)
def test_another_file_is_refused_in_one_line(tmp_path: Path, make: Callable[[Path], object], message: str) -> None:
    make(tmp_path / "k.npz")
    with pytest.raises(UsageError) as caught:
        read_knowledge(tmp_path / "k.npz")
    assert message in str(caught.value)
