"""The nose alone: an apprentice with a critic that is always right, on a small web."""

from pathlib import Path

import pytest

from bench.live_draws import LiveLabels
from bench.nose import follow
from scenthound.apprentice.scent import ScentModel
from tests.lab.small_worlds import small_world

pytestmark = pytest.mark.slow


def test_it_finds_most_of_a_topic_that_links_to_itself_and_the_same_each_time(tmp_path: Path) -> None:
    with small_world(tmp_path, pages=40) as world:
        live = LiveLabels(tmp_path / "small.labels.tsv").task(world, "Nature/Birds", 0)
        found, again = (follow(world, live, ScentModel(), locked=frozenset()) for _ in range(2))
        nothing = follow(world, live, ScentModel(), locked=frozenset(range(len(world.urls))))
    assert found.harvest > 0.8
    assert (found.harvest, found.vain) == (again.harvest, again.vain)
    assert nothing.harvest == 0.0
