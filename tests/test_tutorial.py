"""The tutorial, gone through as a reader does: each command is run, and each line shown under it is one that the
program prints.

Numbers, moments, addresses and titles differ from run to run and are not compared. A line that ends in … is compared up
to there, and … alone stands for any lines.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.services.crawls.settings_edit import with_setting
from tests.patience import PATIENCE, until
from tests.test_readme import ROOT, blocks
from tests.ui.endless import pages

PAGE = ROOT / "docs" / "tutorial" / "first-crawl.md"
INTERRUPTED = "800"  # the budget of the crawl that the reader interrupts


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command, and the lines that the page shows under it."""

    words: tuple[str, ...]
    shown: tuple[str, ...]


def typed() -> Iterator[Typed]:
    for block in blocks(PAGE, ""):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield Typed(words=tuple(shlex.split(command)[1:]), shown=tuple(line for line in shown if line != "…"))


def alike(line: str) -> str:
    """Return what a line has in common with its like in another run.

    >>> alike("  60 pages in 5.2 s (11.6 a second); 60 in all."), alike('  1 failed, "A | B" on a.test:80 in 4 ms')
    ('  0 pages in T (0 a second); 0 in all.', '  0 failed, "" on a.test in T')
    """
    line = re.sub(r'"[^"]*"', '""', line)
    line = re.sub(r"(?:https?://)?[\w.-]+\.test\S*", "a.test", line)
    line = re.sub(r"\d+(?:[.,:-]\d+)*", "0", line)
    line = re.sub(r"\b0 (?:ms|s|min|h)\b(?: 0 (?:s|min)\b)?", "T", line)
    if re.match(r"    .* [+-]0$", line):
        return "    something that speaks for or against a link"
    if re.match(r" +0  [a-z-]+: ", line):
        return (
            "    why some URLs failed or were refused"  # which of the rare ones occur depends on how far a crawl comes
        )
    return re.sub(r"^(  (?:Errors|Refused): ).*|( \([^()]*the same[^()]*\))$", r"\1", line)


def missing(one: Typed, printed: str) -> list[str]:
    """Return the lines shown that nothing printed is like."""
    found = [alike(line) for line in printed.splitlines()]
    wanted = [alike(line) for line in one.shown]
    return [
        line
        for line in wanted
        if not any(other.startswith(line[:-1].rstrip()) if line.endswith("…") else other == line for other in found)
    ]


def run(words: tuple[str, ...], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "scenthound", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr + done.stdout


def interrupted(words: tuple[str, ...], folder: Path) -> str:
    """Run a crawl and press Ctrl-C when it has fetched some pages."""
    directory = CrawlDirectory.open(folder / words[1])
    before = pages(directory)
    command = [sys.executable, "-m", "scenthound", *words]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as process:
        assert until(lambda: pages(directory) > before + 5)
        os.kill(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    return printed


def test_the_page_has_commands_with_what_they_print() -> None:
    assert len([one for one in typed() if one.shown]) >= 9


@pytest.mark.slow
def test_every_command_of_the_tutorial_prints_what_the_page_shows(tmp_path: Path) -> None:
    """Each line must be there; of the story of a page, which depends on when it was found, nearly all."""
    topics = next(block.text for block in blocks(PAGE, "toml") if "[[topic]]" in block.text)
    (tmp_path / "topics.toml").write_text(topics, encoding="utf-8")
    with ServedApart(DemoWeb(7).answer) as served:
        resolve = {"*.test": f"127.0.0.1:{served.port}"}  # as the page has the reader write it, with another port
        for one in typed():
            if one.words[:2] == ("crawl", "cycling"):
                file = CrawlDirectory.open(tmp_path / "cycling").settings_file
                text = file.read_text(encoding="utf-8")
                for key, value in {"fetch.contact": "you@example.org", "fetch.resolve": resolve}.items():
                    text = with_setting(text, key, value)
                file.write_text(text, encoding="utf-8")
            printed = (interrupted if INTERRUPTED in one.words else run)(one.words, tmp_path)
            lacking = missing(one, printed)
            allowed = len(one.shown) // 4 if one.words[0] == "why" else 0
            assert len(lacking) <= allowed, (one.words, lacking, printed)
