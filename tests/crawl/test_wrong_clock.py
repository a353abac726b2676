"""A clock that was once far ahead does not keep a crawl from going on when it is right again."""

from pathlib import Path

import pytest

from scenthound.clock import SystemClock
from scenthound.events import StopCause
from tests.crawl.scene import bad_web, new, on, resume

YEAR = 365 * 86400.0


class Ahead(SystemClock):
    """The clock of this machine, a year too early."""

    def now(self) -> float:
        return super().now() + YEAR


@pytest.mark.slow
def test_hosts_and_robots_txt_are_asked_again(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("siblings"), web.url("crawl-delay")])
        settings = on(web, "fetch.delay=0.05", "fetch.locked=['*crawl-delay.bad.test/private/*']")
        resume(directory, [*settings, "crawl.pages=3"], clock=Ahead())
        asked = len(web.visits("siblings", "/robots.txt"))
        crawled = resume(directory, [*settings, "crawl.patience=5"])
        assert len(web.visits("siblings", "/robots.txt")) == asked + 1
    assert any("was once 365 d" in text or "was once 364 d" in text for text in crawled.notices)
    assert crawled.summary.cause is StopCause.DRY
    assert crawled.story(web.url("siblings", "/page/5")).state == "page"
    assert crawled.trouble() == []
