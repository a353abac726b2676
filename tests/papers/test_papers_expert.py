"""Expert search: needles of a small web are drawn, crawled for and looked for, and the table says what came of it."""

from pathlib import Path

import pytest

from papers.expert import FAR, RANKINGS, TEN, measure, on_worlds, told
from scenthound.errors import LabError
from scenthound.lab.experiment.world_sites import open_sites
from scenthound.lab.runs.progress import unheard
from tests.papers.test_papers import TOPICS, small_experiment


@pytest.mark.slow
def test_needles_of_a_small_web_are_looked_for(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    experiment = small_experiment(tmp_path / "web")
    [site] = open_sites(experiment, cache=tmp_path / "cache", listener=unheard)
    found = measure(experiment, site, topics=2, needles=2, folder=tmp_path / "out", cache=tmp_path / "cache")
    assert {one.needle.topic for one in found} <= set(TOPICS)
    assert found
    assert all(len(one.needle.words.split()) <= 3 and set(one.among_ten) == set(RANKINGS) for one in found)
    for one in found:
        assert one.fetched or not any(one.among_ten[name] for name in RANKINGS if name.startswith("crawl"))
    text = told({"small": found}, seed=1)
    assert text.count("\n") == len(RANKINGS) + 3
    assert f"small ({len(found)} needles" in text
    assert (FAR, TEN) == (2, 10)


def test_a_web_of_any_experiment_can_be_named() -> None:
    assert [one.name for one in on_worlds(["modern", "webkb"]).worlds] == ["modern", "webkb"]
    assert {one.name for one in on_worlds([]).worlds} == {"schools", "webkb", "modern"}
    with pytest.raises(LabError, match="no world 'shools'; name one of modern, schools, webkb"):
        on_worlds(["shools"])


def test_topics_that_are_too_large_or_too_small_are_named_as_the_cause(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    experiment = small_experiment(tmp_path / "web")
    [site] = open_sites(experiment, cache=tmp_path / "cache", listener=unheard)
    with pytest.raises(LabError, match="no topic with 4 to 3 pages; set --needles or --most"):
        measure(experiment, site, topics=2, needles=2, folder=tmp_path / "out", cache=tmp_path / "cache", most=3)
