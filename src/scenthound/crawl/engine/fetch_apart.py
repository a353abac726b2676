"""A few pages fetched to be looked at and not kept, as politely as in any crawl, because it is one.

A crawl of these addresses alone runs in a temporary folder, with robots.txt, delays, redirects, limits and guarded
readers.
"""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.engine.assemble import run_crawl
from scenthound.crawl.engine.loop import StopSwitch
from scenthound.crawl.readers.stored_pages import page_of_archive
from scenthound.events import Listener, ignore
from scenthound.judge.critic import Page
from scenthound.parse.urls import canonical
from scenthound.settings.schema import CriticSettings, Settings
from scenthound.store.base import Store
from scenthound.topics.url_topics import topics_of_urls


def fetch_apart(urls: Sequence[str], settings: Settings, *, listener: Listener = ignore) -> dict[str, Page | str]:
    """Return for each address its page, or in words why there is none."""
    with tempfile.TemporaryDirectory(prefix="scenthound-") as folder:
        directory = CrawlDirectory.create(Path(folder) / "crawl", topics=topics_of_urls(urls))
        apart = msgspec.structs.replace(settings, critic=CriticSettings(kind="none"))
        run_crawl(directory, apart, listener=listener, stop=StopSwitch(), examples_only=True)
        with open_store(directory, read_only=True) as store:
            return {url: _found(store, directory, url) for url in urls}


def _found(store: Store, directory: CrawlDirectory, url: str) -> Page | str:
    address = canonical(url) or url
    held = store.held([address]).get(address)
    page = page_of_archive(directory.archive_place, held) if held else None
    if page is not None:
        return page
    story = store.story(address, now=time.time())
    if story is None or story.reason is None:
        return "nothing came"
    return f"{story.reason} {story.detail}".strip()
