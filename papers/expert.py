"""Expert search (BINGO §5.3): a needle in a haystack, found by a short focused crawl from a few pages, then by words.

The paper looks for implementations of a recovery algorithm: its own words find nothing in a search engine, a crawl from
seven pages and the words "source code release" find it among the first ten. Here each topic of a web has needles: pages
about it that are at least two links from the start. The words for a needle are common ones, each on at least one of
ten pages of the web, and those that tell the needle best from other pages of its topic.

    python -m papers.expert [--worlds schools modern] [--topics N] [--needles N] [--most N]
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace as changed

from papers.crawls import STRATEGIES, Way
from papers.markdown import table
from papers.reproduce import importable_in_processes
from papers.words import per_cent
from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment
from scenthound.lab.experiment.jobs import Group, Job, conditions_of, sizes_of
from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.lab.experiment.values import Task, Trace
from scenthound.lab.experiment.world_sites import Site, open_sites
from scenthound.lab.experiments import named
from scenthound.lab.metrics.bootstrap import Bootstrap
from scenthound.lab.metrics.world_facts import survey
from scenthound.lab.runs.crew import crew_of
from scenthound.lab.runs.progress import unheard
from scenthound.lab.runs.trace_file import read_trace
from scenthound.lab.runs.trace_key import trace_key
from scenthound.lab.runs.worker import Setup
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.cache import cache_folder
from scenthound.lab.world.world import Exchange, World, open_world
from scenthound.parse.words.stems import stems
from scenthound.parse.words.terms import Terms, unpack
from scenthound.parse.words.tokens import tokens_of
from scenthound.search.engine import answer
from scenthound.search.index import SearchReader, SearchWriter, open_index, write_lock
from scenthound.search.types import Filters, IndexedPage, PageFacts, PageScores, Question, Weights
from scenthound.terminal import say

TEN: Final = 10
FAR: Final = 2  # links from the start at least
WORDS: Final = 3
FEWEST_TERMS: Final = 10  # of a needle: pages with less say nothing
COMMON: Final = 0.1  # of the pages of a web that have a word; with .01, the words found 96 % of needles by themselves
GOOD: Final = 0.5  # relevance from which a page counts as of the topic
TOPIC: Final = "wanted"
BUDGET: Final = "2n"  # fetches, where n is the number of pages about the topic
MOST_WANTED: Final = 400  # pages about a topic that is crawled for: the paper's crawl took ten minutes; see --most
RANKINGS: Final = {
    "search in the whole web, by text": Weights(text=1, meaning=0),
    "crawl, by confidence": None,
    "crawl, search by text among pages of the topic": Weights(text=1, meaning=0),
    "crawl, search by text and confidence": Weights(text=1, meaning=0, relevance=1),
    "crawl, search by text, meaning and confidence": Weights(text=1, meaning=2, relevance=1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Needle:
    """A page to be found, its topic and the words that somebody would ask with."""

    page: int
    topic: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Whether a needle was fetched, and under which rankings it was among the first ten."""

    needle: Needle
    fetched: bool
    among_ten: Mapping[str, bool]


class Library:
    """The pages of a web with their words."""

    def __init__(self, world: World) -> None:
        self._world = world

    @cached_property
    def terms(self) -> list[Terms]:
        return [unpack(one.reading.terms if one is not None else b"") for one in self._exchanges()]

    @cached_property
    def titles(self) -> list[str]:
        return [one.reading.title if one is not None else "" for one in self._exchanges()]

    def _exchanges(self) -> Iterator[Exchange | None]:
        return (self._world.exchange(url) for url in self._world.urls)

    @cached_property
    def common(self) -> frozenset[str]:
        """The terms that many pages have."""
        having = Counter(term for one in self.terms for term in one.terms)
        return frozenset(term for term, pages in having.items() if pages >= COMMON * len(self.terms))

    def page(self, number: int, *, n: int, relevance: float | None) -> IndexedPage:
        """Return a page for the index: its words, which is all that is asked for here, and no text."""
        return IndexedPage(
            id=number + 1,
            n=n,
            host=self._world.hosts[number],
            title=self.titles[number],
            language=self.terms[number].language,
            topic=TOPIC if (relevance or 0.0) >= GOOD else "",
            relevance=relevance,
            terms=self.terms[number],
        )

    def words_for(self, needle: int, others: Sequence[int]) -> str:
        """Return the common words that tell a page best from others of its topic, as they are written on it."""
        own = self.terms[needle]
        having = Counter(term for page in others for term in self.terms[page].terms)
        tells = {
            term: (1 + np.log(many)) * np.log((1 + len(others)) / (1 + having[term]))
            for term, many in zip(own.terms, (own.main + own.rest).tolist(), strict=True)
            if many and term in self.common
        }
        best = sorted(tells, key=lambda term: (-tells[term], term))[:WORDS]
        table, written = stems(own.language), dict[str, str]()
        for token in tokens_of("\n".join(self._world.leaves(self._world.urls[needle]))):
            if token.isalpha():
                written.setdefault(table[token], token.decode())
        return " ".join(written.get(term, term) for term in best)


