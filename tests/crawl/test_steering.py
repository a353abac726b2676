"""Steering from another terminal: a crawl runs as a program of its own, topics are changed by commands, and the server
sees what follows.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from tests.crawl.money_web import BONDS, SHARES, money_web, new, topic_of, url
from tests.crawl.scene import command, wait_until
from tests.nursery import started


@dataclass(frozen=True, kw_only=True)
class Steered:
    """A crawl that runs elsewhere."""

    directory: CrawlDirectory
    web: ServedWeb

    def asked(self) -> list[str]:
        return [topic_of(f"http://{entry.host}{entry.path}") for entry in self.web.log()]

    def noticed(self, words: str) -> int:
        log = self.directory.logs / "crawl.log"
        return log.read_text(encoding="utf-8").count(words) if log.exists() else 0

    def type(self, *words: str, then: str = "pages judged again") -> None:
        """Type a command about the topics, and wait until the crawl has followed."""
        before = self.noticed(then)
        command("topics", str(self.directory.path), *words)
        wait_until(lambda: self.noticed(then) > before)

    def next(self, many: int) -> list[str]:
        """Return what the server is asked for from now on, behind what was under way."""
        begin = len(self.asked()) + 8
        wait_until(lambda: len(self.asked()) >= begin + many)
        return self.asked()[begin : begin + many]


@contextmanager
def steered(path: Path) -> Iterator[Steered]:
    directory = new(path)
    with money_web() as (web, settings):
        chosen = [word for setting in [*settings, "crawl.order=best-first"] for word in ("--set", setting)]
        with started("crawl", str(path), "--minutes", "10", "--quiet", *chosen) as crawl:
            yield Steered(directory=directory, web=web)
            crawl.send_signal(signal.SIGINT)


@pytest.mark.slow
def test_marks_count_at_once_and_examples_when_they_are_learnt(tmp_path: Path) -> None:
    with steered(tmp_path / "funds") as crawl:
        wait_until(lambda: len(crawl.asked()) >= 80)
        crawl.type("mark", "Sport")
        assert crawl.next(60).count("sport") >= 50
        crawl.type("unmark", "Sport")
        crawl.type("mark", "Bonds")
        assert crawl.next(60).count("sport") <= 15
        crawl.type("undo")
        learnt = crawl.noticed("learning from")
        crawl.type("example", "move", SHARES, BONDS, url("shares", 0), url("shares", 1))
        assert crawl.noticed("learning from") > learnt  # once for the examples; the pages it grows by may be learnt too
    assert "stopped: interrupted" in (crawl.directory.logs / "crawl.log").read_text(encoding="utf-8")
