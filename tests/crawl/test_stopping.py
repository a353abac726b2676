"""How a crawl stops: exactly at its page budget, in time, when asked, at once, and by Ctrl-C; and that it goes on
after.
"""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import pytest

from scenthound.crawl.engine.assemble import StopSwitch
from scenthound.events import StopCause
from tests.badweb import BadWeb, Conversation
from tests.crawl.scene import Crawled, bad_web, command, crawl, new, on, resume, wait_until
from tests.patience import PATIENCE

FAST = ("fetch.per_host=8", "fetch.concurrency=16")


@pytest.mark.parametrize("budget", [1, 40])
def test_the_page_budget_is_kept_to_the_page(tmp_path: Path, budget: int) -> None:
    """The maze never ends; half of what is asked for beside it brings no page and must not count."""
    with bad_web() as web:
        seeds = [web.url("maze"), web.url("missing"), web.url("picture"), web.url("redirect-chain", "/9")]
        crawled = crawl(tmp_path / "crawl", seeds, on(web, *FAST, f"crawl.pages={budget}"))
    assert crawled.summary.cause is StopCause.PAGES
    assert crawled.summary.census.pages == crawled.summary.pages_this_run == budget
    assert sum(row.ending == "page" for row in crawled.pages()) == budget
    assert crawled.trouble() == []


@pytest.mark.slow
def test_the_budget_counts_over_all_runs(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("maze")])
        runs = [resume(directory, on(web, *FAST, f"crawl.pages={budget}")) for budget in (5, 5, 12)]
    assert [run.summary.pages_this_run for run in runs] == [5, 0, 7]
    assert {run.summary.cause for run in runs} == {StopCause.PAGES}


def test_the_time_budget_ends_a_crawl_that_has_no_end(tmp_path: Path) -> None:
    with bad_web() as web:
        began = monotonic()
        crawled = crawl(tmp_path / "crawl", [web.url("maze")], on(web, "crawl.minutes=0.015", "fetch.delay=0.1"))
        took = monotonic() - began
    assert crawled.summary.cause is StopCause.MINUTES
    assert 0.9 <= crawled.summary.elapsed < took < PATIENCE
    assert crawled.trouble() == []


@pytest.mark.slow
def test_a_rest_longer_than_its_patience_ends_a_crawl_and_says_when_to_come_back(tmp_path: Path) -> None:
    async def tomorrow(it: Conversation) -> None:
        await it.answer(status="503 Service Unavailable", retry_after="7200")

    with bad_web() as web:
        web.sites["tomorrow"] = tomorrow
        crawled = crawl(tmp_path / "crawl", [web.url("tomorrow"), web.url("plain")], on(web, "crawl.patience=60"))
        assert len(web.visits("tomorrow", "/")) == 1
        assert re.search("may be asked again in (2 h|1 h 59 min)", crawled.why(web.url("tomorrow")))
    assert crawled.summary.cause is StopCause.PATIENCE
    assert crawled.summary.detail == "the next may be asked in 120 minutes"
    assert crawled.story(web.url("plain", "/another")).state == "page"


@pytest.mark.slow
def test_when_asked_to_stop_it_finishes_what_is_in_flight_and_begins_nothing(tmp_path: Path) -> None:
    with bad_web() as web:
        stopped = stop_in_mid_crawl(tmp_path, web, StopSwitch.ask)
        assert stopped.summary.cause is StopCause.INTERRUPTED
        assert set(asked_for(web)) == recorded(stopped)  # each request that was sent is in the books
        assert stopped.summary.census.waiting == 7 - len(recorded(stopped)) > 0
        assert_goes_on(stopped, web, asked_again=0)


@pytest.mark.slow
def test_when_forced_it_stops_at_once_and_everything_is_safe(tmp_path: Path) -> None:
    with bad_web() as web:
        stopped = stop_in_mid_crawl(tmp_path, web, StopSwitch.force)
        assert stopped.summary.cause is StopCause.INTERRUPTED
        assert "at once" in stopped.summary.detail
        in_flight = set(asked_for(web)) - recorded(stopped)
        assert 1 <= len(in_flight) <= AT_ONCE
        assert stopped.summary.census.waiting + stopped.summary.census.claimed == 7 - len(recorded(stopped))
        assert_goes_on(stopped, web, asked_again=len(in_flight))


AT_ONCE = 2
SLOW = (f"fetch.per_host={AT_ONCE}",)


def stop_in_mid_crawl(tmp_path: Path, web: BadWeb, how: Callable[[StopSwitch], None]) -> Crawled:
    """Crawl seven slow pages and use the switch when the first of those behind the home page is asked for."""
    stop = StopSwitch()

    def use_switch() -> None:
        wait_until(lambda: len(asked_for(web)) > 1)
        how(stop)

    with ThreadPoolExecutor(max_workers=1) as beside:
        beside.submit(use_switch)
        return resume(new(tmp_path / "crawl", [web.url("slow-siblings")]), on(web, *SLOW), stop=stop)


def assert_goes_on(stopped: Crawled, web: BadWeb, *, asked_again: int) -> None:
    """See that the books are in order, and that a second run fetches what is missing and nothing else."""
    assert stopped.trouble() == []
    resumed = resume(stopped.directory, on(web, *SLOW))
    assert resumed.summary.cause is StopCause.DRY
    assert recorded(resumed) == set(asked_for(web))
    assert len(recorded(resumed)) == resumed.summary.census.pages == 7
    assert asked_for(web).total() - 7 == asked_again
    assert resumed.trouble() == []


def asked_for(web: BadWeb) -> Counter[str]:
    return Counter(visit.path for visit in web.visits("slow-siblings") if visit.path != "/robots.txt")


def recorded(crawled: Crawled) -> set[str]:
    return {row.url.removeprefix("http://slow-siblings.bad.test") for row in crawled.pages()}


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_once_finishes_and_twice_stops_at_once(tmp_path: Path, times: int) -> None:
    """Through the real command line, against pages that would keep it for longer than the test may take."""
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("slow-siblings"), web.url("silent")])
        patience = "fetch.first_byte_timeout=2" if times == 1 else "fetch.first_byte_timeout=600"
        settings = [word for setting in on(web, *SLOW, patience, "fetch.timeout=600") for word in ("--set", setting)]
        with program("crawl", str(directory.path), *settings) as process:
            wait_until(lambda: len(asked_for(web)) > 1 and web.visits("silent", "/"))
            os.kill(process.pid, signal.SIGINT)
            if times == 2:
                wait_for_line(process, "again to stop at once")
                os.kill(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        assert out.startswith("Stopped: interrupted")
        assert "Traceback" not in err
        assert command("status", str(directory.path)).startswith("not running")
        resumed = resume(directory, on(web, *SLOW, "fetch.tries=1", "fetch.first_byte_timeout=0.7"))
        assert recorded(resumed) >= set(asked_for(web))
        assert resumed.trouble() == []


def program(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "scenthound", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_line(process: "subprocess.Popen[str]", words: str) -> None:
    """Read what a program says until it says these words."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"it never said: {words}")
