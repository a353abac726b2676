"""Pages made from texts of the archived webs, an index and a database of them, and questions in their words.

Each is four pieces of some 500 characters, so that words keep their frequencies.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bench.reading import fetches, read
from bench.serving import webs_file
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import Terms
from scenthound.parse.words.tokens import words_of
from scenthound.search.index import SearchWriter, write_lock
from scenthound.search.types import Filters, IndexedPage, Question, Weights
from scenthound.store.sqlite.connection import open_writer

QUESTIONS = 100  # of each kind
PIECE = 500  # characters
PIECES = 4  # of a made page
TOPICS = tuple(f"Top{number % 5}/Topic{number}" for number in range(40))
SITES = 2_000
BY_TEXT = Weights(text=1, meaning=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some text of a page, and what critics would read of it."""

    text: str
    terms: Terms


def read_pieces() -> Iterator[Piece]:
    for web, every in (("schools", 8), ("webkb", 10), ("modern", 20)):
        warc = webs_file(f"{web}.warc.gz")
        if warc is None:
            continue
        for number, fetch in enumerate(fetches(warc)):
            if number % every:
                continue
            reading = read(fetch)
            text = " ".join(leaf for leaf in reading.leaves if leaf)
            for start in range(0, min(len(text), 8_000) - PIECE, PIECE):
                piece = text[start : start + PIECE].partition(" ")[2]
                yield Piece(text=piece, terms=terms_of_text(piece, language="en"))


def made_page(pieces: Sequence[Piece], id: int) -> list[Piece]:
    draw = random.Random(id)
    return [pieces[draw.randrange(len(pieces))] for _ in range(PIECES)]


def build_index(folder: Path, pieces: Sequence[Piece], pages: int) -> int:
    """Make pages until there are so many, and return how many that took: a folder that is kept has some already."""
    with write_lock(folder), SearchWriter(folder) as writer:
        first = writer.state.n + 1
        for id in range(first, pages + 1):
            chosen = made_page(pieces, id)
            writer.add(
                IndexedPage(
                    id=id,
                    n=id,
                    host=f"www.site{id % SITES}.example",
                    site=f"site{id % SITES}.example",
                    title=" ".join(chosen[0].text.split()[:6]),
                    language="en",
                    mime="text/html",
                    topic=TOPICS[id * 7 % len(TOPICS)],
                    relevance=id * 7919 % 1000 / 1000,
                    fetched_at=1.7e9 + 20 * id,
                    text="\n".join(piece.text for piece in chosen),
                    anchors=(" ".join(chosen[1].text.split()[:3]),),
                    terms=chosen[0].terms,
                )
            )
            if id % 20_000 == 0 or id == pages:
                writer.commit(id)
            if id == 20_000:
                writer.learn(lambda ids: [made_page(pieces, id)[0].terms for id in ids], lambda done: None)
    return pages - first + 1


def make_database(path: Path, pages: int) -> None:
    """Make a crawl's database with these pages."""
    with closing(open_writer(path, quota=0)) as con:
        con.execute("PRAGMA foreign_keys = OFF")
        con.execute("BEGIN")
        con.executemany(
            "INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')",
            ((n + 1, f"www.site{n}.example", f"site{n}.example") for n in range(SITES)),
        )
        con.executemany(
            "INSERT INTO finds (id, host_id, key, url, found_at, found_by) VALUES (?, ?, ?, ?, 0, 'anchor')",
            ((id, id % SITES + 1, id, f"http://www.site{id % SITES}.example/page/{id}") for id in range(1, pages + 1)),
        )
        con.executemany(
            """INSERT INTO pages (n, url_id, ending, counts, status, mime, charset, title, language, words, relevance,
                   topic,
                   critic, digest, payload, fetched_at, captured_at, seconds, bytes)
               VALUES (?1, ?1, 'page', 1, 200, 'text/html', 'utf-8', 'Page ' || ?1, 'en', 300,
                   ?2, ?3, 1, '', '', ?4, ?4, 0, 0)""",
            (
                (id, id * 7919 % 1000 / 1000, TOPICS[id * 7 % len(TOPICS)], 1.7e9 + 20 * id)
                for id in range(1, pages + 1)
            ),
        )
        con.executemany(
            "INSERT INTO prestige (url_id, hub, authority) VALUES (?, 0, ?)",
            ((id, 1 / id) for id in range(1, min(pages, 2_000))),
        )
        con.execute("COMMIT")
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def questions_of(pieces: Sequence[Piece]) -> dict[str, list[Question]]:
    """Return questions in words as they stand on pages: frequent ones are drawn oftener."""
    draw = random.Random(0)

    def words(many: int) -> list[str]:
        while True:
            found = [word for word in words_of(draw.choice(pieces).text) if len(word) > 3 and word.isalpha()]
            if len(found) > many:
                start = draw.randrange(len(found) - many)
                return found[start : start + many]

    def of(make: Callable[[], Question]) -> list[Question]:
        return [make() for _ in range(QUESTIONS)]

    def phrase() -> str:
        found = words_of(draw.choice(pieces).text)[3:5]
        return f'"{" ".join(found)}"'

    ranked = Weights(text=1, meaning=0, relevance=0.5, authority=0.3)
    return {
        "one word": of(lambda: Question(words=words(1)[0], weights=BY_TEXT, facets=False)),
        "three words": of(lambda: Question(words=" ".join(words(3)), weights=BY_TEXT, facets=False)),
        "phrase": of(lambda: Question(words=phrase(), weights=BY_TEXT, facets=False)),
        "filter and combined ranking": of(
            lambda: Question(
                words=words(1)[0], filters=Filters(topic=draw.choice(TOPICS)), weights=ranked, facets=False
            )
        ),
        "one word with facets": of(lambda: Question(words=words(1)[0], weights=BY_TEXT)),
        "by meaning": of(lambda: Question(words=" ".join(words(2)), facets=False)),
    }
