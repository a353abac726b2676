"""How often pairs of topics are called more or fewer than by chance where only chance is at work, and where it is not.

Each made web has sites of one topic each. A site has many links or few, and its own few favourites among all topics,
whatever its own topic is: nothing is real but the pair that is planted. `python -m bench.company`.
"""

import argparse

import numpy as np
from scipy.sparse import csr_array

from bench.figures import Figure, Report, at_most, markdown_table
from scenthound.services.company.chance import Odds, false_discovery_rate, odds

TOPICS = 14
SITES = 210
LINKS = 60  # of a site, in the middle
FAVOURITES = 2.0  # concentration of the Dirichlet distribution; the smaller, the fewer
PLANTED = 3.0  # times chance
RATE = 0.05


def run(*, quick: bool = False, webs: int = 0) -> Report:
    """Return how many pairs are marked by intervals alone, and by the false discovery rate."""
    draw, rows = np.random.default_rng(20), []
    many = webs or (20 if quick else 200)
    for planted in (1.0, PLANTED):
        marked = np.array([_marked(_web(draw, planted)) for _ in range(many)])
        rows.append([planted, *marked.mean(axis=0)])
    false, planted_row = rows
    figures = (
        Figure(name="pairs of 196 marked by intervals where chance is alone", value=false[1]),
        Figure(name="the same by the false discovery rate", value=false[2], goal=at_most(0.5)),
        Figure(name="a planted pair is marked by intervals", value=planted_row[3]),
        Figure(name="a planted pair is marked by the false discovery rate", value=planted_row[4]),
    )
    heads = ["planted, times chance", "by intervals", "by rate", "planted one by intervals", "planted one by rate"]
    return Report(figures=figures, text=(markdown_table(heads, [[f"{cell:.2f}" for cell in row] for row in rows]),))


def _web(draw: np.random.Generator, planted: float) -> csr_array:
    """Return the links of each site, by pairs of topics; topic 0 cites topic 1 more than others do."""
    table = np.zeros((SITES, TOPICS, TOPICS))
    for site in range(SITES):
        mix = draw.dirichlet(np.full(TOPICS, FAVOURITES))
        topic = site % TOPICS
        mix[1] *= planted if topic == 0 else 1.0
        table[site, topic] = draw.multinomial(round(draw.lognormal(np.log(LINKS), 0.7)), mix / mix.sum())
    return csr_array(table.reshape(SITES, TOPICS * TOPICS))


def _marked(web: csr_array) -> tuple[float, float, float, float]:
    found = odds(web, TOPICS)
    rates = np.array(false_discovery_rate(found.p.ravel().tolist())).reshape(TOPICS, TOPICS)
    by_interval, by_rate = _outside(found), rates <= RATE
    return by_interval.sum(), by_rate.sum(), by_interval[0, 1], by_rate[0, 1]


def _outside(found: Odds) -> np.ndarray:
    return (found.low > 1) | (found.high < 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--webs", type=int, default=50)
    report = run(webs=parser.parse_args().webs)
    print(*report.text, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
