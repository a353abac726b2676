"""What to say after a crawl without a single page: why each start page failed."""

import shlex
import time
from collections import Counter
from collections.abc import Iterator

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.reader_store import reading
from scenthound.store.base import Store


def why_no_page(directory: CrawlDirectory) -> Iterator[str]:
    """Yield a line if every start page failed."""
    with reading(directory) as store:
        fates = {url: fate(store, url, now=time.time()) for url in directory.seeds()}
    if not all(fates.values()):
        return
    if len(fates) == 1:
        failed = f"the only starting point failed ({next(iter(fates.values()))})"
    else:
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in Counter(fates.values()).most_common())
        failed = f"all {len(fates):,} starting points failed ({reasons})"
    command = shlex.join(["scenthound", "why", str(directory.path), next(iter(fates))])
    yield f"No page was fetched: {failed}. For details: {command}"


def fate(store: Store, url: str, *, now: float) -> str:
    """Return in one word why a URL, or the target of its redirect, has no page; "" if it may still get one."""
    story = store.story(url, now=now)
    if story is not None and story.state == "redirect" and story.page is not None:
        story = store.story(story.page.final_url, now=now)
    if story is None:
        return ""
    if story.reason:
        return str(story.reason)
    return story.host.reason if story.state == "waiting" and story.host.state == "bad" else ""
