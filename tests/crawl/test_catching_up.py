"""An apprentice joins a crawl that is under way: it learns from what was fetched without it, and then guides the
crawl.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

import pytest
from msgspec.structs import replace

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.order.late_lessons import PIECE, CatchingUp
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.events import Event, Notice
from scenthound.parse.words.word_stream import unpack
from scenthound.types import Lesson
from tests.crawl.mixed_web import LINKS, example, is_bird, mixed_web, topics
from tests.crawl.scene import BRISK, Crawled, crawl, resume, wait_until
from tests.crawl.topical_web import Served
from tests.nursery import started
from tests.often import slowly

GUIDED = '[crawl]\norder = "apprentice"\n[apprentice]\nkind = "{kind}"\nstart = 10\n'
JOINED = "the order from now on is apprentice"
PLAIN = "crawl.order=best-first"


def new(path: Path) -> CrawlDirectory:
    return CrawlDirectory.create(path, topics=topics())


def log_of(directory: CrawlDirectory) -> list[Lesson]:
    with open_store(directory, read_only=True) as store:
        return store.lessons(limit=10_000)


def share_of_birds(urls: Sequence[str]) -> float:
    items = [url for url in urls if "items.test" in url]
    return sum(map(is_bird, items)) / len(items)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["scent", *slowly("bayes")])
def test_an_apprentice_that_joins_in_mid_crawl_sees_what_best_first_cannot(tmp_path: Path, kind: str) -> None:
    directory, asked = new(tmp_path / "crawl"), list[str]()

    directory.settings_file.write_text('[crawl]\norder = "best-first"\n', encoding="utf-8")

    def spy(url: str) -> None:
        asked.append(url)
        if len(asked) == 40:
            directory.settings_file.write_text(GUIDED.format(kind=kind), encoding="utf-8")

    with mixed_web(spy) as served:
        crawled = resume(directory, served.settings("crawl.pages=90"))
    lessons = log_of(directory)
    joined = next(n for n, lesson in enumerate(lessons) if lesson.score is not None)
    assert [text for text in crawled.notices if text.startswith("the order")] == [
        f"{JOINED} ({kind}), which has thought all waiting URLs over"
    ]
    assert [lesson.url for lesson in lessons] == asked  # all of them, in the order in which they came
    assert share_of_birds(asked[20:joined]) == pytest.approx(0.5, abs=0.1)
    assert share_of_birds(asked[joined:]) > 0.9
    assert crawled.trouble() == []


@pytest.mark.slow
def test_an_apprentice_that_comes_back_tells_what_it_expects_of_everything_again(tmp_path: Path) -> None:
    directory, shares = new(tmp_path / "crawl"), list[float]()
    with mixed_web() as served:
        for order, pages in (("apprentice", 50), ("breadth", 80), ("apprentice", 81)):
            before = len(served.asked())
            crawled = resume(directory, served.settings(f"crawl.order={order}", f"crawl.pages={pages}"))
            shares.append(share_of_birds(served.asked()[before:]))
        asked = served.asked()
    assert shares[0] > 0.65
    assert shares[1] < 0.6
    assert shares[2] == 1.0
    with open_store(directory, read_only=True) as store:
        waiting = store.waiting(limit=1000)
    rocks = [one.priority for one in waiting if not is_bird(one.url)]
    birds = [one.priority for one in waiting if is_bird(one.url)]
    assert mean(birds) > 2 * mean(rocks)
    assert [lesson.url for lesson in log_of(directory)] == asked
    assert crawled.trouble() == []


@pytest.mark.slow
def test_lessons_taken_later_are_those_that_would_have_been_taken_at_once(tmp_path: Path) -> None:
    with mixed_web() as served:
        budget = "crawl.pages=40"
        at_once = resume(new(tmp_path / "one"), served.settings(budget, "crawl.order=apprentice"))
        before = resume(new(tmp_path / "other"), served.settings(budget, PLAIN))
        assert log_of(before.directory) == []
        resume(before.directory, served.settings("crawl.pages=41", "crawl.order=apprentice"))
    live = {lesson.url: lesson for lesson in log_of(at_once.directory)}
    late = {lesson.url: lesson for lesson in log_of(before.directory)}
    both = live.keys() & late.keys()
    assert example("birds", 0) in both
    for url in both:
        assert bare(live[url]) == bare(late[url])
    assert {len(late[url].links) for url in both if "hubs" in url} == {LINKS}


def bare(lesson: Lesson) -> Lesson:
    """Return what does not depend on when a lesson was taken. Of the topics of a page, the store keeps the likeliest."""
    return replace(lesson, n=0, score=None, reasons=b"", topics=lesson.topics[:1])


@pytest.mark.slow
def test_without_an_archive_there_are_links_but_no_words(tmp_path: Path) -> None:
    with mixed_web() as served:
        unkept = served.settings("archive.keep=false", "crawl.pages=20", PLAIN)
        first = resume(new(tmp_path / "crawl"), unkept)
        second = resume(first.directory, served.settings("crawl.order=apprentice", "crawl.pages=24"))
    assert "caught up: 32 lessons from pages fetched earlier, 32 of them without words, for the archive has none" in (
        second.notices
    )
    lessons = log_of(first.directory)
    assert {lesson.stream for lesson in lessons[:32]} == {b""}
    assert all(lesson.stream for lesson in lessons[32:])
    assert {len(lesson.links) for lesson in lessons[:32] if "hubs" in lesson.url} == {LINKS}


@pytest.mark.slow
def test_a_crawl_goes_on_while_an_apprentice_catches_up(tmp_path: Path) -> None:
    """With more to catch up on than one turn of the lane takes, pages are fetched meanwhile, in the old order."""
    with mixed_web() as served:
        settings = served.settings(PLAIN, f"crawl.pages={2 * PIECE + 20}")
        directory = resume(new(tmp_path / "crawl"), settings).directory
        before = len(served.asked())
        crawled = resume(directory, served.settings("crawl.order=apprentice", f"crawl.pages={2 * PIECE + 60}"))
        asked = served.asked()
    [caught_up] = [text for text in crawled.notices if text.startswith("caught up")]
    lessons = log_of(directory)
    assert int(caught_up.split()[2]) > before
    assert lessons[before].score is None
    assert lessons[-1].score is not None
    assert [lesson.url for lesson in lessons] == asked


@pytest.mark.slow
@pytest.mark.parametrize("lessons", [1, PIECE + 5])
def test_a_crawl_killed_while_it_catches_up_goes_on_with_that(tmp_path: Path, lessons: int) -> None:
    with mixed_web() as served:
        directory = resume(new(tmp_path / "crawl"), served.settings(PLAIN, "crawl.pages=140")).directory
        start_and_kill(directory, served, lambda: len(log_of(directory)) >= lessons)
        left = len(log_of(directory))
        crawled = resume(directory, served.settings("crawl.order=apprentice", "crawl.pages=160"))
    log = log_of(directory)
    assert left < 152  # it was killed before all was taught
    with open_store(directory, read_only=True) as store:
        fetched = [row.url for row in store.pages(everything=True)]
    assert [lesson.url for lesson in log] == fetched  # each once, and in the order of the fetches
    assert all(lesson.stream for lesson in log)
    assert any(text.startswith(JOINED) for text in crawled.notices)
    assert crawled.trouble() == []


def start_and_kill(directory: CrawlDirectory, served: Served, enough: Callable[[], bool]) -> None:
    words = [word for setting in served.settings("crawl.order=apprentice") for word in ("--set", setting)]
    with started("crawl", str(directory.path), "--quiet", *words) as crawling:
        wait_until(lambda: enough() or crawling.poll() is not None)
        crawling.kill()


@pytest.mark.slow
def test_the_words_of_a_page_that_the_archive_has_under_another_address_are_found_there(tmp_path: Path) -> None:
    def twins(_host: str, path: str) -> Answer:
        body = b"<title>Home</title><a href=/one>first</a> <a href=/two>second</a>"
        if path in ("/one", "/two"):
            body = b"<title>Twin</title><p>The same words <a href=/there>and a link</a> on both pages.</p>"
        return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=body)

    with ServedWeb(twins) as web:
        resolve = f'fetch.resolve={{"*.test" = "127.0.0.1:{web.port}"}}'
        crawled = crawl(tmp_path / "crawl", ["http://a.test/"], [*BRISK, "fetch.robots=false", resolve])
    caught_up, notices = caught_up_with(crawled)
    assert {lesson.url for lesson in caught_up} == {f"http://a.test/{name}" for name in ("", "one", "two", "there")}
    by_url = {lesson.url: lesson for lesson in caught_up}
    assert by_url["http://a.test/one"].stream == by_url["http://a.test/two"].stream
    assert len(unpack(by_url["http://a.test/two"].stream).words) > 2
    assert notices[-1] == "caught up: 4 lessons from pages fetched earlier"


@pytest.mark.slow
def test_an_archive_that_was_moved_away_costs_the_words_and_no_more(tmp_path: Path) -> None:
    with mixed_web() as served:
        crawled = resume(new(tmp_path / "crawl"), served.settings(PLAIN, "crawl.pages=10"))
    for file in crawled.directory.archive.glob("*.warc.gz"):
        file.unlink()
    caught_up, notices = caught_up_with(crawled)
    assert {lesson.stream for lesson in caught_up} == {b""}
    assert (
        notices[-1]
        == "caught up: 22 lessons from pages fetched earlier, 22 of them without words, for the archive has none"
    )


def caught_up_with(crawled: Crawled) -> tuple[list[Lesson], list[str]]:
    notices: list[str] = []

    def hear(event: Event) -> None:
        assert isinstance(event, Notice)
        notices.append(event.text)

    with open_store(crawled.directory) as store:
        catching_up = CatchingUp(store=store, archive=crawled.directory.archive, nofollow=True, listener=hear)
        while not catching_up.go_on():
            pass
        return store.lessons(limit=1000), notices
