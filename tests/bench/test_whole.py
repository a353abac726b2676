"""Whole benches on a small scale, with a web of forty pages in the place of the schools web."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench import kills, stages, throughput
from bench.figures import Figure
from bench.serving import SCHOOLS, SCHOOLS_SEED, missing, webs_file
from bench.shipped import LABELS, TOPIC, start
from tests.bench.ring import PAGES, archive_ring, label_ring
from tests.often import thoroughly

pytestmark = pytest.mark.slow


@pytest.fixture
def schools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    archive_ring(tmp_path / SCHOOLS, SCHOOLS_SEED)
    label_ring(tmp_path / LABELS, SCHOOLS_SEED, TOPIC)
    monkeypatch.setenv("SCENTHOUND_WEBS", str(tmp_path))
    return tmp_path


def by_name(figures: Sequence[Figure]) -> dict[str, float]:
    return {figure.name: figure.value for figure in figures}


@thoroughly
@pytest.mark.usefixtures("schools")
def test_kills_survived() -> None:
    found = by_name(kills.run(quick=True).figures)
    assert found["pages at the end"] == PAGES
    assert found["pages missing against an undisturbed crawl"] == 0


@thoroughly
@pytest.mark.usefixtures("schools")
def test_every_stage_of_the_crawl_is_known_and_counted() -> None:
    found = by_name(stages.run(quick=True).figures)
    assert list(found) == list(stages.STAGES)
    assert min(found.values()) > 0


@thoroughly
@pytest.mark.usefixtures("schools")
@pytest.mark.skipif(find_spec("scrapy") is None, reason="Scrapy is installed for benches only")
def test_every_contender_visits_every_page() -> None:
    found = throughput.run(quick=True)
    table = found.text[1].splitlines()[2:]
    found_by = {line.split(" | ")[0].strip("| "): int(line.split(" | ")[2]) for line in table}
    # Nothing links to the page that Scrapy starts from, and the others start from examples.
    assert found_by == {"scenthound": PAGES - 1, "unjudged": PAGES - 1, "Scrapy": PAGES, "bare loop": PAGES - 1}
    assert "| distiller | distiller process |" in found.text[-1]
    assert min(by_name(found.figures).values()) > 0


def test_without_the_archived_web_a_bench_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENTHOUND_WEBS", str(tmp_path))
    assert webs_file(SCHOOLS) is None
    for bench in (kills, stages):
        assert bench.run().skipped == missing(SCHOOLS)
    assert "SCENTHOUND_WEBS" in missing(SCHOOLS)
    assert start().name == "the demo web"
