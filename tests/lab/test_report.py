"""The report of an experiment: made-up results in, a page to be read and plots to be seen out."""

import os
import re
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tomllib import loads
from xml.etree import ElementTree

import matplotlib.image
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.lab.report import PLOTS_MISSING, write_report
from scenthound.lab.report.contests import Contest, contests
from scenthound.lab.report.curves import Axis, axis, bands, so_far
from scenthound.lab.report.experiment_text import experiment_text
from scenthound.lab.report.figures import figure
from scenthound.lab.report.markup import Markup, join, tag
from scenthound.lab.report.palette import COLOURS, INK, MUTED, PAPER, SERIES, Colour, looks
from scenthound.lab.report.plots.labels import short_names, spread
from scenthound.lab.report.summary import said
from scenthound.lab.report.topics import DEEPEST
from scenthound.lab.statistics import duels, standings
from scenthound.lab.values import Curve, Results, Role, RunResult
from tests.lab.made_up_results import SKILLS, Plan, made_up, topic_name
from tests.lab.report_page import Page

SMALL = Plan(
    topics=7,
    draws=2,
    development=1,
    tuned=True,
    skills={name: SKILLS[name] for name in ("best-first", "shark", "random", "oracle")},
)
FEW = Plan(topics=3, draws=1, budgets=("n",), skills={"best-first": 0.3, "shark": 0.6})


@pytest.fixture(scope="module")
def results() -> Results:
    return made_up(SMALL)


