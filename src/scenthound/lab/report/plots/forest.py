"""Means with intervals, one below the other: each strategy against the baseline, and how well it ranks links."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scenthound.lab.experiment.values import Duel, Interval
from scenthound.lab.report.contests import MAIN, Contest
from scenthound.lab.report.duels import too_few
from scenthound.lab.report.numbers import chance, figure, signed
from scenthound.lab.report.palette import INK, MUTED, Look
from scenthound.lab.report.plot import Plot, Shows
from scenthound.lab.report.plots.canvas import LETTER, dot_style, finish, heading, sheet, style
from scenthound.lab.report.plots.name_labels import label_width, short_names

LINE = 19.0  # from one row to the next
TOP, BOTTOM = 34.0, 38.0
LONGEST = 24
NOTE = 26  # letters beside a row
CHANCE = 0.5  # the AUC of who guesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    name: str
    mean: Interval
    note: str
    look: Look


def against_baseline(contest: Contest, looks: Mapping[str, Look]) -> Iterator[Plot]:
    """Draw the difference of every contender to the baseline, at each budget."""
    for budget in contest.budgets if contest.baseline else ():
        fought = [duel for name in contest.contenders if (duel := _duel(contest, name, budget))]
        if fought:
            yield _differences(contest, budget, sorted(fought, key=lambda duel: -duel.difference.mean), looks)


def link_quality(contest: Contest, looks: Mapping[str, Look]) -> Iterator[Plot]:
    """Draw how well the priorities of links told wanted pages from others, at the first budget."""
    budget, metric = contest.budgets[0], "link_auc"
    means = {name: mean for name in contest.strategies if (mean := contest.mean(name, budget, metric))}
    if means:
        order = sorted(means, key=lambda name: -means[name].mean)
        rows = [Row(name=name, mean=means[name], note=figure(means[name].mean), look=looks[name]) for name in order]
        yield _link_plot(contest, budget, rows)


def _duel(contest: Contest, name: str, budget: str) -> Duel | None:
    return contest.duel(name, contest.baseline, budget) if name != contest.baseline else None


def _differences(contest: Contest, budget: str, fought: Sequence[Duel], looks: Mapping[str, Look]) -> Plot:
    rows = [Row(name=duel.one, mean=duel.difference, note=_note(duel), look=looks[duel.one]) for duel in fought]
    said = ", ".join(f"{row.name} {row.note}" for row in rows)
    return _forest(
        rows,
        zero=0.0,
        title=f"{contest.heading}: {MAIN} less that of {contest.baseline}, budget {budget}",
        label=f"less than {contest.baseline}  ←   difference in {MAIN}   →  more",
        shows=Shows.BASELINE,
        name=f"{contest.name}-baseline-{budget}",
        caption=f"Difference in {MAIN} to the baseline {contest.baseline} at budget {budget}: the mean over "
        f"{contest.topics_said}{contest.interval_said}, and p after Holm's correction. References are left out.",
        alt=f"Differences in {MAIN} to {contest.baseline} at budget {budget} on {contest.world}: {said}.",
    )


def _link_plot(contest: Contest, budget: str, rows: Sequence[Row]) -> Plot:
    said = ", ".join(f"{row.name} {row.note}" for row in rows)
    return _forest(
        rows,
        zero=CHANCE,
        title=f"{contest.heading}: how well links were ranked, budget {budget}",
        label="link AUC; .5 is chance",
        shows=Shows.LINKS,
        name=f"{contest.name}-links",
        caption=f"How often a wanted page had been given a greater priority than one not wanted, at budget {budget}: "
        "the "
        f"mean over {contest.topics_said}{contest.interval_said}.",
        alt=f"Link AUC on {contest.world}: {said}.",
    )


def _forest(
    rows: Sequence[Row], *, zero: float, title: str, label: str, shows: Shows, name: str, caption: str, alt: str
) -> Plot:
    with style():
        left = label_width([row.name for row in rows], most=LONGEST, size=LETTER) + 14
        right = label_width([row.note for row in rows], most=NOTE, size=LETTER - 1) + 12
        sheet_, axes = sheet(TOP + BOTTOM + LINE * len(rows), left=left, right=right, top=TOP, bottom=BOTTOM)
        axes.grid(visible=False, axis="y")
        axes.axvline(zero, color=MUTED.light, linewidth=1)
        for place, row in enumerate(rows):
            axes.plot(
                [row.mean.low, row.mean.high], [place, place], color=row.look.colour.light, linewidth=2.2, alpha=0.55
            )
            axes.plot([row.mean.mean], [place], **dot_style(row.look))
            axes.annotate(
                row.note,
                xy=(1, place),
                xytext=(6, 0),
                xycoords=axes.get_yaxis_transform(),
                textcoords="offset points",
                va="center",
                fontsize=LETTER - 1,
                color=INK.light,
                annotation_clip=False,
            )
        axes.set_yticks(range(len(rows)), short_names([row.name for row in rows], LONGEST).values(), color=INK.light)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.margins(x=0.06)
        axes.locator_params(axis="x", nbins=5)
        axes.xaxis.set_major_formatter(
            lambda value, _: figure(value, 2) if zero else signed(value, 2).replace(".00", "0")
        )
        axes.set_xlabel(label)
        heading(sheet_, title)
        return finish(sheet_, shows=shows, name=name, caption=caption, alt=alt)


def _note(duel: Duel) -> str:
    sure = "too few topics" if too_few(duel) else f"p {chance(duel.p_holm)}"
    return f"{signed(duel.difference.mean)}, {sure}"
