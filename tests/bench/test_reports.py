"""Reports made from what programs print: stages, scale and the first hour, each from a sample of that output."""

import sys

import pytest

from bench.demo_time import bare_environment, closing_line, failures
from bench.fuzz import report as fuzz_report
from bench.running import ProgramFailedError
from bench.scale import report as scale_report
from bench.scripts import number_in
from bench.stages import account_of
from bench.stages import report as stages_report

pytestmark = pytest.mark.slow

SCALE = """\
            per page, µs    claim   record     both
          50,000 waiting       91      462      553
       5,000,000 waiting      110      601      711
                   ratio     1.21     1.30     1.29
medians 540 and 1,650, ratio 1.22
largest resident memory 214 MB
"""


def test_stages_become_milliseconds_a_page_in_the_order_of_the_flow() -> None:
    account = account_of({"pages": 500, "seconds": 2.0, "stages": {"judge": 0.1, "record": 0.5, "read": 1.0}})
    assert account.stages == pytest.approx({"read": 2.0, "record": 1.0, "judge": 0.2})
    found = stages_report(account, "")
    assert "| read | reader processes |" in found.text[0]
    assert "| 62 % |" in found.text[0]
    assert "read: 2.00 ms (62 %)" in found.pictures["stages.svg"]


def test_the_figures_of_the_scale_script_are_found() -> None:
    figures = {figure.name: figure for figure in scale_report(SCALE).figures}
    assert figures["claim and record, small frontier, mean"].value == 553
    assert figures["claim and record, large frontier, mean"].value == 711
    assert figures["large over small, mean"].value == 1.29
    assert figures["large over small, mean"].verdict == "met"
    assert figures["large over small, median"].value == 1.22
    assert figures["resident memory"].value == 214


def test_the_figures_of_the_fuzz_script_are_found() -> None:
    closing = (
        "500 mutations of 1500 pages in 4 s with 2 processes: 1 broken, 5.2 ms on average, "
        "slowest 0.61 s (number 17), memory grew by at most -3 MB"
    )
    figures = {figure.name: figure for figure in fuzz_report(closing, 500).figures}
    assert figures["mutations read"].verdict == "met"
    assert figures["crashes, hangs and wrong leaves"].verdict == "short"
    assert figures["slowest"].value == 0.61
    assert figures["memory grown by"].value == -3


def test_a_figure_that_is_not_there_is_an_error_and_not_a_zero() -> None:
    with pytest.raises(ProgramFailedError, match="no figure like"):
        number_in("nothing of the kind", r"ratio (NUMBER)")


def test_a_newcomer_has_not_got_our_python() -> None:
    environment = bare_environment(f"{sys.prefix}/bin:/usr/bin:/bin")
    assert environment["PATH"] == "/usr/bin:/bin"
    assert set(environment) == {"PATH", "HOME"}


def test_the_closing_line_of_the_tests_is_found() -> None:
    output = "....\n=== short summary ===\n==== 1 failed, 20 passed, 2 errors in 3.21s ====\nmake: *** [fast] Error 1\n"
    assert closing_line(output) == "1 failed, 20 passed, 2 errors in 3.21s"
    assert failures(closing_line(output)) == 3
