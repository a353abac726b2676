"""The report of an experiment: made-up results in, a page to be read and plots to be seen out."""

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.image
import numpy as np
import pytest
from msgspec.structs import replace

from scenthound.lab.experiment.values import Results, Role
from scenthound.lab.metrics.statistics import duels, standings
from scenthound.lab.report import PLOTS_MISSING, write_report
from scenthound.lab.report.contests import Contest, contests
from scenthound.lab.report.markup import tag
from scenthound.lab.report.numbers import figure
from scenthound.lab.report.palette import COLOURS
from scenthound.lab.report.summary import said
from tests.lab.made_up_results import FEW, SMALL, Plan, made_up, topic_name
from tests.lab.report_page import Page
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow


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


def test_the_page_begins_with_what_became_of_links_that_lead_out(page: Page) -> None:
    before, _, _ = page.text.partition("Contents")
    assert "Links that lead out of schools are invisible: they are not followed and cost nothing." in before


def test_unique_pages_and_relevant_hosts_stand_beside_the_harvest_at_every_budget(page: Page) -> None:
    for budget in ("n", "2n"):
        table = page.table(f"schools, test topics, budget {budget}: means")
        assert table.rows[0][1:4] == ["harvest", "unique harvest", "relevant hosts"]


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
    assert "invisible: they are not followed and cost nothing" in page.text
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


def test_twelve_strategies_with_long_names_on_thirty_topics(tmp_path: Path) -> None:
    skills = {f"a strategy with a long name (tunnel={n}, gamma=0.5)": 0.2 + 0.05 * n for n in range(12)}
    plan = Plan(topics=30, draws=1, skills=skills, baseline=next(iter(skills)))
    page = Page.of(write_report(made_up(plan), tmp_path))
    assert sorted(page.table("means").column(0)) == sorted(skills)
    assert len(page.table("harvest on every topic").column(0)) == 30


WRITE = """
import sys
from pathlib import Path
from tomllib import loads
from scenthound.lab.report import can_plot, write_report
from tests.lab.made_up_results import FEW, SMALL, Plan, made_up, topic_name
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
        [sys.executable, "-c", WRITE, str(folder), how],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_same_results_give_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert written_elsewhere(one, hash_seed="1") == "True"
    other.mkdir()
    write_report(made_up(FEW), other)  # the hash seed of this process is drawn by chance
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
