"""A focused web crawler: give it examples of a topic, and it brings back the pages about it.

The names below are what other programs may rely on. Each is imported when it is first used, so that
`import scenthound` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory as CrawlDirectory
    from scenthound.crawl.directory.open_store import open_store as open_store
    from scenthound.crawl.engine.assemble import StopSwitch as StopSwitch
    from scenthound.crawl.engine.assemble import run_crawl as run_crawl
    from scenthound.crawl.revisit.calendar import Revisit as Revisit
    from scenthound.events import StopCause as StopCause
    from scenthound.events import Summary as Summary
    from scenthound.events import ignore as ignore
    from scenthound.library.entrance import new as new
    from scenthound.library.entrance import open as open
    from scenthound.library.opened_crawl import Crawl as Crawl
    from scenthound.settings.schema import Settings as Settings
    from scenthound.topics.url_topics import topics_of_urls as topics_of_urls

    __version__: str

__all__ = [
    "Crawl",
    "CrawlDirectory",
    "Revisit",
    "Settings",
    "StopCause",
    "StopSwitch",
    "Summary",
    "__version__",
    "ignore",
    "new",
    "open",
    "open_store",
    "run_crawl",
    "topics_of_urls",
]

_HOMES = {
    "Crawl": "scenthound.library.opened_crawl",
    "CrawlDirectory": "scenthound.crawl.directory.crawl_directory",
    "Revisit": "scenthound.crawl.revisit.calendar",
    "Settings": "scenthound.settings.schema",
    "StopCause": "scenthound.events",
    "StopSwitch": "scenthound.crawl.engine.assemble",
    "Summary": "scenthound.events",
    "ignore": "scenthound.events",
    "new": "scenthound.library.entrance",
    "open": "scenthound.library.entrance",
    "open_store": "scenthound.crawl.directory.open_store",
    "run_crawl": "scenthound.crawl.engine.assemble",
    "topics_of_urls": "scenthound.topics.url_topics",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("scenthound")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'scenthound' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
