"""What every critic promises of its judgements, however it came by them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ScenthoundError
from scenthound.judge.critic import Critic, Learner, Page
from scenthound.judge.critic_kinds import load_critic
from scenthound.parse.words.terms import Terms
from scenthound.taxonomy import OTHERS
from tests.judge.contract.conftest import taught
from tests.judge.small_pages import SAYINGS, page, spoken_page
from tests.often import often

CYCLING, GOLF = "Sport/Cycling", "Sport/Golf"
STRANGE = spoken_page("http://strange.test/", "xylophagous quokka zugzwang syzygy")
EMPTY = Page(url="http://empty.test/")


def some_pages() -> list[Page]:
    return [page(topic, number) for topic in SAYINGS for number in range(50, 55)] + [EMPTY, STRANGE]


@pytest.mark.slow
def test_rows_are_distributions_over_the_classes(critic: Critic) -> None:
    rows = critic.judge(some_pages())
    assert rows.shape == (len(some_pages()), len(critic.classes))
    assert np.isfinite(rows).all()
    assert (rows >= 0).all()
    assert rows.sum(axis=1) == pytest.approx(1.0, abs=1e-9)


def test_a_page_is_judged_the_same_in_any_company(critic: Critic) -> None:
    pages = some_pages()
    together = critic.judge(pages)
    alone = np.concatenate([critic.judge([one]) for one in pages])
    backwards = critic.judge(pages[::-1])[::-1]
    assert np.abs(together - alone).max() < 1e-12
    assert np.abs(together - backwards).max() < 1e-12


def test_no_pages_are_no_rows(critic: Critic) -> None:
    assert critic.judge([]).shape == (0, len(critic.classes))


@pytest.mark.slow
def test_the_same_lessons_and_seed_give_the_same_critic(any_learner: Learner, critic: Critic) -> None:
    again = any_learner.fit(taught(), seed=7)
    assert again.classes == critic.classes
    assert np.array_equal(again.judge(some_pages()), critic.judge(some_pages()))


def test_a_critic_comes_back_from_disk_to_the_bit(critic: Critic, tmp_path: Path) -> None:
    critic.save(tmp_path / "critic")
    back = load_critic(tmp_path / "critic")
    assert type(back) is type(critic)
    assert back.classes == critic.classes
    assert back.wants_text == critic.wants_text
    assert np.array_equal(back.judge(some_pages()), critic.judge(some_pages()))
    assert back.telling(CYCLING) == critic.telling(CYCLING)


def test_a_critic_is_saved_as_data_only(critic: Critic, tmp_path: Path) -> None:
    critic.save(tmp_path / "critic")
    files = [path for path in (tmp_path / "critic").rglob("*") if path.is_file()]
    assert {path.name for path in files} == {"model.json", "arrays.npz"}
    for path in files:
        if path.name == "arrays.npz":
            with np.load(path, allow_pickle=False) as arrays:
                assert all(array.dtype != object for array in dict(arrays).values())


def test_a_critic_is_never_written_over_another(critic: Critic, tmp_path: Path) -> None:
    critic.save(tmp_path / "critic")
    with pytest.raises(ScenthoundError, match="new folder"):
        critic.save(tmp_path / "critic")
    assert [path.name for path in tmp_path.iterdir()] == ["critic"], "nothing is left lying about"


def test_telling_terms_come_best_first_and_are_no_more_than_asked(critic: Critic) -> None:
    for topic in (*critic.classes, "Sport", "No/Such/Topic"):
        found = critic.telling(topic, most=4)
        assert len(found) <= 4
        assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)
        own = set(page(topic, 1).terms.terms) if topic in SAYINGS and topic != OTHERS else set()
        assert not own or not found or found[0].term in own


ANY_TERMS = st.dictionaries(
    st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=6)
    | st.sampled_from(sorted(page(CYCLING, 0).terms.terms + page(GOLF, 0).terms.terms)),
    st.tuples(*[st.integers(0, 65_535)] * 3),
    max_size=12,
)


@often(25)
@given(counted=ANY_TERMS)
def test_any_page_gets_a_valid_row(critic: Critic, counted: dict[str, tuple[int, int, int]]) -> None:
    zones = np.array(list(counted.values()), dtype=np.uint16).reshape(-1, 3)
    odd = Page(terms=Terms(terms=tuple(counted), title=zones[:, 0], main=zones[:, 1], rest=zones[:, 2]))
    [row] = critic.judge([odd])
    assert np.isfinite(row).all()
    assert row.sum() == pytest.approx(1.0, abs=1e-9)
    assert ((row >= 0) & (row <= 1)).all()
