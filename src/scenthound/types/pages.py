"""Pages: what a reader found in one, how a critic judges it, and stored pages as their callers see them."""

from dataclasses import dataclass

from msgspec import Struct

from scenthound.types.exchange import ArchiveSpot
from scenthound.types.links import Link
from scenthound.types.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was understood of a fetched body. With a `reason`, only digest, mime and detail mean something.

    `leaves` holds the text of each leaf of the tree, empty ones too, so that a link's surroundings can be
    found by leaf number; the page's text is their join. `digest` is that of the content, `payload` that of the body as
    it was sent, with its coding. `fingerprint` is a 64-bit similarity hash, kept
    signed for the database. `record` is the finished archive record (one gzip member), made by the worker.
    """

    reason: Reason | None = None
    detail: str = ""
    mime: str = ""
    charset: str = ""
    title: str = ""
    language: str = ""
    leaves: tuple[str, ...] = ()
    headings: str = ""  # the text of all headings, a line for each
    words: int = 0
    links: tuple[Link, ...] = ()
    canonical: str = ""
    nofollow: bool = False
    noindex: bool = False
    digest: str = ""
    payload: str = ""
    fingerprint: int | None = None
    terms: bytes = b""  # what a critic reads, packed by `parse.words.terms`
    stream: bytes = b""  # what an apprentice reads, packed by `parse.words.word_stream`
    record: bytes = b""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A critic's view of a page: how relevant, its most likely topic, and which critic says so.

    `topics` are that one and the next likeliest, up to three, of those that are likelier than if all were alike.
    `with_leads` is the relevance for the order of the crawl, in which topics that are leads count too (FOCUS §2.2);
    None where no topic is a lead.
    """

    relevance: float
    topic: str = ""
    topics: tuple[str, ...] = ()
    critic: int = 0
    with_leads: float | None = None

    @property
    def worth(self) -> float:
        """How much it is worth to go on from the page."""
        return self.relevance if self.with_leads is None else self.with_leads


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticRecord:
    """A critic as the store remembers it: a trained model together with the topics that were good."""

    version: int
    kind: str
    model: str  # folder with the trained model
    lessons: str  # digest of what it was trained on
    good: tuple[str, ...]
    trained_at: float
    said: str = ""  # what it was trained on, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPage:
    """A fetched page as far as a critic needs it. `n` is its place in fetch order, `terms` packed.

    A redirect is held too, without terms: it hands the standing of the page before it on to the one behind it.
    """

    n: int
    url: str
    title: str
    language: str
    digest: str
    terms: bytes
    redirect: bool = False
    example: bool = False
    relevance: float | None = None
    topic: str = ""
    spot: ArchiveSpot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodPage:
    """A page about which it may be asked who cites it. `n` is its place in fetch order."""

    n: int
    url: str
    relevance: float
    depth: int


class RecentPage(Struct, frozen=True, kw_only=True):
    """A page fetched lately, as somebody sees it who wants to know how the crawl is doing.

    `relevance` and `topic` are what the critic at work says, None and empty where it has not judged. `repeats` says
    that the page is the same as an earlier one, or nearly.
    """

    n: int
    url: str
    host: str
    fetched_at: float
    relevance: float | None = None
    topic: str = ""
    repeats: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicCount:
    """How many pages a topic got, and the sum of their relevance."""

    pages: int = 0
    relevance: float = 0.0
