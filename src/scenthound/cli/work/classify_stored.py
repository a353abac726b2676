"""The work of `scenthound classify DIR --stored`: judge all stored pages again, without changing the crawl.

The critic judges in memory. A naive Bayes critic can also judge inside a database, as in RELATIONAL §2.1.3.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import msgspec

from scenthound.cli.lab.progress_view import lab_view
from scenthound.cli.shared.options import By
from scenthound.counted import count
from scenthound.crawl.critic.example_set import as_page
from scenthound.crawl.diagnosis.speed import in_seconds
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.crawl.readers.stored_pages import page_of_archive
from scenthound.errors import DirectoryError, UsageError
from scenthound.judge.critic import Critic, Page, Probabilities
from scenthound.judge.models.bayes import BayesCritic
from scenthound.judge.probe.probe_critic import Prober, Way, probing
from scenthound.judge.probe.probe_file import attach_kept, keep_pages
from scenthound.judge.relevance import judgements, path_probabilities
from scenthound.lab.runs.progress import Listener, Stride, estimate
from scenthound.services.crawls.reader_store import reading
from scenthound.store.base import Store
from scenthound.taxonomy import Topics
from scenthound.terminal import in_json, say
from scenthound.types import HeldPage
from scenthound.whole_file import replacing

AT_ONCE = 400  # pages judged together; in bulk, 150 to 1,200 at a time cost the same a page
_NO_CRITIC = -1  # that no page was judged by: all pages are still to be judged by it


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWish:
    """The arguments of the command."""

    path: Path
    names: tuple[str, ...] = ()
    by: By = By.CRITIC
    keep: Path | None = None
    as_json: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """A stored page with its judgement now and in the crawl."""

    name: str
    title: str
    relevance: float
    topic: str
    stored_relevance: float | None
    stored_topic: str
    probabilities: dict[str, float]


Judge = Callable[[Sequence[Page]], Probabilities]


def classify_stored(wish: StoredWish) -> int:
    """Print the judgement of each stored page, in fetch order. The crawl does not change."""
    if wish.names:
        raise UsageError(f"--stored classifies all pages of the crawl; remove {wish.names[0]} or --stored")
    if wish.keep and wish.by is By.CRITIC:
        raise UsageError("--keep needs --by bulk or --by single")
    directory = CrawlDirectory.open(wish.path)
    began, tally = monotonic(), Counter[str]()
    with reading(directory) as store, lab_view(quiet=wish.quiet) as listener:
        critic, topics = _critic(store, wish), directory.topics()
        with _judging(critic, topics, wish) as judge:
            found = _rejudged(store, directory, critic, judge, topics, listener)
            write = _json_lines if wish.as_json else _plain_lines
            for line in write(_counted(found, tally)):
                say(line)
    told = (
        f"{count(tally['pages'], 'page')}, examples included, judged by {wish.by} in {in_seconds(monotonic() - began)}"
    )
    say(f"{told}; {count(tally['moved'], 'page')} with a topic that differs from the crawl's", file=sys.stderr)
    return 0


def _counted(results: Iterable[Rejudged], tally: Counter[str]) -> Iterator[Rejudged]:
    for result in results:
        tally["pages"] += 1
        tally["moved"] += result.topic != result.stored_topic
        yield result


def _plain_lines(results: Iterable[Rejudged]) -> Iterator[str]:
    """Yield a line for each page: relevance now and as stored, the most likely topic, and the address."""
    yield "  now  stored  topic, address"
    for result in results:
        stored = "" if result.stored_relevance is None else f"{result.stored_relevance:.3f}"
        yield f"{result.relevance:.3f}  {stored:>6}  {result.topic or '(no topic)'}  {result.name}"


def _json_lines(results: Iterable[Rejudged]) -> Iterator[str]:
    """Yield the JSON of `classify --json` page by page, so a large crawl need not fit into memory."""
    ahead = '{"pages":['
    for result in results:
        yield ahead + in_json(msgspec.json.encode(result).decode())
        ahead = ","
    yield '{"pages":[],"failed":{}}' if ahead != "," else '],"failed":{}}'


def _critic(store: Store, wish: StoredWish) -> Critic:
    record = store.critic()
    if record is None:
        raise DirectoryError(f"{wish.path} has no critic yet; train one with: scenthound crawl {wish.path}")
    critic = saved_critic(wish.path, record.model)
    if wish.by is not By.CRITIC and not isinstance(critic, BayesCritic):
        raise UsageError(
            f'the critic of {wish.path} is "{record.kind}", and only naive Bayes can be asked in SQL: leave out --by, '
            f"or set "
            f'critic.kind = "bayes" in crawl.toml and train it with: scenthound topics {wish.path} --retrain'
        )
    return critic


@contextmanager
def _judging(critic: Critic, topics: Topics, wish: StoredWish) -> Iterator[Judge]:
    """Give what judges some pages; with `keep`, the tables stay in a file, which is there whole or not at all."""
    if wish.by is By.CRITIC or not isinstance(critic, BayesCritic):
        yield critic.judge
        return
    with ExitStack() as stack:
        file = stack.enter_context(_whole_file(wish.keep)) if wish.keep else None
        probe = stack.enter_context(probing(critic, topics))
        if file:
            attach_kept(probe.con, file)
        yield _by_probe(probe, Way(wish.by), keep=file is not None)


def _by_probe(probe: Prober, way: Way, *, keep: bool) -> Judge:
    """Return what judges pages in the database, numbers them as they come, and copies them if they are to be kept."""
    first = 0

    def judge(pages: Sequence[Page]) -> Probabilities:
        nonlocal first
        with probe.holding(pages, first=first) as dids:
            first = dids.stop
            rows = probe.judged(dids, way)
            if keep:
                keep_pages(probe.con)
        return rows

    return judge


@contextmanager
def _whole_file(path: Path) -> Iterator[Path]:
    if path.exists():
        raise UsageError(f"{path} already exists; name another file, or remove it")
    try:
        with replacing(path) as beside:
            yield beside
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _rejudged(
    store: Store, directory: CrawlDirectory, critic: Critic, judge: Judge, topics: Topics, listener: Listener
) -> Iterator[Rejudged]:
    """Yield all pages with their new judgement."""
    began, total, done = monotonic(), store.census(now=0.0).pages, 0
    for batch in _stored(store):
        pages = [_page(directory, held, critic) for held in batch]
        rows = judge(pages)
        for held, row, judgement in zip(batch, rows, judgements(rows, critic.classes, topics), strict=True):
            yield Rejudged(
                name=held.url,
                title=held.title,
                relevance=judgement.relevance,
                topic=judgement.topic,
                stored_relevance=held.relevance,
                stored_topic=held.topic,
                probabilities=dict(path_probabilities(row, critic.classes)),
            )
        done += len(batch)
        elapsed = monotonic() - began
        eta = estimate(elapsed, done=done, left=max(0, total - done))
        listener(Stride(stage="judging", done=done, total=max(done, total), elapsed=elapsed, eta=eta))


def _stored(store: Store) -> Iterator[list[HeldPage]]:
    """Yield all pages in fetch order, some at a time."""
    after = 0
    while held := store.to_judge(critic=_NO_CRITIC, after=after, limit=AT_ONCE):
        after = held[-1].n
        pages = [page for page in held if not page.redirect]
        if pages:
            yield pages


def _page(directory: CrawlDirectory, held: HeldPage, critic: Critic) -> Page:
    if held.terms and not critic.wants_text:
        return as_page(held)
    return page_of_archive(directory.archive_place, held) or as_page(held)
