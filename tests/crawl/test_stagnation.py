"""FOCUS' stagnating crawl and its cure: the crawl itself says what is wrong, and one command, typed elsewhere, mends
it while it runs.
"""

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.demo.server import ServedWeb
from scenthound.events import Event, Finding, FindingKind, Notice, Summary
from tests.crawl.money_web import FUNDS, money_web, new, topic_of
from tests.crawl.scene import command
from tests.nursery import started
from tests.often import thoroughly


@dataclass(kw_only=True)
class Patient:
    """Listens to a crawl; with `takes`, it takes the medicine that it is told to, in another process."""

    web: ServedWeb
    takes: bool
    findings: list[Finding] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    asked_before: int = 0

    def hear(self, event: Event) -> None:
        if isinstance(event, Finding):
            self.findings.append(event)
            if self.takes:
                _program, *arguments = shlex.split(event.command)
                with started(*arguments) as taken:
                    pass
                assert taken.returncode == 0
                self.asked_before = len(self.web.log())
        elif isinstance(event, Notice):
            self.notices.append(event.text)


def crawl(directory: CrawlDirectory, patient: Patient, settings: list[str], *, pages: int) -> Summary:
    chosen = directory.settings([*settings, f"crawl.pages={pages}", "crawl.minutes=10"])
    return run_crawl(directory, chosen, listener=patient.hear, stop=StopSwitch())


def about_sport(asked: list[str]) -> float:
    return sum(topic_of(address) == "sport" for address in asked) / len(asked)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["apprentice", pytest.param("best-first", marks=thoroughly)])
def test_a_crawl_that_is_too_narrow_says_so_and_recovers_at_one_command(tmp_path: Path, order: str) -> None:
    directory = new(tmp_path / "funds")
    with money_web() as (web, settings):
        patient = Patient(web=web, takes=True)
        summary = crawl(directory, patient, [*settings, f"crawl.order={order}"], pages=360)
        asked = [f"http://{entry.host}{entry.path}" for entry in web.log()]
    [finding] = patient.findings
    assert finding.kind is FindingKind.STAGNATION
    assert f'most pages around "{FUNDS}" are about "Investment": mark its parent good?' in finding.sentence
    assert any("pages judged again" in notice for notice in patient.notices)
    # From the server's side: a few requests were under way, and from then on what is good now is asked for first.
    after = asked[patient.asked_before + 10 :]
    assert about_sport(after) < 0.15
    assert summary.findings == ()
    assert summary.census.relevance_sum > 0.6 * summary.census.judged


@pytest.mark.slow
def test_what_nobody_does_anything_about_is_told_once_and_stands_in_the_status(tmp_path: Path) -> None:
    directory = new(tmp_path / "funds")
    with money_web() as (web, settings):
        patient = Patient(web=web, takes=False)
        first = crawl(directory, patient, settings, pages=280)
        told = command("status", str(directory.path))
        crawl(directory, patient, settings, pages=330)
    [finding] = patient.findings
    assert [one.kind for one in first.findings] == [FindingKind.STAGNATION]
    assert finding.command in told
    [seen] = json.loads(command("status", str(directory.path), "--json"))["findings"]
    assert (seen["kind"], seen["command"]) == ("stagnation", finding.command)
    assert "The crawl stagnates" in (directory.logs / "crawl.log").read_text(encoding="utf-8")