class Ranked:
    """Pages in an index of their own, asked as `scenthound search` asks; it is the database of the crawl too."""

    def __init__(self, reader: SearchReader, pages: Sequence[IndexedPage]) -> None:
        self._reader = reader
        self._pages = {page.id: page for page in pages}

    def best(self, words: str, weights: Weights, *, topic: str = "") -> list[int]:
        question = Question(
            words=words, weights=weights, filters=Filters(topic=topic), limit=TEN, facets=False, snippets=False
        )
        return [hit.page.id - 1 for hit in answer(self._reader, self, question).hits]

    def scores(self, ids: Sequence[int]) -> list[PageScores]:
        return [PageScores(id, self._pages[id].n, self._pages[id].relevance, 0.0, 0.0) for id in ids]

    def facts(self, ids: Sequence[int]) -> dict[int, PageFacts]:
        return {id: _facts(self._pages[id]) for id in ids}

    def best_authorities(self, most: int) -> list[tuple[int, float]]:
        return []

    def terms(self, ids: Sequence[int]) -> list[Terms]:
        return [self._pages[id].terms for id in ids]


def _facts(page: IndexedPage) -> PageFacts:
    return PageFacts(
        id=page.id, n=page.n, url="", host=page.host, title=page.title, language=page.language, mime="",
        topic=page.topic, relevance=page.relevance, authority=0.0, fetched_at=0.0,
    )  # fmt: skip


def indexed(folder: Path, pages: Sequence[IndexedPage], *, meaning: bool = True) -> Ranked:
    """Index pages in a folder, by words and by meaning."""
    by_id = {page.id: page for page in pages}
    with write_lock(folder), SearchWriter(folder) as writer:
        for page in pages:
            writer.add(page)
        writer.commit(len(pages))
        if meaning:
            writer.learn(lambda ids: [by_id[id].terms for id in ids], lambda done: None)
    reader = open_index(folder)
    assert reader is not None
    return Ranked(reader, pages)


def measure(
    experiment: Experiment,
    site: Site,
    *,
    topics: int,
    needles: int,
    folder: Path,
    cache: Path | None = None,
    most: int = MOST_WANTED,
) -> list[Outcome]:
    """Crawl for some topics of a web that have at most so many pages, and look for their needles."""
    tasks = [task for task in site.tasks if task.draw == 1 and 2 * needles <= len(task.wanted) <= most][:topics]
    if not tasks:
        raise LabError(f"{site.choice.name} has no topic with {2 * needles} to {most} pages; set --needles or --most")
    folder.mkdir(parents=True, exist_ok=True)
    where = cache_folder() if cache is None else cache
    traces = crawled(experiment, site, tasks, folder, where)
    with open_world(site.source, cache=where) as world, tempfile.TemporaryDirectory() as indexes:
        library = Library(world)
        everything = [library.page(number, n=number + 1, relevance=None) for number in range(len(world.urls))]
        whole = indexed(Path(indexes) / "whole", everything, meaning=False)
        found = list[Outcome]()
        for place, (task, trace) in enumerate(zip(tasks, traces, strict=True)):
            drawn = drawn_needles(world, library, task, needles, site.choice.locked)
            found += _outcomes(library, trace, drawn, whole, Path(indexes) / str(place))
            say(f"{task.name}: {len(drawn)} needles", file=sys.stderr, flush=True)
    return found


def _outcomes(
    library: Library, trace: Trace, needles: Sequence[Needle], whole: Ranked, folder: Path
) -> Iterator[Outcome]:
    relevance = {
        int(page): float(value) for page, value in zip(trace.numbers, trace.relevance, strict=True) if page >= 0
    }
    relevance = {page: 0.0 if np.isnan(value) else value for page, value in relevance.items()}
    crawl = indexed(folder, [library.page(page, n=n, relevance=relevance[page]) for n, page in enumerate(relevance, 1)])
    surest = sorted(relevance, key=lambda page: -relevance[page])[:TEN]
    for needle in needles:
        ten = dict[str, Sequence[int]]()
        for place, (name, weights) in enumerate(RANKINGS.items()):
            ranked = whole if place == 0 else crawl
            topic = TOPIC if place == 2 else ""
            ten[name] = surest if weights is None else ranked.best(needle.words, weights, topic=topic)
        yield Outcome(
            needle=needle,
            fetched=needle.page in relevance,
            among_ten={name: needle.page in pages for name, pages in ten.items()},
        )


