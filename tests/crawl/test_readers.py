"""A page that is too much for a reader costs that page and no other: memory, time, and a reader killed at its work."""

import asyncio
import os
import random
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.crawl.engine.assemble import StopSwitch
from scenthound.crawl.readers.pool import ReaderPool
from scenthound.crawl.readers.reader import Job, ReaderOptions, work, work_on
from scenthound.errors import ScenthoundError
from scenthound.events import StopCause
from scenthound.types import Fetch, Reading, Reason
from tests.badweb import BadWeb
from tests.crawl.scene import bad_web, crawl, new, on, resume, wait_until
from tests.often import slowly
from tests.patience import PATIENCE

TICKS = os.sysconf("SC_CLK_TCK")
pytestmark = pytest.mark.usefixtures("started_at_length")
READ_AND_ARCHIVE = ReaderOptions(
    types=("text/html",), max_unpacked=20_000_000, product="scenthound", memory=512, archive=True
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "setting", "reason"),
    [
        ("huge-page", "read.timeout=0.8", Reason.READ_TIMEOUT),
        *slowly(("wide-page", "read.memory=64", Reason.READ_MEMORY)),
    ],
)
def test_a_page_that_takes_too_much_is_recorded_as_unread(
    tmp_path: Path, name: str, setting: str, reason: Reason
) -> None:
    unhurried = ("read.timeout=600",)  # it is a while before the memory is full, longer on a busy machine
    with bad_web() as web:
        seeds = [web.url("plain"), web.url(name), web.url("siblings")]
        crawled = crawl(tmp_path / "crawl", seeds, on(web, *unhurried, setting, "fetch.concurrency=1"))
        assert crawled.story(web.url(name)).reason is reason
        assert f"[{reason}]" in crawled.why(web.url(name))
        assert len(web.visits(name, "/")) == 1  # it would not read better a second time
        assert crawled.story(web.url("siblings", "/page/5")).state == "page"
    assert crawled.summary.cause is StopCause.DRY
    assert crawled.summary.census.reasons == {reason: 1}
    assert crawled.trouble() == []
    [row] = [row for row in crawled.pages(everything=True) if row.reason is reason]
    assert row.spot is not None  # what nobody could read is in the archive all the same


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the reader's process by /proc, of Linux only")
def test_a_reader_that_is_killed_costs_the_page_it_was_reading(tmp_path: Path) -> None:
    with bad_web() as web, ThreadPoolExecutor(max_workers=1) as beside:
        killing = beside.submit(lambda: os.kill(reader_at_work(web), signal.SIGKILL))
        seeds = [web.url("huge-page"), web.url("siblings"), web.url("plain")]
        # One at a time: of pages that are read in company none is lost, for each is tried again alone.
        crawled = crawl(tmp_path / "crawl", seeds, on(web, "fetch.concurrency=1"))
        killing.result(timeout=PATIENCE)
        story = crawled.story(web.url("huge-page"))
        assert (story.state, story.reason) == ("failed", Reason.READER_DIED)
        assert "signal 9" in crawled.why(web.url("huge-page"))
        assert crawled.story(web.url("siblings", "/page/5")).state == "page"
        assert crawled.story(web.url("plain", "/another")).state == "page"
    assert crawled.summary.census.reasons == {Reason.READER_DIED: 1}
    assert crawled.summary.cause is StopCause.DRY
    assert crawled.trouble() == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the reader's process by /proc, of Linux only")
