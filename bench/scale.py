"""Whether a page costs the same when the frontier is a hundred times larger: 50,000 against 5,000,000 waiting URLs.

The measuring is done by frontier_scale.py, which lets a small and a large store do the same work in turns.
"""

from bench.figures import Figure, Report, at_most
from bench.scripts import as_text, number_in, script_output

LIMIT = 1200.0
QUICK = ("--small", "5000", "--large", "50000", "--pages", "400")


def run(*, quick: bool = False) -> Report:
    """Run the script, and take over the figures that have goals."""
    return report(script_output("frontier_scale", *(QUICK if quick else ()), limit=LIMIT))


def report(output: str) -> Report:
    return Report(
        figures=(
            Figure(
                name="claim and record, small frontier, mean",
                value=number_in(output, r"waiting +NUMBER +NUMBER +(NUMBER)"),
                unit="µs a page",
            ),
            Figure(
                name="claim and record, large frontier, mean",
                value=number_in(output, r"waiting.*\n.*waiting +NUMBER +NUMBER +(NUMBER)"),
                unit="µs a page",
            ),
            Figure(
                name="large over small, mean",
                value=number_in(output, r"ratio +NUMBER +NUMBER +(NUMBER)"),
                unit="×",
                goal=at_most(1.5),
            ),
            # Half of the batches are below it; what the take-over of the log costs now and then is not in it.
            Figure(name="large over small, median", value=number_in(output, r"medians .* ratio (NUMBER)"), unit="×"),
            Figure(
                name="resident memory", value=number_in(output, r"memory (NUMBER) MB"), unit="MB", goal=at_most(600)
            ),
        ),
        text=(as_text("frontier_scale", output),),
    )
