"""What the critic has to say before a crawl starts: how well it will do, where pages belong, what else is like a
topic's examples.

Each is a form of `scenthound topics`, run as a process of its own: it may fetch examples and train for half a minute,
and a server that did that itself would stand still.
"""

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from scenthound.crawl.critic.example_set import DeadExample
from scenthound.crawl.diagnosis.reader_answers import Answers
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, TopicsError
from scenthound.judge.canonical.topic_places import Place
from scenthound.judge.quality.quality import Quality
from scenthound.judge.quality.quality_text import as_json
from scenthound.own_code import python
from scenthound.topics.topic_names import find_topic
from scenthound.topics.url_topics import checked_urls

SECONDS: Final = 180.0  # that a process may take
AROUND: Final = 30  # pages that are fetched at most to look around
_SETTLING: Final = 60.0  # seconds for which one waits for another process that learns in the same directory


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """How well the critic did on examples that it had not seen, examples without a page, what stood for other pages,
    and what a reader said about crawled pages. `to_check` are crawled pages that nobody has checked.
    """

    quality: Quality
    dead: tuple[DeadExample, ...]
    negatives: str
    answers: Answers | None = None
    to_check: tuple[str, ...] = ()

    def as_table(self) -> dict[str, Any]:
        """Return it for other programs, as `scenthound topics DIR quality --json` prints it."""
        return {
            **as_json(self.quality),
            "dead_examples": msgspec.to_builtins(self.dead),
            "negatives": self.negatives,
            "answers": msgspec.to_builtins(self.answers),
            "to_check": list(self.to_check),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A page that is like a topic's examples, the words that it shares with them, and the one that is nearest."""

    url: str
    title: str
    likeness: float
    shared: tuple[str, ...]
    nearest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The topics into which pages fall, and why some gave no page.

    `tree` is whose topics they are: those of the crawl, or the canonical ones where the crawl has no critic to ask;
    `unread` names pages that the canonical tree cannot place.
    """

    places: tuple[Place, ...]
    failed: dict[str, str]
    unread: dict[str, str] = field(default_factory=dict)
    tree: Literal["crawl", "canonical"] = "crawl"


class _Told(msgspec.Struct):
    """What `quality --json` prints beside the quality itself."""

    dead_examples: tuple[DeadExample, ...]
    negatives: str
    answers: Answers | None = None
    to_check: tuple[str, ...] = ()


def try_out(directory: CrawlDirectory) -> Tried:
    """Say how well the critic will do: tried on examples that it has not seen."""
    if not any(topic.examples or topic.query for topic in directory.topics().topics):
        raise TopicsError("no topic has an example yet; add some, and the critic can be tried on them")
    printed = _form(directory, "quality")
    told = msgspec.json.decode(printed, type=_Told)
    return Tried(
        quality=msgspec.json.decode(printed, type=Quality),
        dead=told.dead_examples,
        negatives=told.negatives,
        answers=told.answers,
        to_check=told.to_check,
    )


def look_around(directory: CrawlDirectory, topic: str, *, fetch: int = AROUND) -> tuple[Proposal, ...]:
    """Propose pages around a topic's examples that are like them, best first; some may have to be fetched for that."""
    path = find_topic(directory.topics(), topic)
    return msgspec.json.decode(_form(directory, "around", "--fetch", str(fetch), "--", path), type=tuple[Proposal, ...])


def places_of(directory: CrawlDirectory, urls: Sequence[str]) -> Places:
    """Find the topics that some pages belong to. Addresses only: a file of this machine is nobody's business."""
    return msgspec.json.decode(_form(directory, "find", "--", *checked_urls(urls)), type=Places)


def _form(directory: CrawlDirectory, form: str, *arguments: str) -> bytes:
    """Run a form of `scenthound topics` and return what it prints; what goes wrong is its last line."""
    _wait_for_learning(directory)
    command = python("scenthound", "topics", str(directory.path), form, "--json", *arguments)
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise DirectoryError(f"the critic took more than {SECONDS:g} seconds; try again with fewer pages") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise TopicsError((lines or ["the critic could not be asked"])[-1].removeprefix("scenthound: "))
    return done.stdout


def _wait_for_learning(directory: CrawlDirectory) -> None:
    """Let a process that learns from the last edit come to its end; a crawl goes on, and is asked beside it."""
    end = time.monotonic() + _SETTLING
    while (found := directory.at_work()) and not found.takes_signals and time.monotonic() < end:
        time.sleep(0.1)