@pytest.fixture(scope="module")
def folder(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(results, folder)
    return folder


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return Page.of(folder / "report.html")


def test_every_part_is_in_its_place(page: Page) -> None:
    of_schools = [
        "Standings",
        "Along the crawl",
        "Compared with the baseline",
        "Every topic",
        "How well links were ranked",
    ]
    assert page.headings == [
        "Which strategy finds most?",
        "In short",
        "Contents",
        "schools, test topics",
        *of_schools,
        "schools, development topics",
        *of_schools,
        "What was tuned",
        "What the figures mean",
        "To do it again",
        "Worlds",
        "Strategies",
        "Topics",
        "The experiment file",
    ]


def test_the_page_needs_nothing_but_itself(page: Page, folder: Path) -> None:
    assert len(page.ids) == len(set(page.ids))
    anchors = [target.removeprefix("#") for target in page.targets if target.startswith("#")]
    files = [target for target in page.targets if not target.startswith("#")]
    assert anchors
    assert set(anchors) <= set(page.ids)
    assert files
    assert all(re.fullmatch(r"plots/[\w-]+\.(svg|png)", file) and (folder / file).is_file() for file in files)
    inside = re.findall(r"url\(([^)]*)\)", " ".join(page.styles))
    assert all(target.startswith("#") and target[1:] in page.ids for target in inside)
    assert not re.search(r"@import|http", " ".join(page.styles))


def test_strategies_stand_in_the_order_of_their_harvest_with_the_figures_of_the_results(
    page: Page, results: Results
) -> None:
    table = page.table("schools, test topics, budget 2n: means")
    assert table.column(0) == ["oracle", "shark", "best-first", "random"]
    means = {
        s.strategy: s.metrics["harvest"].mean for s in results.standings if (s.role, s.budget) == (Role.TEST, "2n")
    }
    assert table.column(1) == [figure(means[name]) for name in table.column(0)]


def test_duels_are_told_with_wins_and_losses_and_both_ps(page: Page, results: Results) -> None:
    table = page.table("budget n: harvest, compared with best-first")
    duel = next(d for d in results.duels if (d.role, d.one, d.budget, d.metric) == (Role.TEST, "shark", "n", "harvest"))
    row = table.rows[1 + table.column(0).index("shark")]
    assert row[2:5] == [str(duel.wins), str(duel.ties), str(duel.losses)]
    assert row[5:7] == [figure(duel.p), figure(duel.p_holm)]


def test_topics_for_development_and_for_test_never_meet(page: Page) -> None:
    last = topic_name(6)
    tested = page.table("schools, test topics, budget n: harvest on every topic").column(0)
    developed = page.table("schools, development topics, budget n: harvest on every topic").column(0)
    assert developed == [last]
    assert sorted(tested) == sorted(topic_name(number) for number in range(6))


def test_what_was_tuned_and_what_was_taken(page: Page) -> None:
    table = page.table("best-first: values tried")
    assert table.rows[1:] == [["yes", "2", ".322"], ["no", "4", ".311"], ["no", "0", ".301"]]


def test_all_that_is_needed_to_do_it_again(page: Page, results: Results) -> None:
    (world,) = results.worlds
    assert world.digest in page.text
    assert "links that lead out of the world are not followed" in page.text
    assert "*/index/*" in page.text
    assert 'baseline = "best-first"' in page.text
    assert f"scenthound {results.version}, seed {results.seed}" in page.text


def test_every_plot_is_there_twice_and_shows_something(page: Page, folder: Path) -> None:
    names = {path.stem for path in (folder / "plots").iterdir()}
    of_tests = [
        f"schools-test-{plot}" for plot in ("harvest", "recall", "baseline-n", "baseline-2n", "topics", "links")
    ]
    assert set(of_tests) <= names
    assert len(page.images) == len(names)
    assert all(len(alt) > 40 for alt in page.images)
    for name in names:
        root = ElementTree.fromstring((folder / "plots" / f"{name}.svg").read_bytes())
        assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 10
        assert drawn_share(folder / "plots" / f"{name}.png") > 0.01


def drawn_share(path: Path) -> float:
    """Return how much of a picture is not paper."""
    pixels = matplotlib.image.imread(BytesIO(path.read_bytes()), format="png")[:, :, :3]
    return float((np.abs(pixels - pixels[0, 0]).max(axis=2) > 0.05).mean())


def test_the_page_draws_in_its_own_colours_which_the_files_do_not_know(folder: Path) -> None:
    text = (folder / "report.html").read_text()
    plots = text[text.index('role="img"') :]
    assert not [colour.light for colour in COLOURS if colour.light in plots]
    assert "var(" not in (folder / "plots/schools-test-harvest.svg").read_text()


def test_the_best_is_named_with_its_lead_and_how_sure_that_is(results: Results) -> None:
    text = words(contests(results)[0])
    assert text.startswith("On 6 test topics of schools, with n fetches each, shark found .")
    assert "The baseline best-first found ." in text
    assert "with more on 6 of 6 topics. That may be chance (p = .094 after Holm's correction)." in text
    assert "To measure by: oracle ." in text
    assert text.endswith("With 2n fetches, shark leads too.")


def words(contest: Contest) -> str:
    return Page(tag("p", said(contest))).text


def test_a_lead_that_is_hardly_chance() -> None:
    (contest,) = contests(made_up(Plan(topics=12, draws=1, budgets=("n",), skills=FEW.skills)))
    assert "with more on 12 of 12 topics. That is hardly chance (p < .001 after" in words(contest)


def test_too_few_topics_are_said_to_be_too_few(tmp_path: Path) -> None:
    results = made_up(FEW)
    page = Page.of(write_report(results, tmp_path))
    assert "These are too few topics to tell" in page.text
    (row,) = page.table("harvest, compared with best-first").rows[1:]
    assert row[5:] == ["–", "–", "too few topics (3 topics)"]


def test_a_baseline_that_is_the_best_is_compared_with_the_next() -> None:
    (contest,) = contests(made_up(Plan(topics=8, draws=1, budgets=("n",), skills=FEW.skills, baseline="shark")))
    assert "shark found" in words(contest)
    assert "It is the baseline. Next comes best-first with ." in words(contest)


def test_one_strategy_on_one_topic_has_no_rival_and_no_interval(tmp_path: Path) -> None:
    results = made_up(Plan(topics=1, draws=1, budgets=("100",), skills={"breadth": 0.4}, baseline=""))
    page = Page.of(write_report(results, tmp_path))
    assert "Compared with the baseline" not in page.headings
    assert "On 1 topic of schools, with 100 fetches each, breadth found" in page.text
    assert "95 % interval" not in page.text


def test_nothing_crawled_gives_a_page_that_says_so(results: Results, tmp_path: Path) -> None:
    page = Page.of(write_report(replace(results, runs=(), standings=(), duels=()), tmp_path))
    assert "nothing to compare" in page.text
    assert not (tmp_path / "plots").exists()


def test_names_are_text_whatever_they_look_like(tmp_path: Path) -> None:
    odd = '<b>bold</b> & $x$ "quoted" 狩猟'
    plan = Plan(worlds=("a/b: c",), topics=2, draws=1, budgets=("n",), skills={odd: 0.4, "best-first": 0.3})
    page = Page.of(write_report(made_up(plan), tmp_path))
    assert odd in page.table("means").column(0)
    assert (tmp_path / "plots/a-b-c-test-harvest.png").is_file()


def test_worlds_whose_names_differ_in_signs_only_have_plots_of_their_own(tmp_path: Path) -> None:
    plan = Plan(worlds=("web 1", "web-1"), topics=2, draws=1, budgets=("n",), skills={"best-first": 0.3})
    page = Page.of(write_report(made_up(plan), tmp_path))
    assert len(page.ids) == len(set(page.ids))
    assert {path.stem for path in (tmp_path / "plots").glob("*harvest.svg")} == {
        "web-1-test-harvest",
        "web-1-test-2-harvest",
    }


def test_caps_on_pages_of_a_host_are_never_compared(tmp_path: Path) -> None:
    plan = Plan(topics=2, draws=1, budgets=("n",), host_caps=(0, 50), skills={"best-first": 0.3})
    parts = contests(made_up(plan))
    assert [part.heading for part in parts] == ["schools", "schools, at most 50 pages of a host"]
    assert all({run.host_cap for run in part.runs} == {part.host_cap} for part in parts)


@pytest.mark.slow
def test_twelve_strategies_with_long_names_on_eighty_topics(tmp_path: Path) -> None:
    skills = {f"a strategy with a long name (tunnel={n}, gamma=0.5)": 0.2 + 0.05 * n for n in range(12)}
    plan = Plan(topics=80, draws=1, skills=skills, baseline=next(iter(skills)))
    page = Page.of(write_report(made_up(plan), tmp_path))
    assert sorted(page.table("means").column(0)) == sorted(skills)
    assert len(page.table("harvest on every topic").column(0)) == 80


WRITE = """
import sys
from pathlib import Path
from tomllib import loads
from scenthound.lab.report import can_plot, write_report
from tests.lab.made_up_results import made_up
from tests.lab.test_report import FEW

if sys.argv[2] == "without matplotlib":
    sys.modules["matplotlib"] = None
write_report(made_up(FEW), Path(sys.argv[1]))
print(can_plot())
"""


def written_elsewhere(folder: Path, *, hash_seed: str, how: str = "") -> str:
    """Write the report of a small experiment in a process of its own, with another hash seed and locale."""
    folder.mkdir()
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "LC_ALL": "C", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", WRITE, str(folder), how], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_the_same_results_give_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert written_elsewhere(one, hash_seed="1") == "True"
    assert written_elsewhere(other, hash_seed="2") == "True"
    files = sorted(path.relative_to(one) for path in one.rglob("*.*"))
    assert len(files) > 5
    assert all((one / file).read_bytes() == (other / file).read_bytes() for file in files)


def test_without_matplotlib_there_are_tables_and_a_word_about_plots(tmp_path: Path) -> None:
    assert written_elsewhere(tmp_path / "bare", hash_seed="1", how="without matplotlib") == "False"
    page = Page.of(tmp_path / "bare/report.html")
    assert PLOTS_MISSING in page.text
    assert "pip install 'scenthound[lab]'" in PLOTS_MISSING
    assert page.images == []
    assert page.table("means").column(0) == ["shark", "best-first"]
    assert not (tmp_path / "bare/plots").exists()


def crawl(curve: Curve, *, wanted: int, fetched: int) -> RunResult:
    return RunResult(
        world="small",
        topic="Cycling",
        role=Role.TEST,
        draw=0,
        strategy="breadth",
        host_cap=0,
        wanted=wanted,
        fetched=fetched,
        stopped="",
        digest="",
        scores={},
        curve=curve,
    )


def test_a_crawl_that_ran_dry_keeps_its_recall_and_loses_harvest() -> None:
    run = crawl(Curve(at=(5, 10), harvest=(0.4, 0.5), judged=(0.4, 0.5), recall=(0.2, 0.5)), wanted=10, fetched=10)
    at = np.array([5.0, 10.0, 20.0])
    assert so_far(run, "harvest", at).tolist() == [0.4, 0.5, 0.25]
    assert so_far(run, "recall", at).tolist() == [0.2, 0.5, 0.5]


def test_curves_end_where_the_tables_say(results: Results) -> None:
    contest = contests(results)[0]
    along = axis(contest)
    assert along.shares
    assert along.place("2n") == along.at[-1] == 2.0
    assert along.place("100") is None
    curves = bands(contest, "harvest", along)
    for name, band in curves.items():
        mean = contest.mean(name, "2n")
        assert mean is not None
        assert band.mean[-1] == pytest.approx(mean.mean, abs=1e-6)
        assert band.low[-1] == pytest.approx(mean.low, abs=1e-6)
        assert band.high[-1] == pytest.approx(mean.high, abs=1e-6)


def test_budgets_in_fetches_are_drawn_in_fetches() -> None:
    (contest,) = contests(made_up(Plan(topics=2, draws=1, budgets=("50", "100"), skills={"breadth": 0.4})))
    along: Axis = axis(contest)
    assert not along.shares
    assert along.fetches(7)[-1] == 100


def test_an_experiment_is_written_so_that_it_can_be_read_again() -> None:
    told = {
        "title": 'A "title"',
        "budgets": ["n", 200],
        "settings": {"critic.kind": "bayes"},
        "world": [{"name": "demo", "demo": 7, "locked": ["*/index/*"]}],
        "strategy": [{"name": "shark", "kind": "shark", "crawl.tunnel": 0, "tune": {"gamma": [0.1, 0.5]}}],
    }
    assert loads(experiment_text({**told, "about": "", "labels": None})) == told


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_of_an_experiment_comes_back(text: str) -> None:
    assert loads(experiment_text({"about": text})) == {"about": text}


def test_equals_are_not_ranked_in_words() -> None:
    results = made_up(Plan(topics=8, draws=1, budgets=("n",), skills={"best-first": 0.5, "breadth": 0.2}))
    twin = [replace(run, strategy="twin") for run in results.runs if run.strategy == "best-first"]
    runs = (*results.runs, *twin)
    both = replace(
        results,
        runs=runs,
        strategies=(*results.strategies, {"name": "twin", "kind": "best-first"}),
        standings=standings(runs, seed=7),
        duels=duels(runs, baseline="best-first", seed=7),
    )
    text = words(contests(both)[0])
    assert "as much as twin and more than any other. It is the baseline." in text
    assert "Next comes breadth with ." in text
    assert "the two are alike on 8 topics." in words(contests(with_baseline(both, "twin"))[0])


def with_baseline(results: Results, name: str) -> Results:
    """Return the results of the same crawls, compared with another strategy."""
    fought = duels(results.runs, baseline=name, seed=results.seed)
    return replace(results, duels=fought, experiment={**results.experiment, "baseline": name})


@given(st.lists(st.floats(0, 100), min_size=1, max_size=15), st.floats(0.5, 12))
def test_labels_are_moved_apart_in_order_and_stay_on_the_paper(places: list[float], gap: float) -> None:
    moved = spread(places, gap=gap, low=0, high=100)
    order = sorted(range(len(places)), key=lambda index: (places[index], index))
    steps = [moved[after] - moved[before] for before, after in pairwise(order)]
    room = 100 / max(1, len(places) - 1)
    assert all(step >= min(gap, room) - 1e-6 for step in steps)
    assert min(moved) >= -1e-6
    assert max(moved) <= 100 + 1e-6


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8).filter(lambda values: min_gap(values) >= 5))
def test_labels_with_room_enough_are_left_where_they_are(places: list[float]) -> None:
    assert spread(places, gap=5, low=0, high=100) == pytest.approx(places)


