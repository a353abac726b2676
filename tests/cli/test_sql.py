"""`sql` as typed: what it answers, what it refuses, and that the crawl is left alone."""

import csv
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.paper_views import VIEWS
from scenthound.errors import ScenthoundError, UsageError
from scenthound.services.sql.ask import answered
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import Ran, scenthound
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.nursery import at_length
from tests.often import slowly
from tests.patience import PATIENCE

TOPICS = Topics(
    topics=(
        Topic(path="Sport/Cycling", good=True, examples=("http://tour.test/",)),
        Topic(path="Sport/Cycling/Touring"),
        Topic(path="Arts"),
    )
)
CRAWL = MadeCrawl(
    urls=[
        page("http://list.test/", 0.7, topic="Sport/Cycling", title="Links", last_modified="Thu, 01 Oct 2020 12:00:00 GMT"),
        page("http://www.tour.test/", 0.9, topic="Sport/Cycling/Touring", title="A tour,\nin two lines"),
        page("http://new.test/", ending="waiting"),
    ],
    links=[link(0, 1), link(0, 2), link(0, 1, nofollow=True)],
)  # fmt: skip
ENDLESS = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory_of(CRAWL, tmp_path_factory.mktemp("sql") / "crawl", TOPICS)


def sql(crawl: Path, statement: str, *options: str) -> Ran:
    return scenthound("sql", crawl, statement, *options)


def rows(crawl: Path, statement: str) -> list[list[object]]:
    ran = sql(crawl, statement, "--json")
    assert (ran.code, ran.err) == (0, "")
    return [list(row.values()) for row in json.loads(ran.out)]


def refusal(crawl: Path, statement: str, *options: str) -> str:
    """Return the one line that says what is wrong."""
    ran = sql(crawl, statement, *options)
    assert ran.code != 0
    assert ran.err.count("\n") == 1
    return ran.err.strip().removeprefix("scenthound: ")


def test_people_get_a_table(crawl: Path) -> None:
    assert sql(crawl, "SELECT title, relevance, NULL AS empty FROM pages ORDER BY n").out.splitlines() == [
        "title                 relevance  empty",
        "────────────────────  ─────────  ─────",
        "Links                       0.7",
        "A tour, in two lines        0.9",
    ]


@pytest.mark.slow
def test_programs_get_csv_or_json(crawl: Path) -> None:
    statement = "SELECT title, relevance, x'00ff' AS bytes FROM pages ORDER BY n DESC LIMIT 1"
    out = sql(crawl, statement, "--csv").out
    assert list(csv.reader(io.StringIO(out, newline=""))) == [
        ["title", "relevance", "bytes"],
        ["A tour,\nin two lines", "0.9", "00ff"],
    ]
    assert json.loads(sql(crawl, statement, "--json").out) == [
        {"title": "A tour,\nin two lines", "relevance": 0.9, "bytes": "00ff"}
    ]
    assert json.loads(sql(crawl, "SELECT 1 WHERE 0", "--json").out) == []
    assert "not both" in refusal(crawl, statement, "--csv", "--json")


@pytest.mark.slow
def test_a_long_table_is_cut_and_that_is_said(crawl: Path) -> None:
    many = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a LIMIT 3000) SELECT n FROM a"
    out = sql(crawl, many).out.splitlines()
    assert len(out) == 2 + 1000 + 1
    assert "more rows than these 1,000" in out[-1]
    assert len(sql(crawl, many, "--csv").out.splitlines()) == 3001


def test_a_question_may_come_from_stdin(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("-- how many\nSELECT count(*) AS pages\nFROM pages;\n"))
    assert sql(crawl, "-", "--csv").out.split() == ["pages", "2"]


# -- the papers' tables


def test_crawl_has_every_url(crawl: Path) -> None:
    columns = "oid, sid, url, relevance, kcid, numtries, lastmodified"
    assert rows(crawl, f"SELECT {columns} FROM CRAWL ORDER BY oid") == [
        [1, "list.test", "http://list.test/", 0.7, "Sport/Cycling", 1, "2020-10-01"],
        [2, "tour.test", "http://www.tour.test/", 0.9, "Sport/Cycling/Touring", 1, None],
        [3, "new.test", "http://new.test/", None, None, 0, None],
    ]


