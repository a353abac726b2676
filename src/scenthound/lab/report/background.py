"""The end of a report: the meaning of the figures, the tuning, and everything needed to repeat the experiment."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scenthound.counted import count
from scenthound.lab.experiment.values import Results, Role, Tuning, WorldNote
from scenthound.lab.metrics.metric_table import Metric
from scenthound.lab.report.contests import Contest
from scenthound.lab.report.html_tables import Heading, cell, plain, row, strategy_name, table
from scenthound.lab.report.markup import Inside, Markup, breakable, join, tag
from scenthound.lab.report.numbers import figure, listed
from scenthound.lab.report.palette import Look
from scenthound.settings.help import toml_value


def glossary(contests: Iterable[Contest], metrics: Mapping[str, Metric]) -> Markup:
    """Explain every metric that the report shows."""
    there = frozenset().union(*(contest.metrics() for contest in contests))
    rows = [
        row(
            metric.title,
            [
                cell(tag("code", name)),
                cell(metric.help, class_="long"),
                cell(metric.formula, class_="long"),
                cell(str(metric.better)),
            ],
        )
        for name, metric in metrics.items()
        if name in there
    ]
    caption = (
        "b is the budget in fetches, m the fetches made of it, t any number of them; W are the wanted pages, F those "
        "of "
        "them that were fetched, both primed where only pages count to which a way leads from the start; p is the "
        "priority "
        "with which a URL was claimed, y whether its page was wanted, R the critic's relevance."
    )
    return table(caption, plain("metric", "in results.json", "what it says", "formula", "better"), rows)


def tunings(results: Results) -> Markup | None:
    """Describe what was tried for which strategy on which topics, and what was chosen."""
    if not results.tunings:
        return None
    said = "Values were chosen by crawls for development topics only; the test topics played no part in it."
    where = [(str(world["name"]), _for_tuning(world)) for world in results.experiment.get("world", ())]
    return join(tag("p", said), facts_list(where), [_tuning(tuning) for tuning in results.tunings])


def worlds(notes: Sequence[WorldNote]) -> Markup:
    """Describe the worlds, with their digests."""
    return join([_world(note) for note in notes])


def outside_lines(notes: Sequence[WorldNote]) -> list[str]:
    """Describe the treatment of links that lead out of the worlds; equal worlds share a line."""
    ways = dict.fromkeys(note.outside for note in notes)
    return [
        f"Links that lead out of {listed([note.name for note in notes if note.outside is way])} are {way.said}."
        for way in ways
    ]


def strategies(results: Results, looks: Mapping[str, Look]) -> Markup:
    """List the strategies with their kinds, parameters and settings, as they ran."""
    rows = [
        row(
            strategy_name(str(entry["name"]), looks[str(entry["name"])]),
            [
                cell(tag("code", breakable(str(entry.get("kind", ""))))),
                cell(str(entry.get("summary") or "–"), class_="long"),
                cell(_pairs(entry.get("parameters"))),
                cell(_pairs(entry.get("settings"))),
            ],
        )
        for entry in results.strategies
    ]
    return table(
        "The strategies as they were run", plain("strategy", "kind", "what it does", "parameters", "settings"), rows
    )


def topic_lists(results: Results) -> Markup:
    """List the topics of each world by role."""
    entries: list[Inside] = []
    for role in (Role.TEST, Role.DEVELOPMENT):
        for world, names in _topics(results, role).items():
            if names:
                title = tag("summary", f"{world}: {count(len(names), f'{role} topic')}")
                entries.append(tag("details", title, tag("ul", [tag("li", breakable(name)) for name in names])))
    return join(entries)


def _for_tuning(world: Mapping[str, Any]) -> str:
    """Say which topics of a world are for development, as the experiment file has it."""
    if world.get("development"):
        return ", ".join(world["development"])
    return f"all but {', '.join(world['test'])}" if world.get("test") else "none"


def _tuning(tuning: Tuning) -> Markup:
    """Return the values tried for one strategy, the best first."""
    names = [name for name in dict.fromkeys(key for entry in tuning.tried for key in entry) if name != "mean"]
    tried = sorted(tuning.tried, key=lambda entry: -float(entry.get("mean") or 0.0))
    headings = [*(Heading(title=name) for name in names), Heading(title=f"mean {tuning.metric}")]
    rows = [_trial(entry, names, chosen=_is_chosen(entry, tuning)) for entry in tried]
    caption = join(tag("b", tuning.strategy), ": values tried on development topics, and those taken, in bold")
    return table(caption, [Heading(title="taken", number=False), *headings], rows)


def _trial(entry: Mapping[str, Any], names: Sequence[str], *, chosen: bool) -> Markup:
    mean = entry.get("mean")
    numbers = [cell(_value(entry.get(name)), class_="number") for name in names]
    last = cell(figure(mean), value=mean, class_="number")
    return row("yes" if chosen else "no", [*numbers, last], class_="chosen" if chosen else "")


def _is_chosen(entry: Mapping[str, Any], tuning: Tuning) -> bool:
    return all(entry.get(name) == value for name, value in tuning.chosen.items())


def _world(note: WorldNote) -> Markup:
    facts: list[tuple[str, Inside]] = [
        (
            "holds",
            f"{count(note.pages, 'page')} of {count(note.hosts, 'host')}, {count(note.links, 'link')} between them",
        ),
        ("comes from", note.said or "–"),
        ("truth", note.truth),
        ("links outside", note.outside.said),
        (
            "budgets",
            f"{note.most_fetches:,} fetches at the most" if note.most_fetches else "as the experiment has them",
        ),
        ("locked", [[tag("code", breakable(pattern)), " "] for pattern in note.locked] or "nothing"),
        ("digest", tag("code", note.digest, class_="digest")),
    ]
    return join(tag("h4", note.name), facts_list(facts))


def facts_list(facts: Iterable[tuple[str, Inside]]) -> Markup:
    """Return names with their descriptions."""
    return tag("dl", [tag("div", tag("dt", name), tag("dd", said)) for name, said in facts])


def _topics(results: Results, role: Role) -> dict[str, list[str]]:
    there = {(run.world, run.topic) for run in results.runs if run.role is role}
    return {note.name: sorted(topic for world, topic in there if world == note.name) for note in results.worlds}


def _pairs(values: Mapping[str, Any] | None) -> Inside:
    if not values:
        return "–"
    return [tag("code", f"{name} = {_value(value)}", class_="pair") for name, value in values.items()]


def _value(value: Any) -> str:
    return "–" if value is None else toml_value(value)
