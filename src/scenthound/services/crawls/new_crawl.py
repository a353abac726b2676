"""A new crawl directory from addresses, a topics file, bookmarks, a web directory, documents or a query."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError, UsageError
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topics
from scenthound.topics.bookmarks import import_bookmarks
from scenthound.topics.dmoz import import_dmoz
from scenthound.topics.document_folder import import_folder
from scenthound.topics.edits import mark_good
from scenthound.topics.imported import ExampleFile, Imported, Progress, silent
from scenthound.topics.query_topic import topics_of_query
from scenthound.topics.sentences import quoted
from scenthound.topics.start_pages import what_is_missing
from scenthound.topics.topic_names import ending_in, find_topic, is_path
from scenthound.topics.topics_file import import_file
from scenthound.topics.url_topics import INTEREST, checked_urls, topics_of_urls, with_urls

if TYPE_CHECKING:
    from scenthound.services.crawls.learnt_apprentice import Begun


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for."""

    path: Path
    urls: Sequence[str] = ()
    topics: Path | None = None
    bookmarks: Path | None = None
    dmoz: Path | None = None
    under: Sequence[str] = ()
    folder: Path | None = None
    query: str | None = None
    start: Sequence[str] = ()
    good: Sequence[str] = ()
    apprentice: Path | None = None
    overrides: Sequence[str] = ()

    @property
    def sources(self) -> list[str]:
        """The options that say where topics come from."""
        given = {name: getattr(self, name) for name in ("topics", "bookmarks", "dmoz", "folder", "query")}
        return [f"--{name}" for name, value in given.items() if value is not None]


def make_crawl(wish: Wish, *, progress: Progress = silent) -> list[str]:
    """Make the crawl; return sentences on what it holds and how to go on. A dump that is read reports `progress`."""
    _check(wish)
    settings = override(Settings(), wish.overrides) if wish.overrides else Settings()
    if wish.start:
        starts = [*settings.crawl.start, *checked_urls(wish.start)]
        settings = structs.replace(settings, crawl=structs.replace(settings.crawl, start=starts))
    found = _marked(_imported(wish, settings, progress), wish)
    begun = _begun(wish, settings, found)
    if begun is not None:
        settings = structs.replace(settings, apprentice=begun.settings)
    directory = CrawlDirectory.create(
        wish.path,
        topics=found.topics,
        settings=settings,
        files=(*found.files, *_learnt(wish, settings)),
        topics_text=found.text,
    )
    return [*_report(directory, found, wish), *(begun.says if begun is not None else ())]


def _begun(wish: Wish, settings: Settings, found: Imported) -> "Begun | None":
    if wish.apprentice is None:
        return None
    from scenthound.services.crawls.learnt_apprentice import (
        begun_with,  # it loads numpy, which most crawls can wait for
    )

    return begun_with(settings.apprentice, wish.apprentice, found.topics)


def _learnt(wish: Wish, settings: Settings) -> Iterator[ExampleFile]:
    if wish.apprentice is not None:
        yield ExampleFile(name=f"learnt/{settings.apprentice.before}.npz", source=wish.apprentice)


def _check(wish: Wish) -> None:
    if len(wish.sources) > 1:
        raise UsageError(f"give one of {' and '.join(wish.sources)}, not both; a topics file can hold all of it")
    if not wish.sources and not wish.urls:
        raise UsageError(
            f"nothing to crawl; name pages you want more of: scenthound new {wish.path} https://example.org/page, or "
            "--topics F.toml, --bookmarks F.html, --dmoz F.rdf, --folder D, --query WORDS"
        )
    if wish.under and wish.dmoz is None:
        raise UsageError("--under takes a part of a web directory; it belongs to --dmoz")


def _imported(wish: Wish, settings: Settings, progress: Progress) -> Imported:
    if wish.topics is not None:
        return import_file(wish.topics)
    if wish.bookmarks is not None:
        return import_bookmarks(wish.bookmarks)
    if wish.folder is not None:
        return import_folder(wish.folder, settings=settings.fetch)
    if wish.dmoz is not None:
        return import_dmoz(
            wish.dmoz, settings=settings.topics, seed=settings.crawl.seed, under=wish.under, progress=progress
        )
    path = _own_name(wish)
    topics = topics_of_urls(wish.urls, path=path) if wish.query is None else topics_of_query(wish.query, path=path)
    return Imported(topics=topics)


def _own_name(wish: Wish) -> str:
    """Return the path of the one topic that addresses or a query make: what --good says."""
    if len(wish.good) > 1:
        raise UsageError("addresses or a query make one topic; give --good once, to name it")
    name = wish.good[0] if wish.good else INTEREST
    if not is_path(name):
        raise UsageError(f'--good {name}: a topic is names with one / between them, such as "Recreation/Cycling"')
    return name


def _marked(found: Imported, wish: Wish) -> Imported:
    """Mark the good topics, and hang the addresses on them."""
    topics = found.topics
    if wish.sources and wish.sources != ["--query"]:
        for name in wish.good:
            path = _named(found, name)
            topics = topics if _is_marked(topics, path) else mark_good(topics, path).topics
        if not topics.good and len(topics.topics) == 1:
            topics = mark_good(topics, topics.topics[0].path).topics
    if wish.sources and wish.urls:
        topics = with_urls(topics, wish.urls)
    return replace(found, topics=topics)


def _is_marked(topics: Topics, path: str) -> bool:
    topic = topics.find(path)
    return topic is not None and topic.good


def _named(found: Imported, name: str) -> str:
    """Find the topic that --good names; say so if it was folded."""
    try:
        return find_topic(found.topics, name)
    except TopicsError as error:
        folded = [path for path in ending_in(found.folded, name) if found.folded[path]]
        if not folded or ending_in(found.topics.nodes, name):
            raise TopicsError(f"--good {name}: {error}") from None
        path = folded[0]
        raise TopicsError(
            f'--good {name}: "{path}" had too few examples and was folded into "{found.folded[path]}"; mark that, '
            "or keep smaller topics with --set topics.min_examples=N, or take a part of the directory with --under"
        ) from None


def _report(directory: CrawlDirectory, found: Imported, wish: Wish) -> Iterator[str]:
    topics, path = directory.topics(), wish.path
    seeds = directory.seeds()
    yield f"Made {path} with {count(len(seeds), 'page')} to start from. Settings are in {directory.settings_file}."
    yield from found.notes
    if len(topics.topics) > 1:
        examples = sum(len(topic.examples) for topic in topics.topics)
        good = f"good: {quoted([topic.path for topic in topics.good])}" if topics.good else "none is good yet"
        yield f"{count(len(topics.topics), 'topic')} with {count(examples, 'example')}; {good}."
    if seeds:
        yield f"Start it with: {shlex.join(['scenthound', 'crawl', str(path), '--pages', '1000'])}"
        if wish.query is not None:
            ask = shlex.join(["scenthound", "feedback", str(path), "--ask", "5"])
            yield f"Words say little. When some pages are in, confirm a few: {ask}"
        return
    yield f"It {what_is_missing(topics, path)}"
    if not topics.good:
        yield f"To see the topics: {shlex.join(['scenthound', 'topics', str(path)])}"
