"""Expert search: needles of a small web are drawn, crawled for and looked for, and the table says what came of it."""

from pathlib import Path

import pytest

from papers.expert import FAR, RANKINGS, TEN, measure, told
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
