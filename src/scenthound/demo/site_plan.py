"""Plans the demo web: the pages of its hosts, the famous ones, and the moved ones.

A plan is quick (titles only, no text); the text and links of a page are written on demand.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scenthound.demo.grammar import Dice, ForeignWriter, Vocabulary, Writer
from scenthound.demo.host_table import EVERYDAY, SITE_PAGES, DemoHost, Layout, Oddity, plan_hosts


class Kind(StrEnum):
    """The purpose of a page."""

    HOME = "home"
    SECTION = "section"
    ARTICLE = "article"
    LINKS = "links"  # a hub
    ABOUT = "about"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """A planned page; `focus` holds the words that its text and the links to it are about."""

    host: str
    path: str
    kind: Kind
    topic: str
    language: str
    title: str
    focus: tuple[str, ...]
    section: int
    day: int  # since 1 January 1998

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The whole web: pages by address, and orderings of them in which earlier ones get more links."""

    hosts: dict[str, DemoHost]
    pages: dict[str, DemoPage]
    by_host: dict[str, tuple[DemoPage, ...]]
    by_topic: dict[str, tuple[DemoPage, ...]]
    hubs: dict[str, tuple[DemoPage, ...]]
    moved: dict[str, str]  # an old address to its redirect target
    former: dict[str, str] = field(default_factory=dict)  # a page's address to the old one that leads to it


def plan_web(seed: int, vocabulary: Vocabulary, *, more: Iterable[DemoHost] = ()) -> Plan:
    """Plan a web, with `more` hosts than it has otherwise; the same seed gives the same web."""
    hosts = {host.name: host for host in (*plan_hosts(vocabulary), *more)}
    by_host = {
        host.name: tuple(_pages(seed, host, vocabulary))
        for host in hosts.values()
        if Oddity.MIRROR not in host.oddities
    }
    for host in hosts.values():
        if Oddity.MIRROR in host.oddities:
            by_host[host.name] = tuple(replace(page, host=host.name) for page in by_host[host.twin])
    pages = {page.url: page for batch in by_host.values() for page in batch}
    by_topic = _group_pages(seed, [page for page in pages.values() if page.kind is Kind.ARTICLE])
    hubs = _group_pages(seed, [page for page in pages.values() if page.kind is Kind.LINKS])
    moved = dict(_moves(seed, hosts, by_host))
    inner = set(moved.values())
    former = {_end(moved, old): old for old in moved if old not in inner}
    return Plan(hosts=hosts, pages=pages, by_host=by_host, by_topic=by_topic, hubs=hubs, moved=moved, former=former)


SECTIONS = ("guides", "stories", "reviews")


def _pages(seed: int, host: DemoHost, vocabulary: Vocabulary) -> Iterator[DemoPage]:
    if host.pages == 0:
        return
    dice = Dice(seed, "pages", host.name)
    taken: set[str] = set()
    yield _page(host, "/", Kind.HOME, host.topic, f"{host.title}: {_spoken(host.topic)}", dice)
    for number, section in enumerate(SECTIONS):
        yield _page(host, f"/{section}/", Kind.SECTION, host.topic, f"{section.title()} – {host.title}", dice, number)
    for name in ("about", "contact", "privacy"):
        yield _page(host, f"/{name}.html", Kind.ABOUT, SITE_PAGES, f"{name.title()} – {host.title}", dice)
    for topic in _hub_topics(host, vocabulary):
        path = "/links.html" if topic == host.topic else f"/{_slug(topic)}.html"
        yield _page(host, path, Kind.LINKS, topic, f"{_spoken(topic)}: links", dice)
    for number in range(host.pages - 8):
        yield _article(host, number, dice, vocabulary, taken)


def _hub_topics(host: DemoHost, vocabulary: Vocabulary) -> list[str]:
    if host.layout is Layout.DIRECTORY:
        return [topic for topic in vocabulary.topics if topic != EVERYDAY]
    return [host.topic] if host.topic in vocabulary.topics and host.language == "en" else []


