"""`scenthound lab show`: the results of an experiment, as tables or as JSON."""

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from scenthound.counted import count
from scenthound.lab.experiment.values import Duel, Interval, Results, Role, Standing, Tuning
from scenthound.lab.metrics.metric_table import by_name
from scenthound.lab.metrics.signed_rank import FEWEST
from scenthound.lab.report.background import outside_lines
from scenthound.lab.runs.results_file import read_results
from scenthound.terminal import say_json

MAIN = "harvest"
COLUMNS = ("unique", "relevant_hosts", "recall", "of_oracle", "gain")
_WIDE = 10_000  # a line is not broken where it is not a terminal that shows it
Place = tuple[str, Role, int, str]


def show_results(folder: Path, *, as_json: bool) -> int:
    """Print the results in a folder."""
    results = read_results(folder)
    if as_json:
        told = {
            "title": results.title,
            "worlds": results.worlds,
            "standings": results.standings,
            "duels": results.duels,
            "tunings": results.tunings,
        }
        say_json(told)
    else:
        print_standings(results)
    return 0


def print_standings(results: Results) -> None:
    """Print a table for each world, role, host cap and budget."""
    draw(Text(results.title, style="bold"))
    for line in outside_lines(results.worlds):
        draw(Text(line))
    for tuning in results.tunings:
        draw(Text(tuning_line(tuning)))
    for place, standings in groupby(results.standings, key=place_of):
        draw(Text())
        draw(
            table_of(
                place,
                list(standings),
                [duel for duel in results.duels if place_of(duel) == place],
                most_fetches=next((note.most_fetches for note in results.worlds if note.name == place[0]), 0),
            )
        )


def draw(what: RenderableType) -> None:
    """Print to stdout, without trailing blanks."""
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else _WIDE)
    with console.capture() as captured:
        console.print(what)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def place_of(one: Standing | Duel) -> Place:
    return one.world, one.role, one.host_cap, one.budget


def table_of(place: Place, standings: Sequence[Standing], duels: Sequence[Duel], *, most_fetches: int = 0) -> Table:
    """Make the table of strategies at one budget, best first."""
    fights = {duel.one: duel for duel in duels if duel.metric == MAIN}
    baseline = next((duel.other for duel in fights.values()), "")
    shown = [name for name in COLUMNS if any(name in standing.metrics for standing in standings)]
    titles = by_name()
    title = heading(place, standings, most_fetches=most_fetches)
    table = Table(title=title, title_justify="left", title_style="", box=None, pad_edge=False)
    table.add_column("strategy", no_wrap=True)
    for name in (MAIN, *shown):
        table.add_column(titles[name].title, justify="right", no_wrap=True)
    table.add_column(f"against {baseline}" if baseline else "", no_wrap=True)
    for standing in sorted(standings, key=_best_first):
        means = {name: standing.metrics.get(name) for name in shown}
        cells = [span(standing.metrics.get(MAIN)), *(mean(means[name], titles[name].unit) for name in shown)]
        table.add_row(standing.strategy, *cells, fight(fights.get(standing.strategy)))
    return table


def heading(place: Place, standings: Sequence[Standing], *, most_fetches: int = 0) -> str:
    """Return the heading of a table: world, topics, budget. `most_fetches` limits all budgets; 0 means no limit."""
    world, role, host_cap, budget = place
    topics = max((interval.topics for standing in standings for interval in standing.metrics.values()), default=0)
    cap = f", at most {count(host_cap, 'page')} a host" if host_cap else ""
    most = f" (at most {most_fetches:,} fetches)" if most_fetches else ""
    return f"{world}, {count(topics, f'{role} topic')}, budget {budget}{most}{cap}"


def span(interval: Interval | None) -> str:
    """Write a mean with its interval.

    >>> span(Interval(mean=0.3125, low=0.25, high=0.375, topics=12))
    '.312 (.250 to .375)'
    >>> span(Interval(mean=0.5, low=0.5, high=0.5, topics=1))
    '.500'
    """
    if interval is None or interval.topics < 2:
        return mean(interval)
    return f"{mean(interval)} ({_share(interval.low)} to {_share(interval.high)})"


def mean(interval: Interval | None, unit: str = "share") -> str:
    """Write a mean. Counts have one decimal."""
    if interval is None:
        return ""
    return _share(interval.mean) if unit == "share" else f"{interval.mean:,.1f}"


def fight(duel: Duel | None) -> str:
    """Compare a strategy with the baseline, topic by topic."""
    if duel is None:
        return ""
    score = f"{duel.wins} : {duel.losses}" + (f", {duel.ties} alike" if duel.ties else "")
    sure = "too few topics to tell" if duel.difference.topics < FEWEST else f"p = {duel.p_holm:.2g}"
    return f"{score}; {sure}"


def tuning_line(tuning: Tuning) -> str:
    """Say what tuning chose, and from how many."""
    chosen = ", ".join(f"{name} = {value}" for name, value in tuning.chosen.items())
    best = max(tried["mean"] for tried in tuning.tried)
    tried = f"the best of {len(tuning.tried)} on development topics"
    return f"{tuning.strategy}: {chosen}, {tried} ({tuning.metric}: {_share(best)})"


def _best_first(standing: Standing) -> tuple[float, str]:
    interval = standing.metrics.get(MAIN)
    return -(interval.mean if interval else 0.0), standing.strategy


def _share(value: float) -> str:
    """Write a number between 0 and 1 without its leading zero.

    >>> _share(0.31), _share(1.0), _share(-0.05)
    ('.310', '1.000', '-.050')
    """
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"