def test_link_has_the_weights_of_the_paper(crawl: Path) -> None:
    assert rows(crawl, "SELECT oid_src, sid_src, oid_dst, sid_dst, wgt_fwd, wgt_rev FROM LINK ORDER BY oid_dst") == [
        [1, "list.test", 2, "tour.test", 0.9, 0.7],
        [1, "list.test", 3, "new.test", None, 0.7],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hubs", *slowly("HUBS", "temp.Hubs")])
def test_scores_are_there_when_they_are_named(crawl: Path, name: str) -> None:
    assert rows(crawl, f"SELECT oid, score FROM {name}") == [[1, 1.0]]
    assert rows(crawl, f"SELECT count(*) FROM {name}") == [[1]]
    assert rows(crawl, "SELECT oid, score FROM AUTH") == [[2, 1.0]]


def test_taxonomy_tells_good_topics_and_what_stands_above_and_below(crawl: Path) -> None:
    assert rows(crawl, "SELECT kcid, pcid, name, type, examples FROM TAXONOMY") == [
        ["", None, "of no topic", "null", 0],
        ["Sport", None, "Sport", "path", 0],
        ["Sport/Cycling", "Sport", "Cycling", "good", 1],
        ["Sport/Cycling/Touring", "Sport/Cycling", "Touring", "subsumed", 0],
        ["Arts", None, "Arts", "null", 0],
    ]


@pytest.mark.slow
def test_a_broken_topics_file_matters_only_to_questions_about_topics(tmp_path: Path) -> None:
    path = directory_of(CRAWL, tmp_path / "crawl", TOPICS)
    (path / "topics.toml").write_text("[[topic]\n")
    assert rows(path, "SELECT count(*) FROM CRAWL") == [[3]]
    assert "topics.toml" in refusal(path, "SELECT * FROM TAXONOMY")


# -- refusals


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("SELECT * FROM CRWL", "no such table: CRWL; did you mean CRAWL?"),
        ("SELECT * FROM page", "no such table: page; did you mean pages?"),
        ("SELECT * FROM main.page", "no such table: main.page; did you mean pages?"),
        ("SELECT c.relevnce FROM CRAWL c", "no such column: c.relevnce; did you mean relevance?"),
        ("SELECT", 'incomplete input; finish it, as in "SELECT url FROM CRAWL LIMIT 5"'),
        ("SELECT 1; SELECT 2", "one question at a time"),
        *slowly(
            ("SELECT url FROM pages", "no such column: url; CRAWL, changes, fetched"),
            ("SELECT lenth(url) FROM CRAWL", "no such function: lenth; did you mean length?"),
            ("SELEC 1", 'near "SELEC": syntax error'),
            ("SELECT (", "incomplete input"),
            ("", "there is no question"),
            ("-- nothing\n;", "there is no question"),
            ("SELECT ?", "parameters (?, :name) have no values here"),
            ("SELECT hex(zeroblob(100000000))", "string or blob too big"),
        ),
    ],
)
def test_a_wrong_statement_is_answered_in_one_line(crawl: Path, statement: str, words: str) -> None:
    ran = scenthound("sql", crawl, "--", statement)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pages",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'copy.db'",
        "PRAGMA query_only = OFF",
        "SELECT load_extension('mine')",
        *slowly(
            "UPDATE pages SET relevance = 1",
            "WITH a AS (SELECT 1) DELETE FROM pages",
            "INSERT INTO notes VALUES ('a', 'b')",
            "REPLACE INTO notes VALUES ('a', 'b')",
            "INSERT INTO HUBS VALUES (1, 1)",
            "CREATE TABLE mine (a)",
            "CREATE TEMP TABLE mine (a)",
            "CREATE VIRTUAL TABLE mine USING fts5 (a)",
            "DROP TABLE pages",
            "DROP VIEW CRAWL",
            "ALTER TABLE pages ADD COLUMN mine",
            "DETACH main",
            "VACUUM",
            "REINDEX",
            "ANALYZE",
            "BEGIN IMMEDIATE",
            "SAVEPOINT a",
            "PRAGMA journal_mode = DELETE",
            "PRAGMA writable_schema = ON",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            "EXPLAIN DELETE FROM pages",
            "UPDATE sqlite_master SET sql = ''",
        ),
    ],
)
def test_whatever_does_not_read_is_refused(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = (crawl / "crawl.db").read_bytes()
    assert any(
        words in refusal(crawl, statement) for words in ("is refused: questions only read", "may not be modified")
    )
    assert (crawl / "crawl.db").read_bytes() == before
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA table_info(pages)",
        *slowly(
            "SELECT name FROM pragma_table_info('pages')",
            "SELECT value FROM json_each('[1]')",
            "SELECT name FROM sqlite_master",
            "EXPLAIN QUERY PLAN SELECT * FROM HUBS",
            "VALUES (1)",
            "WITH a AS (SELECT 1) SELECT * FROM a",
        ),
    ],
)
def test_what_only_looks_is_answered(crawl: Path, statement: str) -> None:
    assert rows(crawl, statement)


def test_a_question_without_end_is_stopped(crawl: Path) -> None:
    ran = sql(crawl, ENDLESS, "--seconds", "0.05")
    assert ran.code == 1
    assert ran.err == (
        "scenthound: stopped after 0.05 s without an end; ask for less (WHERE, LIMIT), or allow more with --seconds\n"
    )


@pytest.mark.slow
def test_an_answer_without_end_is_stopped_too(crawl: Path) -> None:
    endless = ENDLESS.replace("count(*)", "n")
    ran = sql(crawl, endless, "--csv", "--seconds", "1")
    assert ran.code == 1
    assert ran.out.startswith("n\r\n1\r\n2\r\n")


def test_before_the_first_crawl_that_is_said(tmp_path: Path) -> None:
    assert scenthound("new", tmp_path / "crawl", "http://a.example/").code == 0
    assert "has not been crawled yet" in refusal(tmp_path / "crawl", "SELECT 1")


