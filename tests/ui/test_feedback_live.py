"""What is said of a site while a crawl runs changes its stored pages and its place in the frontier within seconds."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scenthound.cli.work.demo_run import demo_settings, demo_topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.settings.file import override
from tests.patience import until
from tests.ui.serving import Served, served

STORED = """
SELECT avg(p.relevance) FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.n <= {last} AND h.domain = '{site}'"""
WAITING = """
SELECT avg(s.priority) FROM standings s JOIN hosts h ON h.id = s.host_id WHERE s.state = 0 AND h.domain = '{site}'"""
SITE = """
SELECT h.domain FROM standings s JOIN hosts h ON h.id = s.host_id LEFT JOIN pages p ON p.url_id = s.id
GROUP BY h.domain HAVING max(s.example) = 0 AND sum(s.state = 0) >= 5 AND count(p.relevance) >= 5 ORDER BY avg(p.relevance) DESC LIMIT 1"""


class Demo:
    """The crawl `demo` of a window, through the API."""

    def __init__(self, api: Served) -> None:
        self._client = api.client

    def get(self, what: str, **wanted: object) -> Any:
        answer = self._client.get(f"/api/crawls/demo/{what}", params=wanted)  # type: ignore[arg-type]
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, what: str, **body: object) -> None:
        answer = self._client.post(f"/api/crawls/demo/{what}", json=body)
        assert answer.status_code == 200, answer.text

    def ask(self, statement: str) -> Any:
        rows = self.get("sql", statement=statement)["rows"]
        return rows[0][0] if rows else None

    def pages(self) -> int:
        return int(self.get("status").get("census", {}).get("pages") or 0)


def after(condition: Callable[[], bool]) -> float:
    began = time.monotonic()
    assert until(condition)
    return time.monotonic() - began


@pytest.mark.slow
def test_a_site_that_is_not_good_sinks_while_the_crawl_runs_and_rises_when_that_is_taken_back(tmp_path: Path) -> None:
    web = DemoWeb(7)
    with ServedApart(web.answer) as there, served(tmp_path) as api:
        settings = override(demo_settings(web, there.port, pages=0), ["fetch.delay=0.5"])  # so that it lasts
        CrawlDirectory.create(tmp_path / "demo", topics=demo_topics(web), settings=settings)
        demo = Demo(api)
        demo.post("start")
        try:
            assert until(lambda: demo.pages() >= 100 and demo.ask(SITE) is not None)
            site, last = demo.ask(SITE), demo.get("trace")["last"]
            meant = demo.get("feedback", of="site", name=site, say="not good")["pages"]

            def now() -> tuple[float, float]:
                return demo.ask(STORED.format(site=site, last=last)), demo.ask(WAITING.format(site=site)) or 0.0

            stored, waiting = now()
            demo.post("feedback", of="site", url=site, say="not good")
            fell = after(lambda: now()[0] < stored / 2 and now()[1] < waiting / 2)
            down = now()
            assert demo.get("status")["engine"]["doing"] == "crawling"
            demo.post("feedback", of="site", url=site, say="undo")
            rose = after(lambda: now()[0] > 0.9 * stored and now()[1] > 1.5 * down[1])
            assert demo.get("status")["engine"]["doing"] == "crawling"
        finally:
            demo.post("stop")
            assert until(lambda: demo.get("status")["engine"]["doing"] == "stopped")
    print(
        f"{site}, by {len(meant)} of its pages: relevance {stored:.2f} to {down[0]:.2f}, priority of what waits"
        f" {waiting:.2f} to {down[1]:.2f} in {fell:.1f} s; back in {rose:.1f} s"
    )