def min_gap(values: list[float]) -> float:
    ordered = sorted(values)
    return min((after - before for before, after in pairwise(ordered)), default=100)


def test_long_names_that_differ_stay_different_when_shortened() -> None:
    names = [f"a strategy with a long name (tunnel={n}, gamma=0.5)" for n in range(12)]
    short = short_names([*names, "ache"], 18)
    assert len(set(short.values())) == 13
    assert all(len(name) <= 18 for name in short.values())
    assert short["ache"] == "ache"


def test_no_two_of_twelve_strategies_look_alike() -> None:
    names = [f"strategy {n}" for n in range(12)]
    found = looks(names, references={"strategy 3", "strategy 7"})
    assert len({(look.colour, look.dash) for look in found.values()}) == 12
    assert [name for name, look in found.items() if look.reference] == ["strategy 3", "strategy 7"]


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_to_be_read_stands_out(dark: bool) -> None:
    def shade(colour: Colour) -> list[float]:
        code = colour.dark if dark else colour.light
        return [int(code[place : place + 2], 16) / 255 for place in (1, 3, 5)]

    deepest = [DEEPEST / 100 * b + (1 - DEEPEST / 100) * p for b, p in zip(shade(SERIES[0]), shade(PAPER), strict=True)]
    assert all(contrast(shade(colour), shade(PAPER)) >= 4.5 for colour in (INK, MUTED, SERIES[0]))
    assert all(contrast(shade(colour), shade(PAPER)) >= 3 for colour in SERIES)
    assert contrast(shade(INK), deepest) >= 5.5


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast of two colours after WCAG 2.1."""
    weights = (0.2126, 0.7152, 0.0722)
    light, dark = sorted(
        (sum(w * linear(c) for w, c in zip(weights, x, strict=True)) for x in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


@given(st.text() | st.text(st.sampled_from("<>&;#/'\"abx ")))
def test_text_comes_out_of_the_page_as_it_went_in(text: str) -> None:
    clean = text.replace("\r", " ").replace("\x00", " ")
    page = Page(tag("p", clean, title=clean) + join(Markup("<br>")))
    assert "".join(page.texts) == clean


def test_bold_is_the_best_contender_and_nobody_where_all_are_equal(folder: Path) -> None:
    text = (folder / "report.html").read_text()
    table = text[text.index("<caption>schools, test topics, budget n: means") :]
    rows = table[: table.index("</table>")].split("<tr>")[1:]
    bold = {re.sub(r"<.*?>", "", row)[:5]: row.count("<b ") for row in rows[1:]}
    assert bold["shark"] > 5
    assert bold["oracl"] == bold["rando"] == 0
    others = text[text.index("<caption>schools, test topics, budget n: other") :]
    wasted = re.findall(r'<(b|span) class="mean">\.000</', others[: others.index("</table>")])
    assert wasted
    assert set(wasted) == {"span"}
