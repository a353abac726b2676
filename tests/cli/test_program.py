"""The program as such: help, version, speed, and how unforeseen errors come out."""

import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from scenthound.cli.main import main
from tests.nursery import at_length
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

FINDING = ("hubs", "authorities", "sites", "sql")
COMMANDS = (
    "new", "crawl", "status", "why", "classify", "feedback", *FINDING, "export", "repair", "demo", "topics", "lab"
)  # fmt: skip


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scenthound", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def test_help_lists_the_commands_in_the_order_in_which_one_needs_them() -> None:
    shown = run("--help").stdout
    places = [shown.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert "..." not in shown.split("Commands:")[1]


def test_without_arguments_it_shows_its_help() -> None:
    alone = run()
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, run("--help").stdout, "")


def test_help_comes_at_once() -> None:
    """In processor time: on a machine with other work to do, the clock tells of that work."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def seconds() -> float:
        begun = spent()
        assert run("--help").returncode == 0
        return spent() - begun

    with at_length():
        assert min(seconds() for _ in range(3)) < 0.6  # 0.2 on a machine that does nothing else


def test_help_loads_nothing_that_it_does_not_show() -> None:
    """What a crawl, its database or the window needs takes longer to load than all of the help."""
    code = "import sys, scenthound.cli.main; print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split())
    assert "scenthound.cli.main" in loaded
    assert loaded.isdisjoint(
        {"scenthound.types", "scenthound.settings.schema", "msgspec", "numpy", "sqlite3", "nicegui", "rich"}
    )


def test_version() -> None:
    assert run("--version").stdout == f"scenthound {version('scenthound')}\n"


def test_bad_usage_is_one_line_and_exit_2() -> None:
    ran = run("cralw")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("scenthound: ")
    assert ran.stderr.count("\n") == 1
    assert "Did you mean 'crawl'?" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("crawl",), "Missing argument 'DIR'; see: scenthound crawl -h"),
        (("questions", "x", "add", "y", "--every", "1h"), "No such option: --every (Possible options: --key, --near); see: scenthound questions DIR add -h"),
        (("crawl", "x", "--pags"), "No such option: --pags (Possible options: --pages); see: scenthound crawl -h"),
        (("crawl", "x", "--pages", "many"), "Invalid value for '--pages': it must be a valid integer; see: scenthound crawl -h"),
        (("crawl", "x", "--pages", "-1"), "Invalid value for '--pages': it must be greater than or equal to 0; see: scenthound crawl -h"),
        (("export", "x", "--min-relevance", "2"), "Invalid value for '--min-relevance': it must be between 0 and 1; see: scenthound export -h"),
        (("export", "x", "--min-relevance", "high"), "Invalid value for '--min-relevance': it must be a valid number; see: scenthound export -h"),
        (("export", "x", "--format", "xml"), "Invalid value for '--format': 'xml' is not one of 'jsonl', 'csv', 'parquet', 'markdown', 'text', 'warc', 'sqlite', 'bookmarks', 'urls', 'cdxj'; see: scenthound export -h"),
    ],
)  # fmt: skip
def test_what_was_mistyped_is_said_in_plain_words(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"scenthound: {message}\n"


def test_the_program_can_be_called_from_python() -> None:
    assert main(["--version"]) == 0
    assert main(["nonsense"]) == 2


def test_status_loads_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    """Reading pages, learning and editing take much longer to load than a question takes to answer."""
    assert main(["new", str(tmp_path / "crawl"), "https://www.example.org/"]) == 0
    code = f"import sys; from scenthound.cli.main import main; main(['status', {str(tmp_path / 'crawl')!r}]); print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split())
    assert "scenthound.cli.work.status_lines" in loaded
    assert loaded.isdisjoint(
        {"asyncio", "numpy", "pydantic", "scipy", "sklearn", "ssl", "tomlkit", "aiohttp", "nicegui", "rich"}
    )
