"""The bench of the apprentice: pages to learn from, the course that it takes, and what becomes of its figures."""

from pathlib import Path

import pytest

from bench.apprentice import report
from bench.apprentice_costs import Course
from bench.apprentice_speed import Lap, cost, ratio
from bench.lesson_pages import MADE_LINKS, made_pages, with_most_links
from scenthound.parse.urls import host_of
from scenthound.store.sqlite.store import SqliteStore

pytestmark = pytest.mark.slow

COURSE = {"links": 50.0, "batches": 1.2, "singly": 2.5, "checkpoint": 0.198, "log": 140.0, "restored": 0.396}
FRONTIER = {"links": 1e6, "waiting": 3e5, "first": 0.9, "again": 0.5, "bytes": 900.0}


def lap(seconds: float, *, cpu: float, score: float = 0.0) -> Lap:
    return Lap(pages=100, seconds=seconds, cpu=cpu, score=score)


def test_made_pages_lead_to_different_urls_and_to_each_other() -> None:
    pages = list(made_pages(40))
    targets = [{link.url for link in page.links} for page in pages]
    assert {len(urls) for urls in targets} == {MADE_LINKS}
    assert set.union(*targets) & {page.url for page in pages}


def test_a_page_can_be_on_another_host_with_its_whole_web() -> None:
    page = next(made_pages(1))
    lesson = page.on("elsewhere.test")
    assert {host_of(url) for url in (lesson.url, *(link.url for link in lesson.links))} == {"elsewhere.test"}
    assert len(lesson.links) == len(page.links)
    assert lesson.stream == page.stream


def test_pages_with_most_links_are_taken_and_cut() -> None:
    pages = list(made_pages(6))
    few, *many = with_most_links(pages, 4, at_most=10), *with_most_links([*pages[:2], *pages[4:]], 3, at_most=99)
    assert [page.url for page in few] == [page.url for page in pages[:4]]
    assert {len(page.links) for page in few} == {10}
    assert {len(page.links) for page in many} == {MADE_LINKS}


@pytest.mark.parametrize("batch", [1, 7])
def test_every_page_of_a_course_is_a_lesson_once(tmp_path: Path, batch: int) -> None:
    pages = list(made_pages(100))
    with SqliteStore(tmp_path / "crawl.db") as store:
        course = Course(store, pages, tmp_path, batch=batch)
        course.begin()
        times = list(course.times())
        lessons = store.lessons(limit=100)
    assert len(times) == -(-100 // batch)
    assert {lesson.url for lesson in lessons} == {page.url for page in pages}
    assert any(lesson.score is not None for lesson in lessons)


def test_costs_are_held_against_their_goals() -> None:
    figures = {figure.name: figure for figure in report({**COURSE, "replayed": 5.94}, FRONTIER, None).figures}
    assert [name for name, figure in figures.items() if figure.verdict == "short"] == ["memory and log for a link"]
    assert figures["memory and log for a link"].value == 1040
    assert figures["going through the log, for 1,000 pages"].value == pytest.approx(3.0)
    assert "speed over best-first's" not in figures


def test_speeds_are_medians_so_that_one_noisy_round_does_not_count() -> None:
    ours, theirs = [lap(1, cpu=1, score=0.2), lap(1.25, cpu=1.2, score=0.16), lap(9, cpu=9)], [lap(1, cpu=1)] * 3
    speed = {"apprentice": ours, "best-first": theirs}
    assert ratio(speed, "pages/s") == pytest.approx(0.8)
    assert ratio(speed, "ms of processor") == pytest.approx(1.2)
    assert cost(speed) == pytest.approx(1.6)
    found = report({**COURSE, "replayed": 5.94}, FRONTIER, speed)
    assert found.text[0].count("\n") == 1 + 6
    assert next(figure for figure in found.figures if "speed" in figure.name).verdict == "short"
