"""The reference pages of the docs, made from the code: settings, commands, errors, tables, the API, and what the lab
reads and writes.

`python -m scenthound.cli.reference docs/reference` writes them. A test checks that the files are up to date.
"""

import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import typer.main

from scenthound.cli.main import app
from scenthound.lab.experiment.experiment_help import experiment_page
from scenthound.lab.metrics.metric_page import metrics_page
from scenthound.lab.strategies.strategy_page import strategies_page
from scenthound.services.sql.schema_help import TableHelp, tables_of
from scenthound.services.why.reason_words import REASONS
from scenthound.settings.help import sections, toml_value
from scenthound.types import Reason
from scenthound.ui.api_page import api_page

_MADE = "<!-- Made by `make docs` from the code; change it there. -->"


def reference() -> dict[str, str]:
    """Return every page by its file name."""
    schema = (files("scenthound.store.sqlite") / "schema.sql").read_text(encoding="utf-8")
    pages = {
        "settings.md": settings_page(),
        "commands.md": commands_page(),
        "errors.md": errors_page(),
        "api.md": ("# The API", _MADE, "", *api_page()),
        "schema.md": schema_page(tables_of(schema)),
        "experiment-file.md": experiment_page(),
        "lab-metrics.md": metrics_page(),
        "lab-strategies.md": strategies_page(),
    }
    return {name: "\n".join(lines).rstrip("\n") + "\n" for name, lines in pages.items()}


def settings_page() -> Iterator[str]:
    yield from ("# Settings", _MADE, "")
    yield (
        "They are in `crawl.toml` in the crawl directory, in sections. A setting that is missing there has its "
        "default. "
        "`--set section.name=value` replaces one for a single run; the value is TOML; a plain word or URL is a text."
    )
    for section in sections():
        yield from (
            "",
            f"## [{section.name}]",
            "",
            section.help,
            "",
            "| name | takes | default | what it does |",
            "|---|---|---|---|",
        )
        for setting in section.settings:
            default = _code(toml_value(setting.default))
            guard = setting.guard
            kept = f" The window cannot set {'some values of it' if guard.values else 'it'}: {guard.why}."
            told = setting.help + (kept if guard.why else "")
            yield f"| `{setting.name}` | {_cell(setting.takes)} | {default} | {_cell(told)} |"


def commands_page() -> Iterator[str]:
    yield from ("# Commands", _MADE, "")
    yield (
        "Results go to stdout, progress and errors to stderr. Exit codes: 0 done (budget reached, frontier dry), "
        "2 bad usage or settings, 1 failure, 130 interrupted with everything saved. An error is one line; "
        "with `SCENTHOUND_DEBUG=1` in the environment it also prints a traceback."
    )
    program = typer.main.get_command(app)
    for name, command in program.commands.items():  # type: ignore[attr-defined]
        yield from _command_lines(command, f"scenthound {name}")


def _command_lines(command: object, typed: str) -> Iterator[str]:
    """Describe a command and then each of its forms."""
    params = getattr(command, "params", [])
    typed = " ".join([typed, *(_shown(param) for param in params if param.param_type_name == "argument")])
    yield from ("", f"## {typed}", "", " ".join((getattr(command, "help", None) or "").split()))
    if params:
        yield from ("", "| | |", "|---|---|")
        for param in params:
            yield f"| {_code(_shown(param))} | {_cell(param.help or '')} |"
    for name, form in getattr(command, "commands", {}).items():
        yield from _command_lines(form, f"{typed} {name}")


def errors_page() -> Iterator[str]:
    yield from ("# Why a URL has no page", _MADE, "")
    yield (
        "Each URL that brought no page has one of these reasons, in the database, in `status` and in `why`. "
        "A reason that may pass is tried again, up to `fetch.tries` times; one that blames the host counts towards the "
        "failures in a row after which the host is bad."
    )
    yield from ("", "| reason | in words | may pass | blames the host |", "|---|---|---|---|")
    for reason in Reason:
        yield f"| `{reason}` | {_cell(REASONS[reason])} | {_tick(reason.may_pass)} | {_tick(reason.blames_host)} |"


def schema_page(tables: list[TableHelp]) -> Iterator[str]:
    yield from ("# Tables", _MADE, "")
    yield (
        "A crawl's database is `crawl.db` in its directory, in SQLite format. Any number of programs may read it while "
        "the crawl runs; none but scenthound should write to it."
    )
    for table in tables:
        yield from ("", f"## {table.name}{' (view)' if table.view else ''}", "", table.help)
        if table.columns:
            yield from ("", "| column | type | meaning |", "|---|---|---|")
            for column in table.columns:
                yield f"| `{column.name}` | {column.type} | {_cell(column.help)} |"


def write_reference(folder: Path) -> None:
    """Write every page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in reference().items():
        (folder / name).write_text(text, encoding="utf-8")


def _shown(param: object) -> str:
    """Write a parameter as the user types it."""
    metavar = getattr(param, "metavar", None)
    if getattr(param, "param_type_name", "") == "argument":
        many = f"{metavar}…" if getattr(param, "required", False) else f"[{metavar}]…"
        return many if getattr(param, "nargs", 1) < 0 else str(metavar)
    flag = "/".join(getattr(param, "opts", []))
    return flag if getattr(param, "is_flag", False) else f"{flag} {metavar}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _tick(yes: bool) -> str:
    return "yes" if yes else ""


if __name__ == "__main__":
    write_reference(Path(sys.argv[1]))
