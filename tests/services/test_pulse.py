"""How a crawl goes now: the harvest of its latest pages, and the frontier by priority, counted or estimated from a
draw.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bench.made_crawl import make_crawl
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.sql.read_connection import asking
from scenthound.services.status.pulse import priorities_of, pulse_of
from scenthound.services.status.relevance_trace import trace_of
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, page


@pytest.mark.slow
def test_a_large_frontier_is_estimated_from_a_draw(tmp_path: Path) -> None:
    with asking(make_crawl(tmp_path / "made", 3_000)) as con:
        counted, estimated = priorities_of(con), priorities_of(con, counted=2_999)
    assert counted.drawn == 0
    assert sum(counted.tenths) == 3_000
    assert 1_500 < estimated.drawn < 2_500  # half of all URLs wait
    assert sum(estimated.tenths) == pytest.approx(3_000, abs=10)
    assert estimated.tenths == pytest.approx(counted.tenths, rel=0.3)


def test_examples_are_no_pages_of_the_crawl(tmp_path: Path) -> None:
    """Where the critic was tried before the start, examples are fetched and judged, and the crawl has no page yet."""
    topics = Topics(topics=(Topic(path="Cycling", good=True),))
    crawl = MadeCrawl(urls=[page("http://a.test/", 0.99, topic="Cycling"), page("http://b.test/", 0.5)], links=[])
    path = directory_of(crawl, tmp_path / "crawl", topics)
    with closing(sqlite3.connect(path / "crawl.db")) as con, con:
        con.execute("UPDATE pages SET counts = n > 1")
    with asking(CrawlDirectory.open(path)) as con:
        assert pulse_of(con, now=0.0).recent_harvest == 0.5
        assert [dot.n for dot in trace_of(con).dots] == [2]
