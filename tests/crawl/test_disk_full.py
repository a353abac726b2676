"""A disk that is full stops a crawl in good order: one clear line, nothing lost, and with room it goes on.

The room is taken away in a child process, by a limit on the size of files (RLIMIT_FSIZE): the archive meets it, or the
database does where nothing is archived.
"""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.events import StopCause
from scenthound.store.sqlite.store import SqliteStore
from tests.badweb.conversation import Conversation, page
from tests.cli.conftest import scenthound
from tests.crawl.scene import bad_web, new, on, resume
from tests.patience import PATIENCE

PAGES = 25


async def fat(it: Conversation) -> None:
    """Pages of 300 kilobytes that no compression makes much smaller, each with links to two others."""
    number = int(it.path.strip("/") or 0)
    noise = random.Random(number).randbytes(150_000).hex()
    await it.answer(page(f"Page {number}", f"/{2 * number + 1}", f"/{2 * number + 2}", text=noise))


@pytest.mark.slow
@pytest.mark.parametrize(("keep", "room", "full"), [("true", 2_000_000, ".warc.gz"), ("false", 900_000, "crawl.db")])
def test_a_full_disk_stops_the_crawl_and_nothing_is_lost(tmp_path: Path, keep: str, room: int, full: str) -> None:
    with bad_web() as web:
        web.sites["fat"] = fat
        directory = new(tmp_path / "crawl", [web.url("fat")])
        settings = on(web, f"crawl.pages={PAGES}", f"archive.keep={keep}")
        ran = crawl_with_room_for(directory, settings, room)
        assert ran.returncode == 1, ran
        first_line = ran.stdout.partition("\n")[0]
        assert first_line.startswith("Stopped: disk full")
        assert full in first_line
        assert "make room" in first_line
        assert ran.stderr == ""
        before = pages_of(directory)
        assert 0 < len(before) < PAGES
        resumed = resume(directory, settings)
        asked = Counter(visit.path for visit in web.visits("fat") if visit.path != "/robots.txt")
    assert resumed.summary.cause is StopCause.PAGES
    assert pages_of(directory)[: len(before)] == before
    assert len(set(pages_of(directory))) == PAGES
    assert asked.total() - len(asked) <= 2  # what was in flight or in the batch that found no room, nothing else
    assert resumed.trouble() == []
    if keep == "true":
        assert captured(directory) == pages_of(directory)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a file to which nothing can be written")
def test_a_log_that_cannot_be_written_keeps_nobody_from_crawling(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("plain")])
        (directory.logs / "crawl.log").symlink_to("/dev/full")
        ran = scenthound("crawl", directory.path, "--quiet", *(f"--set={setting}" for setting in on(web)))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Stopped: frontier dry")


def captured(directory: CrawlDirectory) -> list[str]:
    """Return what warcio finds in the archive, in its order."""
    found = []
    for path in sorted(directory.archive.glob("*.warc.gz")):
        with path.open("rb") as file:
            found += [
                record.rec_headers.get_header("WARC-Target-URI")
                for record in ArchiveIterator(file)
                if record.rec_type == "response"
            ]
    return [url for url in found if not url.endswith("/robots.txt")]


# Python ignores SIGXFSZ from its start, so that writing beyond the limit fails with EFBIG.
WITH_ROOM = """
import resource, sys
from scenthound.cli.main import main
room = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
sys.exit(main(sys.argv[2:]))
"""


def crawl_with_room_for(
    directory: CrawlDirectory, settings: list[str], room: int
) -> "subprocess.CompletedProcess[str]":
    chosen = [word for setting in settings for word in ("--set", setting)]
    command = ["crawl", str(directory.path), "--quiet", *chosen]
    return subprocess.run(
        [sys.executable, "-c", WITH_ROOM, str(room), *command], capture_output=True, text=True, timeout=PATIENCE
    )


def pages_of(directory: CrawlDirectory) -> list[str]:
    with SqliteStore(directory.database, read_only=True) as store:
        return [row.url for row in store.pages()]
