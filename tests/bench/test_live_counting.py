"""Crawls counted as live ones are: the draws of the tool that measures over HTTP, and pages that a server answered
alone.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.live_counting import is_even
from bench.live_draws import LiveLabels, one_step
from bench.live_report import Row, keep_row, kept_rows, report
from scenthound.lab.world.world import World
from tests.lab.small_worlds import page, small_world

pytestmark = pytest.mark.slow

PAGES = 40


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path, pages=PAGES) as opened:
        yield opened


@pytest.fixture
def labels(tmp_path: Path, world: World) -> LiveLabels:
    return LiveLabels(tmp_path / "small.labels.tsv")


def test_examples_and_others_are_drawn_one_after_another_from_sorted_addresses(
    labels: LiveLabels, world: World
) -> None:
    chance = random.Random(102)
    examples, fish, pots = (
        chance.sample(sorted(page(subject, number) for number in range(PAGES)), 10)
        for subject in ("birds", "fish", "pots")
    )
    found = labels.task(world, "Nature/Birds", 2)
    assert found.task.examples == tuple(examples)
    assert [(other.path, other.examples) for other in found.task.other_topics] == [
        ("Nature/Fish", tuple(fish)),
        ("Crafts/Pottery", tuple(pots)),
    ]
    assert found.counted == PAGES - 10


def test_what_counts_are_the_first_n_pages_with_a_label_of_the_topic(labels: LiveLabels, world: World) -> None:
    found = labels.task(world, "Nature/Birds", 0)
    birds = [world.number[page("birds", number)] for number in range(PAGES)]
    fish = [world.number[page("fish", number)] for number in range(PAGES)]
    assert found.harvest(birds[:15] + fish[:15] + birds[15:]) == 0.5


def test_a_topic_above_takes_in_those_below_and_is_no_other_of_theirs(labels: LiveLabels, world: World) -> None:
    found = labels.task(world, "Nature", 0)
    assert found.counted == 2 * PAGES - 10
    assert [other.path for other in found.task.other_topics] == ["Crafts/Pottery"]
    assert labels.topics(least=PAGES + 1) == ["Nature"]


def test_the_oracle_finds_all_birds_for_they_link_to_each_other(labels: LiveLabels, world: World) -> None:
    found = labels.task(world, "Nature/Birds", 0)
    assert one_step(world, found, locked=frozenset()) == 1.0
    islands = frozenset(range(PAGES)) - {world.number[url] for url in found.task.examples}
    assert one_step(world, found, locked=islands) == 0.0


def test_a_report_shows_the_worst_crawls_first_and_counts_those_that_lost_their_way() -> None:
    rows = [
        _row("Tea", 0, "best-first", 0.5),
        _row("Tea", 0, "apprentice", 0.6),
        _row("Tea", 1, "best-first", 0.5),
        _row("Tea", 1, "apprentice", 0.4),
        _row("Ale", 0, "best-first", 0.3),
        _row("Ale", 0, "apprentice", 0.28),
    ]
    found = report(rows)
    figures = {figure.name: figure.value for figure in found.figures}
    assert figures["schools: crawls more than 0.03 below best-first"] == 1
    worst = next(text for text in found.text if text.startswith("| worst crawls")).splitlines()
    assert [line.split("|")[1].strip() for line in worst[2:]] == ["Tea", "Ale", "Tea"]


def test_topics_are_halved_by_chance_once_and_for_all() -> None:
    assert [is_even(topic) for topic in ("Countries", "Geography", "IT", "Citizenship")] == [True, True, False, False]


def _row(topic: str, draw: int, order: str, harvest: float) -> Row:
    return Row(
        web="schools",
        topic=topic,
        draw=draw,
        order=order,
        counted=100,
        fetched=100,
        harvest=harvest,
        judged=harvest,
        hosts=1,
        unique=50,
        vain=0,
        seconds=1.0,
    )


def test_crawls_are_kept_one_by_one_and_read_again_each_once(tmp_path: Path) -> None:
    path = tmp_path / "crawls.jsonl"
    assert kept_rows(path) == []
    tea, ale = _row("Tea", 0, "best-first", 0.5), _row("Ale", 1, "apprentice", 0.3)
    for row in (tea, ale, tea):
        keep_row(path, row)
    assert kept_rows(path) == [tea, ale]


def test_a_report_shows_the_lead_of_every_draw() -> None:
    harvests = {"best-first": (0.5, 0.5), "apprentice": (0.6, 0.4)}
    rows = [_row("Tea", draw, order, found[draw]) for order, found in harvests.items() for draw in range(2)]
    assert "| Tea | .50 | .50 | +.10, -.10 |" in report(rows).text[-1]
