"""What topics of the page and co-citation add to the words around a link (APPRENTICE §3.8)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from papers.apprentice.chart import EXAMPLES
from papers.apprentice.findings import Extra, Held, LinkFindings, Skill
from papers.apprentice.wording import HELD, LINKS, Topics, change
from papers.crawls import WorldCrawls
from papers.sketch import Dot, Panel, Sketch
from papers.study import About, Found, Point, Study
from scenthound.apprentice.bayes.buckets import D_MAX
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.report.numbers import signed

ADDED: Final = (Extra.TOPICS, Extra.PREFIXES, Extra.CITED)
SMALL: Final = 0.01  # "to any appreciable extent"

ABOUT = About(
    name="apprentice-extras",
    title="Topics and co-citation",
    figures="APPRENTICE §3.8",
    asks="What do the topics of the page and what is known of other links on it add to the words?",
    how=f"To the words within {D_MAX} leaves are added the names of up to three likeliest topics of the page, the "
    "same with all their "
    "prefixes, or HIGH and LOW at the offsets of links whose targets were fetched before. The lab's critics know one "
    "topic and the "
    f"rest; the names come from a naive Bayes classifier of all topics of the world's labels, with {EXAMPLES} "
    "examples each (the paper: "
    f"482 topics). {LINKS} {HELD} Here accuracy over all links, as the paper has it, decides; the mean of both "
    "buckets is told besides.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What each extra adds to accuracy over all links, to the mean over buckets, and to AUC."""

    note: WorldNote
    average: Mapping[Extra, Mapping[Held, Interval]]
    balanced: Mapping[Extra, Mapping[Held, Interval]]
    auc: Mapping[Extra, Mapping[Held, Interval]]
    further: Mapping[Held, Interval]  # what prefixes add to topics


def measure(crawls: WorldCrawls) -> Extras | None:
    topics = Topics(crawls)
    if not topics.found:
        return None

    def added(side: Callable[[Skill], float]) -> Mapping[Extra, Mapping[Held, Interval]]:
        return {extra: topics.by_way(_difference(side, extra, Extra.NOTHING)) for extra in ADDED}

    return Extras(
        note=crawls.note,
        average=added(lambda skill: skill.average),
        balanced=added(lambda skill: skill.balanced),
        auc=added(lambda skill: skill.auc),
        further=topics.by_way(_difference(lambda skill: skill.average, Extra.PREFIXES, Extra.TOPICS)),
    )


def tell(found: Extras) -> Found:
    """Put the numbers into words."""
    aucs = ", ".join(f"{extra} {signed(found.auc[extra][Held.TO].mean, 3)}" for extra in ADDED)
    said = f"What is added to AUC of {Held.TO}: {aucs}."
    return Found(said=said, points=(_topics(found), _prefixes(found), _cited(found)), sketches=(_sketch(found),))


def _topics(found: Extras) -> Point:
    gain = found.average[Extra.TOPICS]
    return Point(
        paper="The names of the likeliest topics of the page raise accuracy by 1 %.",
        ours=f"They change it by {change(gain[Held.TO])} on {Held.TO}, by {change(gain[Held.ON])} on {Held.ON}; "
        f"{_buckets(found, Extra.TOPICS)}.",
        agrees=gain[Held.TO].low > 0,
        guess="All links of a page share its topics, and most of what they tell is told by its words already; naive "
        "Bayes counts "
        "it twice.",
    )


def _prefixes(found: Extras) -> Point:
    return Point(
        paper="All prefixes of the names raise it by another 1 %.",
        ours=f"They change it by another {change(found.further[Held.TO])} on {Held.TO}, by "
        f"{change(found.further[Held.ON])} on {Held.ON}; "
        f"{_buckets(found, Extra.PREFIXES)}.",
        agrees=found.further[Held.TO].low > 0,
        guess="The trees here are two or three levels deep, the paper's four and more: prefixes repeat what the names "
        "say.",
    )


def _cited(found: Extras) -> Point:
    gain = found.average[Extra.CITED]
    return Point(
        paper="Co-citation changes nothing to speak of.",
        ours=f"It changes accuracy by {change(gain[Held.TO])} on {Held.TO}, by {change(gain[Held.ON])} on {Held.ON}; "
        f"{_buckets(found, Extra.CITED)}.",
        agrees=abs(gain[Held.TO].mean) < SMALL,
        guess="A list that names pages of one kind tells more about each of them the fewer words there are to learn "
        "from.",
    )


def _buckets(found: Extras, extra: Extra) -> str:
    return f"the mean of both buckets by {change(found.balanced[extra][Held.TO])}"


def _difference(side: Callable[[Skill], float], one: Extra, other: Extra) -> Callable[[LinkFindings, Held], float]:
    return lambda found, held: side(found.extras[held][one]) - side(found.extras[held][other])


def _sketch(found: Extras) -> Sketch:
    world = found.note.name

    def dots(values: Mapping[Extra, Mapping[Held, Interval]], held: Held) -> tuple[Dot, ...]:
        own = {extra: values[extra][held] for extra in ADDED}
        return tuple(
            Dot(name=extra, mean=100 * one.mean, low=100 * one.low, high=100 * one.high) for extra, one in own.items()
        )

    return Sketch(
        name=f"apprentice-extras-{world}",
        caption=f"{world}: what is added to accuracy over all links and to AUC of {Held.TO}, mean over topics with 95 "
        "% intervals.",
        alt=f"What topics, their prefixes and co-citation add on {world}.",
        panels=(
            Panel(title=f"{world}: accuracy", across="added, in per cent", up="", dots=dots(found.average, Held.TO)),
            Panel(title=f"{world}: AUC", across="added, in hundredths", up="", dots=dots(found.auc, Held.TO)),
        ),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
