"""The cost of a page's terms by stage, and how well its main text is separated from the rest.

Processor time of the fastest of several rounds over pages of each web that is there; "Lexbor alone" (parsing, nothing
else) is the yardstick by which a busy machine shows. Main text is compared, as a bag of words, with what the authors of
the Readability library marked as the article of 130 pages (they are part of the messy web).
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import mean
from time import process_time
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.reading import fetches, read
from bench.serving import missing, webs_file
from scenthound.parse.markup.boilerplate import main_leaves
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.stems import stems
from scenthound.parse.words.tokens import tokens_of
from scenthound.types import Fetch, Reading

WEBS = ("schools", "webkb", "messy")
EVERY = {"schools": 10, "webkb": 10, "messy": 5}
ROUNDS = 5
GOAL_MS = 0.4
SOURCE, ARTICLE = "/source.html", "/expected.html"

Stage = tuple[str, Callable[[Any], object], Sequence[Any]]


def run(*, quick: bool = False) -> Report:
    """Measure each web that is there."""
    there = [web for web in WEBS if webs_file(f"{web}.warc.gz")]
    if not there:
        return Report(skipped=missing("schools.warc.gz"))
    columns = {web: costs(web, EVERY[web] * (10 if quick else 1)) for web in there}
    figures = [_cost_figure(web, column["terms, all of it"]) for web, column in columns.items()]
    if "messy" in there:
        figures += _main_figures(10 if quick else 1)
    return Report(figures=tuple(figures), text=(_table(columns),))


def costs(web: str, every: int) -> dict[str, float]:
    """Return the milliseconds a page of each stage."""
    pages = [fetch for number, fetch in enumerate(_fetches(web)) if number % every == 0]
    prepared = list(stages(pages))
    gc.freeze()  # what is kept here for the stages must not be looked through at every collection
    found = {name: 1000 * _fastest(stage, inputs) / len(pages) for name, stage, inputs in prepared}
    gc.unfreeze()
    return found | {"words a page": mean(reading.words for reading in map(read, pages))}


def stages(pages: Sequence[Fetch]) -> Iterator[Stage]:
    """Yield the name of each stage, what it does, and what it does that to."""
    readings = list(map(read, pages))
    texts = ["\n".join(reading.leaves) for reading in readings]
    tokens = [(tokens_of(text), stems(reading.language)) for text, reading in zip(texts, readings, strict=True)]
    yield "Lexbor alone", LexborHTMLParser, [page.body for page in pages]
    yield "main text or rest", lambda reading: main_leaves(reading.leaves, reading.links), readings
    yield "tokens", tokens_of, texts
    yield "stems, counted", lambda pair: Counter(map(pair[1].__getitem__, pair[0])), tokens
    yield "terms, all of it", terms_of, readings


def agreement(page: Reading, article: Reading) -> tuple[float, float]:
    """Return precision and recall of a page's main text, given what its article is."""
    kept = zip(page.leaves, main_leaves(page.leaves, page.links).tolist(), strict=True)
    found = Counter(tokens_of("\n".join(leaf for leaf, is_main in kept if is_main)))
    wanted = Counter(tokens_of("\n".join(article.leaves)))
    both = (found & wanted).total()
    return both / max(found.total(), 1), both / max(wanted.total(), 1)


def _main_figures(every: int) -> list[Figure]:
    readings = {fetch.url: fetch for fetch in _fetches("messy") if fetch.url.endswith((SOURCE, ARTICLE))}
    names = sorted(url.removesuffix(SOURCE) for url in readings if url.endswith(SOURCE))[::every]
    pairs = [agreement(read(readings[name + SOURCE]), read(readings[name + ARTICLE])) for name in names]
    harmonic = mean(2 * precision * recall / max(precision + recall, 1e-9) for precision, recall in pairs)
    return [
        Figure(name="main text: precision", value=mean(precision for precision, _ in pairs)),
        Figure(name="main text: recall", value=mean(recall for _, recall in pairs)),
        Figure(name="main text: F1 (all text: .79)", value=harmonic, goal=at_least(0.85)),
    ]


def _cost_figure(web: str, milliseconds: float) -> Figure:
    goal = at_most(GOAL_MS) if web == "schools" else None
    return Figure(name=f"terms of a page, {web}", value=milliseconds, unit="ms", goal=goal)


def _table(columns: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(columns.values())))
    rows = [[name, *(_cell(name, column[name]) for column in columns.values())] for name in names]
    return markdown_table(["ms a page", *columns], rows, right=range(1, len(columns) + 1))


def _cell(name: str, value: float) -> str:
    return f"{value:.0f}" if name == "words a page" else f"{value:.3f}"


def _fetches(web: str) -> Iterator[Fetch]:
    path = webs_file(f"{web}.warc.gz")
    return fetches(path) if path else iter(())


def _fastest(stage: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    return min(map(partial(_seconds, stage, inputs), range(ROUNDS)))


def _seconds(stage: Callable[[Any], object], inputs: Sequence[Any], _: int) -> float:
    started = process_time()
    for value in inputs:
        stage(value)
    return process_time() - started
