"""Addresses on the command line as examples: alone they are one good topic, beside a taxonomy they join its good topic."""

from collections.abc import Sequence
from dataclasses import replace

from scenthound.errors import TopicsError, UrlError
from scenthound.parse.urls import typed_address
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.wording import quoted

INTEREST = "Interest"  # the topic of those who name none


def topics_of_urls(urls: Sequence[str], *, path: str = INTEREST) -> Topics:
    """Make one good topic of addresses typed on the command line."""
    return Topics(topics=(Topic(path=path, good=True, examples=checked_urls(urls)),))


def with_urls(topics: Topics, urls: Sequence[str]) -> Topics:
    """Add addresses to the examples of the only good topic."""
    if len(topics.good) != 1:
        which = f"good are {quoted([topic.path for topic in topics.good])}" if topics.good else "no topic is good"
        raise TopicsError(
            f"of which topic are the addresses examples? {which}; with --good exactly one, they become its examples"
        )
    [good] = topics.good
    more = replace(good, examples=tuple(dict.fromkeys((*good.examples, *checked_urls(urls)))))
    return Topics(topics=tuple(more if topic == good else topic for topic in topics.topics))


def checked_urls(urls: Sequence[str]) -> tuple[str, ...]:
    """Return addresses as they were typed, each once and with a scheme, or say which is none."""
    found = [typed_address(url) for url in urls]
    for url, address in zip(urls, found, strict=True):
        if address is None:
            raise UrlError(f"{url} is not the address of a web page; write it in full, as https://www.example.org/page")
    return tuple(dict.fromkeys(address for address in found if address))
