"""Traps are damped by what they yield, and every verdict says why."""

import pytest

from scenthound.frontier.traps import Traps
from scenthound.store.memory.store import MemoryStore
from scenthound.types import ShapeYield


def verdicts(url: str, shape: str, yields: list[bool]) -> list[tuple[int, bool]]:
    """Fetch pages of one shape one after another; return what was thought of the next URL before each."""
    traps = Traps(MemoryStore().shape_yields)
    said = []
    for novel in yields:
        traps.prepare([("a.test", shape)])
        verdict = traps.verdict("a.test", shape, url)
        said.append((verdict.demoted, verdict.closed))
        assert bool(verdict.detail) == bool(verdict.demoted)
        traps.learn("a.test", shape, novel=novel)
    return said


def test_an_honest_site_is_left_alone() -> None:
    assert set(verdicts("http://a.test/story/7", "/story/#", [True] * 500)) == {(0, False)}


def test_a_shape_that_repeats_one_page_sinks_and_is_closed() -> None:
    said = verdicts("http://a.test/p?x=7", "/p?x", [True] + [False] * 60)
    assert said[:8] == [(0, False)] * 8
    assert said == sorted(said)
    assert said[-1] == (3, True)
    assert said.index((3, True)) == 30


def test_a_calendar_is_closed_however_new_its_pages_look() -> None:
    said = verdicts("http://a.test/calendar/2024/5/", "/calendar/#/#/", [True] * 100)
    assert said[0] == (1, False)
    assert said.index((3, True)) == 60


def test_a_shape_with_some_copies_sinks_but_stays_open() -> None:
    said = verdicts("http://a.test/print/7", "/print/#", [True, False, False] * 40)
    assert said[-1] == (1, False)


@pytest.mark.parametrize(("fetched", "novel"), [(30, 3), (300, 30)])
def test_yields_of_earlier_runs_count(fetched: int, novel: int) -> None:
    traps = Traps(lambda keys: {key: ShapeYield(fetched=fetched, novel=novel) for key in keys})
    traps.prepare([("a.test", "/p")])
    verdict = traps.verdict("a.test", "/p", "http://a.test/p")
    assert verdict.closed
    assert f"of {fetched} pages fetched like /p only {novel} were new" in verdict.detail
