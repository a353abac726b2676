"""The kill bench on a web of a few pages, and its checks on archives that were damaged by hand."""

import gzip
from pathlib import Path

import pytest

from bench.crawling import crawl, new_crawl, pages_of
from bench.kills import Aftermath, Moment, kill_and_resume, moments, report, take_stock
from bench.wreckage import Wreck, count_archive, count_members, look_at
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from tests.bench.ring import PAGES, ring

pytestmark = pytest.mark.slow

SEED = "http://ring.test/0"


def test_a_killed_crawl_is_complete_in_the_end(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    with ServedWeb(ring) as served:
        new_crawl(undisturbed, SEED)
        crawl(undisturbed, ["fetch.delay=0", f"fetch.proxy={served.proxy_url}"], limit=60)
    assert len(pages_of(undisturbed)) == PAGES
    when = [Moment(requests=8, seconds=0.0), Moment(requests=0, seconds=0.3), Moment(requests=5, seconds=0.01)]
    found = take_stock(undisturbed, killed, *kill_and_resume(killed, ring, when, seed=SEED))
    assert [figure.name for figure in report(found, kills=3).figures if figure.verdict == "short"] == []
    assert len(found.exported) == PAGES
    assert look_at(killed).trouble == ()
    assert count_archive(CrawlDirectory.open(killed).archive).captures["http://ring.test/0"] == 1


def test_moments_are_drawn_from_the_seed_and_leave_the_crawl_unfinished() -> None:
    drawn = moments(20, 5000, 3)
    assert drawn == moments(20, 5000, 3) != moments(20, 5000, 4)
    assert sum(moment.requests for moment in drawn) < 5000


@pytest.mark.parametrize(("cut", "expected"), [(0, (3, False)), (1, (2, True))])
def test_a_torn_member_is_noticed(tmp_path: Path, cut: int, expected: tuple[int, bool]) -> None:
    path = tmp_path / "x.warc.gz"
    data = b"".join(gzip.compress(text) for text in (b"one", b"two" * 50_000, b"three"))
    path.write_bytes(data[: len(data) - cut])
    assert count_members(path, len(data) - cut) == expected


def test_what_lies_beyond_the_recorded_length_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    whole = gzip.compress(b"one")
    path.write_bytes(whole + gzip.compress(b"two")[:9])
    assert count_members(path, len(whole)) == (1, False)


def test_every_loss_falls_short_of_its_goal() -> None:
    """A report that could not fail would prove nothing: plant each loss and see it."""
    loss = Aftermath(
        wrecks=(Wreck(asked=9, pages=5, in_flight=2, trouble=("counter of pages is 4, should be 5",)),),
        expected=frozenset({"a", "b"}),
        exported=("b", "b", "c"),
        records=9,
        captured_twice=1,
        bad_digests=1,
        torn_at_end=(),
        requests=9,
        asked_again=3,
    )
    short = {figure.name: figure.value for figure in report(loss, kills=2).figures if figure.verdict == "short"}
    assert short == {
        "kills survived": 1,
        "faults found after kills": 1,
        "pages missing against an undisturbed crawl": 1,
        "pages it alone has": 1,
        "pages twice in the export": 1,
        "captures twice in the archive": 1,
        "archive records with a wrong digest": 1,
        "requests made again": 3,
    }


def test_a_run_that_asked_for_nothing_may_not_cost_a_request() -> None:
    assert Wreck(asked=0, in_flight=64).may_repeat == 0
    assert Wreck(asked=900, in_flight=64).may_repeat == 64
