"""The demo web, with its redirects, slow and failing servers, crawled by many connections at once while the order
changes.
"""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb
from scenthound.events import Event, Notice
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics

ORDERS = ("depth", "apprentice", "random", "apprentice")  # one after another, from best-first on
EVERY = 40  # pages
PAGES = 300


@pytest.mark.slow
def test_orders_follow_each_other_while_everything_is_in_flight(tmp_path: Path) -> None:
    web = DemoWeb(7)
    examples = tuple(web.seeds(web.topics[0]))
    topics = Topics(topics=(Topic(path=web.topics[0], good=True, examples=examples),))
    directory, notices, left = CrawlDirectory.create(tmp_path / "crawl", topics=topics), list[str](), list(ORDERS)

    def hear(event: Event) -> None:
        if isinstance(event, Notice):
            notices.append(event.text)
        elif left and event.pages_this_run >= EVERY * (len(ORDERS) - len(left) + 1):
            directory.settings_file.write_text(f'[crawl]\norder = "{left.pop(0)}"\n', encoding="utf-8")

    with ServedWeb(web.answer) as served:
        brisk = ["fetch.delay=0.02", "fetch.delay_factor=0", "fetch.per_host=2", "fetch.first_byte_timeout=2"]
        chosen = [
            *brisk,
            f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}',
            f"crawl.pages={PAGES}",
            "crawl.minutes=10",
        ]
        run_crawl(directory, directory.settings(chosen), listener=hear, stop=StopSwitch())
    told = [text for text in notices if text.startswith("the order from now on is ")]
    assert [text.split()[6].strip(";(") for text in told] == list(ORDERS)
    with open_store(directory, read_only=True) as store:
        lessons = [lesson.url for lesson in store.lessons(limit=10_000)]
        assert store.untaught(limit=1) == []
        assert len(lessons) == len(set(lessons)) > PAGES
        assert (store.note("order") or "").startswith("apprentice scent ")
        assert all(0.0 <= one.priority <= 1.0 for one in store.waiting(limit=100_000))
    with SqliteStore(directory.database) as store:
        assert store.check() == []
