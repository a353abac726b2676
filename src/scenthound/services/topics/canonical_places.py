"""Where pages belong in the canonical topic tree, before there is a crawl or a critic (FOCUS §2.1), as a value and in
words.

The tree reads English only. A page that it cannot place is named with the reason, and nothing is guessed about it.
"""

import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from scenthound.counted import count
from scenthound.crawl.critic.example_set import as_page
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import open_store
from scenthound.crawl.engine.fetch_apart import fetch_apart
from scenthound.crawl.readers.stored_pages import page_of_archive, page_of_file
from scenthound.errors import DirectoryError, TopicsError
from scenthound.judge.canonical.canon import LANGUAGE, CanonPlace, canon
from scenthound.judge.canonical.topic_places import Place, places
from scenthound.judge.critic import Page
from scenthound.own_code import python
from scenthound.parse.urls import canonical
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics, is_address
from scenthound.topics.url_topics import checked_urls

NO_CRAWL: Final = Path("-")  # what is typed in place of a crawl directory
SECONDS: Final = 180.0  # that the window waits for pages to be fetched
_SHOWN: Final = 2  # leaves told of each page
_WORTH_TELLING: Final = 0.05
_SURE: Final = 0.5  # a page whose best leaf has a smaller share may as well belong elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A page with the leaves that it is most like, best first; `name` is its address or file as it was given."""

    name: str
    title: str
    leaves: tuple[CanonPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canonical:
    """The topics of the canonical tree into which pages fall, and each page by itself.

    `unread` names pages that the tree cannot place, `failed` addresses and files that gave no page, each with the
    reason.
    """

    places: tuple[Place, ...]
    pages: tuple[Placed, ...]
    unread: dict[str, str]
    failed: dict[str, str]
    tree: str = "canonical"

    @property
    def proposed(self) -> tuple[str, ...]:
        """The topics that hold most of the pages, none of them above another."""
        return tuple(place.path for place in self.places if place.mark)


def answers_at_once(directory: CrawlDirectory) -> bool:
    """Tell whether a crawl has no critic to ask, nor topics enough to teach one that could tell them apart."""
    if directory.begun:
        with open_store(directory, read_only=True) as store:
            if store.critic() is not None:
                return False
    taught = [topic for topic in directory.topics().topics if topic.examples or topic.query]
    return len(taught) < 2 or directory.settings().critic.kind == "none" or directory.is_running()


def pages_of(names: Sequence[str], settings: Settings, directory: CrawlDirectory | None) -> dict[str, Page | str]:
    """Return for each address or file its page, or why there is none: from the crawl, from disk, or fetched now."""
    checked_urls([name for name in names if is_address(name)])
    found: dict[str, Page | str] = {}
    for name in names:
        if not is_address(name):
            found[name] = page_of_file(Path(name))
        elif directory is not None and (stored := _stored(directory, name)) is not None:
            found[name] = stored
    missing = [name for name in dict.fromkeys(names) if name not in found]
    found |= fetch_apart(missing, settings) if missing else {}
    return {name: found[name] for name in names}


def _stored(directory: CrawlDirectory, name: str) -> Page | None:
    if not directory.begun:
        return None
    address = canonical(name) or name
    with open_store(directory, read_only=True) as store:
        held = store.held([address]).get(address)
    if held is None:
        return None
    return as_page(held) if held.terms else page_of_archive(directory.archive_place, held)


def canonical_places(found: Mapping[str, Page | str]) -> Canonical:
    """Place pages in the tree."""
    tree = canon()
    pages = {name: page for name, page in found.items() if isinstance(page, Page)}
    read = {name: page for name, page in pages.items() if tree.reads(page)}
    leaves = tree.places(list(read.values()))
    return Canonical(
        places=places(tree, list(read.values())),
        pages=tuple(
            Placed(name=name, title=page.title, leaves=best)
            for (name, page), best in zip(read.items(), leaves, strict=True)
        ),
        unread={name: _unread(page) for name, page in pages.items() if name not in read},
        failed={name: why for name, why in found.items() if isinstance(why, str)},
    )


def _unread(page: Page) -> str:
    if not len(page.terms):
        return "it has no text"
    language = page.terms.language or page.language
    if language == LANGUAGE:
        return "it has no word that the tree knows"
    if not language:
        return "its language is unclear; the tree reads English only"
    return f'its language is "{language}"; the tree reads English only'


def words(found: Canonical) -> Iterator[str]:
    """Say in words where the pages belong, a line for each topic and each page.

    >>> moons = Place(path="Science/Astronomy", holds=2, of=2, probability=0.8, mark=True)
    >>> for line in words(Canonical(places=(moons,), pages=(), unread={"a.html": "it has no text"}, failed={})):
    ...     print(line)
    Where they belong in the canonical topic tree:
      Science/Astronomy: 2 of 2 pages fall here (.80 on average). Proposed.
    a.html has no place: it has no text.
    """
    if found.places:
        yield "Where they belong in the canonical topic tree:"
        for place in found.places:
            yield (
                f"  {place.path}: {place.holds} of {count(place.of, 'page')} fall here "
                f"({_short(place.probability)} on average).{_advice(place, found)}"
            )
    for page in found.pages:
        likely = [one for one in page.leaves[:_SHOWN] if one is page.leaves[0] or one.share >= _WORTH_TELLING]
        told = ", ".join(f"{one.leaf} {_short(one.share)}" for one in likely)
        unsure = " (not sure)" if page.leaves[0].share < _SURE else ""
        yield f"{page.name}: {told}{unsure}"
    for name, why in found.unread.items():
        yield f"{name} has no place: {why}."
    for name, why in found.failed.items():
        yield f"{name} gave no page: {why}."


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def _advice(place: Place, found: Canonical) -> str:
    if place.mark:
        return " Proposed."
    if any(path.startswith(place.path + "/") for path in found.proposed):
        return " Wider."
    if any(place.path.startswith(path + "/") for path in found.proposed):
        return " Narrower."
    return ""


def how_to_go_on(found: Canonical, path: Path) -> Iterator[str]:
    """Say what to type to look for such pages, or what to do where no page has a place."""
    if not found.places:
        yield (
            "None of the pages has a place in the canonical topic tree. Give them a topic of your own: "
            + _command(path, list(found.unread), "NAME")
        )
    for topic in found.proposed:
        here = [page.name for page in found.pages if _within(page.leaves[0].leaf, topic)]
        yield f"To look for such pages: {_command(path, here, topic)}"


def _command(path: Path, names: Sequence[str], topic: str) -> str:
    """Return what makes these pages examples of a good topic. A new crawl takes addresses, an old one files too."""
    if path != NO_CRAWL:
        return shlex.join(["scenthound", "topics", str(path), "add", topic, *names, "--good"])
    addresses = shlex.join(filter(is_address, names)) or "URL…"
    return f"scenthound new DIR {addresses} --good {shlex.quote(topic)}"


def _within(leaf: str, topic: str) -> bool:
    return leaf == topic or leaf.startswith(topic + "/")


def topics_chosen(found: Canonical, chosen: Sequence[str], urls: Sequence[str]) -> Topics:
    """Make good topics of chosen places: each page is an example of the one that it falls into, or else of the first.

    >>> moon = Placed(name="http://a.test/", title="", leaves=(CanonPlace(leaf="Sky/Moon", share=1.0, likeness=0.5),))
    >>> made = topics_chosen(
    ...     Canonical(places=(), pages=(moon,), unread={}, failed={}), ["Home", "Sky"], ["http://a.test/", "http://b.test/"]
    ... )
    >>> [(topic.path, topic.examples) for topic in made.good]
    [('Home', ('http://b.test/',)), ('Sky', ('http://a.test/',))]
    """
    leaf_of = {page.name: page.leaves[0].leaf for page in found.pages}
    examples: dict[str, list[str]] = {path: [] for path in chosen}
    for url in dict.fromkeys(urls):
        here = [path for path in chosen if _within(leaf_of.get(url, ""), path)]
        examples[(here or chosen)[0]].append(url)
    return Topics(topics=tuple(Topic(path=path, good=True, examples=tuple(pages)) for path, pages in examples.items()))


def without_relatives(chosen: Sequence[str], path: str) -> tuple[str, ...]:
    """Add a topic to those chosen, in place of those above and below it.

    >>> without_relatives(("Sky", "Home"), "Sky/Moon")
    ('Home', 'Sky/Moon')
    """
    return (*(one for one in chosen if not _within(one, path) and not _within(path, one)), path)


def ask_canonical(urls: Sequence[str], overrides: Sequence[str] = ()) -> Canonical:
    """Find where pages of the web belong, in a process of its own, so that the server stays responsive."""
    settings = [part for one in overrides for part in ("--set", one)]
    command = python("scenthound", "topics", str(NO_CRAWL), "find", "--json", *settings, "--")
    try:
        done = subprocess.run(
            [*command, *checked_urls(urls)], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise DirectoryError(f"the pages took more than {SECONDS:g} seconds; try again with fewer") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise TopicsError((lines or ["the pages could not be placed"])[-1].removeprefix("scenthound: "))
    return msgspec.json.decode(done.stdout, type=Canonical)


def canonical_topics() -> Topics:
    """Return the canonical tree as topics without examples."""
    return Topics(topics=tuple(Topic(path=leaf) for leaf in canon().leaves))
