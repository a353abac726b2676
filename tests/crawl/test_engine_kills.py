"""Engines of one crawl that die, sleep or are cut off: nothing is lost, nothing comes twice, no host is asked too soon.

`python -m bench engines_kills` does the same a thousand times.
"""

import pytest

from bench.engines_kills import disturb, in_words
from bench.ring_web import RingWeb
from tests.often import THOROUGH
from tests.store.postgres_server import shared_server

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("started_at_length")]  # groups of processes are stopped


@pytest.mark.parametrize("seed", [1, 2, 3] if THOROUGH else [2])
def test_engines_that_are_disturbed_lose_nothing_and_keep_their_manners(seed: int) -> None:
    story = disturb(shared_server(), RingWeb(40, 6, 2), engines=3, disturbances=5, seed=seed)
    assert story.kinds.total() >= 3, in_words(story)
    assert (story.missing, story.twice, story.breaches, story.faults, story.failed) == (0, 0, [], [], [])
