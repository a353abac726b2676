"""The work of `scenthound demo`: a complete crawl of an artificial web, and a report about it.

A separate process serves the web on a loopback port, and fetch.resolve sends the crawl there. Otherwise it is a normal
crawl. The true topic of every page is known, because the web is artificial.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.cli.work.crawl_run import EXIT_CODES, run_with_view, summary_lines
from scenthound.crawl.diagnosis.speed import failures, refusals
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.errors import DirectoryError
from scenthound.services.crawls.reader_store import reading
from scenthound.services.why.reason_words import reason_words
from scenthound.services.why.url_story import tell
from scenthound.settings.schema import CrawlSettings, FetchSettings, Settings
from scenthound.taxonomy import Topic, Topics
from scenthound.terminal import say
from scenthound.types import PageRow

TOPIC = "Recreation/Cycling"
_FOLDER = Path("demo-crawl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvested:
    """The fetched pages and the existing ones, by topic."""

    fetched: Counter[str]
    existing: Counter[str]
    example: PageRow | None


def show_demo(path: Path | None, *, pages: int) -> int:
    folder = path or _FOLDER
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DirectoryError(f"{folder} exists; remove it, or choose another folder with --dir")
    web = DemoWeb(7)
    with ServedApart(web.answer) as served:
        say(f"A web of {len(web.hosts)} hosts and {len(web.truth):,} pages is up on port {served.port}.")
        settings = demo_settings(web, served.port, pages=pages)
        directory = CrawlDirectory.create(folder, topics=demo_topics(web), settings=settings)
        summary = run_with_view(directory, settings)
    say("\n".join(summary_lines(summary)))
    say("\n".join(_report(directory, web)))
    return EXIT_CODES.get(summary.cause, 0)


def demo_settings(web: DemoWeb, port: int, *, pages: int) -> Settings:
    """Resolve every host of the artificial web to the port, and shorten the delays that real servers need."""
    endings = sorted({"*." + host.rpartition(".")[2] for host in web.hosts})
    fetch = FetchSettings(
        contact="demo@localhost",
        delay=0.02,
        max_delay=2.0,
        delay_factor=1.0,
        per_domain=0,
        per_ip=0,
        connect_timeout=2.0,
        first_byte_timeout=2.0,
        timeout=5.0,
        resolve=dict.fromkeys(endings, f"127.0.0.1:{port}"),
    )
    return Settings(crawl=CrawlSettings(pages=pages, patience=10.0), fetch=fetch)


def demo_topics(web: DemoWeb) -> Topics:
    """Return the good topic, and some examples of every other topic."""
    others = [topic for topic in web.topics if not _wanted(topic)]
    return Topics(
        topics=(
            Topic(path=TOPIC, good=True, examples=tuple(web.seeds(TOPIC, 8))),
            *(Topic(path=topic, examples=tuple(web.seeds(topic, 5))) for topic in others),
        )
    )


def harvested(rows: Iterator[PageRow], truth: Mapping[str, str]) -> Harvested:
    """Count fetched pages by their true topic. Pages without one, such as imprints, do not count."""
    fetched: Counter[str] = Counter()
    example: PageRow | None = None
    for row in rows:
        topic = truth.get(row.final_url) or truth.get(row.url)
        if topic:
            fetched[topic] += 1
            example = example or (row if row.depth > 1 and (row.relevance or 0.0) >= 0.5 else None)
    return Harvested(fetched=fetched, existing=Counter(truth.values()), example=example)


def _report(directory: CrawlDirectory, web: DemoWeb) -> Iterator[str]:
    with reading(directory) as store:
        found = harvested(store.pages(), web.truth)
        census = store.census(now=time.time())
        story = store.story(found.example.url, now=time.time()) if found.example else None
    yield from _by_topic(found)
    yield ""
    yield "Problems that the crawl handled:"
    for reason, number in failures(census) + refusals(census):
        yield f"  {number:>5}  {reason}: {reason_words(reason)}"
    if census.duplicates or census.near_duplicates:
        yield f"  {census.duplicates + census.near_duplicates:>5}  duplicate pages, recognised as such"
    if story is not None:
        yield ""
        yield "One page, as `scenthound why` explains it:"
        yield from (f"  {line}" for line in tell(story, now=time.time(), product="scenthound", running=False))
    yield ""
    yield "What to try next:"
    yield from (f"  {line}" for line in _next(directory.path, found.example))


def _by_topic(found: Harvested) -> Iterator[str]:
    """Show the share of each topic among the fetched pages, good topics first."""
    total = sum(found.fetched.values())
    good = sum(number for topic, number in found.fetched.items() if _wanted(topic))
    yield ""
    yield f"Of {total:,} pages with a topic {good:,} are truly about {TOPIC} ({100 * good / max(1, total):.0f} %):"
    for topic, number in sorted(found.fetched.items(), key=lambda pair: (not _wanted(pair[0]), -pair[1])):
        mark = "*" if _wanted(topic) else " "
        yield f"  {mark} {number:>5} of {found.existing[topic]:>5}  {topic}"


def _wanted(topic: str) -> bool:
    return topic == TOPIC or topic.startswith(TOPIC + "/")


def _next(path: Path, example: PageRow | None) -> Iterator[str]:
    yield f"scenthound status {path}"
    if example is not None:
        yield f"scenthound why {path} '{example.url}'"
    yield f"scenthound export {path} --format jsonl"
    yield "scenthound new my-crawl https://www.example.org/a-page-you-like"
