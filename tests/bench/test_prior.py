"""The bench that finds the weights to begin with: samples taken on the way, and weights that explain them."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from bench.prior import GENRES, looked_at, topics_of, written
from bench.prior_fit import Floats, Group, fitted, trials
from bench.sampling import Samples, SamplingGuide
from scenthound.apprentice.crawl_guide import Advisor
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.scent import prior_weights
from scenthound.lab.experiment.values import Role, StrategyChoice, Task
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.world import World
from scenthound.store.base import Store
from tests.lab.small_worlds import page, small_world

pytestmark = pytest.mark.slow

TASK = Task(
    world="small",
    topic="Nature/Birds",
    draw=1,
    role=Role.DEVELOPMENT,
    examples=(page("birds", 0), page("birds", 1)),
    others=(page("fish", 0), page("pots", 0)),
    start=(page("birds", 0), page("birds", 1)),
    wanted=frozenset(range(2, 8)),
)
APPRENTICE = StrategyChoice(name="a", kind="apprentice", parameters={"sample": 0.0}, settings={}, tune={})
START, MEANING, HOST = (NAMES.index(name) for name in ("start", "meaning", "host"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path) as opened:
        yield opened


def group(topic: str, start: float, *, seed: int, many: int = 4_000) -> Group:
    """Samples of a topic of which one scent tells the wanted ones, and another how common they are in all topics."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=(many, len(NAMES)))
    rows[:, START], rows[:, HOST] = 1.0, start
    wanted = chance.random(many) < expit(start + 2.0 * rows[:, MEANING])
    return Group(topic=topic, others=12, worth=10_000.0, samples=Samples(rows=rows, wanted=wanted))


@pytest.fixture(scope="module")
def groups() -> list[Group]:
    return [group(f"schools: {start}", start, seed=n) for n, start in enumerate((-4.0, -2.0, 0.0))]


def test_what_tells_wanted_urls_within_topics_is_found(groups: list[Group]) -> None:
    weights = fitted(groups, np.zeros(len(NAMES)))
    assert weights[MEANING] == pytest.approx(2.0, abs=0.3)
    assert (
        np.abs(np.delete(weights, [MEANING, START])).max() < 0.2
    )  # that a scent is stronger in easy topics is no scent
    assert weights[START] == pytest.approx(-2.0, abs=0.3)


def test_what_is_given_by_hand_stays(groups: list[Group]) -> None:
    given = np.zeros(len(NAMES))
    given[HOST] = 0.3
    assert fitted(groups, given, by_hand=["host"])[HOST] == 0.3


def test_topics_are_tried_with_weights_of_the_others(groups: list[Group]) -> None:
    poor = group("schools: nothing to be found", -60.0, seed=5, many=50)
    found = trials([*groups, poor], np.zeros(len(NAMES)))
    assert [trial.group for trial in found] == groups
    assert min(trial.auc for trial in found) > 0.85
    assert all(0.1 < trial.precision < 1.0 for trial in found)


def test_looking_changes_nothing(world: World, tmp_path: Path) -> None:
    guides: list[SamplingGuide] = []

    def guide_by(store: Store, advisor: Advisor) -> SamplingGuide:
        guides.append(
            SamplingGuide(store, advisor, prior=prior_weights(), is_wanted=lambda url: "birds" in url, every=2)
        )
        return guides[0]

    kind, conditions, critics = kind_of(APPRENTICE), Conditions(fetches=12), Critics(world, tmp_path / "critics")
    plain = crawl(world, TASK, APPRENTICE, kind, conditions, critics)
    watched = crawl(world, TASK, APPRENTICE, kind, conditions, critics, guide_by=guide_by)
    assert watched.digest == plain.digest
    samples = guides[0].samples
    assert samples.rows.shape == (len(samples), len(NAMES))
    assert 0 < samples.wanted.sum() < len(samples)


def test_a_crawl_from_other_weights_is_another_crawl(world: World, tmp_path: Path) -> None:
    critics = Critics(world, tmp_path / "critics")
    ours, others = (
        looked_at(world, TASK, critics, weights, every=1) for weights in (prior_weights(), -prior_weights())
    )
    assert len(ours) != len(others) or not np.array_equal(ours.rows, others.rows)


def test_what_is_written_can_be_read_as_weights(groups: list[Group]) -> None:
    weights: Floats = np.linspace(-1.23456, 1.0, len(NAMES))
    told = json.loads(written(weights, groups))
    assert [told["weights"][name] for name in NAMES] == [round(weight, 3) for weight in weights.tolist()]
    assert "3 development topics" in told["note"]


def test_nothing_is_shown_on_the_topics_that_weights_come_from() -> None:
    assert topics_of("webkb") == GENRES
    assert not {"course", "project", "faculty"} & set(GENRES)
    assert len(topics_of("schools")) > 20
