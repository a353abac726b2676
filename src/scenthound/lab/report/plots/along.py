"""Curves: what was found after each share of the budget, the mean over topics with its interval."""

from collections.abc import Iterator, Mapping, Sequence

from matplotlib.axes import Axes

from scenthound.lab.report.contests import Contest
from scenthound.lab.report.curves import Axis, Band, axis, bands
from scenthound.lab.report.numbers import SURE, listed
from scenthound.lab.report.numbers import figure as written
from scenthound.lab.report.palette import INK, MUTED, RULE, Look
from scenthound.lab.report.plot import Plot, Shows
from scenthound.lab.report.plots.canvas import LETTER, finish, heading, line_style, sheet, style
from scenthound.lab.report.plots.name_labels import label_width, short_names, spread

HEIGHT = 262.0
TOP, BOTTOM, LEFT = 34.0, 36.0, 40.0
LONGEST = 20  # letters of a name beside its curve
LEADER = 13.0  # from the end of a curve to its name
SHADE = 0.15
MOST_SHADED = 3

_SHOWN = {Shows.HARVEST: "relevant pages per fetch", Shows.RECALL: "share of the relevant pages found"}


def along(contest: Contest, looks: Mapping[str, Look]) -> Iterator[Plot]:
    """Draw harvest and recall along the crawl."""
    if contest.runs:
        yield from (_curves(contest, looks, shows) for shows in _SHOWN)


def _curves(contest: Contest, looks: Mapping[str, Look], shows: Shows) -> Plot:
    scale = axis(contest)
    found = bands(contest, shows.value, scale)
    with style():
        right = label_width(list(found), most=LONGEST, size=LETTER) + LEADER + 6
        figure, axes = sheet(HEIGHT, left=LEFT, right=right, top=TOP, bottom=BOTTOM)
        shaded = _shaded(contest, found)
        for strategy, band in found.items():
            _line(axes, scale, band, looks[strategy], shaded=strategy in shaded)
        _limits(axes, scale, found, shaded)
        _budgets(axes, contest, scale)
        _names(axes, scale, found)
        axes.set_xlabel("fetches, in shares of n" if scale.shares else "fetches")
        heading(figure, f"{contest.heading}: {shows} along the crawl")
        return finish(
            figure,
            shows=shows,
            name=f"{contest.name}-{shows}",
            caption=_caption(contest, shows, scale, shaded),
            alt=_alt(contest, shows, found),
        )


def _shaded(contest: Contest, found: Mapping[str, Band]) -> list[str]:
    """Return the curves that show their intervals: of many, only the best and the baseline."""
    if len(contest.topics) < 2:
        return []
    best = [name for name in contest.best(contest.budgets[0]) if name in found]
    return best if len(best) <= MOST_SHADED else list(dict.fromkeys([best[0], contest.baseline or best[1]]))


def _line(axes: Axes, scale: Axis, band: Band, look: Look, *, shaded: bool) -> None:
    order = 2 if look.reference else 3
    if shaded:
        axes.fill_between(scale.at, band.low, band.high, color=look.colour.light, alpha=SHADE, linewidth=0, zorder=1)
    axes.plot(scale.at, band.mean, zorder=order, **line_style(look))


def _limits(axes: Axes, scale: Axis, found: Mapping[str, Band], shaded: Sequence[str]) -> None:
    begun = len(scale.at) // 4  # intervals are widest after the first few fetches, where nobody needs them
    ends = [band.mean.max() for band in found.values()] + [found[name].high[begun:].max() for name in shaded]
    axes.set_xlim(0, float(scale.at[-1]))
    axes.set_ylim(0, max(1.04 * float(max(ends)), 0.01))
    axes.yaxis.set_major_formatter(lambda value, _: "0" if value == 0 else written(value, 2))
    if scale.shares:
        axes.xaxis.set_major_formatter(lambda value, _: _in_n(value))


def _in_n(value: float) -> str:
    return "0" if value == 0 else "n" if value == 1 else f"{value:g}n"


def _budgets(axes: Axes, contest: Contest, scale: Axis) -> None:
    """Mark the budgets at which tables compare."""
    for budget in contest.budgets:
        place = scale.place(budget)
        if place is not None:
            axes.axvline(place, color=MUTED.light, linewidth=0.8, zorder=1.5)


def _names(axes: Axes, scale: Axis, found: Mapping[str, Band]) -> None:
    """Write each name beside the end of its curve: nobody has to look up a colour."""
    labels = short_names(list(found), LONGEST)
    _, top = axes.get_ylim()
    room = HEIGHT - TOP - BOTTOM
    ends = [min(float(band.mean[-1]) / top, 1.0) * room for band in found.values()]
    for name, end, place in zip(found, ends, spread(ends, gap=LETTER + 2.5, low=0, high=room), strict=True):
        axes.annotate(
            labels[name],
            xy=(1, end / room),
            xytext=(LEADER, place - end),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center",
            color=INK.light,
            arrowprops={
                "arrowstyle": "-",
                "color": RULE.light,
                "linewidth": 0.8,
                "shrinkA": 1,
                "shrinkB": 0,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )


def _caption(contest: Contest, shows: Shows, scale: Axis, shaded: Sequence[str]) -> str:
    band = f"; shaded: the {SURE} interval{'s' if len(shaded) > 1 else ''} of {listed(shaded)}" if shaded else ""
    lead = f"{_SHOWN[shows].capitalize()} so far, the mean over {contest.topics_said}{band}."
    counted = (
        " Topics differ in size, so that fetches are counted in shares of n, the number of relevant pages of a topic."
        if scale.shares
        else ""
    )
    marked = any(scale.place(budget) is not None for budget in contest.budgets)
    return f"{lead}{counted}{' Upright lines: the budgets of the tables.' if marked else ''}"


def _alt(contest: Contest, shows: Shows, found: Mapping[str, Band]) -> str:
    ends = sorted(((float(band.mean[-1]), name) for name, band in found.items()), reverse=True)
    said = ", ".join(f"{name} {written(value)}" for value, name in ends)
    return f"Curves of {shows} against fetches on {contest.topics_said} of {contest.world}; at the end: {said}."
