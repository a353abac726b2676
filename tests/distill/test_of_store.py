"""A crawl in memory and the same crawl in a database are distilled alike."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from scenthound.distill.distil_process import distil_beside
from scenthound.distill.of_store import distil_store
from scenthound.distill.scores import Rules
from scenthound.distill.site import Site
from scenthound.store.base import Store
from scenthound.store.memory.store import MemoryStore
from scenthound.store.sqlite.connection import open_reader
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Ending, Judgement, Outcome, PageScore
from tests.store.random_world import links, outcome
from tests.store.small_world import FREE


def crawl(store: Store, seed: int) -> None:
    """Let something happen, the same in every store."""
    chance = Random(seed)
    store.add(links(chance, 30), now=0.0)
    for turn in range(60):
        claims = store.claim(owner="me", now=60.0 * turn, limit=5, limits=FREE, lease=500.0)
        outcomes = [mostly_novel(outcome(chance, claim, 60.0 * turn), chance) for claim in claims]
        store.record(outcomes, now=60.0 * turn, archived={})


def mostly_novel(outcome: Outcome, chance: Random) -> Outcome:
    """Let few pages be the same as others, or all would be merged into a handful."""
    if outcome.ending is not Ending.PAGE or outcome.reading is None or chance.random() < 0.1:
        return outcome
    reading = replace(outcome.reading, fingerprint=None, digest=outcome.claim.url, canonical="")
    return replace(outcome, reading=reading, judgement=Judgement(relevance=chance.randrange(9) / 8))


def by_address(scores: tuple[PageScore, ...]) -> dict[str, tuple[float, float]]:
    return {score.url: (score.hub, score.authority) for score in scores}


@pytest.mark.slow
@pytest.mark.parametrize("site", Site)
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_the_same(tmp_path: Path, site: Site, seed: int) -> None:
    path, rules = tmp_path / "crawl.db", Rules(site=site, share=0.5)
    memory = MemoryStore(bad_after=99)
    crawl(memory, seed)
    with SqliteStore(path, bad_after=99) as store:
        crawl(store, seed)
    with closing(open_reader(path)) as con:
        expected = distil_beside(con, rules)
    found = distil_store(memory, rules)
    assert found.pages == expected.pages > 10
    assert any(score.hub for score in found.scores)
    scores, same = by_address(found.scores), by_address(expected.scores)
    assert scores.keys() == same.keys()
    for url, pair in scores.items():
        assert pair == pytest.approx(same[url], abs=1e-9)
