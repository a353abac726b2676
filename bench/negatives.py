"""What made-up pages of no topic are worth: average precision with them, against real pages that are off the topic.

For each topic 10 examples train a plain logistic regression on tf·idf, with no competing topics, against 150 real pages
of other topics; against 150 that `judge/canonical/made_up_pages.py` makes up; against these with 50 pages of a crawl of
500 that the critic so trained finds least relevant, or that are drawn from the less relevant half; and against 150
drawn from that half alone. Up to a tenth of the crawl is on the topic. All are tested on the pages of the web that none
of this uses. (Topics of the schools web with at least 40 pages, index pages left out; genres of WebKB but for "other".)
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from bench.figures import Figure, Report, at_most, markdown_table
from bench.reading import fetches, read
from bench.serving import missing, webs_file
from scenthound.judge.canonical.made_up_pages import others
from scenthound.judge.critic import Example, Page
from scenthound.parse.words.page_terms import terms_of

WAYS = ("150 real", "150 made up", "+ 50 least relevant", "+ 50 of the lower half", "150 of the lower half")
EXAMPLES, NEGATIVES, CRAWLED, ADDED = 10, 150, 500, 50
FEWEST_PAGES = 40
MOST_TOPICS = 20
# What is lost against real pages, before anything is crawled and after.
MOST_LOST = {"150 made up": 0.05, "+ 50 of the lower half": 0.05}

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """The pages of a labelled web, how often each term stands on them, and the numbers of those on each topic."""

    name: str
    pages: tuple[Page, ...]
    columns: dict[str, int]
    counts: sp.csr_matrix
    topics: dict[str, frozenset[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Which pages of a web are used for what, for one topic, by their numbers."""

    web: Web
    topic: str
    examples: list[int]
    real: list[int]
    crawled: list[int]
    tested: list[int]
    is_on: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good one way of training was on one topic."""

    precision: float
    calibration: float
    off_topic: float


def run(*, quick: bool = False) -> Report:
    """Compare the ways of training on each web that is there."""
    names = [name for name in ("schools", "webkb") if webs_file(f"{name}.warc.gz") and webs_file(f"{name}.labels.tsv")]
    if not names:
        return Report(skipped=missing("schools.warc.gz"))
    figures: list[Figure] = []
    tables = []
    for web in map(load, names):
        chosen = list(web.topics)[: 3 if quick else MOST_TOPICS]
        found = {topic: qualities(trial(web, topic)) for topic in chosen}
        figures += _figures(web.name, list(found.values()))
        tables.append(_table(web.name, found))
    return Report(figures=tuple(figures), text=tuple(tables))


def qualities(task: Trial) -> dict[str, Quality]:
    """Train in each way and test."""
    counts, pages = task.web.counts, task.web.pages
    examples = [Example(topic=task.topic, name=pages[number].url, page=pages[number]) for number in task.examples]
    made = matrix(others(examples, seed=0, count=NEGATIVES), dict(task.web.columns))
    scores = judged(task, made, task.crawled)
    lowest = [task.crawled[number] for number in np.argsort(scores, kind="stable")[:ADDED]]
    lower = lower_half(task, scores, ADDED)
    negatives = (
        counts[task.real],
        made,
        stacked(made, counts[lowest]),
        stacked(made, counts[lower]),
        counts[lower_half(task, scores, NEGATIVES)],
    )
    return {way: quality(judged(task, off, task.tested), task.is_on) for way, off in zip(WAYS, negatives, strict=True)}


def surely_off(pages: Sequence[Page], relevance: Sequence[float], *, seed: int, count: int = 50) -> tuple[Page, ...]:
    """Choose crawled pages that are surely off topic, to be learnt from beside those that `others` makes.

    They are drawn from the less relevant half and not from the very bottom, where pages are odd rather than off topic:
    50 of 500 raise average precision by .02 on the schools web and .04 on WebKB, the 50 at the bottom by .015 on both
    (`python -m bench negatives`).
    """
    lower = np.argsort(np.asarray(relevance), kind="stable")[: len(pages) // 2]
    chosen = np.random.default_rng(seed).permutation(lower)[:count]
    return tuple(pages[number] for number in sorted(chosen.tolist()))


def lower_half(task: Trial, scores: Values, count: int) -> list[int]:
    """Return the numbers of crawled pages that are taken to be surely off topic."""
    crawled = [Page(url=str(number)) for number in task.crawled]
    return [int(page.url) for page in surely_off(crawled, scores.tolist(), seed=0, count=count)]


def judged(task: Trial, negatives: sp.csr_matrix, pages: Sequence[int]) -> Values:
    """Train on a trial's examples and these negatives; return the relevance of pages."""
    lessons = stacked(task.web.counts[task.examples], negatives)
    seen = np.flatnonzero(np.bincount(lessons.indices, minlength=lessons.shape[1]))
    weights = TfidfTransformer(sublinear_tf=True)
    taught = weights.fit_transform(lessons[:, seen])
    labels = np.repeat([1, 0], [len(task.examples), negatives.shape[0]])
    critic = LogisticRegression(C=10.0, max_iter=300, solver="liblinear").fit(taught, labels)
    asked = _widened(task.web.counts[pages], lessons.shape[1])[:, seen]
    return np.asarray(critic.predict_proba(weights.transform(asked))[:, 1])