def drawn_needles(world: World, library: Library, task: Task, needles: int, locked: Sequence[str]) -> list[Needle]:
    """Draw pages about the topic to which a way leads, though not a short one."""
    hops = survey(world, task, locked=locked_pages(world, locked)).hops
    wanted = sorted(task.wanted)
    far = [page for page in wanted if hops[page] >= FAR and len(library.terms[page].terms) >= FEWEST_TERMS]
    draw = np.random.default_rng(seed_of("needles", task.name))
    chosen = draw.choice(far, size=min(needles, len(far)), replace=False).tolist() if far else []
    return [
        Needle(page=page, topic=task.topic, words=library.words_for(page, [one for one in wanted if one != page]))
        for page in chosen
    ]


def crawled(experiment: Experiment, site: Site, tasks: Sequence[Task], folder: Path, cache: Path) -> list[Trace]:
    """Return soft crawls of tasks; those that the folder has are not made again."""
    choice = next(one for one in experiment.strategies if one.name == STRATEGIES[Way.SOFT])
    setup = Setup(
        sources={site.choice.name: site.source}, cache=cache, runs=folder / "runs", critics=folder / "critics"
    )
    jobs = [
        Job(place=place, task=task, choice=choice, conditions=conditions_of(task, site.choice, experiment, [BUDGET]))
        for place, task in zip(count(), tasks, strict=False)
    ]
    groups = [Group(task=job.task, budgets=sizes_of(job.task, site.choice, ["n"]), jobs=(job,)) for job in jobs]
    with crew_of(setup, 1, log=folder / "log") as crew:
        for _ in crew.work(groups):
            pass
    kept = [read_trace(setup.runs / f"{trace_key(job, kind_of(choice), site.note.digest)}.msgpack") for job in jobs]
    if None in kept:
        raise LabError(f"a crawl failed; see {folder / 'log'}")
    return [one.trace for one in kept if one is not None]


def told(outcomes: Mapping[str, Sequence[Outcome]], *, seed: int) -> str:
    """Return the shares of needles in Markdown, with intervals over topics."""
    rows = [
        ["fetched by the crawl", *(_share(((one, one.fetched) for one in each), seed) for each in outcomes.values())]
    ]
    rows += [
        [name, *(_share(((one, one.among_ten[name]) for one in each), seed) for each in outcomes.values())]
        for name in RANKINGS
    ]
    heads = [
        f"{world} ({len(each)} needles of {len({one.needle.topic for one in each})} topics)"
        for world, each in outcomes.items()
    ]
    return table(["needles among the first ten", *heads], rows)


def _share(outcomes: Iterable[tuple[Outcome, bool]], seed: int) -> str:
    by_topic: dict[str, list[bool]] = {}
    for one, found in outcomes:
        by_topic.setdefault(one.needle.topic, []).append(found)
    return per_cent(Bootstrap(seed=seed).interval({topic: sum(each) / len(each) for topic, each in by_topic.items()}))


def on_worlds(names: Sequence[str]) -> Experiment:
    """Return the classic experiment, which has the soft focus, on worlds of that name, or on all without names."""
    experiment, other = (named()[name].load() for name in ("classic", "apprentice"))
    known = {one.name: one for one in (*other.worlds, *experiment.worlds)}
    for name in names:
        if name not in known:
            raise LabError(f"there is no world {name!r}; name one of {', '.join(sorted(known))}")
    return changed(experiment, worlds=tuple(known[name] for name in names or known), draws=1)


@importable_in_processes()
def main() -> int:
    """Run the experiment and print what it found."""
    parser = argparse.ArgumentParser(prog="python -m papers.expert", description=__doc__)
    parser.add_argument("--worlds", nargs="*", default=[], help="schools, webkb, modern; all if none is named")
    parser.add_argument("--topics", type=int, default=8)
    parser.add_argument("--needles", type=int, default=5)
    parser.add_argument("--most", type=int, default=MOST_WANTED, help="pages of a topic at most (WebKB has more)")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    experiment = on_worlds(asked.worlds)
    with tempfile.TemporaryDirectory() as aside:
        folder = asked.out or Path(aside)
        outcomes = {
            site.choice.name: measure(
                experiment, site, topics=asked.topics, needles=asked.needles, folder=folder, most=asked.most
            )
            for site in open_sites(experiment, cache=cache_folder(), listener=unheard)
        }
    say(told(outcomes, seed=experiment.seed))
    for one in (one for each in outcomes.values() for one in each[:3]):
        say(f"such as {one.needle.topic}: {one.needle.words}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
