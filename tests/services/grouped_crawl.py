"""A small crawl whose pages fall into groups: bicycles and bread in English, bread in German, a page without words."""

import sqlite3
from contextlib import closing
from pathlib import Path

from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import pack
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, MadeUrl, directory_of, link, page

CYCLING, HOME = "Sport/Cycling", "Home"
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True, examples=("http://tour0.test/",)), Topic(path=HOME)))
_BIKES = ("hub gears chain oil", "chain oil saddle gears", "saddle hub gears spokes", "spokes chain hub gears")
_BREAD = ("sourdough bread oven flour", "flour yeast bread oven", "oven bread crust sourdough", "yeast sourdough bread")
_BROT = ("das Brot und der Ofen und das Mehl", "das Mehl und die Hefe für das Brot", "der Teig und das Brot im Ofen")


def _pages() -> list[MadeUrl]:
    made = [page(f"http://tour{n}.test/", 0.9 - n / 100, topic=CYCLING, title=_BIKES[n % 4]) for n in range(20)]
    made += [page(f"http://bread{n}.test/", 0.1, topic=HOME, title=_BREAD[n % 4]) for n in range(16)]
    made += [page(f"http://brot{n}.test/", 0.1, topic=HOME, title=_BROT[n % 3]) for n in range(12)]
    return [*made, page("http://empty.test/", 0.0, topic=HOME, title=" ")]


CRAWL = MadeCrawl(urls=_pages(), links=[link(20, 0), link(21, 0), link(0, 20)])


def grouped_crawl(path: Path) -> Path:
    """Make the crawl in a folder, with the words of its pages."""
    directory_of(CRAWL, path, TOPICS)
    with closing(sqlite3.connect(path / "crawl.db", isolation_level=None)) as con:
        con.executemany(
            "INSERT INTO terms (url_id, packed) VALUES (?, ?)",
            [
                (id, pack(terms_of_text(f"{made.title} {made.url.partition('//')[2][:-6]}", language=_language(made))))
                for id, made in enumerate(CRAWL.urls, 1)
                if made.title.strip()
            ],
        )
        con.execute("UPDATE pages SET language = 'en'")
        con.execute("UPDATE pages SET language = 'de' WHERE title LIKE 'd__ %'")
    return path


def _language(made: MadeUrl) -> str:
    return "de" if made.url.startswith("http://brot") else "en"
