"""`python -m papers.bingo.meta_decisions`: feature spaces and meta decisions (BINGO §3.4–3.5), and ξα against the truth.

The paper: unanimous and weighted decisions raise precision from about 80 to more than 90 per cent. Here: for each topic
30 pages and 60 others to learn from, and other pages of both kinds in the same proportion to be tried on. All links
of the web are known, as at the end of a crawl. Precision is the share of right ones among the pages that are called on
topic; a page on which a decision abstains is not called anything.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.means import Means
from scenthound.judge.critic import Context, Example, Lessons, Page
from scenthound.judge.models.svm import Route
from scenthound.judge.spaces.decisions import ABSTAINED, Decision
from scenthound.judge.spaces.meta import SPACES, MetaCritic, MetaLearner
from scenthound.lab import World, WorldSource, open_world
from scenthound.lab.experiment.values import Interval
from scenthound.parse.words.terms import unpack
from scenthound.taxonomy import Topic, Topics
from scenthound.terminal import say

EXAMPLES, OTHERS = 30, 60  # as after a learning phase
TRIED: Final = 40  # pages on topic to be tried on, at most; others in the proportion of the lessons
ANCHORS, NEIGHBOURS = 20, 8  # as in a crawl
SEED: Final = 7
WANTED: Final = "Wanted"
RULES: Final = (Decision.UNANIMOUS, Decision.MAJORITY, Decision.WEIGHTED)
TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    "schools": (
        "Science/Biology/Mammals",
        "Science/Physics/Space_Astronomy",
        "History/Ancient_History_Classical_History_and_Mythology",
        "Geography/Geology_and_geophysics",
        "Design_and_Technology/Engineering",
        "People/Writers_and_critics",
    ),
    "webkb": ("course", "faculty", "project", "student"),
    "modern": ("Science/Weather_climate", "Science/Neuroscience", "Recreation/Cooking", "Mathematics/Logic_proof"),
}

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one way of judging made of the pages it was tried on; `estimate` is ξα's precision, of spaces only."""

    world: str
    topic: str
    way: str
    precision: float | None
    recall: float
    decided: float
    estimate: float | None = None


