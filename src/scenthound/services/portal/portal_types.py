"""What a portal shows: pages, and a shelf of them for each topic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct


class PortalPage(Struct, frozen=True, kw_only=True):
    """A page as it is shown. A `bare` one is listed by title only, because it asks for that.

    `number` is its own in the browser's index; `worth` is its relevance and its authority together.
    """

    id: int
    number: int
    url: str
    host: str
    site: str
    title: str
    language: str
    topic: str
    worth: float
    first: float
    changed: float | None
    bare: bool

    @property
    def updated(self) -> float:
        return self.changed or self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    """Pages of a topic that belong together, by their ids in the database, under a label for people; best first."""

    label: str
    pages: tuple[int, ...]


Groups = Callable[[str, Sequence[int]], Sequence[PageGroup]]
"""From a topic ("" for all) and the ids of its pages to its groups."""


def no_groups(_topic: str, _ids: Sequence[int]) -> Sequence[PageGroup]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading:
    """A hub with the number of pages of the topic that it leads to, or an authority with that of sites that cite it."""

    page: PortalPage
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLine:
    """A site: how many of its pages are about the topic, how many were seen in all, and the best of them."""

    site: str
    pages: int
    seen: int
    best: PortalPage


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownGroup:
    """A group with its pages that the portal shows."""

    label: str
    count: int
    pages: tuple[PortalPage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """All that is shown of a topic; the path of the one for all topics is empty. `pages` are all, best first."""

    path: str
    slug: str
    pages: Sequence[PortalPage]
    best: tuple[PortalPage, ...]
    hubs: tuple[Leading, ...]
    authorities: tuple[Leading, ...]
    sites: tuple[SiteLine, ...]
    new: tuple[PortalPage, ...]
    groups: tuple[ShownGroup, ...]
    children: tuple[str, ...]

    @property
    def name(self) -> str:
        return topic_name(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalWish:
    """Where to write a portal, who makes groups, and who hears how far it is: a step, pages done, and all of them.

    `groups_mark` changes when the same crawl would have other groups, such as by another setting or method.
    """

    out: Path
    groups: Groups = no_groups
    groups_mark: str = ""
    heard: Callable[[str, int, int], object] = field(default=lambda step, done, pages: None)


def topic_name(path: str) -> str:
    """Return the name of a topic for people.

    >>> topic_name("Arts/Music/Violin_Making")
    'Violin Making'
    """
    return path.rpartition("/")[2].replace("_", " ")
