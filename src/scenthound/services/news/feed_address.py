"""The secret address of a feed. Feed readers cannot log in; who knows the address may read the news, and no more."""

import secrets
from typing import Final
from urllib.parse import quote

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.news.question_run import DATABASE, news_of

FEEDS: Final = "/feeds/"
_FACT: Final = "feed token"


def feed_path(directory: CrawlDirectory, name: str = "") -> str:
    """Return the path of the feed in the window, where a crawl may have a `name`. The secret is made at the first call.

    `?question=NAME` behind it asks for the news of one question.
    """
    with news_of(directory) as store:
        token = store.fact(_FACT) or store.made_once(_FACT, secrets.token_urlsafe(24))
    return f"{FEEDS}{quote(name or directory.path.resolve().name, safe='')}/{token}/news.atom"


def renew_token(directory: CrawlDirectory) -> None:
    """Make another secret; the address with the old one ends."""
    with news_of(directory) as store:
        store.fact(_FACT, secrets.token_urlsafe(24))


def is_token(directory: CrawlDirectory, given: str) -> bool:
    """Tell whether a request knows the secret."""
    if not (directory.path / DATABASE).exists():
        return False
    with news_of(directory) as store:
        token = store.fact(_FACT)
    return bool(token) and secrets.compare_digest((token or "").encode(), given.encode("utf-8", "replace"))