def test_readers_that_cannot_be_started_again_end_the_crawl_and_not_its_patience(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine that has no memory left for another process. What was recorded before is safe."""

    def kill_for_good() -> None:
        reader = reader_at_work(web)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-python"))
        os.kill(reader, signal.SIGKILL)

    with bad_web() as web, ThreadPoolExecutor(max_workers=1) as beside:
        directory = new(tmp_path / "crawl", [web.url("huge-page"), web.url("siblings")])
        stop = StopSwitch()
        rescue = threading.Timer(PATIENCE, stop.force)
        rescue.start()
        beside.submit(kill_for_good)
        with pytest.raises(ScenthoundError, match="a reader process did not start"):
            resume(directory, on(web), stop=stop)
        rescue.cancel()
        monkeypatch.undo()
        resumed = resume(directory, on(web, "read.timeout=0.8"))
    assert resumed.summary.cause is StopCause.DRY
    assert resumed.story(web.url("siblings", "/page/5")).state == "page"
    assert resumed.trouble() == []


@pytest.mark.slow
def test_every_page_gets_its_own_reading_whatever_its_size() -> None:
    """Answers come in pieces, or several in one piece; the largest here is ten times what a socket holds."""
    options = READ_AND_ARCHIVE
    exchanges = [page_of(size) for size in (10, 3_000_000, 200, 30_000, 0, 70_000, 500_000, 20, 30, 40)]

    async def read_all() -> list[Reading]:
        async with ReaderPool(options, workers=1, timeout=PATIENCE) as pool:
            return await asyncio.gather(*map(pool.read, exchanges))

    for exchange, reading in zip(exchanges, asyncio.run(read_all()), strict=True):
        expected = work(Job(fetch=exchange, understand=True), options)
        assert (reading.title, reading.digest) == (expected.title, expected.digest)
        assert reading.record == expected.record


@pytest.mark.slow
def test_of_a_bundle_at_which_a_reader_dies_only_the_page_to_blame_is_lost() -> None:
    exchanges = [page_of(size) for size in range(100, 120)]
    exchanges[7] = replace(exchanges[7], body=b"<p>poison")

    async def read_all() -> tuple[list[Reading], int]:
        program = [str(Path(__file__).with_name("poisoned_reader.py"))]
        async with ReaderPool(READ_AND_ARCHIVE, workers=1, timeout=PATIENCE, program=program) as pool:
            return await asyncio.gather(*map(pool.read, exchanges)), pool.restarts

    readings, restarts = asyncio.run(read_all())
    assert [reading.reason for reading in readings] == [Reason.READER_DIED if at == 7 else None for at in range(20)]
    assert restarts == 2  # it died of the bundle, and of the page alone


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the time of a process is told by /proc, of Linux only"
)
def test_a_reader_that_is_only_slow_loses_nothing() -> None:
    """As on a busy machine: for twice its time it gets no processor, and then reads on."""

    async def read_slowly() -> tuple[Reading, int]:
        async with ReaderPool(READ_AND_ARCHIVE, workers=1, timeout=0.5) as pool:
            [reader] = readers()
            os.kill(reader, signal.SIGSTOP)
            reading = asyncio.create_task(pool.read(page_of(1000)))
            await asyncio.sleep(1.0)
            if not pool.restarts:  # else it has been ended, and another process may have its number
                os.kill(reader, signal.SIGCONT)
            return await reading, pool.restarts

    reading, restarts = asyncio.run(read_slowly())
    assert (reading.reason, reading.title, restarts) == (None, "1000", 0)


@pytest.mark.slow
def test_a_reader_that_does_nothing_is_ended_all_the_same() -> None:
    async def read_in_vain() -> Reading:
        async with ReaderPool(READ_AND_ARCHIVE, workers=1, timeout=0.1) as pool:
            [reader] = readers()
            os.kill(reader, signal.SIGSTOP)
            return await pool.read(page_of(1000))

    assert asyncio.run(read_in_vain()).reason is Reason.READ_TIMEOUT


def test_pages_read_side_by_side_read_as_each_by_itself() -> None:
    exchanges = [page_of(size) for size in (10, 3_000, 0, 70_000)]
    exchanges.append(replace(exchanges[0], body=b"%PDF-1.4 no more than that"))
    exchanges.append(replace(exchanges[0], body=b"gone", status=404))
    jobs = [Job(fetch=exchange, understand=exchange.status == 200) for exchange in exchanges]
    together = [replace(reading, seconds=0.0) for reading in work_on(jobs, READ_AND_ARCHIVE)]
    assert together == [replace(work(job, READ_AND_ARCHIVE), seconds=0.0) for job in jobs]


@pytest.mark.parametrize(("terms", "stream"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_reader_makes_what_it_is_asked_for(terms: bool, stream: bool) -> None:
    options = ReaderOptions(
        types=("text/html",),
        max_unpacked=20_000_000,
        product="scenthound",
        memory=512,
        archive=False,
        terms=terms,
        stream=stream,
    )
    reading = work(Job(fetch=page_of(1000), understand=True), options)
    assert (bool(reading.terms), bool(reading.stream), reading.leaves) == (terms, stream, ())
    assert not work(Job(fetch=page_of(1000), understand=False), options).stream
    assert not work(Job(fetch=replace(page_of(0), body=b"\x89PNG\r\n\x1a\n"), understand=True), options).stream


def page_of(size: int) -> Fetch:
    text = random.Random(size).randbytes(size // 2).hex()
    body = f"<title>{size}</title><p>{text}".encode()
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    return Fetch(
        url=f"http://a.test/{size}", started=0.0, finished=0.0, status=200, head=head, body=body, mime="text/html"
    )


def reader_at_work(web: BadWeb) -> int:
    """Wait until a reader has worked on the huge page for a fifth of a second, and return its process."""
    wait_until(lambda: web.visits("huge-page", "/"))
    [reader] = readers()
    before = processor_time(reader)
    wait_until(lambda: processor_time(reader) > before + 0.2)
    return reader


def readers() -> list[int]:
    """Return the processes that this one has started as readers."""
    children = [
        int(word) for task in Path("/proc/self/task").iterdir() for word in (task / "children").read_text().split()
    ]
    return [
        child for child in children if b"scenthound.crawl.readers.reader" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
