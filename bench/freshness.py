"""The freshness of a collection with visits by due date, against visits in turn, with equal requests.

Pages of a made-up web change by chance, each at a rate of its own, over half a year. Every day the calendar that ships
says which pages are due, and so many of them as the budget allows are visited, best first. Then the same days are gone
through again with as many requests on each day, to the pages that were not visited for longest. A page is fresh if it
has not changed since its last visit; that is looked at every noon, after the first month. "changes" is the calendar
with revisit.aim = "changes". Nothing is fetched, and the pages are all worth the same: what is measured is the choice.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from bench.figures import Figure, Report, at_least, markdown_table
from scenthound.crawl.revisit.calendar import Calendar
from scenthound.frontier.rates import DAY, Floats
from scenthound.settings.schema import RevisitSettings
from scenthound.store.indexed.store import IndexedStore
from scenthound.types import Claim, Discovery, Ending, Fetch, Limits, Link, Outcome, Reading

PAGES, HOSTS, DAYS, MONTH = 400, 20, 180, 30
BUDGETS = (10, 40)  # requests a day: each page is visited every 40, or every 10 days if all are visited alike
FREE = Limits(delay=0.0, per_host=1000, per_domain=0, per_ip=0, robots=False, again=True)

Choose = Callable[[IndexedStore, int], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """A web of pages with their hosts, and the moments at which each changes."""

    name: str
    hosts: tuple[int, ...]
    changes: tuple[Floats, ...]

    def changed(self, page: int, since: float, until: float) -> bool:
        first, last = np.searchsorted(self.changes[page], [since, until], side="right")
        return bool(last > first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """Half a year of visits: the share of pages that were fresh, the changes found, and the requests of each day."""

    fresh: float
    found: int
    asked: tuple[int, ...]


def run(*, quick: bool = False) -> Report:
    """Compare the policies on three webs."""
    days = 60 if quick else DAYS
    rows: list[list[str]] = []
    figures: list[Figure] = []
    for web in webs(seed=1, days=days):
        for budget in BUDGETS:
            due, changes, alike = compared(web, budget=budget, days=days)
            rows.append(_row(web, budget, due, changes, alike))
            print("  " + ", ".join(rows[-1]), flush=True)
            goal = at_least(0.0) if web.name != "all alike" else None
            name = f"fresh pages, lead over visits in turn, {web.name}, {budget} a day"
            figures.append(Figure(name=name, value=due.fresh - alike.fresh, goal=goal))
    headings = ["web", "requests a day", "fresh: due by rate", "visits in turn", 'aim "changes"',
                "changes found: due by rate",
                "in turn", 'aim "changes"']  # fmt: skip
    return Report(figures=tuple(figures), text=(markdown_table(headings, rows, right=range(1, 8)),))


def _row(web: Web, budget: int, due: Half, changes: Half, alike: Half) -> list[str]:
    fresh = [f"{half.fresh:.3f}" for half in (due, alike, changes)]
    return [web.name, f"{sum(due.asked) / len(due.asked):.1f} of {budget}", *fresh,
            *(f"{half.found:,}" for half in (due, alike, changes))]  # fmt: skip


def webs(*, seed: int, days: int) -> list[Web]:
    """Make webs: hosts of different liveliness, mostly pages that never change, and pages that are all alike."""
    draw = np.random.default_rng(seed)
    hosts = draw.integers(0, HOSTS, PAGES)
    host_spans = np.exp(draw.normal(np.log(20), 1.5, HOSTS))
    mixed = host_spans[hosts] * np.exp(draw.normal(0, 1, PAGES))
    kinds = draw.choice(3, PAGES, p=[0.6, 0.3, 0.1])
    still = np.choose(kinds, [1e6, 10 * np.exp(draw.normal(0, 0.5, PAGES)), 0.05])
    spans = {"hosts differ": mixed, "mostly still": still, "all alike": np.full(PAGES, 20.0)}
    return [
        Web(name=name, hosts=tuple(hosts.tolist()), changes=tuple(_moments(draw, span, days) for span in of.tolist()))
        for name, of in spans.items()
    ]


def _moments(draw: np.random.Generator, span: float, days: int) -> Floats:
    number = draw.poisson((days + 1) / span)
    return np.sort(draw.uniform(0, (days + 1) * DAY, number))


def compared(web: Web, *, budget: int, days: int) -> tuple[Half, Half, Half]:
    """Go through the same days with the calendar, with its other aim, and with visits in turn."""
    due = half_a_year(web, days, lambda store, day: by_calendar(store, day, RevisitSettings())[:budget])
    aim = RevisitSettings(aim="changes")
    changes = half_a_year(web, days, lambda store, day: by_calendar(store, day, aim)[: due.asked[day - 1]])
    alike = half_a_year(web, days, lambda store, day: in_turn(store)[: due.asked[day - 1]])
    return due, changes, alike


def by_calendar(store: IndexedStore, day: int, settings: RevisitSettings) -> list[str]:
    due = Calendar(store, settings, now=day * DAY).due()
    return [page.url for page in sorted(due, key=lambda page: (-page.benefit, page.url))]


def in_turn(store: IndexedStore) -> list[str]:
    pages = store.visited(limit=PAGES)
    return [page.url for page in sorted(pages, key=lambda page: (page.visits[-1].at, page.id))]


def half_a_year(web: Web, days: int, choose: Choose) -> Half:
    """Visit pages day by day."""
    store = crawled(web)
    last, fresh, asked, found = [0.0] * PAGES, list[float](), list[int](), 0
    for day in range(1, days + 1):
        now = day * DAY
        chosen = choose(store, day)
        store.revisit(dict.fromkeys(chosen, 0), now=now)
        for claim in store.claim(owner="bench", now=now, limit=PAGES, limits=FREE, lease=600.0):
            page = number_of(claim)
            news = web.changed(page, last[page], now)
            store.record([visit(claim, now, news=news)], now=now, archived={})
            last[page], found = now, found + news
        asked.append(len(chosen))
        if day > min(MONTH, days // 2):
            fresh.append(sum(not web.changed(page, last[page], now + DAY / 2) for page in range(PAGES)) / PAGES)
    return Half(fresh=float(np.mean(fresh)), found=found, asked=tuple(asked))


def crawled(web: Web) -> IndexedStore:
    """Return a crawl that has fetched all pages on day 0."""
    store = IndexedStore()
    store.add([_find(page, host) for page, host in enumerate(web.hosts)], now=0.0)
    for claim in store.claim(owner="bench", now=0.0, limit=PAGES, limits=replace(FREE, again=False), lease=600.0):
        store.record([visit(claim, 0.0, news=True)], now=0.0, archived={})
    return store


def _find(page: int, host: int) -> Discovery:
    name = f"host{host}.test"
    return Discovery(link=Link(url=f"http://{name}/{page}"), host=name, domain=name, depth=0)


def number_of(claim: Claim) -> int:
    return int(claim.url.rpartition("/")[2])


def visit(claim: Claim, now: float, *, news: bool) -> Outcome:
    """Return what a visit gives: another text, or the answer that nothing has changed."""
    fetch = Fetch(url=claim.url, started=now, finished=now, status=200 if news else 304)
    ending = Ending.PAGE if news else Ending.UNCHANGED
    reading = Reading(digest=f"{claim.url} {now}") if news else None
    return Outcome(claim=claim, ending=ending, finished=now, fetch=fetch, reading=reading)