@pytest.mark.slow
def test_it_answers_while_somebody_writes(crawl: Path) -> None:
    with closing(sqlite3.connect(crawl / "crawl.db", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE pages SET relevance = 0")
        assert rows(crawl, "SELECT max(relevance) FROM CRAWL") == [[0.9]]
        assert rows(crawl, "SELECT count(*) FROM AUTH") == [[1]]
        writer.execute("ROLLBACK")


# -- the page


def documented() -> Iterator[tuple[str, list[str]]]:
    """Yield the papers' tables with their columns, from the page that explains them."""
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "ask-in-sql.md").read_text(encoding="utf-8")
    lines = text.partition("| table | columns |")[2].partition("\n\n")[0].splitlines()[2:]
    for line in lines:
        names, columns, _ = (cell.strip() for cell in line.strip("|").split(" | "))
        for name in names.split(", "):
            yield name, columns.split(", ")


@pytest.mark.slow
def test_every_table_of_the_papers_is_documented_with_its_columns(crawl: Path) -> None:
    shown = dict(documented())
    assert set(shown) == set(VIEWS)
    for name, columns in shown.items():
        assert [row[0] for row in rows(crawl, f"SELECT name FROM pragma_table_info('{name}')")] == columns


@pytest.mark.parametrize(
    ("typed", "proposed"),
    [
        ("scenthound\nhu", ["hubs"]),
        ('scenthound\nsql\nDIR\n"select url from cra', ["select url from crawl"]),
        (
            'scenthound\nsql\nDIR\n"SELECT 1 FROM pages p, LIN',
            ["SELECT 1 FROM pages p, LINK", "SELECT 1 FROM pages p, LINKS"],
        ),
        ('scenthound\nsql\nDIR\n"select url ', []),
    ],
)
def test_tab_proposes_commands_and_tables(typed: str, proposed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SCENTHOUND_COMPLETE", "complete_bash")  # as the shell calls it
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count("\n")))
    ran = scenthound()
    assert (ran.code, ran.out.split("\n")[:-1] if ran.out.strip() else [], ran.err) == (0, proposed, "")


# One call of a function, in which SQLite looks at no clock: at each place, half of a long text is compared.
ONE_LONG_CALL = "SELECT instr(hex(zeroblob(2500000)), hex(zeroblob(1000000)) || '1')"


@pytest.mark.slow
def test_a_single_call_without_end_is_stopped_too(crawl: Path) -> None:
    assert "stopped after 0.3 s without an end" in refusal(crawl, ONE_LONG_CALL, "--seconds", "0.3")  # it takes hours


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        # All rows are kept, to see whether one comes twice: in a temporary file.
        "WITH RECURSIVE a (n, t) AS (SELECT 1, hex(zeroblob(400000)) UNION SELECT n + 1, t || n FROM a LIMIT 300) SELECT sum(n) FROM a",
        # In memory, for each text must be there as a whole.
        "SELECT "
        + " || ".join(f"substr(a{n}, 1, 1)" for n in range(20))
        + " FROM (SELECT "
        + ", ".join(f"hex(zeroblob(4999000 + {n})) AS a{n}" for n in range(20))
        + " LIMIT 1)",
    ],
)
def test_what_takes_too_much_room_is_stopped(crawl: Path, statement: str) -> None:
    with (
        pytest.raises(UsageError, match="it takes more than 60 MB to answer"),
        answered(CrawlDirectory.open(crawl), statement, megabytes=60) as answer,
    ):
        list(answer.rows)


@pytest.mark.slow
def test_an_answer_is_written_up_to_a_size(crawl: Path) -> None:
    endless = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT hex(zeroblob(1000)) FROM a"
    for form in ("--csv", "--json"):
        ran = sql(crawl, endless, form, "--megabytes", "3")
        assert (ran.code, "the answer is larger than 3 MB" in ran.err) == (2, True)
        assert 2_000_000 < len(ran.out) <= 3_000_000


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once_and_leaves_no_process(crawl: Path) -> None:
    command = [sys.executable, "-m", "scenthound", "sql", str(crawl), ONE_LONG_CALL, "--seconds", str(2 * PATIENCE)]
    with at_length(), subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not (found := children.read_text().split()):  # it is still starting
            assert process.poll() is None
            time.sleep(0.02)
        child = Path("/proc") / found[0]
        while (
            int(child.joinpath("stat").read_text().rpartition(")")[2].split()[11]) < 50
        ):  # ticks: it is at its long call
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130  # it would take twice as long otherwise
        assert not child.exists()


@pytest.mark.slow
def test_a_process_that_is_ended_from_outside_is_told_of(crawl: Path) -> None:
    endless = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a"
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = set(children.read_text().split())
    with at_length(), answered(CrawlDirectory.open(crawl), endless) as answer:
        next(answer.rows)
        [child] = set(children.read_text().split()) - before
        os.kill(int(child), signal.SIGKILL)
        with pytest.raises(ScenthoundError, match="the process that answers ended with status -9"):
            list(answer.rows)
