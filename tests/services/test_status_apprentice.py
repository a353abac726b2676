"""What `status` says of an apprentice, from lessons written by hand."""

import sqlite3
import struct
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.apprentice.reason_numbers import lead_of
from scenthound.apprentice.scent import ScentModel
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.order.forecasts import CHOSEN, DRAWN
from scenthound.crawl.order.note import ORDERED
from scenthound.services.status.apprentice_status import ApprenticeStatus, apprentice_line
from scenthound.services.status.crawl_status import status_of
from scenthound.store.sqlite.lessons import pack
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Lesson
from tests.distill.small_crawls import MadeCrawl, directory_of, page

TOPICS = Topics(topics=(Topic(path="Birds", good=True, examples=("http://a.test/",)), Topic(path="Rocks", query="ore")))
SCENT, BAYES = "apprentice scent links=500000 sample=0.01 seed=0", "apprentice bayes start=100 d_max=5"

Made = tuple[float | None, float, bytes]  # a score, the relevance that came, and the reasons


def reasons(lead: float, how: bytes = CHOSEN) -> bytes:
    """Return what the apprentice of today keeps, with another weight against best-first at its end."""
    model = ScentModel()
    kept = model.reasons(model.ground.number("http://a.test/"))
    return how + kept[:-4] + struct.pack("<f", lead)


def crawl(path: Path, lessons: Sequence[Made], *, order: str = SCENT) -> CrawlDirectory:
    urls = [page(f"http://a.test/{n}", relevance) for n, (_, relevance, _) in enumerate(lessons)]
    directory = CrawlDirectory.open(directory_of(MadeCrawl(urls=urls, links=[]), path, TOPICS))
    with closing(sqlite3.connect(directory.database)) as con, con:
        rows = [(n, n, came, score, why) for n, (score, came, why) in enumerate(lessons, start=1)]
        con.executemany("INSERT INTO lessons VALUES (?, ?, ?, '[]', ?, ?)", rows)
        con.executemany(
            "INSERT INTO lesson_pages VALUES (?, ?, ?)", [(row[0], pack(Lesson(url="")), b"") for row in rows]
        )
    with SqliteStore(directory.database) as store:
        store.note(ORDERED, order)
    return directory


def told(directory: CrawlDirectory) -> ApprenticeStatus:
    found = status_of(directory).apprentice
    assert found is not None
    return found


# It was right about the first hundred, and is wrong about the 250 that came last.
SPOILT: list[Made] = [(0.5, 0.5, reasons(0.9))] * 100 + [(0.95, 0.15, reasons(0.19))] * 250 + [(None, 1.0, b"")] * 3


def test_who_leads_and_how_it_does_lately_stand_in_the_line(tmp_path: Path) -> None:
    status = told(crawl(tmp_path / "crawl", SPOILT))
    assert status.lead == pytest.approx(0.19)
    assert status.latest is not None
    assert status.latest.links == 200
    assert status.latest.calibration_error == pytest.approx(0.8)
    assert apprentice_line(status) == (
        "353 lessons; 350 links chosen: 0.82 expected, 0.25 came, calibration error 0.571 (of the last 200: 0.800); "
        "best-first leads (0.81 to 0.19): it has foretold better lately"
    )


def test_links_drawn_by_chance_are_not_among_the_latest_chosen(tmp_path: Path) -> None:
    lessons = [(0.5, 0.5, reasons(0.9))] * 40 + [(0.9, 0.0, reasons(0.93, DRAWN))] * 40
    status = told(crawl(tmp_path / "crawl", lessons))
    assert status.latest == status.chosen
    assert apprentice_line(status).endswith("; the apprentice leads (0.93 to 0.07)")
    assert "of the last" not in apprentice_line(status)


@pytest.mark.parametrize(
    ("order", "kept"),
    [
        (BAYES, reasons(0.9)),  # whose numbers mean something else
        ("best-first; critic 1", reasons(0.9)),  # it was asked once, and is not any more
        (SCENT, reasons(0.9)[:-8]),  # an older one, which had less to say
        (SCENT, CHOSEN + b"12345"),  # no numbers at all
        (SCENT, b""),
    ],
)
def test_nothing_is_said_of_who_leads_where_that_is_not_known(tmp_path: Path, order: str, kept: bytes) -> None:
    status = told(crawl(tmp_path / "crawl", [(0.5, 0.5, kept)] * 3, order=order))
    assert status.lead is None
    assert "leads" not in apprentice_line(status)


def test_the_weight_is_where_the_apprentice_keeps_it() -> None:
    assert lead_of(reasons(0.25)[1:]) == 0.25
