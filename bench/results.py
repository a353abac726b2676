"""Where figures are kept: results.json for programs, docs/explanation/figures.md with its pictures for people.

A run replaces the results of the benches that it ran and keeps those of the others, each with its own date.
"""

import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.figures import HEADINGS, Figure, Goal, Report, Row, markdown_table
from bench.running import ROOT

RESULTS = ROOT / "bench" / "results.json"
PAGE = ROOT / "docs" / "explanation" / "figures.md"

_INTRODUCTION = """# Figures

Every number here is printed again by `make bench`, or one bench at a time by `python -m bench NAME`.
That command writes this page and its pictures. The top of each file in `bench/` says what it measures, and how.
Compare ratios rather than numbers: they depend on the machine, and on what else it does.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one bench found, and when, and where."""

    bench: str
    about: str
    date: str
    seconds: float
    machine: str
    report: Report

    @property
    def rows(self) -> list[Row]:
        return [Row(bench=self.bench, figure=figure) for figure in self.report.figures]


def result_of(bench: str, about: str, report: Report, seconds: float) -> Result:
    """Put today's date and this machine to a report."""
    today = datetime.now(UTC).date().isoformat()
    return Result(bench=bench, about=about, date=today, seconds=seconds, machine=machine(), report=report)


def machine() -> str:
    """Describe this machine as far as figures depend on it."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {python}"


def save(results: dict[str, Result], *, file: Path = RESULTS, page: Path = PAGE) -> None:
    """Write new results beside the old ones, in the order of their names."""
    kept = dict(sorted((load(file) | results).items()))
    file.write_text(json.dumps([asdict(result) for result in kept.values()], indent=1) + "\n", encoding="utf-8")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(page_lines(kept)), encoding="utf-8")
    for result in results.values():
        for name, picture in result.report.pictures.items():
            (page.parent / name).write_text(picture, encoding="utf-8")


def load(file: Path = RESULTS) -> dict[str, Result]:
    """Read what earlier runs found, by bench; pictures are not kept."""
    if not file.exists():
        return {}
    return {entry["bench"]: _result(entry) for entry in json.loads(file.read_text(encoding="utf-8"))}


def page_lines(results: Mapping[str, Result]) -> Iterator[str]:
    """Write the page that people read."""
    yield _INTRODUCTION
    rows = [row.cells for result in results.values() for row in result.rows]
    yield markdown_table(HEADINGS, rows, right=[HEADINGS.index("value")])
    for result in results.values():
        yield f"\n## {result.bench}\n"
        yield f"{result.about}\n"
        yield f"Measured {result.date} in {result.seconds:.0f} s on: {result.machine}.\n"
        for paragraph in result.report.text:
            yield f"{paragraph}\n"


def _result(entry: dict[str, object]) -> Result:
    told = entry["report"]
    assert isinstance(told, dict)
    figures = tuple(
        Figure(**{**figure, "goal": Goal(**figure["goal"]) if figure["goal"] else None}) for figure in told["figures"]
    )
    report = Report(figures=figures, text=tuple(told["text"]), skipped=told["skipped"])
    return Result(
        bench=str(entry["bench"]),
        about=str(entry["about"]),
        date=str(entry["date"]),
        seconds=float(str(entry["seconds"])),
        machine=str(entry["machine"]),
        report=report,
    )
