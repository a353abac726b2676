"""Links kept between distillations of a crawl that goes on: the hubs are those of a distillation that reads all."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from scenthound.distill.distil_process import distil_beside
from scenthound.distill.link_memory import LinkMemory
from scenthound.distill.scores import Rules
from scenthound.distill.site import Site
from scenthound.store.sqlite.connection import open_reader
from scenthound.store.sqlite.store import SqliteStore
from tests.distill.test_of_store import mostly_novel
from tests.store.random_world import links, outcome
from tests.store.small_world import FREE


@pytest.mark.slow
@pytest.mark.parametrize("most", [10**6, 40], ids=["all kept", "too many to keep"])
@pytest.mark.parametrize("seed", range(3))
def test_each_distillation_of_a_growing_crawl_is_that_of_a_full_pass(tmp_path: Path, seed: int, most: int) -> None:
    chance, memory, rules = Random(seed), LinkMemory(most=most), Rules(site=Site.HOST, share=0.5)
    again, hubs = 0, 0
    with SqliteStore(tmp_path / "crawl.db", bad_after=99) as store:
        store.add(links(chance, 30), now=0.0)
        for turn in range(60):
            now = 60.0 * turn
            claims = store.claim(owner="me", now=now, limit=5, limits=FREE, lease=500.0)
            again += sum(claim.fetched_before for claim in claims)
            store.record([mostly_novel(outcome(chance, one, now), chance) for one in claims], now=now, archived={})
            if turn % 10:
                continue
            with closing(open_reader(tmp_path / "crawl.db")) as con:
                found, full = distil_beside(con, rules, memory), distil_beside(con, rules)
            assert found == full  # to the last bit
            hubs += sum(score.hub > 0 for score in found.scores)
            store.revisit_pages([score.url for score in found.scores[:8]], priority=1.0, now=now)
    assert again > 5
    assert hubs > 5
