"""How good answers are: names of the categories of the schools web are queries, its pages the truth."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.figures import Figure, Report, markdown_table
from bench.reading import fetches, read
from bench.search.made_texts import BY_TEXT
from bench.serving import SCHOOLS, webs_file
from scenthound.lab.metrics.bootstrap import Bootstrap
from scenthound.lab.world.labels import read_labels
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.terms import Terms
from scenthound.search.engine import answer
from scenthound.search.index import SearchWriter, open_index, write_lock
from scenthound.search.types import IndexedPage, PageFacts, PageScores, Question, Weights


class _SchoolFacts:
    """The facts of pages that are in no database."""

    def __init__(self, pages: dict[int, IndexedPage]) -> None:
        self._pages = pages

    def scores(self, ids: Sequence[int]) -> list[PageScores]:
        return [PageScores(id, self._pages[id].n, None, 0.0, 0.0) for id in ids]

    def facts(self, ids: Sequence[int]) -> dict[int, PageFacts]:
        return {id: _facts(self._pages[id]) for id in ids}

    def best_authorities(self, most: int) -> list[tuple[int, float]]:
        return []

    def terms(self, ids: Sequence[int]) -> list[Terms]:
        return [self._pages[id].terms for id in ids]


def _facts(page: IndexedPage) -> PageFacts:
    return PageFacts(
        id=page.id, n=page.n, url="", host="", title=page.title, language=page.language, mime="", topic="",
        relevance=None, authority=0.0, fetched_at=0.0,
    )  # fmt: skip


def quality(folder: Path, *, every: int) -> Report:
    """Compare rankings by words, by meaning and by both: mean average precision of category names as queries."""
    warc = webs_file(SCHOOLS)
    assert warc is not None
    truth: dict[str, set[str]] = defaultdict(set)
    for label in read_labels(warc.with_name("schools.labels.tsv")):
        truth[label.url].add(label.topic)
    pages: dict[int, IndexedPage] = {}
    categories: dict[str, set[int]] = defaultdict(set)
    for id, fetch in enumerate(fetches(warc), 1):
        if fetch.url not in truth or id % every or "/wp/index/" in fetch.url:
            continue
        reading = read(fetch)
        text = "\n".join(leaf for leaf in reading.leaves if leaf)
        pages[id] = IndexedPage(id=id, n=id, title=reading.title, language="en", text=text, terms=terms_of(reading))
        for topic in truth[fetch.url]:
            categories[topic].add(id)
    facts = _SchoolFacts(pages)
    with write_lock(folder), SearchWriter(folder) as writer:
        for page in pages.values():
            writer.add(page)
        writer.commit(max(pages))
        writer.learn(facts.terms, lambda done: None)
    reader = open_index(folder)
    assert reader is not None
    asked = {topic: ids for topic, ids in categories.items() if len(ids) >= 5}
    ways = {"words": BY_TEXT, "meaning": Weights(text=0, meaning=1), "both": Weights()}
    figures, rows = [], []
    for name, weights in ways.items():
        found = {
            topic: _average_precision(
                [hit.page.id for hit in answer(reader, facts, _category(topic, weights)).hits], ids
            )
            for topic, ids in asked.items()
        }
        interval = Bootstrap(seed=0).interval(found)
        figures.append(Figure(name=f"mean average precision, {name}", value=interval.mean))
        rows.append([name, f"{interval.mean:.3f}", f"{interval.low:.3f} to {interval.high:.3f}"])
    table = markdown_table(["ranking", "mean average precision", "95 % interval"], rows)
    return Report(figures=tuple(figures), text=(f"{len(asked)} categories, {len(pages):,} pages.\n\n{table}",))


def _category(topic: str, weights: Weights) -> Question:
    words = topic.rpartition("/")[2].replace("_", " ")
    return Question(words=words, weights=weights, limit=1_000, facets=False, snippets=False)


def _average_precision(ranking: Sequence[int], wanted: set[int]) -> float:
    """Return the mean of the precision at each wanted page; one that is not found counts 0."""
    hits = np.cumsum([id in wanted for id in ranking])
    places = [place for place, id in enumerate(ranking) if id in wanted]
    return float(sum(hits[place] / (place + 1) for place in places) / len(wanted))
