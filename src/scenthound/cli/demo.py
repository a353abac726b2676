"""`scenthound demo`: a complete crawl of a web made up on this machine, and what a user would want to know about it.

The web is served from a process of its own on a loopback port; the crawl is sent there by fetch.resolve and is
otherwise one like any other. Because the web is made up, the true topic of every page is known.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.cli.crawl import EXIT_CODES, run_with_view, summary_lines
from scenthound.config import CrawlSettings, FetchSettings, Settings
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import failures, refusals
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.desk.reading import reading
from scenthound.desk.why import tell
from scenthound.desk.words import reason_words
from scenthound.errors import DirectoryError
from scenthound.harmless import say
from scenthound.taxonomy import Topic, Topics
from scenthound.types import PageRow

TOPIC = "Recreation/Cycling"
_FOLDER = Path("demo-crawl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvested:
    """What was fetched, beside what there was to fetch."""

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
    """Send every name of the made-up web to the port, and shorten the waits that real servers deserve."""
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
    """Say what is wanted, and with some pages of each other topic what is not."""
    others = [topic for topic in web.topics if not _wanted(topic)]
    return Topics(
        topics=(
            Topic(path=TOPIC, good=True, examples=tuple(web.seeds(TOPIC, 8))),
            *(Topic(path=topic, examples=tuple(web.seeds(topic, 5))) for topic in others),
        )
    )


def harvested(rows: Iterator[PageRow], truth: Mapping[str, str]) -> Harvested:
    """Count fetched pages by their true topic; pages the maker gave none, such as imprints, are left out."""
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
    yield "Trouble that was met and survived:"
    for reason, number in failures(census) + refusals(census):
        yield f"  {number:>5}  {reason}: {reason_words(reason)}"
    if census.duplicates or census.near_duplicates:
        yield f"  {census.duplicates + census.near_duplicates:>5}  pages that repeat another one, recognised as such"
    if story is not None:
        yield ""
        yield "One page, as `scenthound why` tells its story:"
        yield from (f"  {line}" for line in tell(story, now=time.time(), product="scenthound", running=False))
    yield ""
    yield "What to try next:"
    yield from (f"  {line}" for line in _next(directory.path, found.example))


def _by_topic(found: Harvested) -> Iterator[str]:
    """Show the share of each topic among what was fetched; the wanted one comes first."""
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