class Graph:
    """The pages of a world with their texts and contexts. All links are read once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._terms: list[bytes] = []
        self._citing: dict[int, list[int]] = {}
        self._anchors: dict[int, list[str]] = {}
        for source, url in enumerate(world.urls):
            held = world.exchange(url)
            self._terms.append(held.reading.terms if held is not None else b"")
            for link in held.reading.links if held is not None else ():
                target = world.find(link.url)
                if target is not None and target != source:
                    self._take(source, target, link.text)

    def page(self, number: int) -> Page:
        """Return a page as a critic sees it in a crawl that has fetched everything."""
        world, url = self._world, self._world.urls[number]
        held = world.exchange(url)
        text = "\n".join(leaf for leaf in world.leaves(url) if leaf)
        beside = list(dict.fromkeys([*self._citing.get(number, ()), *world.links(number).tolist()]))[:NEIGHBOURS]
        return Page(
            url=url,
            language=held.reading.language if held is not None else "",
            terms=unpack(self._terms[number]),
            text=text,
            context=Context(
                anchors=tuple(self._anchors.get(number, ())),
                neighbours=tuple(unpack(self._terms[one]) for one in beside if one != number),
            ),
        )

    def _take(self, source: int, target: int, text: str) -> None:
        citing, anchors = self._citing.setdefault(target, []), self._anchors.setdefault(target, [])
        if source not in citing[-1:] and len(citing) < NEIGHBOURS:
            citing.append(source)
        if text and len(anchors) < ANCHORS:
            anchors.append(text)


def measure(world: World, topics: Sequence[str], *, draws: int, route: Route = "likeliest") -> Iterator[Result]:
    """Train and try a meta critic for each topic."""
    graph = Graph(world)
    for topic in topics:
        for draw in range(draws):
            found = list(_tried(world, graph, topic, random.Random(f"{SEED} {world.name} {topic} {draw}"), route))
            told = ", ".join(f"{one.way} {_short(one.precision)}" for one in found)
            say(f"  {topic}: precision {told}", file=sys.stderr)
            yield from found


def _tried(world: World, graph: Graph, topic: str, chance: random.Random, route: Route) -> Iterator[Result]:
    about = sorted(world.about(topic))
    rest = sorted({number for number, labels in enumerate(world.labels) if labels} - set(about))
    chance.shuffle(about)
    chance.shuffle(rest)
    own, left = about[:EXAMPLES], about[EXAMPLES : EXAMPLES + TRIED]
    others = rest[OTHERS : OTHERS + len(left) * OTHERS // EXAMPLES]
    lessons = Lessons(
        topics=Topics(topics=(Topic(path=WANTED, good=True),)),
        examples=tuple(Example(topic=WANTED, name=world.urls[one], page=graph.page(one)) for one in own),
        others=tuple(graph.page(one) for one in rest[:OTHERS]),
    )
    critic = MetaLearner(text="all", route=route).fit(lessons, seed=SEED)
    pages = [graph.page(one) for one in (*left, *others)]
    truth = np.arange(len(pages)) < len(left)
    yield from _results(world.name, topic, critic, pages, truth)


def _results(world: str, topic: str, critic: MetaCritic, pages: Sequence[Page], truth: Flags) -> Iterator[Result]:
    heard, wanted = critic.hear(pages), critic.classes.index(WANTED)
    for space, votes in zip(heard.spaces, heard.votes, strict=True):
        estimate = critic.critics[space].estimates()[WANTED].precision
        yield _result(world, topic, space, votes, wanted, truth, estimate)
    for rule in RULES:
        yield _result(world, topic, str(rule), critic.decided_by(rule).decided(heard), wanted, truth)
    best = heard.votes[heard.spaces.index(critic.best)]
    yield _result(
        world, topic, "best by ξα", best, wanted, truth, critic.critics[critic.best].estimates()[WANTED].precision
    )


def _result(
    world: str,
    topic: str,
    way: str,
    votes: NDArray[np.int64],
    wanted: int,
    truth: Flags,
    estimate: float | None = None,
) -> Result:
    called = votes == wanted
    return Result(
        world=world,
        topic=topic,
        way=way,
        precision=float(truth[called].mean()) if called.any() else None,
        recall=float(called[truth].mean()),
        decided=float((votes != ABSTAINED).mean()),
        estimate=estimate,
    )


def table(results: Sequence[Result]) -> list[str]:
    """Return the table as lines of Markdown: means over topics, with intervals of 95 % by bootstrap over topics."""
    means = Means(seed=SEED)
    lines = [
        "| | precision | recall | pages decided | precision foretold by ξα |",
        "|---|---|---|---|---|",
    ]
    for way in (*SPACES, "best by ξα", *map(str, RULES)):
        own = [one for one in results if one.way == way]
        named = [(f"{one.world} {one.topic}", one) for one in own]
        if not own:
            continue
        precise = [(name, one.precision) for name, one in named if one.precision is not None]
        foretold = [(name, one.estimate) for name, one in named if one.estimate is not None]
        cells = [
            _said(means.interval(precise)),
            _said(means.interval((name, one.recall) for name, one in named)),
            f"{100 * float(np.mean([one.decided for one in own])):.0f} %",
            _said(means.interval(foretold)) if foretold else "",
        ]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    return lines


def _said(found: Interval) -> str:
    return f"{_short(found.mean)} ({_short(found.low)} to {_short(found.high)})"


def _short(share: float | None) -> str:
    return "?" if share is None else f"{share:.2f}".removeprefix("0")


def error_of_estimates(results: Sequence[Result]) -> str:
    """Say how far ξα is from the truth, over all spaces and topics."""
    pairs = [
        (one.estimate, one.precision)
        for one in results
        if one.estimate is not None and one.precision is not None and one.way in SPACES
    ]
    differences = np.array([estimate - true for estimate, true in pairs])
    alike = np.corrcoef(np.array(pairs).T)[0, 1] if len(pairs) > 2 else float("nan")
    return (
        f"ξα less the true precision: {differences.mean():+.2f} on the average, {np.abs(differences).mean():.2f} in "
        f"size; their correlation is {alike:.2f} ({len(pairs)} critics)."
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m papers.bingo.meta_decisions", description=__doc__)
    parser.add_argument("--webs", type=Path, required=True, metavar="DIR", help="the folder of the archived webs")
    parser.add_argument("--world", action="append", choices=list(TOPICS), help="only this web; can be repeated")
    parser.add_argument("--draws", type=int, default=2, metavar="N", help="draws of examples for each topic")
    parser.add_argument("--route", choices=["likeliest", "paper"], default="likeliest", help="how a space votes")
    parser.add_argument("--quick", action="store_true", help="one draw of one topic of each web")
    asked = parser.parse_args()
    results: list[Result] = []
    for name in asked.world or TOPICS:
        source = WorldSource(
            name=name, warc=(asked.webs / f"{name}.warc.gz",), labels=asked.webs / f"{name}.labels.tsv"
        )
        topics = TOPICS[name][: 1 if asked.quick else None]
        with open_world(source) as world:
            results += measure(world, topics, draws=1 if asked.quick else asked.draws, route=asked.route)
        own = [one for one in results if one.world == name]
        say("\n".join(["", f"{name}, {len(topics)} topics", "", *table(own), "", error_of_estimates(own)]))
    say("\n".join(["", "All webs", "", *table(results), "", error_of_estimates(results)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
