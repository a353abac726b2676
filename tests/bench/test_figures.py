"""Figures, their goals, the closing table, the kept results and the page written from them."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bench.__main__ import BENCHES, close, main
from bench.account import Account
from bench.figures import Figure, Report, Row, at_least, at_most, plain_table
from bench.picture import Part, bars, stacked_bar
from bench.results import load, result_of, save
from bench.throughput import Lap, report

pytestmark = pytest.mark.slow

SPEED = Figure(name="speed over Scrapy", value=6.25, unit="×", goal=at_least(5))
TORN = Figure(name="torn records", value=2, goal=at_most(0))


def test_a_goal_is_met_or_not() -> None:
    assert SPEED.verdict == "met"
    assert TORN.verdict == "short"
    assert Figure(name="pages", value=3).verdict == ""


def test_the_closing_table_has_figure_goal_and_verdict() -> None:
    *_, speed, torn = plain_table([Row(bench="kills", figure=SPEED), Row(bench="kills", figure=TORN)]).splitlines()
    assert speed.split() == ["kills", "speed", "over", "Scrapy", "6.25", "×", "at", "least", "5", "met"]
    assert torn.split()[-1] == "short"
    assert speed.index("6.25") + 4 <= torn.index("at most")


def test_a_bench_that_falls_short_makes_the_exit_code_one(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = (result_of("kills", "", Report(figures=(figure,)), 1.0) for figure in (SPEED, TORN))
    assert close([good]) == 0
    assert close([good, bad]) == 1
    assert "1 of 2 goals met" in capsys.readouterr().out


def test_a_skipped_bench_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert close([result_of("kills", "", Report(skipped="no archive"), 0.0)]) == 0
    assert "skipped: kills: no archive" in capsys.readouterr().out


def test_a_bench_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "nonsense is not a bench" in capsys.readouterr().err


def test_results_of_other_benches_are_kept(tmp_path: Path) -> None:
    file, page = tmp_path / "results.json", tmp_path / "docs" / "figures.md"
    picture = Report(figures=(SPEED,), text=("![bars](speed.svg)",), pictures={"speed.svg": "<svg/>"})
    save({"throughput": result_of("throughput", "How fast.", picture, 3.0)}, file=file, page=page)
    save({"kills": result_of("kills", "What is lost.", Report(figures=(TORN,)), 3.0)}, file=file, page=page)
    assert [result.report.figures for result in load(file).values()] == [(TORN,), (SPEED,)]
    assert "| throughput | speed over Scrapy | 6.25 × | at least 5 | met |" in page.read_text()
    assert (page.parent / "speed.svg").read_text() == "<svg/>"


def test_every_bench_has_a_module_with_a_first_screen() -> None:
    folder = Path(__file__).parents[2] / "bench"
    for name in BENCHES:
        module = folder / f"{name}.py"
        text = (module if module.exists() else folder / name / "__init__.py").read_text(encoding="utf-8")
        assert text.startswith('"""')
        assert re.search(r"\ndef run\(\*, quick: bool = False(, [^)]*)?\) -> Report:", text)


def test_throughput_compares_medians_so_that_one_noisy_round_does_not_count() -> None:
    def laps(*seconds: float) -> list[Lap]:
        return [Lap(pages=100, process=each, cpu=each, server_cpu=0.1) for each in seconds]

    account = Account(pages=100, seconds={"judge": 0.1, "readers": 0.3})
    turns = {
        "scenthound": laps(1, 1, 9),
        "unjudged": laps(1, 1, 1),
        "Scrapy": laps(8, 30, 8),
        "bare loop": laps(1, 1, 1),
    }
    found = report(turns, account, web="a web")
    ratio = next(figure for figure in found.figures if figure.unit == "×")
    assert ratio.value == pytest.approx(8)
    assert ratio.verdict == "met"
    assert found.figures[-1].value == pytest.approx(1 / 8)
    assert found.text[1].count("\n") == 1 + 12
    assert "| readers | reader processes |" in found.text[-1]
    assert "| **4.00** | 100 % |" in found.text[-1]


@pytest.mark.parametrize(
    "drawn", [stacked_bar("A <page>", [Part(label="x & y", value=1)], unit="ms"), bars("Speed", [])]
)
def test_pictures_are_well_formed(drawn: str) -> None:
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"


def test_bars_share_one_scale() -> None:
    drawn = ElementTree.fromstring(bars("Speed", [Part(label="a", value=10), Part(label="b", value=5)]))
    widths = [float(shape.get("width", 0)) for shape in drawn.iter() if shape.get("height") == "18"]
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.1)
