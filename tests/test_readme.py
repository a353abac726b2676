"""What README and docs show can be typed: links lead somewhere, commands parse, settings exist, examples run.

One crawl of a hundred pages, made by the Python example of the docs themselves, serves all queries.
"""

import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer.main

from bench.__main__ import BENCHES
from scenthound.cli.main import app
from scenthound.events import StopCause
from scenthound.lab.experiment.experiment_file import load_experiment
from scenthound.lab.runs.runner import check_strategies
from scenthound.settings.file import override, settings_from
from scenthound.settings.help import all_settings
from scenthound.settings.question_book import book_of
from scenthound.settings.schema import Settings
from scenthound.topics.topics_file import load_topics
from scenthound.types import Link, Reason
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
HOW_TO = ROOT / "docs" / "how-to"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(ROOT.glob("docs/**/*.md"))

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_QUERY_BY_HAND = re.compile(r'sqlite3 -readonly (?:-\w+ )?\S+ "(.+?)"', re.DOTALL)
_SETTING = re.compile(r"(?<![\w./-])(?:crawl|fetch|read|archive)\.[a-z_]+\b(?!\()")
# Look like settings, are files of a crawl directory.
_FILES = {"crawl.toml", "crawl.db", "crawl.lock", "crawl.log", "crawl.forgive"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block of a page, with what follows it."""

    language: str
    text: str
    after: str


def blocks(page: Path, language: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = (Block(language=one[1], text=one[2], after=text[one.end() :]) for one in _FENCE.finditer(text))
    return [block for block in found if block.language == language]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


# -- links


def anchors(page: Path) -> set[str]:
    """Return the names under which a page's headings can be reached, made as GitHub makes them."""
    prose = _FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{target} does not exist"
        assert not anchor or anchor in anchors(there), f"{target}: no such heading"


def test_every_page_can_be_found_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / target).resolve() for target in _LINK.findall(index.read_text(encoding="utf-8"))}
    pages = set(ROOT.glob("docs/**/*.md")) - {index, ROOT / "docs" / "explanation" / "figures.md"}
    assert pages <= linked


# -- commands


def typed_commands(page: Path) -> Iterator[list[str]]:
    """Yield the words after `scenthound` of every command line in the blocks of a page, up to a pipe."""
    for block in blocks(page, ""):
        for line in block.text.splitlines():
            command = line.removeprefix("$ ").split("  #")[0]
            if command.startswith("scenthound "):
                words = shlex.split(command)[1:]
                yield words[: words.index("|")] if "|" in words else words


@every_page
def test_every_command_shown_can_be_typed(page: Path) -> None:
    program = typer.main.get_command(app)
    assert isinstance(program, typer.core.TyperGroup)
    for words in typed_commands(page):
        name, *arguments = words
        assert name in program.commands, f"scenthound {name} does not exist"
        context = program.commands[name].make_context(name, arguments)  # raises what the user would be told
        override(Settings(), context.params.get("overrides") or [])


@every_page
def test_every_command_named_in_the_text_exists(page: Path) -> None:
    program = typer.main.get_command(app)
    assert isinstance(program, typer.core.TyperGroup)
    for span in _SPAN.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if not re.match(r"scenthound [a-z]", span):
            continue
        _, name, *rest = span.split()
        assert name in program.commands, span
        command = program.commands[name]
        if name == "lab" and rest:
            assert isinstance(command, typer.core.TyperGroup)
            assert rest[0] in command.commands, span
            command = command.commands[rest[0]]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, span


@every_page
def test_every_bench_and_make_target_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"python -m bench ([a-z_]+)", text)) <= set(BENCHES)
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE)) <= set(targets)


def test_there_are_commands_to_test() -> None:
    assert sum(1 for page in PAGES for _ in typed_commands(page)) > 20


# -- settings


@every_page
def test_every_setting_named_exists(page: Path) -> None:
    known = {setting.key for setting in all_settings()}
    text = page.read_text(encoding="utf-8")
    unknown = set(_SETTING.findall(text)) - known - _FILES
    assert not unknown


