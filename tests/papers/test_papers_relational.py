"""The studies of RELATIONAL fig. 8: they measure what they say on little data, and their words follow from their
numbers.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.probe import report
from papers.page import page
from papers.relational import distil, memory, output, probe
from papers.relational.collection import SMALL, Collection
from papers.relational.cost import Cost, cost_of
from papers.relational.walk import Walked
from papers.reproduce import reproduce
from papers.study import Found
from scenthound.judge.probe.single import Records
from scenthound.lab.experiments import named
from scenthound.lab.runs.progress import Event, Stride

pytestmark = pytest.mark.slow

PROBED = probe.Probed(
    pages=100,
    branches=70,
    terms=500.0,
    single={Records.STAT: 90.0, Records.BLOB: 60.0},
    parts={Records.STAT: (1.0, 60.0, 29.0), Records.BLOB: (1.0, 40.0, 19.0)},
    bulk=5.0,
    critic=0.3,
    difference=1e-14,
)


def verdicts(found: Found) -> list[bool | None]:
    return [point.agrees for point in found.points]


@pytest.fixture(scope="module")
def made() -> Collection:
    return Collection(size=SMALL)


def test_a_collection_is_the_same_each_time_and_can_be_learnt(made: Collection) -> None:
    again = Collection(size=SMALL)
    assert [one.terms.terms for one in again.pages] == [one.terms.terms for one in made.pages]
    own = made.critic.judge(made.pages)
    assert (own.max(axis=1) > 2 / len(made.critic.classes)).mean() > 0.5
    known = {term for node in made.critic.nodes for term in node.terms}
    assert any(term not in known for one in made.pages for term in one.terms.terms)


def test_all_ways_agree_on_a_small_collection() -> None:
    found = probe.measured(quick=True)
    assert found.difference < 1e-9
    assert min(*found.single.values(), found.bulk, found.critic) > 0
    assert found.ratio(Records.BLOB) == found.single[Records.BLOB] / found.bulk


def test_the_words_about_probes_follow_the_numbers() -> None:
    assert verdicts(probe.tell(PROBED)) == [True, True, True]
    assert "18.0 times faster than over STAT, 12.0 times than over BLOB" in probe.tell(PROBED).points[0].ours
    slow = replace(PROBED, bulk=7.0, difference=1e-6, parts=dict.fromkeys(Records, (1.0, 2.0, 57.0)))
    assert verdicts(probe.tell(slow)) == [False, False, False]


def test_the_bench_holds_both_ratios_to_ten_and_the_answers_to_each_other() -> None:
    figures = {figure.name: figure.verdict for figure in report(PROBED, replace(PROBED, bulk=50.0)).figures}
    assert figures["SingleProbe over STAT : BulkProbe"] == figures["SingleProbe over BLOB : BulkProbe"] == "met"
    worse = {
        figure.name: figure.verdict for figure in report(replace(PROBED, bulk=7.0, difference=1e-6), PROBED).figures
    }
    assert worse["SingleProbe over STAT : BulkProbe"] == "met"
    assert worse["SingleProbe over BLOB : BulkProbe"] == "short"
    assert worse["greatest difference of two probabilities"] == "short"


def costs(*reads: float, seconds: float = 1.0) -> tuple[Cost, ...]:
    return tuple(Cost(seconds=seconds, reads=one) for one in reads)


def test_the_words_about_memory_follow_the_numbers() -> None:
    falling = (*costs(900, 800, seconds=3.0), *costs(500, 300, 60))
    as_in_the_paper = memory.Remembered(
        kilobytes=9000, costs={memory.SINGLE: falling, memory.BULK: costs(90, 8, 4, 4, 4)}
    )
    assert verdicts(memory.tell(as_in_the_paper)) == [True, True, True]
    assert "from 1 MB on, SingleProbe from 64 MB on" in memory.tell(as_in_the_paper).points[1].ours
    other = memory.Remembered(
        kilobytes=9000, costs={memory.SINGLE: costs(9, 1, 0, 0, 0), memory.BULK: costs(*[90] * 5)}
    )
    assert verdicts(memory.tell(other)) == [False, False, False]
    blind = replace(other, costs={way: (Cost(seconds=1.0, reads=None),) for way in other.costs})
    assert memory.tell(blind).points == ()


def test_reads_are_counted_where_the_system_tells(tmp_path: Path) -> None:
    file = tmp_path / "pages"
    file.write_bytes(bytes(100 * 4096))
    found = cost_of(file.read_bytes).reads
    assert found is None or 100 <= found < 102


def test_output_is_measured_and_told() -> None:
    grown = output.measure(True)
    assert len(grown.sizes) == len(grown.times) >= 9
    assert max(grown.sizes) > 2 * min(grown.sizes)
    straight = output.Grown(sizes=(100, 200, 400), times=(1.0, 2.0, 4.0))
    assert (straight.correlation, straight.exponent, straight.exponent_by_pages) == pytest.approx((1.0, 1.0, 1.0))
    assert verdicts(output.tell(straight)) == [True]
    assert verdicts(output.tell(replace(straight, times=(4.0, 1.0, 2.0)))) == [False]


def test_links_walked_one_by_one_give_the_scores_of_the_joins() -> None:
    found = distil.measure(True)
    assert found.difference < 1e-12
    assert found.links > 1000
    with distil.graph(distil.QUICK_PAGES) as con:
        assert con.execute("SELECT sum(score) FROM HUBS").fetchone()[0] == pytest.approx(1.0)
    slow = replace(found, walked=Walked(scanning=1.0, looking_up=2.0, updating=3.0), joined=1.0)
    assert verdicts(distil.tell(slow)) == [True]
    assert verdicts(distil.tell(replace(slow, joined=3.0))) == [False]


def test_they_run_by_name_and_without_any_world(tmp_path: Path) -> None:
    heard: list[Event] = []
    made = reproduce(
        ["relational-distil"],
        experiment=named()["demo"].load(),
        folder=tmp_path / "out",
        quick=True,
        listener=heard.append,
    )
    assert [chapter.about.name for chapter in made.chapters] == ["relational-distil"]
    assert [event.done for event in heard if isinstance(event, Stride)] == [0, 1]
    text = page(made)
    assert "## relational-distil" in text
    assert "| experiment | after | made-up data |" in text
    assert "The worlds:" not in text
    assert np.all([not path.is_file() for path in tmp_path.iterdir()])
