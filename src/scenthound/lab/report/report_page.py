"""Results ─► report.html: the page in the order of a reader's questions.

Which strategy is best, and how sure is that; the standings; the course of the crawls; which strategies beat the
baseline; every topic; how well links were ranked; the tuning; and everything needed to repeat the experiment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from scenthound.counted import count
from scenthound.lab.experiment.values import Results, Role
from scenthound.lab.metrics.metric_table import Metric, by_name
from scenthound.lab.report.background import (
    facts_list,
    glossary,
    outside_lines,
    strategies,
    topic_lists,
    tunings,
    worlds,
)
from scenthound.lab.report.contests import Contest, contests, references, strategies_of
from scenthound.lab.report.duels import duels
from scenthound.lab.report.experiment_text import experiment_text
from scenthound.lab.report.link_score_table import link_scores
from scenthound.lab.report.markup import Inside, Markup, join, tag
from scenthound.lab.report.palette import Look, looks, style_sheet
from scenthound.lab.report.plot import Plot, Shows, figures_of
from scenthound.lab.report.standings import standings
from scenthound.lab.report.summary import summary
from scenthound.lab.report.topic_table import topics

PLOTS_MISSING = "the report has no plots, for want of matplotlib: pip install 'scenthound[lab]'"


def write_report(results: Results, folder: Path) -> Path:
    """Write report.html and the files of its plots into a folder, and return the path of the page.

    Without matplotlib there are no plots; the page says so, and so should the caller (`can_plot`, `PLOTS_MISSING`).
    """
    parts = contests(results)
    look = looks(strategies_of(results), references(results))
    drawn = {contest.name: _drawn(contest, look) for contest in parts}
    _write_plots([plot for plots in drawn.values() for plot in plots], folder / "plots")
    path = folder / "report.html"
    path.write_text(page(results, parts, drawn, look), encoding="utf-8")
    return path


def can_plot() -> bool:
    """Tell whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def page(
    results: Results, parts: Sequence[Contest], drawn: Mapping[str, Sequence[Plot]], look: Mapping[str, Look]
) -> str:
    """Return the page as text."""
    metrics = by_name()
    sections = [
        *(_contest_section(contest, drawn[contest.name], look, metrics) for contest in parts),
        *_tuning_section(results),
        _meaning_section(parts, metrics),
        _repeat_section(results, look),
    ]
    title = results.title or "Experiment"
    body = tag(
        "main",
        tag("header", tag("h1", title), tag("p", results.about, class_="about") if results.about else None),
        tag(
            "section",
            tag("h2", "In short"),
            summary(parts),
            [tag("p", line, class_="note") for line in outside_lines(results.worlds)],
            _how_to_read(results),
            id="summary",
        ),
        None if can_plot() else tag("p", PLOTS_MISSING, class_="note"),
        _contents(sections),
        [section.markup() for section in sections],
        tag("footer", f"scenthound {results.version}, seed {results.seed}"),
    )
    return "<!DOCTYPE html>\n" + tag("html", _head(title), tag("body", body, _script()), lang="en") + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page with its heading; parts within it have headings of their own."""

    name: str
    title: str
    lead: Inside
    parts: tuple[tuple[str, str, Inside], ...] = ()  # anchor, heading, what is there

    def markup(self) -> Markup:
        inner = [tag("section", tag("h3", title), inside, id=name) for name, title, inside in self.parts]
        return tag("section", tag("h2", self.title), self.lead, inner, id=self.name)


def _contest_section(
    contest: Contest, plots: Sequence[Plot], look: Mapping[str, Look], metrics: Mapping[str, Metric]
) -> Section:
    def drawn(*shown: Shows) -> Markup | None:
        return figures_of([plot for plot in plots if plot.shows in shown])

    name = contest.name
    parts = [
        (f"{name}-standings", "Standings", standings(contest, look, metrics)),
        (f"{name}-along", "Along the crawl", drawn(Shows.HARVEST, Shows.RECALL)),
        (
            f"{name}-duels",
            "Compared with the baseline",
            join(drawn(Shows.BASELINE), duels(contest, look, metrics)) if contest.baseline else None,
        ),
        (f"{name}-topics", "Every topic", join(drawn(Shows.TOPICS), topics(contest, look))),
        (f"{name}-links", "How well links were ranked", join(drawn(Shows.LINKS), link_scores(contest, look, metrics))),
    ]
    there = tuple((anchor, title, inside) for anchor, title, inside in parts if inside)
    return Section(name=name, title=contest.heading, lead=_lead(contest), parts=there)


def _lead(contest: Contest) -> Markup:
    draws = len({run.draw for run in contest.runs})
    said = f"{count(len(contest.strategies), 'strategy').replace('strategys', 'strategies')} on {contest.topics_said}, "
    said += f"each from {count(draws, 'draw')} of examples."
    if contest.role is Role.DEVELOPMENT:
        said += " Strategies may have been tuned on these topics: the figures are no measure of how good they are."
    return tag("p", said, class_="lead")


def _how_to_read(results: Results) -> Markup | None:
    if not results.standings:
        return None
    in_n = any(standing.budget.endswith("n") for standing in results.standings)
    return tag(
        "p",
        "n is the number of relevant pages of a topic, so that a perfect crawl of n fetches finds all of them. "
        if in_n
        else None,
        "What is relevant is said by the truth of the world, not by the critic that led the crawls. The mean is taken "
        "over the "
        "draws of a topic first, then over topics; intervals and tests are over topics.",
        class_="note",
    )


def _tuning_section(results: Results) -> list[Section]:
    tuned = tunings(results)
    return [Section(name="tuning", title="What was tuned", lead=tuned)] if tuned else []


def _meaning_section(parts: Sequence[Contest], metrics: Mapping[str, Metric]) -> Section:
    return Section(name="metrics", title="What the figures mean", lead=glossary(parts, metrics))


def _repeat_section(results: Results, look: Mapping[str, Look]) -> Section:
    again = [("seed", str(results.seed)), ("scenthound", results.version)]
    text = experiment_text(results.experiment)
    return Section(
        name="repeat",
        title="To do it again",
        lead=facts_list(again),
        parts=(
            ("worlds", "Worlds", worlds(results.worlds)),
            ("strategies", "Strategies", strategies(results, look)),
            ("topics", "Topics", topic_lists(results)),
            ("experiment", "The experiment file", tag("pre", tag("code", text), tabindex="0")),
        ),
    )


def _contents(sections: Sequence[Section]) -> Markup:
    """Return a list of the parts, each line a link."""
    lines = [
        tag(
            "li",
            tag("a", section.title, href=f"#{section.name}"),
            [[" ", tag("a", title, href=f"#{anchor}", class_="inner")] for anchor, title, _ in section.parts],
        )
        for section in sections
    ]
    return tag("nav", tag("h2", "Contents"), tag("ul", lines), aria_label="Contents")


def _head(title: str) -> Markup:
    sheet = files("scenthound.lab.report").joinpath("style.css").read_text("utf-8")
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Markup(style_sheet() + sheet)),
    )


def _script() -> Markup:
    return tag("script", Markup(files("scenthound.lab.report").joinpath("sort.js").read_text("utf-8")))


def _drawn(contest: Contest, look: Mapping[str, Look]) -> list[Plot]:
    if not can_plot():
        return []
    # Imported here: matplotlib is an extra, and its import takes a second.
    from scenthound.lab.report.plots import draw

    return list(draw(contest, look))


def _write_plots(plots: Sequence[Plot], folder: Path) -> None:
    if plots:
        folder.mkdir(parents=True, exist_ok=True)
    for plot in plots:
        (folder / f"{plot.name}.svg").write_bytes(plot.svg)
        (folder / f"{plot.name}.png").write_bytes(plot.png)
