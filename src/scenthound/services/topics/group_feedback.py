"""Good, or not good, of a site or a hub: what is said goes for the best of its pages, as one edit that can be undone.

A critic learns from pages, and the distiller follows the critic (a page's relevance weighs its links, FOCUS §2.2.2). So
a site stands for its most relevant pages, and a hub for itself and the most relevant pages that it leads to: those of a
good one are worth more like them, those of one that is not are where the critic is most wrong. A few say it; all pages
of a large site would drown the other examples.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical, domain_of, host_of
from scenthound.services.results.page_list import PageQuery, find_pages
from scenthound.services.sql.read_connection import asking
from scenthound.services.topics.page_feedback import Saying, Sayings, change, good_topic, placed, topic_of_example
from scenthound.services.topics.topic_edits import Edited
from scenthound.store.sqlite.queries.linked_pages import id_of_url, judged_page, judged_targets, target_urls
from scenthound.taxonomy import NOT_WANTED, Topics
from scenthound.topics.edit_effect import in_words, nodes_to_learn
from scenthound.topics.edits import Edit
from scenthound.topics.topics_file import topics_in
from scenthound.topics.url_topics import checked_urls

FEW: Final = 5  # pages that stand for a site, or for a hub with what it leads to


class Of(StrEnum):
    """What something is said of."""

    PAGE = "page"
    SITE = "site"
    HUB = "hub"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantPage:
    """A page that would become an example of `to`; `now` is the topic that it is an example of, if any."""

    url: str
    title: str
    relevance: float
    now: str | None
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What saying something would do, in a sentence, and to which pages."""

    says: str
    pages: tuple[MeantPage, ...]


def meant_by(directory: CrawlDirectory, of: Of, name: str, saying: Saying, *, topic: str = "") -> Meant:
    """Work out which pages feedback applies to, and their new topics; leave out pages that have them already."""
    _check(of, name)
    topics = directory.topics()
    pages = tuple(_meant(directory, topics, _best(directory, of, name), saying, topic))
    if not pages:
        raise TopicsError(f"no page of {name} could become an example: none was judged, or all are examples already")
    whose = "most relevant pages of it" if of is Of.SITE else "it, and the most relevant pages that it leads to,"
    where = "of what is wanted" if saying is Saying.GOOD else f'of "{NOT_WANTED}"'
    return Meant(says=f"These {whose} become examples {where}.", pages=pages)


def say_of(
    directory: CrawlDirectory, of: Of, name: str, saying: Saying, *, only: Sequence[str] = (), topic: str = ""
) -> Edited:
    """Make the pages that a saying goes for examples, or only some of them, as one edit."""
    meant = meant_by(directory, of, name, saying, topic=topic).pages
    if strange := set(only) - {page.url for page in meant}:
        raise TopicsError(f"{min(strange)} is none of the pages that this goes for; ask for them first")
    goes = {page.url: page.to for page in meant if not only or page.url in only}

    def edit(topics: Topics) -> Edit:
        return _all_placed(topics, goes, f"{count(len(goes), 'page')} of {name} {_WORDS[saying]}")

    return change(directory, edit)


def take_back_of(directory: CrawlDirectory, of: Of, name: str) -> Edited:
    """Let the pages of a site or a hub be what they were before the last time that something was said of any."""
    _check(of, name)
    concerned = _concerned(directory, of, name)

    def edit(topics: Topics) -> Edit:
        now = _places(topics, concerned)
        for version in reversed(directory.history.versions()):
            before = _places(topics_in(version.read_text(encoding="utf-8-sig")), concerned)
            if before != now:
                goes = {url: before.get(url) for url in now | before if before.get(url) != now.get(url)}
                return _all_placed(topics, goes, f"what was said of {name} is taken back")
        raise TopicsError(f"nothing was said of {name} that could be taken back")

    return change(directory, edit)


def _check(of: Of, name: str) -> None:
    """Refuse a page or a hub that is no address; a site is a name."""
    if of is not Of.SITE:
        checked_urls([name])


def said_of_site(sayings: Sayings, site: str) -> Saying | None:
    """Return what was said of all examples of a site alike."""
    said = {sayings.of(url) for url in sayings.examples if _is_of(url, site)}
    return said.pop() if len(said) == 1 else None


_WORDS: Final = {Saying.GOOD: "are examples of what is wanted now", Saying.NOT_GOOD: "are examples against it now"}


def _best(directory: CrawlDirectory, of: Of, name: str) -> list[tuple[str, str, float]]:
    """Return address, title and relevance of the pages that stand for a site or a hub."""
    if of is Of.SITE:
        found = find_pages(directory, PageQuery(site=name, limit=FEW)).pages
        return [(page.url, page.title, page.relevance or 0.0) for page in found]
    with asking(directory) as con:
        hub = _id_of(con, name)
        own = domain_of(host_of(_address(name)))
        led_to = [row for row in judged_targets(con, hub) if not _is_of(row[0], own)]
        return [*judged_page(con, hub), *led_to][:FEW]  # links within its own site endorse nothing


def _id_of(con: sqlite3.Connection, url: str) -> int:
    found = id_of_url(con, _address(url))
    if found is None:
        raise TopicsError(f"{url} is not known to this crawl")
    return found


def _address(name: str) -> str:
    """Return the canonical address of a page that is named as people type it."""
    [address] = checked_urls([name])
    return canonical(address) or address


def _meant(
    directory: CrawlDirectory, topics: Topics, best: Sequence[tuple[str, str, float]], saying: Saying, topic: str
) -> Iterator[MeantPage]:
    for url, title, relevance in best:
        now = topic_of_example(topics, url)
        to = good_topic(directory, topics, url, topic) if saying is Saying.GOOD else NOT_WANTED
        if now != to and not (saying is Saying.GOOD and now is not None and topics.is_good(now)):
            yield MeantPage(url=url, title=title, relevance=relevance, now=now, to=to)


def _concerned(directory: CrawlDirectory, of: Of, name: str) -> Callable[[str], bool]:
    """Return what tells whether a page is one of a site, or a hub or what it leads to."""
    if of is Of.SITE:
        return lambda url: _is_of(url, name)
    with asking(directory) as con:
        known = {_address(name), *target_urls(con, _id_of(con, name))}
    return lambda url: canonical(url) in known


def _is_of(url: str, site: str) -> bool:
    address = canonical(url)
    return address is not None and site in (host_of(address), domain_of(host_of(address)))


def _places(topics: Topics, concerned: Callable[[str], bool]) -> dict[str, str]:
    """Return the topics of all examples that something is said of, by address."""
    return {
        canonical(url) or url: topic.path for topic in topics.topics for url in topic.example_urls if concerned(url)
    }


def _all_placed(topics: Topics, goes: dict[str, str | None] | dict[str, str], what: str) -> Edit:
    """Put pages where they go; None is nowhere."""
    after, changed = topics, set[str]()
    for url, to in goes.items():
        done = placed(after, url, to)
        after, changed = done.topics, changed | set(done.changed)
    retrain = nodes_to_learn(topics, after, {})
    says = f"{what[:1].upper()}{what[1:]}; {in_words(retrain)}."
    return Edit(topics=after, says=says, changed=tuple(sorted(changed)), retrain=retrain)
