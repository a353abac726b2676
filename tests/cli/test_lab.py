"""`scenthound lab`: experiments as a user types them, what is shown of them, and how they are gone on with."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from scenthound.cli.lab.progress_view import BarView, PlainView, bars
from scenthound.cli.lab.run_experiment import Wish, wished
from scenthound.cli.lab.show_results import fight, heading
from scenthound.lab.experiment.values import Duel, Interval, Role
from scenthound.lab.runs.progress import FailedCrawl, Stride
from scenthound.lab.strategies.kinds import catalogue
from tests.cli.conftest import Ran, scenthound
from tests.lab.small_worlds import small_source

EXPERIMENT = """
title = "Two orders"
draws = 1
examples = 3
negatives = 30

[[world]]
name = "small"
warc = ["small.warc.gz"]
labels = "small.labels.tsv"
topics = ["Nature/*"]

[[strategy]]
name = "best-first"

[[strategy]]
name = "breadth"
"""

OWN = """
class Longest:
    def __init__(self, briefing, *, sign=1.0):
        self.sign = sign

    def see(self, page):
        return {link.url: self.sign * len(link.text) for link in page.links}


class Broken:
    def __init__(self, briefing):
        pass

    def see(self, page):
        raise RuntimeError("no idea")
"""


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("webs")
    small_source(folder, pages=16)
    (folder / "two.toml").write_text(EXPERIMENT)
    (folder / "own.py").write_text(OWN)
    return folder


@pytest.fixture(autouse=True)
def here(webs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in an empty folder, with a cache that all these tests share."""
    monkeypatch.setenv("SCENTHOUND_LAB_CACHE", str(webs / "cache"))
    monkeypatch.setenv("SCENTHOUND_WEBS", str(webs / "nothing"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(webs: Path, *more: str | Path) -> Ran:
    return scenthound("lab", "run", webs / "two.toml", "--processes", "1", *more)


@pytest.mark.slow
def test_an_experiment_shows_how_the_strategies_stand_and_where_the_report_is(webs: Path, here: Path) -> None:
    ran = run(webs)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "Two orders"
    assert (
        lines[1] == "Links that lead out of small are wasted: each is a fetch that fails, as it would in a live crawl."
    )
    assert lines[3] == "small, 2 test topics, budget n"
    assert lines[4].split()[:6] == ["strategy", "harvest", "unique", "harvest", "relevant", "hosts"]
    assert {line.split()[0] for line in lines[5:7]} == {"best-first", "breadth"}
    assert "too few topics to tell" in ran.out
    assert lines[-1] == "The report: lab-two/report.html"
    assert {"results.json", "report.html", "timings.json", "plots", "runs"} <= {
        path.name for path in (here / "lab-two").iterdir()
    }
    assert "crawling: 4 of 4" in ran.err


@pytest.mark.slow
def test_results_are_shown_again_and_as_json(webs: Path) -> None:
    first = run(webs, "--out", "out", "--quiet")
    assert first.err == ""
    shown = scenthound("lab", "show", "out")
    assert (shown.code, shown.out) == (0, first.out.partition("The report")[0])
    told = json.loads(scenthound("lab", "show", "out", "--json").out)
    assert {standing["strategy"] for standing in told["standings"]} == {"best-first", "breadth"}
    assert [world["outside"] for world in told["worlds"]] == ["wasted"]


def test_a_limit_of_fetches_stands_beside_the_budget() -> None:
    place = ("modern", Role.TEST, 0, "2n")
    assert heading(place, [], most_fetches=400) == "modern, 0 test topics, budget 2n (at most 400 fetches)"
    assert heading(place, []) == "modern, 0 test topics, budget 2n"


def test_what_is_typed_changes_the_experiment(webs: Path) -> None:
    text = str(webs / "two.toml")
    typed = ("draws=2", "critic.kind=bayes")
    experiment = wished(
        Wish(experiment=text, topics="all", overrides=typed, strategies=(f"{webs}/own.py:Longest", "shark"))
    )
    assert (experiment.draws, experiment.topics, experiment.settings) == (2, "all", {"critic.kind": "bayes"})
    assert [choice.name for choice in experiment.strategies] == ["best-first", "breadth", "Longest", "shark"]
    small = wished(Wish(experiment=text, overrides=("draws=5",), quick=True))
    assert (small.draws, small.most_topics) == (1, 4)


@pytest.mark.slow
def test_a_class_of_ones_own_takes_part(webs: Path) -> None:
    ran = run(webs, "--strategy", f"{webs}/own.py:Longest")
    assert ran.code == 0, ran.err
    assert "Longest" in ran.out


@pytest.mark.slow
def test_a_strategy_that_fails_is_named_and_the_others_are_shown(webs: Path) -> None:
    ran = run(webs, "--strategy", f"{webs}/own.py:Broken")
    assert ran.code == 1
    assert 'strategy "Broken" failed on small:Nature/Birds#1: RuntimeError: no idea (own.py, line 15)' in ran.err
    assert ran.err.splitlines()[-1].startswith(
        'scenthound: 2 of 6 crawls failed, and the results are without "Broken"; the first: '
    )
    assert "best-first" in ran.out
    assert "Broken" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "demmo"), "demmo is neither a file nor the name of an experiment; did you mean demo?"),
        (("run", "nowhere.toml"), "nowhere.toml: the file does not exist"),
        (("run", "classic"), "classic needs schools.warc.gz, which is not in"),
        (("run", "{webs}/two.toml", "--set", "drws=1"), "two.toml: drws does not exist; did you mean draws?"),
        (("run", "{webs}/two.toml", "--set", "baseline=bredth"), "did you mean breadth?"),
        (("run", "{webs}/two.toml", "--strategy", "shrak"), 'there is no kind "shrak"; did you mean "shark"?'),
        (("run", "{webs}/two.toml", "--strategy", "no.py:Class"), "there is no file no.py"),
        (("run", "{webs}/two.toml", "--strategy", "{webs}/own.py:Short"), 'has no class "Short"'),
        (("run", "{webs}/two.toml", "--topics", "some"), "--topics"),
        (("run", "{webs}/two.toml", "--topics", "development"), "no world has topics for development"),
        (("show", "{webs}"), "has no results.json"),
        (("world", "missing.warc.gz"), "there is no file missing.warc.gz"),
        (("world", "{webs}", "more"), "give one crawl directory, or WARC files"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(webs: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = scenthound("lab", *(argument.format(webs=webs) for argument in arguments))
    assert (ran.code, ran.out) == (2, ""), ran
    [said] = [line for line in ran.err.splitlines() if not line.startswith("reading ")]  # a world, for the first time
    assert words in said


@pytest.mark.slow
def test_the_list_has_all_strategies_experiments_and_worlds(webs: Path) -> None:
    run(webs, "--quiet")
    ran = scenthound("lab", "list")
    assert ran.code == 0, ran.err
    for kind in catalogue():
        assert f"\n  {kind.name} " in ran.out
    assert "  demo " in ran.out
    assert "small.warc.gz" in ran.out.partition("Worlds in ")[2]


def test_a_world_is_told_with_the_sizes_of_its_topics(webs: Path) -> None:
    ran = scenthound("lab", "world", webs / "small.warc.gz", "--labels", webs / "small.labels.tsv")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].startswith("small.warc.gz: 49 pages on 4 hosts")
    assert lines[2:] == [
        "Crafts  16 pages",
        "  Pottery  16 pages",
        "Nature  32 pages",
        "  Birds  16 pages",
        "  Fish  16 pages",
    ]


@pytest.mark.slow
def test_ctrl_c_ends_it_and_the_same_command_goes_on(webs: Path, here: Path) -> None:
    arguments = ["lab", "run", str(webs / "two.toml"), "--set", "draws=5"]
    with subprocess.Popen(
        [sys.executable, "-m", "scenthound", *arguments, "--processes", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("crawling"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest.splitlines()[-1] == "Interrupted. What is done is kept in lab-two; the same command goes on from there."
    kept = len(list((here / "lab-two" / "runs").glob("*.msgpack")))
    assert 0 < kept < 20
    again = scenthound(*arguments)
    assert again.code == 0, again.err
    assert "of them made before" in again.err
    assert len(list((here / "lab-two" / "runs").glob("*.msgpack"))) == 20


# -- what is shown while it runs


def stride(done: int, *, elapsed: float, stage: str = "crawling") -> Stride:
    return Stride(stage=stage, done=done, total=9, elapsed=elapsed, eta=60.0, last="small:Birds#1 shark")


def test_plain_lines_come_seldom(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainView(every=5.0)
    for done, elapsed in ((1, 0.5), (2, 1.0), (3, 6.0), (4, 7.0), (9, 8.0)):
        view.hear(stride(done, elapsed=elapsed))
    view.hear(FailedCrawl(strategy="mine", task="small:Birds#1", error="it broke"))
    assert capsys.readouterr().err.splitlines() == [
        "crawling: 1 of 9, 60 s to go | small:Birds#1 shark",
        "crawling: 3 of 9, 60 s to go | small:Birds#1 shark",
        "crawling: 9 of 9, done in 8.0 s",
        'strategy "mine" failed on small:Birds#1: it broke',
    ]


def test_a_terminal_has_a_bar_for_each_stage() -> None:
    shown = io.StringIO()
    with bars(Console(file=shown, force_terminal=True, width=120, color_system=None)) as progress:
        view = BarView(progress)
        view.hear(stride(4, elapsed=1.0, stage="tuning"))
        view.hear(stride(2, elapsed=1.0))
        view.hear(FailedCrawl(strategy="[mine]", task="small:Birds#1", error="it broke"))
    assert "4 of 9" in shown.getvalue()
    assert "2 of 9, 60 s to go | small:Birds#1 shark" in shown.getvalue()
    assert 'strategy "[mine]" failed' in shown.getvalue()


def test_a_duel_in_a_few_words() -> None:
    def duel(topics: int) -> Duel:
        gap = Interval(mean=0.1, low=0.0, high=0.2, topics=topics)
        place = {"world": "w", "host_cap": 0, "budget": "n", "metric": "harvest", "one": "a", "other": "b"}
        return Duel(**place, difference=gap, wins=7, ties=1, losses=2, p=0.01, p_holm=0.02)  # type: ignore[arg-type]

    assert fight(duel(10)) == "7 : 2, 1 alike; p = 0.02"
    assert fight(duel(4)) == "7 : 2, 1 alike; too few topics to tell"