@every_page
def test_every_piece_of_toml_is_one_that_is_taken(page: Path, tmp_path: Path) -> None:
    for block in blocks(page, "toml"):
        if "[[topic]]" in block.text:
            (tmp_path / "topics.toml").write_text(block.text, encoding="utf-8")
            load_topics(tmp_path / "topics.toml")
        elif "[[strategy]]" in block.text:
            (tmp_path / "experiment.toml").write_text(block.text, encoding="utf-8")
            check_strategies(load_experiment(tmp_path / "experiment.toml").strategies)
        elif "[news]" in block.text:
            book_of(tomllib.loads(block.text))
        else:
            settings_from(tomllib.loads(block.text), where=name_of(page))


# -- outputs


@every_page
def test_outputs_shown_speak_the_words_of_the_program(page: Path) -> None:
    for block in blocks(page, ""):
        for cause in re.findall(r"^Stopped: ([^(.\n]+?)(?: \(|\.$)", block.text, re.MULTILINE):
            assert cause in set(StopCause)
        for listed in re.findall(r"^  Errors: (.+)$", block.text, re.MULTILINE):
            shown = {part.strip(" .").partition(" ")[2] for part in listed.split(",") if "…" not in part}
            assert shown <= {str(reason) for reason in Reason}


# -- examples


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The Python example of the docs after it has run: what it printed, and the folder it ran in."""

    printed: str
    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "from-python" / "crawl.db"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    folder = tmp_path_factory.mktemp("example")
    program = blocks(HOW_TO / "use-as-a-library.md", "python")[0]
    (folder / "crawl_in_python.py").write_text(program.text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "crawl_in_python.py"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return Example(printed=ran.stdout, folder=folder)


@pytest.mark.slow
def test_the_python_example_prints_what_the_page_shows(example: Example) -> None:
    program = blocks(HOW_TO / "use-as-a-library.md", "python")[0]
    shown = program.after.partition("```\n")[2].partition("```")[0].splitlines()
    printed = example.printed.splitlines()
    assert printed[0] == shown[0] == "page budget reached: 100 pages"
    assert len(printed) == len(shown)


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, 2])
def test_the_other_python_of_the_page_runs_on_the_crawl_of_the_first(
    example: Example, place: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(example.folder)
    exec(blocks(HOW_TO / "use-as-a-library.md", "python")[place].text, {})
    expected = {1: "saddle", 2: "page budget reached: 100 pages"}
    assert expected[place] in capsys.readouterr().out.lower()


def answer(database: Path, query: str) -> list[str]:
    """Run a query to its end and return the names of its columns."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as con:
        cursor = con.execute(query)
        cursor.fetchall()
        return [column[0] for column in cursor.description]


@pytest.mark.slow
def test_every_query_runs_and_has_the_columns_that_the_page_shows(example: Example) -> None:
    queries = blocks(HOW_TO / "ask-the-database.md", "sql")
    assert len(queries) > 10
    for block in queries:
        shown = block.after.lstrip().partition("\n")[0]
        columns = [cell.strip() for cell in shown.strip("|").split("|")]
        assert answer(example.database, block.text) == columns, block.text


@pytest.mark.slow
@every_page
def test_every_query_typed_by_hand_runs(page: Path, example: Example) -> None:
    for block in blocks(page, ""):
        for query in _QUERY_BY_HAND.findall(block.text):
            assert answer(example.database, query)


@pytest.mark.slow
def test_the_archive_is_read_as_shown(example: Example) -> None:
    [program] = blocks(HOW_TO / "read-the-archive.md", "python")
    text = program.text.replace("cycling/archive", "from-python/archive")
    ran = subprocess.run(
        [sys.executable, "-c", text], cwd=example.folder, capture_output=True, encoding="utf-8", timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stderr
    counts = {name: int(number) for name, number in re.findall(r"'(\w+)': (\d+)", ran.stdout.splitlines()[-1])}
    assert counts["warcinfo"] == 1
    assert counts["request"] == counts["response"] + counts.get("revisit", 0) >= 100


def test_the_order_of_ones_own_orders_as_told() -> None:
    [program] = blocks(HOW_TO / "choose-an-order.md", "python")
    names: dict[str, object] = {}
    exec(program.text, names)
    priority = names["priority"]
    assert callable(priority)
    tour = Link(url="http://a.test/2024/10/a-tour/", text="A tour of the coast")
    assert priority(tour) > priority(Link(url="http://a.test/")) > priority(Link(url="http://a.test/x/y/z.html"))
