"""Texts of strangers on a terminal, in a spreadsheet and in JSON: shown, and neither obeyed nor computed."""

import ast
import csv
import io
import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import scenthound
from scenthound.cli.shared.live_view import PlainView, terminal_view
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.events import Notice
from scenthound.terminal import in_json, shown
from tests.cli.conftest import scenthound as run

pytestmark = pytest.mark.slow

# To write into the clipboard, to set the title, to hide what comes, a control sequence of C1, to turn the direction.
EVIL = "\x1b]52;c;b3duZWQ=\x07\x1b]0;owned\x07\x1b[2J\x9b31m\x90q\u202egpj.exe\u2066\u200f\rover"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@given(st.text())
def test_nothing_that_is_obeyed_is_left(text: str) -> None:
    assert not OBEYED.search(shown(text).replace("\r\n", ""))
    shown(text).encode()  # no half of a surrogate pair either


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_says_what_it_said(text: str) -> None:
    written = in_json(json.dumps({"title": text}, ensure_ascii=False))
    assert json.loads(written) == {"title": text}
    assert not OBEYED.search(written)


def test_nothing_is_printed_but_by_the_one_place() -> None:
    """So that a new command cannot forget it."""
    home = Path(scenthound.__file__).parent
    allowed = {home / "terminal.py", home / "demo" / "server.py"}  # the latter prints its port
    calls = [
        f"{path}:{node.lineno}"
        for path in sorted(home.rglob("*.py"))
        if path not in allowed and "print(" in path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert calls == []


def hostile(host: str, path: str) -> Answer:
    """Answer with hostile titles, anchors, reason phrases and headers."""
    if path == "/robots.txt":
        return Answer(status=404)
    links = "".join(f"<a href='/{number}'>{EVIL} {number}</a>" for number in range(6))
    title = f"{EVIL} =HYPERLINK {path}" if path != "/3" else "=cmd|' /C calc'!A0"
    if path == "/4":
        return Answer(status=404, headers=(("Content-Type", "text/html"),))
    body = f"<html lang=en><title>{title}</title><body>{links} cycling tours by bicycle {path} " + "word " * 30
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=body.encode())


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("hostile") / "crawl"
    with ServedWeb(hostile) as web:
        settings = (f'fetch.resolve={{"*.example" = "127.0.0.1:{web.port}"}}', "fetch.delay=0", "read.workers=1")
        options = [
            part
            for one in (*settings, "fetch.delay_factor=0", "fetch.tries=1", "critic.kind=bayes")
            for part in ("--set", one)
        ]
        assert run("new", path, "http://a.example/", "http://b.example/", *options).code == 0
        assert run("crawl", path, "--quiet").code == 0
        with closing(sqlite3.connect(path / "crawl.db")) as con, con:  # as what servers say in place of "Not Found"
            con.execute("UPDATE fetches SET detail = ? WHERE reason IS NOT NULL", (EVIL,))
            con.execute("UPDATE finds SET detail = ? WHERE reason IS NOT NULL", (EVIL,))
        yield path


COMMANDS = [
    ["status"],
    ["why", "http://a.example/1"],
    ["why", "http://a.example/4"],
    ["classify", "http://a.example/1"],
    ["classify", "--stored"],
    ["hubs", "--site", "host"],
    ["hubs", "--stored"],
    ["authorities", "--site", "host"],
    ["sites"],
    ["sql", "SELECT title, url FROM fetched"],
    ["sql", "SELECT text FROM links"],
    ["topics"],
    pytest.param(["topics", "quality"], marks=pytest.mark.slow),
    ["topics", "around", "Interest", "--fetch", "0"],
    ["export", "--format", "jsonl"],
]
ONLY_ON_A_TERMINAL = [
    ["sql", "SELECT title, url FROM fetched", "--csv"],
    ["export", "--format", "csv", "--all"],
    ["export", "--format", "bookmarks"],
    ["export", "--format", "urls"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_hands_them_on(crawl: Path, words: list[str]) -> None:
    name, *rest = words
    ran = run(name, crawl, *rest)
    assert ran.code == 0
    said = ran.out + ran.err
    assert not OBEYED.search(said), said
    if name not in ("export",):
        asked = run(name, crawl, *rest, "--json")
        assert not OBEYED.search(asked.out + asked.err)
        if asked.code == 0:
            json.loads(asked.out)


@pytest.mark.parametrize("words", [*ONLY_ON_A_TERMINAL, COMMANDS[1]], ids=" ".join)
def test_a_terminal_gets_harmless_text_where_a_file_gets_what_was_found(crawl: Path, words: list[str]) -> None:
    name, *rest = words
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scenthound", name, str(crawl), *rest]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 65536)
            except OSError:  # all is said
                break
    os.close(ours)
    assert process.returncode == 0
    text = said.decode().replace("\r\r\n", "\n").replace("\r\n", "\n")
    text = re.sub(r"[\d,]+ of [\d,]+ pages\r", "", text)  # where it takes long, we say how far we are
    assert text
    assert not OBEYED.search(text), text
    if rest[1:2] == ["csv"]:
        assert EVIL.replace("\r", " ")[:20] in run(name, crawl, *rest).out


def test_live_views_show_harmless_text(capfd: pytest.CaptureFixture[str]) -> None:
    PlainView().hear(Notice(text=EVIL))
    PlainView().announce(EVIL)
    assert not OBEYED.search(capfd.readouterr().err)
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=200, color_system=None)
    with terminal_view(console) as view:
        view.hear(Notice(text=EVIL))
        view.announce(EVIL)
    drawn = out.getvalue()
    assert "\x1b]" not in drawn
    assert "\x9b" not in drawn
    assert "\u202e" not in drawn


def test_the_log_of_a_crawl_is_harmless(crawl: Path) -> None:
    assert not OBEYED.search((CrawlDirectory.open(crawl).logs / "crawl.log").read_text(encoding="utf-8"))


def test_no_cell_is_a_formula(crawl: Path) -> None:
    exported = list(csv.DictReader(io.StringIO(run("export", crawl, "--format", "csv").out, newline="")))
    [formula] = [row for row in exported if row["url"] == "http://a.example/3"]
    assert formula["title"] == "'=cmd|' /C calc'!A0"
    asked = run("sql", crawl, "SELECT '=1+1', '+1', '-1', '@x', '\t=1', -1, -1.5, 'plain', x'2b' AS bytes", "--csv").out
    assert list(csv.reader(io.StringIO(asked, newline="")))[1] == [
        "'=1+1", "'+1", "'-1", "'@x", "'\t=1", "-1", "-1.5", "plain", "2b",
    ]  # fmt: skip
