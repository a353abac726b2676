"""The pages of which the user has said something: they are examples of some topic, whole or trimmed.

A trimmed page is an example file. Its name holds a digest of the page's address, so that the topics file alone says
which page it stands for, and an edit that is undone undoes that too.
"""

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from scenthound.parse.urls import canonical
from scenthound.taxonomy import Topics
from scenthound.topics.document_folder import PLACE
from scenthound.topics.topic_names import tidy_name

_PREFIX: Final = "trimmed-"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedPages:
    """Ask it with `in`.

    >>> from scenthound.taxonomy import Topic
    >>> name = trimmed_name("Sport/Golf", "http://a.test/")
    >>> decided = decided_pages(Topics(topics=(Topic(path="Sport/Golf", examples=(name, "http://b.test/")),)))
    >>> [url in decided for url in ("http://a.test/", "http://b.test/", "http://c.test/")]
    [True, True, False]
    """

    urls: Collection[str]
    trimmed: Collection[str]

    def __contains__(self, url: str) -> bool:
        return url in self.urls or (bool(self.trimmed) and _file_name(url) in self.trimmed)


def decided_pages(topics: Topics) -> DecidedPages:
    """Return the pages that stand in the topics file."""
    urls = (canonical(url) or url for topic in topics.topics for url in topic.example_urls)
    files = (name.rpartition("/")[2] for topic in topics.topics for name in topic.example_files)
    trimmed = (name for name in files if name.startswith(_PREFIX))
    return DecidedPages(urls=frozenset(urls), trimmed=frozenset(trimmed))


def trimmed_name(path: str, url: str) -> str:
    """Return the file of a trimmed page of a topic.

    >>> trimmed_name("Sport/Golf", "http://a.test/")[:36]
    'examples/Sport/Golf/trimmed-057297f0'
    """
    return f"{PLACE}/{'/'.join(tidy_name(part).strip('.') or '_' for part in path.split('/'))}/{_file_name(url)}"


def _file_name(url: str) -> str:
    return f"{_PREFIX}{blake2b(url.encode(), digest_size=8).hexdigest()}.html"