def matrix(pages: Sequence[Page], columns: dict[str, int]) -> sp.csr_matrix:
    """Return how often each term stands on each page, whatever the zone; new terms get columns of their own."""
    places: list[int] = []
    counts: list[float] = []
    ends = [0]
    for page in pages:
        terms = page.terms
        places += [columns.setdefault(term, len(columns)) for term in terms.terms]
        counts += (terms.title.astype(np.float64) + terms.main + terms.rest).tolist()
        ends.append(len(places))
    return sp.csr_matrix((counts, places, ends), shape=(len(pages), len(columns)))


def stacked(first: sp.csr_matrix, second: sp.csr_matrix) -> sp.csr_matrix:
    """Put pages below one another, also where one of the two knows more terms."""
    width = max(first.shape[1], second.shape[1])
    return sp.vstack([_widened(first, width), _widened(second, width)]).tocsr()


def _widened(counts: sp.csr_matrix, width: int) -> sp.csr_matrix:
    return sp.csr_matrix((counts.data, counts.indices, counts.indptr), shape=(counts.shape[0], width))


def quality(relevance: Values, is_on: Values) -> Quality:
    return Quality(
        precision=float(average_precision_score(is_on, relevance)),
        calibration=calibration_error(relevance, is_on),
        off_topic=float(relevance[is_on == 0].mean()),
    )


def calibration_error(relevance: Values, is_on: Values) -> float:
    """Return the expected calibration error over ten bins of equal width (Guo et al. 2017).

    >>> calibration_error(np.array([0.25, 0.25, 0.25, 0.25]), np.array([1.0, 0.0, 0.0, 0.0]))
    0.0
    """
    bins = np.minimum((relevance * 10).astype(int), 9)
    gaps = np.bincount(bins, weights=relevance - is_on, minlength=10)
    return float(np.abs(gaps).sum() / len(relevance))


def trial(web: Web, topic: str) -> Trial:
    """Deal the pages of a web out for one topic, always in the same way."""
    chance = random.Random(topic)
    on = chance.sample(sorted(web.topics[topic]), len(web.topics[topic]))
    off = chance.sample(range(len(web.pages)), len(web.pages))
    off = [number for number in off if number not in web.topics[topic]]
    stray = min(CRAWLED // 10, (len(on) - EXAMPLES) // 2)
    examples, strayed, tested = on[:EXAMPLES], on[EXAMPLES : EXAMPLES + stray], on[EXAMPLES + stray :]
    crawled = [*off[NEGATIVES : NEGATIVES + CRAWLED - stray], *strayed]
    rest = off[NEGATIVES + CRAWLED - stray :]
    return Trial(
        web=web,
        topic=topic,
        examples=examples,
        real=off[:NEGATIVES],
        crawled=crawled,
        tested=[*tested, *rest],
        is_on=np.repeat([1.0, 0.0], [len(tested), len(rest)]),
    )


def load(name: str) -> Web:
    """Read a web with its labels; topics come in an order that is random but always the same."""
    archive, labels = webs_file(f"{name}.warc.gz"), webs_file(f"{name}.labels.tsv")
    assert archive is not None
    assert labels is not None
    pages = tuple(_pages(archive))
    places = {page.url: number for number, page in enumerate(pages)}
    topics: dict[str, set[int]] = defaultdict(set)
    for url, topic in _labels(labels):
        if url in places:
            topics[topic if name == "schools" else topic.split("/")[0]].add(places[url])
    large = sorted(topic for topic, on in topics.items() if len(on) >= FEWEST_PAGES and topic != "other")
    columns: dict[str, int] = {}
    counts = matrix(pages, columns)
    return Web(
        name=name,
        pages=pages,
        columns=columns,
        counts=counts,
        topics={topic: frozenset(topics[topic]) for topic in random.Random(0).sample(large, len(large))},
    )


def _pages(archive: Path) -> Iterator[Page]:
    for fetch in fetches(archive):
        if "/index/" not in fetch.url:
            reading = read(fetch)
            yield Page(url=fetch.url, title=reading.title, language=reading.language, terms=terms_of(reading))


def _labels(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text(encoding="utf-8").split("\n")[1:]:
        url, tab, topic = line.partition("\t")
        if tab:
            yield url, topic


def _figures(web: str, found: Sequence[dict[str, Quality]]) -> Iterator[Figure]:
    precision = {way: float(np.mean([topic[way].precision for topic in found])) for way in WAYS}
    for way in WAYS:
        yield Figure(name=f"{web}, average precision, {way}", value=precision[way])
    for way, most in MOST_LOST.items():
        yield Figure(
            name=f"{web}, precision lost, {way}", value=precision[WAYS[0]] - precision[way], goal=at_most(most)
        )
    for way in WAYS[:2]:
        error = float(np.mean([topic[way].calibration for topic in found]))
        yield Figure(name=f"{web}, calibration error, {way}", value=error)


def _table(web: str, found: dict[str, dict[str, Quality]]) -> str:
    rows = [[topic, *(f"{ways[way].precision:.3f}" for way in WAYS)] for topic, ways in found.items()]
    for name, field in (
        ("mean", "precision"),
        ("calibration error", "calibration"),
        ("mean relevance off topic", "off_topic"),
    ):
        rows.append([name, *(f"{np.mean([getattr(ways[way], field) for ways in found.values()]):.3f}" for way in WAYS)])
    return markdown_table([f"{web}: average precision", *WAYS], rows, right=range(1, len(WAYS) + 1))
