"""Good, or not good, of a site or a hub: what is said goes for the best of its pages, as one edit that can be undone.

A critic learns from pages, and the distiller follows the critic (a page's relevance weighs its links, FOCUS §2.2.2). So a
site stands for its most relevant pages, and a hub for itself and the most relevant pages that it leads to: those of a good
one are worth more like them, those of one that is not are where the critic is most wrong. A few say it; all pages of a large
site would drown the other examples.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.asking import asking
from scenthound.desk.feedback import Saying, Sayings, change, good_topic, placed, topic_of_example
from scenthound.desk.pages import PageQuery, find_pages
from scenthound.desk.topics_edit import Edited
from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical, domain_of, host_of
from scenthound.store.sqlite_links import url_key
from scenthound.taxonomy import NOT_WANTED, Topics
from scenthound.topics.edits import Edit
from scenthound.topics.file import topics_in
from scenthound.topics.teaching import in_words, to_learn_anew
from scenthound.topics.urls import checked_urls
from scenthound.topics.wording import count

FEW: Final = 5  # pages that stand for a site, or for a hub with what it leads to

# By the primary keys of standings, links, finds and pages; a hub's links are hundreds.
_ID = "SELECT s.id FROM hosts h JOIN standings s ON s.host_id = h.id AND s.key = ? WHERE h.name = ?"
_PAGES = """
SELECT f.url, p.title, p.relevance FROM finds f JOIN pages p ON p.url_id = f.id
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND f.id {which} ORDER BY p.relevance DESC"""
_ITSELF, _LED_TO = (_PAGES.format(which=which) for which in ("= ?", "IN (SELECT dst FROM links WHERE src = ?)"))
_URLS_LED_TO = "SELECT url FROM finds WHERE id IN (SELECT dst FROM links WHERE src = ?)"


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
    """Work out which pages a saying goes for, and where they would stand; those that stand there already are left out."""
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
        led_to = [row for row in con.execute(_LED_TO, hub) if not _is_of(row[0], own)]
        return [*con.execute(_ITSELF, hub), *led_to][:FEW]  # what it says of its own site endorses nothing


def _id_of(con: sqlite3.Connection, url: str) -> tuple[int]:
    address = _address(url)
    row: tuple[int] | None = con.execute(_ID, (url_key(address), host_of(address))).fetchone()
    if row is None:
        raise TopicsError(f"{url} is not known to this crawl")
    return row


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
        known = {_address(name), *(str(row[0]) for row in con.execute(_URLS_LED_TO, _id_of(con, name)))}
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
    retrain = to_learn_anew(topics, after, {})
    says = f"{what[:1].upper()}{what[1:]}; {in_words(retrain)}."
    return Edit(topics=after, says=says, changed=tuple(sorted(changed)), retrain=retrain)
