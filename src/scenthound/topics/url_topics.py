"""URLs from the command line as examples: of a topic of their own, or of the good topic of a taxonomy."""

from collections.abc import Sequence
from dataclasses import replace

from scenthound.errors import TopicsError, UrlError
from scenthound.parse.urls import typed_address
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.sentences import quoted

INTEREST = "Interest"  # the topic if the user names none


def topics_of_urls(urls: Sequence[str], *, path: str = INTEREST) -> Topics:
    """Make one good topic from URLs."""
    return Topics(topics=(Topic(path=path, good=True, examples=checked_urls(urls)),))


def with_urls(topics: Topics, urls: Sequence[str]) -> Topics:
    """Add URLs to the examples of the only good topic."""
    if len(topics.good) != 1:
        which = f"{quoted([topic.path for topic in topics.good])} are good" if topics.good else "no topic is good"
        raise TopicsError(f"the URLs need exactly one good topic, but {which}; name it with --good")
    [good] = topics.good
    more = replace(good, examples=tuple(dict.fromkeys((*good.examples, *checked_urls(urls)))))
    return Topics(topics=tuple(more if topic == good else topic for topic in topics.topics))


def checked_urls(urls: Sequence[str]) -> tuple[str, ...]:
    """Return URLs, each once and with a scheme; raise an error for anything else."""
    found = [typed_address(url) for url in urls]
    for url, address in zip(urls, found, strict=True):
        if address is None:
            raise UrlError(
                f"{url} is not the URL of a web page; write it in full, such as https://www.example.org/page"
            )
    return tuple(dict.fromkeys(address for address in found if address))
