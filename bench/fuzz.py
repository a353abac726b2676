"""Whether any page can break the reader: 50,000 mutilated pages, read in child processes with a time limit.

The mutilating and reading is done by fuzz_reading.py, which also tells how to make a single mutation again.
"""

from bench.figures import Figure, Report, at_least, at_most
from bench.scripts import as_text, number_in, script_output
from bench.serving import SCHOOLS, missing, webs_file

MUTATIONS = 50_000
QUICK_MUTATIONS = 500
LIMIT = 1500.0
SLOWEST_GOAL = 10.0  # seconds: after this a reader process is ended (read.timeout)
NEEDED = ("messy.warc.gz", SCHOOLS)


def run(*, quick: bool = False) -> Report:
    """Run the script, and take over its closing figures."""
    for name in NEEDED:
        if webs_file(name) is None:
            return Report(skipped=missing(name))
    wanted = QUICK_MUTATIONS if quick else MUTATIONS
    output = script_output("fuzz_reading", "--mutations", str(wanted), "--seed", "1", limit=LIMIT, accept=(0, 1))
    return report(output, wanted)


def report(output: str, wanted: int) -> Report:
    return Report(
        figures=(
            Figure(name="mutations read", value=number_in(output, r"(NUMBER) mutations of"), goal=at_least(wanted)),
            Figure(
                name="crashes, hangs and wrong leaves", value=number_in(output, r": (NUMBER) broken"), goal=at_most(0)
            ),
            Figure(name="mean", value=number_in(output, r"(NUMBER) ms on average"), unit="ms"),
            Figure(
                name="slowest", value=number_in(output, r"slowest (NUMBER) s"), unit="s", goal=at_most(SLOWEST_GOAL)
            ),
            Figure(name="memory grown by", value=number_in(output, r"at most (-?NUMBER) MB"), unit="MB"),
        ),
        text=(as_text("fuzz_reading", output),),
    )
