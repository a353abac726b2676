"""What crawls that were counted as live ones are say: means with intervals, the worst crawls first, and every topic."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

import msgspec

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from scenthound.lab.metrics.bootstrap import Bootstrap

ORACLE: Final = "oracle"
BEST_FIRST: Final = "best-first"
APPRENTICE: Final = "apprentice"
WORST: Final = 12  # crawls that a report shows
SAFE: Final = 0.03  # below best-first, which no crawl should be

Task = tuple[str, str, int]  # a web, a topic, a draw
Crawl = tuple[str, str, int, str]  # the same, and an order


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One crawl. `judged` is the mean relevance by its own critic, `vain` counts requests that brought no page."""

    web: str
    topic: str
    draw: int
    order: str
    counted: int
    fetched: int
    harvest: float
    judged: float
    hosts: int  # of relevant pages
    unique: int  # relevant pages, near-duplicates once
    early: int = 0  # those of them among the first half of what counts; 0 in files from before this was counted
    vain: int
    seconds: float

    @property
    def task(self) -> Task:
        return self.web, self.topic, self.draw

    @property
    def crawl(self) -> Crawl:
        return self.web, self.topic, self.draw, self.order


def kept_rows(path: Path) -> list[Row]:
    """Return the crawls of a file, each once; one that is not there has none."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    rows = (msgspec.json.decode(line, type=Row) for line in lines)
    return list({row.crawl: row for row in rows}.values())


def keep_row(path: Path, row: Row) -> None:
    """Add a crawl to a file."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(row) + b"\n")


def report(rows: Sequence[Row]) -> Report:
    """Sum crawls up, web by web."""
    figures, text = list[Figure](), list[str]()
    for web in dict.fromkeys(row.web for row in rows):
        own = [row for row in rows if row.web == web]
        figures += _figures(web, own)
        text += [f"**{web}**", _means(own), _worst(own), _by_topic(own)]
    return Report(figures=tuple(figures), text=tuple(text))


def _figures(web: str, rows: Sequence[Row]) -> Iterator[Figure]:
    means = {order: mean(row.harvest for row in rows if row.order == order) for order in _orders(rows)}
    for order, value in means.items():
        goal = at_least(0.56) if (web, order) == ("schools", APPRENTICE) else None
        yield Figure(name=f"{web}: harvest, {order}", value=value, goal=goal)
    if APPRENTICE not in means or BEST_FIRST not in means:
        return
    goals = {"schools": 0.27}
    lower = 1.0 - (1.0 - means[APPRENTICE]) / max(1e-9, 1.0 - means[BEST_FIRST])
    yield Figure(name=f"{web}: loss below best-first's", value=lower, goal=at_least(goals.get(web, 0.2)))
    if ORACLE in means:
        goal = at_least(0.75) if web == "schools" else None
        yield Figure(name=f"{web}: share of the oracle's harvest", value=means[APPRENTICE] / means[ORACLE], goal=goal)
    below = sum(lead < -SAFE for lead in _leads(rows).values())
    yield Figure(name=f"{web}: crawls more than {SAFE} below best-first", value=below, goal=at_most(0))


def _orders(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.order for row in rows))


def _leads(rows: Sequence[Row]) -> dict[Task, float]:
    """Return the apprentice's lead over best-first in each task, worst first."""
    theirs = {row.task: row.harvest for row in rows if row.order == BEST_FIRST}
    leads = {row.task: row.harvest - theirs[row.task] for row in rows if row.order == APPRENTICE and row.task in theirs}
    return dict(sorted(leads.items(), key=lambda item: item[1]))


def _means(rows: Sequence[Row]) -> str:
    headings = [
        "order",
        "crawls",
        "harvest",
        "judged",
        "relevant hosts",
        "unique pages",
        "in the first half",
        "in vain",
        "seconds",
    ]
    lines = [_line(order, [row for row in rows if row.order == order]) for order in _orders(rows)]
    if leads := _leads(rows):
        lines.append(["lead over best-first", str(len(leads)), _interval(leads), *[""] * 6])
    return markdown_table(headings, lines, right=range(1, len(headings)))


def _line(order: str, rows: Sequence[Row]) -> list[str]:
    """Return what an order did on the average; topics are what an interval is drawn over."""
    line = [order, str(len(rows)), _interval({row.task: row.harvest for row in rows})]
    if order == ORACLE:
        return [*line, *[""] * 6]
    counts = [mean(getattr(row, name) for row in rows) for name in ("hosts", "unique", "early", "vain", "seconds")]
    return [*line, f"{mean(row.judged for row in rows):.2f}", *(f"{count:.1f}" for count in counts)]


def _interval(values: Mapping[Task, float]) -> str:
    """Return the mean over topics of the mean of their draws, with its interval."""
    topics = dict.fromkeys(task[1] for task in values)
    means = {one: mean(value for task, value in values.items() if task[1] == one) for one in topics}
    found = Bootstrap(seed=7).interval(means)
    return f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"


def _worst(rows: Sequence[Row]) -> str:
    by = {(row.task, row.order): row for row in rows}
    lines = []
    for task, lead in list(_leads(rows).items())[:WORST]:
        cells = [f"{by[task, order].harvest:.3f}" if (task, order) in by else "" for order in _orders(rows)]
        lines.append([task[1], str(task[2]), f"{lead:+.3f}", *cells, f"{by[task, APPRENTICE].judged:.2f}"])
    headings = ["worst crawls", "draw", "lead", *_orders(rows), "judged"]
    return markdown_table(headings, lines, right=range(1, len(headings)))


def _by_topic(rows: Sequence[Row]) -> str:
    """Return a line for each topic: the means of its draws, and the apprentice's lead in each draw."""
    leads = _leads(rows)
    lines = []
    for topic in dict.fromkeys(row.topic for row in rows):
        own = [row for row in rows if row.topic == topic]
        cells = [_short([row.harvest for row in own if row.order == order]) for order in _orders(rows)]
        draws = sorted((task[2], lead) for task, lead in leads.items() if task[1] == topic)
        lines.append([topic, *cells, ", ".join(f"{lead:+.2f}".replace("0.", ".") for _, lead in draws)])
    headings = ["topic", *_orders(rows), "lead in each draw"]
    return markdown_table(headings, lines, right=range(1, len(headings)))


def _short(harvests: Sequence[float]) -> str:
    return f"{mean(harvests):.2f}".replace("0.", ".") if harvests else ""
