"""Classification in the database: BulkProbe against SingleProbe, a page, and both against the critic in memory.

RELATIONAL's joins and lookups over a made-up collection, as in `python -m papers relational-probe`: a taxonomy of three
levels, 500 terms that tell topics apart at each inner topic, pages of some 500 terms. Processor time, all ways in turns
in one process. The factor hangs on how many of a page's terms an inner topic looks at, so the same is measured with
20,000 of them, which is what the critic takes unless told otherwise: nearly all.
"""

from bench.figures import Figure, Report, at_least, at_most
from papers.relational.probe import Probed, measured
from scenthound.judge.probe.single import Records

FEATURES = 20_000


def run(*, quick: bool = False) -> Report:
    """Measure with few features and with nearly all."""
    few = measured(quick=quick)
    return report(few, measured(quick=quick, features=FEATURES))


def report(few: Probed, most: Probed) -> Report:
    return Report(
        figures=(
            Figure(name="SingleProbe over STAT", value=few.single[Records.STAT], unit="ms a page"),
            Figure(name="SingleProbe over BLOB", value=few.single[Records.BLOB], unit="ms a page"),
            Figure(name="BulkProbe", value=few.bulk, unit="ms a page"),
            Figure(name="the critic in memory", value=few.critic, unit="ms a page"),
            Figure(
                name="SingleProbe over STAT : BulkProbe", value=few.ratio(Records.STAT), unit="×", goal=at_least(10)
            ),
            Figure(
                name="SingleProbe over BLOB : BulkProbe", value=few.ratio(Records.BLOB), unit="×", goal=at_least(10)
            ),
            Figure(name="with nearly all terms, STAT : BulkProbe", value=most.ratio(Records.STAT), unit="×"),
            Figure(name="with nearly all terms, BLOB : BulkProbe", value=most.ratio(Records.BLOB), unit="×"),
            Figure(
                name="greatest difference of two probabilities",
                value=max(few.difference, most.difference),
                goal=at_most(1e-9),
            ),
        ),
    )
