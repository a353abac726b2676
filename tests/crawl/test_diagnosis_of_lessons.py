"""What a crawl hears of its apprentice, from the log of lessons: only what was expected since the critic of today is
at work.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.clock import VirtualClock
from scenthound.crawl.diagnosis.advice import EVERY_PAGES, FORECASTS, Advising
from scenthound.events import Event, Finding, FindingKind
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topics
from tests.services.test_status_apprentice import SCENT, SPOILT, TOPICS, crawl


@dataclass(kw_only=True)
class Critic:
    """What the crawl wants, and which critic judges."""

    ready: bool = True
    topics: Topics = TOPICS
    version: int = 1


@dataclass(kw_only=True)
class Watched:
    """A crawl that looks at itself."""

    store: Store
    critic: Critic = field(default_factory=Critic)
    heard: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._advising = Advising(
            path="birds",
            settings=Settings(),
            store=self.store,
            clock=VirtualClock(),
            listener=self.heard.append,
            judging=self.critic,
        )

    def look(self) -> list[FindingKind]:
        self._advising.look(EVERY_PAGES)
        return [one.kind for one in self._advising.findings if one.kind is FindingKind.POOR_FORECASTS]


@pytest.fixture
def spoilt(tmp_path: Path) -> Iterator[Store]:
    with SqliteStore(crawl(tmp_path / "crawl", SPOILT).database) as store:
        yield store


def test_expectations_that_do_not_come_are_told_once_with_who_leads(spoilt: Store) -> None:
    spoilt.note(FORECASTS, "1 0")  # all lessons are of this critic
    watched = Watched(store=spoilt)
    assert watched.look() == watched.look() == [FindingKind.POOR_FORECASTS]
    [one] = [event for event in watched.heard if isinstance(event, Finding)]
    assert "of the last 200 links 0.95 was expected and 0.15 came" in one.sentence
    assert one.evidence[-1] == "best-first leads (0.81 to 0.19): it has foretold better lately"


def test_what_was_expected_before_the_critic_of_today_does_not_count(spoilt: Store) -> None:
    """What came is judged by the new one, after an edit of the topics; what was expected was learnt from the old one."""
    spoilt.note(FORECASTS, "1 0")
    watched = Watched(store=spoilt)
    assert watched.look() == [FindingKind.POOR_FORECASTS]
    watched.critic.version = 2
    assert watched.look() == []
    assert Watched(store=spoilt, critic=watched.critic).look() == []  # nor after a new start
    assert spoilt.note(FORECASTS) == f"2 {len(SPOILT)}"


@pytest.mark.parametrize("order", ["best-first; critic 1", SCENT])
def test_a_crawl_that_asks_no_apprentice_any_more_is_left_in_peace(spoilt: Store, order: str) -> None:
    spoilt.note(FORECASTS, "1 0")
    spoilt.note("order", order)
    assert bool(Watched(store=spoilt).look()) is (order == SCENT)
