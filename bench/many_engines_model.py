"""A crawl of a billion URLs by fifty engines, reckoned from what was measured on a small scale.

Nothing of that size is run. A page is a customer of four stations: its engine (reading, judging), the server's turn to
write, the network, and the hosts' pauses. The rest is arithmetic on measured costs, which are printed as assumptions.
The lag of models and of takeovers is simulated: engines teach, sleep and die at random.
"""

import random
from dataclasses import dataclass
from math import log2

from bench.figures import Figure, Report, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What other benches measured; each line says which."""

    turn_ms: float = 1.83  # server's time a page of 40 links at 10^6 URLs: `bench server_store`
    growth: float = 0.05  # of it for each doubling of the URLs: assumed, a B-tree's depth; 10^5 to 10^6 were measured
    round_trip_ms: float = 0.5  # messages of a batch within the turn, on a local network: assumed
    batch: int = 20  # pages of one transaction: `bench server_store`
    engine_ms: float = 15.1  # processor time of an engine a page as shipped: `bench throughput`
    cores: float = 2.0  # of an engine's machine: assumed
    url_bytes: float = 427  # with indexes: `bench server_store` at 10^6 URLs
    link_bytes: float = 170  # with indexes: the same
    page_bytes: float = 8_000  # row, terms, lesson: assumed
    archive_bytes: float = 12_000  # of a page in WARC, compressed: assumed
    links: int = 40  # of a page
    new_urls: float = 15  # of them: `bench server_store`
    lease: float = 30.0  # seconds: store.lease
    renewal: float = 10.0
    look: float = 2.0  # seconds between two looks of an engine at shared files
    died_hours: float = 24.0  # mean time between deaths of one machine: assumed


def run(*, quick: bool = False) -> Report:
    """Reckon sizes, speeds and lags for 10^6 to 10^9 URLs and 1 to 50 engines."""
    known = Measured()
    figures: list[Figure] = []
    for urls in (10**6, 10**7, 10**8, 10**9):
        pages = urls / known.new_urls
        size = urls * known.url_bytes + pages * (known.links * known.link_bytes + known.page_bytes)
        said = f"10^{round(log2(urls) / log2(10))} URLs"
        figures += [
            Figure(name=f"{said}: rows of URLs, links and pages", value=urls * 2 + pages * (known.links + 4)),
            Figure(name=f"{said}: gigabytes on the server", value=size / 1e9),
            Figure(name=f"{said}: gigabytes of archive", value=pages * known.archive_bytes / 1e9),
            Figure(name=f"{said}: server's time a page", value=turn_ms(known, urls), unit="ms"),
        ]
    for engines in (1, 4, 10, 50):
        speed = pages_per_second(known, engines=engines, urls=10**9)
        days = 10**9 / known.new_urls / speed / 86_400
        figures += [
            Figure(name=f"{engines} engines, 10^9 URLs: pages a second", value=speed),
            Figure(name=f"{engines} engines, 10^9 URLs: days for its pages", value=days),
        ]
    lags = simulated_lags(known, engines=50, deaths=100 if quick else 10_000)
    figures += [
        Figure(name="50 engines: seconds from a death to the takeover, mean", value=sum(lags) / len(lags), unit="s"),
        Figure(name="50 engines: the same, longest", value=max(lags), unit="s"),
        Figure(name="50 engines: share of hosts that wait for a takeover", value=idle_share(known, lags)),
        Figure(name="50 engines: seconds until all have a new critic, longest", value=2 * known.look, unit="s"),
    ]
    return Report(figures=tuple(figures), text=(assumptions(known),))


def turn_ms(known: Measured, urls: float) -> float:
    """Return the server's time a page: the measured one, and a little more for each doubling beyond a million."""
    return known.turn_ms * (1 + known.growth * max(0.0, log2(urls / 10**6)))


def pages_per_second(known: Measured, *, engines: int, urls: float) -> float:
    """Return the speed of all engines: that of the slowest station, where engines take turns at the server.

    With the machines' time E for a batch and the turn's time T, n engines that never wait would do n batches in E + T.
    The turn allows one in T. Between the two, the asymptotic bounds of a closed network of queues (Denning & Buzen 1978)
    hold, and the truth is below both.
    """
    turn = known.batch * turn_ms(known, urls) + known.round_trip_ms
    own = known.batch * known.engine_ms / known.cores
    batches = min(engines / (own + turn), 1 / turn)
    return 1000 * known.batch * batches


def simulated_lags(known: Measured, *, engines: int, deaths: int, seed: int = 1) -> list[float]:
    """Return the seconds from each of many deaths to the next claim of any engine after the lease's end."""
    chance = random.Random(seed)
    claims = pages_per_second(known, engines=engines, urls=10**9) / known.batch  # turns a second
    lags = []
    for _ in range(deaths):
        since_renewal = chance.uniform(0.0, known.renewal)
        lags.append(known.lease - since_renewal + chance.expovariate(claims))
    return lags


def idle_share(known: Measured, lags: list[float]) -> float:
    """Return the part of hosts that belong to a dead engine at any moment."""
    return sum(lags) / len(lags) / (known.died_hours * 3600)


def assumptions(known: Measured) -> str:
    told = ", ".join(f"{name} {number(getattr(known, name))}" for name in Measured.__dataclass_fields__)
    return f"Measured or assumed (bench/many_engines_model.py says which): {told}."
