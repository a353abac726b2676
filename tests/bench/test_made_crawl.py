"""The crawl that the window is measured on can be asked what a real one can."""

from pathlib import Path

import pytest

from bench.made_crawl import make_crawl
from bench.running import Run
from bench.window import Lap, Laps, Opened, report
from scenthound.services.results.neighbourhood import neighbourhood_of
from scenthound.services.results.page_list import PageQuery, find_pages
from scenthound.services.status.crawl_status import status_of

pytestmark = pytest.mark.slow


def test_a_made_crawl_answers_as_a_real_one_does(tmp_path: Path) -> None:
    directory = make_crawl(tmp_path / "large", 500)
    census = status_of(directory).census
    assert (census.pages, census.waiting, census.hosts) == (500, 500, 5)
    [best] = find_pages(directory, PageQuery(topic="Sport", limit=1)).pages
    assert best.relevance is not None
    assert best.relevance > 0.99
    around = neighbourhood_of(directory, "", [best.url])
    assert around.pages[0].url == best.url
    assert len(around.links) >= 3


def test_what_a_watched_crawl_costs_is_a_share_of_one_that_is_alone() -> None:
    def lap(cpu: float, speed: float, server: float = 0.0) -> Lap:
        return Lap(run=Run(output="", seconds=cpu, cpu=cpu), speed=speed, server=server)

    at = Laps(
        pace="at full speed",
        alone=[lap(10.0, 50.0), lap(10.0, 50.0), lap(90.0, 5.0)],
        watched=[lap(10.4, 49.0, 0.3), lap(10.2, 49.0, 0.2), lap(10.4, 1.0, 0.3)],
    )
    found = report({"Monitor, first": Opened(painted=2.0, seconds=3.0, cpu=0.5)}, [at], pages=1000)
    costs = {figure.name: (round(figure.value, 1), figure.verdict) for figure in found.figures}
    assert costs["Monitor, first: server's processor time"] == (0.5, "met")
    assert costs["a crawl at full speed: fewer a second while watched"] == (2.0, "met")
    assert costs["a crawl at full speed: processor time that it takes more"] == (4.0, "met")
    assert costs["a crawl at full speed: server's processor time beside it, of the crawl's"] == (3.0, "")