def _article(host: DemoHost, number: int, dice: Dice, vocabulary: Vocabulary, taken: set[str]) -> DemoPage:
    section = number % len(SECTIONS)
    focus: tuple[str, ...] = ()
    if host.language != "en":
        foreign = vocabulary.foreign[host.language]
        title, topic = ForeignWriter(foreign, dice).title(), foreign.topic
    else:
        topic = _topic_of_article(host, dice, vocabulary)
        focus = Writer(vocabulary.topics[topic], dice).focus()
        title = Writer(vocabulary.topics[topic], dice, focus).title()
    day = dice.between(0, 10_000)
    path = _path(host.layout, SECTIONS[section], _slug(title), number, 1998 + day // 366)
    path = path if path not in taken else path.replace(_slug(title), f"{_slug(title)}-{number}")
    taken.add(path)
    return DemoPage(
        host=host.name,
        path=path,
        kind=Kind.ARTICLE,
        topic=topic,
        language=host.language,
        title=title,
        focus=focus,
        section=section,
        day=day,
    )


def _topic_of_article(host: DemoHost, dice: Dice, vocabulary: Vocabulary) -> str:
    """Choose the topic of an article: mostly that of its site; a general site covers everything."""
    topical = [topic for topic in vocabulary.topics if topic != EVERYDAY]
    if host.topic not in vocabulary.topics:
        return EVERYDAY
    own = 0.4 if host.topic == EVERYDAY else 0.6
    if dice.chance(own):
        return host.topic
    return EVERYDAY if dice.chance(0.5) else dice.pick(topical)


def _page(host: DemoHost, path: str, kind: Kind, topic: str, title: str, dice: Dice, section: int = 0) -> DemoPage:
    return DemoPage(
        host=host.name,
        path=path,
        kind=kind,
        topic=topic,
        language=host.language,
        title=title,
        focus=(),
        section=section,
        day=dice.between(5000, 10_000),
    )


def _path(layout: Layout, section: str, slug: str, number: int, year: int) -> str:
    match layout:
        case Layout.BLOG:
            return f"/{year}/{number % 12 + 1:02d}/{slug}/"
        case Layout.TABLES:
            return f"/~{slug[:1]}{number % 7}/{slug}.htm"
        case Layout.FORUM:
            return f"/viewtopic.php?f={number % 6}&t={1000 + number}"
        case Layout.CLUB:
            return f"/index.php?section={section}&page={slug}"
        case _:
            return f"/{section}/{slug}.html"


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _spoken(topic: str) -> str:
    return topic.rpartition("/")[2].replace("_", " ")


# ── order and moves ──


def _group_pages(seed: int, pages: list[DemoPage]) -> dict[str, tuple[DemoPage, ...]]:
    """Group pages by topic, in an order that decides which get most links."""
    groups: dict[str, list[DemoPage]] = {}
    for page in Dice(seed, "fame").some(pages, len(pages)):
        groups.setdefault(page.topic, []).append(page)
    return {topic: tuple(groups[topic]) for topic in sorted(groups)}


def _end(moved: dict[str, str], address: str) -> str:
    while address in moved:
        address = moved[address]
    return address


def _moves(
    seed: int, hosts: dict[str, DemoHost], by_host: dict[str, tuple[DemoPage, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield old addresses and their targets: single moves, chains of up to four, a circle, a whole site."""
    dice = Dice(seed, "moves")
    for host in hosts.values():
        if Oddity.MOVED in host.oddities:
            for page in by_host[host.twin]:
                yield f"http://{host.name}{page.path}", page.url
        for number, page in enumerate(by_host[host.name]):
            if page.kind is Kind.ARTICLE and dice.chance(0.05):
                target = page.url
                for step in range(dice.pick((1, 1, 1, 2, 4))):
                    old = f"http://{host.name}/old/{number}-{step}.html"
                    yield old, target
                    target = old
    yield "http://www.dailyvoice.test/round.html", "http://www.dailyvoice.test/about-round.html"
    yield "http://www.dailyvoice.test/about-round.html", "http://www.dailyvoice.test/round.html"
