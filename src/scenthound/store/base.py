"""What a store must do, as verbs of intent. `memory.MemoryStore` is the specification; every other store gives the same answers.

A store is synchronous and used from one thread at a time (the crawl gives it a thread of its own). Every
call is one transaction. Readers in other processes may look at the same data at any moment.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol

from scenthound.types import (
    ArchiveSpot,
    Awaited,
    Bearings,
    Census,
    Claim,
    CriticRecord,
    Discovery,
    Distillation,
    GoodPage,
    HeldBack,
    HeldPage,
    HostView,
    Judgement,
    Lesson,
    Limits,
    LinkYield,
    Original,
    Outcome,
    PageRow,
    PageScore,
    PutOff,
    Reason,
    RecentPage,
    Recorded,
    RobotsAnswer,
    ShapeYield,
    Standing,
    Story,
    TopicCount,
    Unvisited,
    Visited,
    Waiting,
)

Stand = Callable[[HeldPage, Judgement | None, Standing | None], Standing]
"""What a page or redirect hands on, from its judgement and the standing of the best page that led to it."""


class Store(Protocol):
    def add(self, discoveries: Sequence[Discovery], *, now: float) -> int:
        """Put URLs into the frontier that no page led to (seeds); return how many were not known before."""
        ...

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        """Take up to `limit` URLs to be fetched now, best first.

        In the order (demoted ascending, priority descending, pages of its host ascending, found first), take each waiting URL whose host
        is not bad, is due, has less than `per_host` claims, has not yet given `pages_per_host` pages
        (claims in flight counted, examples not), and whose registered domain and address have free places. Each claim is a lease of `lease`
        seconds for `owner`; leases that ran out are waiting again. A claimed host is due again `delay`
        (or its own longer delay) after `now`. With `limits.robots`, a claim whose origin's robots.txt is unknown
        or expired is a ROBOTS errand, and the host gives no other claim until that errand is recorded. With
        `limits.examples` only examples are taken, with `limits.again` these and pages to be visited again. With `limits.choosy`, nothing but examples is taken whose priority is
        less than that part of the best one of all undemoted URLs waiting on hosts that may be asked within half a minute.
        """
        ...

    def held_back(self, *, now: float, choosy: float, most: int) -> HeldBack:
        """Return the hosts that may be asked now and are not, because all that waits there is too little for a claim that is so choosy.

        Of these, the `most` best are counted.
        """
        ...

    def awaited(self, *, now: float) -> Awaited | None:
        """Return what a choosy claim hopes for: the best undemoted URL on a host that may be asked within half a minute."""
        ...

    def record(
        self,
        outcomes: Sequence[Outcome],
        *,
        now: float,
        archived: dict[str, int],
        synced: Callable[[], None] | None = None,
        soon: bool = False,
    ) -> list[Recorded]:
        """Write a batch of outcomes, in order, and the length of each archive file that holds their records.

        Everything or nothing. `synced` returns when the archive files are on the disk as far as `archived` says: a store asks
        it last, just before the batch counts as recorded, and what it raises undoes the batch. With `soon`, the disk may still be
        taking the batch in on return, until `settle` returns. An outcome for a claim that is no longer held (its lease ran out and another
        owner recorded it) is dropped. Links to URLs already known raise a waiting URL's priority to the
        maximum of all that cite it; then an outcome's `moves` are made, as by `move`. A try that may be repeated puts a
        URL behind all with fewer tries. A host is due again at the latest of what `claim` set and `finished` plus `rest`;
        where nothing was asked it is due at once. A URL that goes back is put `behind` others. An outcome's `calls` say the same of other hosts. A page that is visited again and fails stays the page that it was. Three
        outcomes in a row with `host_failed` make a host bad. What a visit to a page found, compared with the visit before, and which
        links the page has lost since, is remembered. The lesson of a page, redirect or failure joins the log, unless its
        URL has one already: a page visited again gives none.
        """
        ...

    def settle(self) -> None:
        """Wait until all that was recorded is on the disk."""
        ...

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        """Give waiting URLs new priorities, whoever cites them; return how many had others. The rest is passed over."""
        ...

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        """Return waiting URLs that are no examples, in the order in which they were found, from id > `after`.

        Together with `move` it gives a whole frontier other priorities, a piece at a time.
        """
        ...

    def bearings(self, *, nofollow: bool, after: int = 0, limit: int, host: str = "") -> list[Bearings]:
        """Return where waiting URLs lie that are no examples, in the order in which they were found, from id > `after`.

        With `host`, only those of that host. With `nofollow`, pages whose links are so marked have no say.
        """
        ...

    def bearings_of(self, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
        """Return where these URLs lie, each once, as far as they are known and no examples, whatever became of them."""
        ...

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        """Put pages back into the frontier, with their validators; return how many.

        They rank before all that is new; of each the number of its turn is given, from 0 on: what has a smaller one is claimed
        first, up to 63. Examples keep their own rank. What is not known as a page, or waits already, is passed over.
        """
        ...

    def visited(self, *, after: int = 0, limit: int, again: bool = False) -> list[Visited]:
        """Return pages, in the order in which they were found, from id > `after`, with all visits to each.

        Those that wait or are being visited again, and those of bad hosts, are left out; with `again`, also those that were
        visited only once.
        """
        ...

    def good_pages(self, *, after: int = 0, least: float, limit: int) -> list[GoodPage]:
        """Return the first pages from n > `after`, in fetch order, with at least that relevance, about which nobody asked who cites them.

        Examples count, as far as their links are followed; pages that repeat another do not.
        """
        ...

    def found_backwards(
        self, cited: str, discoveries: Sequence[Discovery], *, now: float, citing: Sequence[str] | None = None
    ) -> int:
        """Put URLs that cite a page into the frontier, and remember that it was asked who does; return how many were not known.

        A discovery that is refused is passed over, and so is one of a URL that was asked for already. With `citing`, these pages
        cite it, which are known, and the discoveries were made by way of them; then nobody was asked.
        """
        ...

    def crowded_domains(self, *, least: int) -> dict[str, int]:
        """Count the hosts of each registered domain that has at least so many."""
        ...

    def pages_of_domains(self) -> dict[str, int]:
        """Count the pages of each registered domain that has some, examples not counted."""
        ...

    def wind_back(self, *, now: float) -> PutOff:
        """Undo what a clock that was ahead has put off, if something was fetched later than now by a minute or more.

        Hosts asked since then rest for as long as they were to rest after the last exchange, a day at most; others whose rest ends
        when the clock was there may be asked after the usual delay. What robots.txt said then is asked for again, and
        visits that lie ahead were made now. To be called while nothing is claimed.
        """
        ...

    def leave_alone(self, *, now: float) -> int:
        """Let pages that wait for their turn by `revisit` be the pages that they were; return how many waited."""
        ...

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        """Put these of the pages back into the frontier, with their validators and this priority; return how many."""
        ...

    def release(self, *, owner: str | None, now: float) -> int:
        """Give back the claims of one owner, or of all (None: the caller knows that nobody else is at work).

        Their requests may have reached the hosts this very moment, so the hosts rest for their delay from now.
        """
        ...

    def forgive(self, *, now: float) -> int:
        """Give bad hosts another chance, as if they had not failed; return how many there were."""
        ...

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        """Put URLs that were refused or failed for one of these reasons back into the frontier; return how many."""
        ...

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        """Return the moment at which a claim could succeed next, or None if only a record can change that, or nothing is left.

        With `again`, a claim of what ranks before all that is new: examples, and pages to be visited again.
        """
        ...

    def robots(self, origin: str) -> RobotsAnswer | None:
        """Return the robots.txt that rules an origin, whether or not it has expired."""
        ...

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        """Return, for content digests, the earliest page recorded with each, where there is one."""
        ...

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        """Return, for (host, shape) pairs, what fetching URLs of that shape has brought so far."""
        ...

    def census(self, *, now: float) -> Census:
        """Count everything that `status` and the live view show; cost does not grow with the frontier."""
        ...

    def host(self, name: str, *, now: float) -> HostView | None:
        """Return one host; None if it was never heard of."""
        ...

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        """Return hosts, those with most waiting URLs first."""
        ...

    def story(self, url: str, *, now: float) -> Story | None:
        """Return all that is known about a URL, or None if it was never seen."""
        ...

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        """Yield fetched URLs in fetch order from n > `after`; `everything` adds the rest.

        That is redirects, failures without an answer, and examples whose links are not followed.
        """
        ...

    def recent(self, *, limit: int) -> list[RecentPage]:
        """Return the pages fetched last, examples left out, in fetch order."""
        ...

    def archived(self) -> dict[str, int]:
        """Return the recorded length of each archive file: what lies beyond it was never recorded."""
        ...

    def examples_due(self, *, now: float) -> float | None:
        """Return when an example may be asked for next: at once while one is in flight, None when none is left.

        Examples on bad hosts are not waited for.
        """
        ...

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        """Return, for addresses, the page that each led to, redirects followed, where there is one."""
        ...

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        """Return pages, no examples, that link to one of these pages or that one of them links to, in fetch order."""
        ...

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        """Return URLs that these pages link to and that were never asked for, as they stand there."""
        ...

    def drawn(self, *, limit: int, first: int) -> list[HeldPage]:
        """Return up to `limit` of the first pages that repeat no other page, spread evenly over these."""
        ...

    def distinct_pages(self) -> int:
        """Return how many pages there are that repeat no other: those that `drawn` chooses from."""
        ...

    def critics(self) -> list[CriticRecord]:
        """Return all critics that were ever engaged, the first one first."""
        ...

    def critic(self) -> CriticRecord | None:
        """Return the critic engaged last."""
        ...

    def engage(self, record: CriticRecord) -> None:
        """Remember a critic, under its version."""
        ...

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        """Return the first pages and redirects from n > `after`, in fetch order, that this critic has not judged."""
        ...

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        """Write new judgements in fetch order; a redirect has none, but hands on anew what it got.

        The standing that `stand` is given is that of the page with the greatest promise among those fetched earlier that
        link to it; for an example, only a redirect counts as such. The lesson of a page says what the page says then.
        """
        ...

    def rescore(self, *, by_promise: bool, blend: bool, nofollow: bool, now: float) -> int:
        """Let the frontier follow new judgements; return how many URLs moved.

        A waiting URL that only pages without promise link to is refused as off topic, one refused as such that a page with
        promise links to is waiting again, and with `by_promise` the greatest promise is its priority, with `blend` joined
        with the relevance of all pages that link to it (`rules.Hope`). With `nofollow`, links so marked give nothing. Seeds,
        examples, what was found backwards and pages to be visited again stay as they are.
        """
        ...

    def lessons(self, *, after: int = 0, limit: int) -> list[Lesson]:
        """Return the first lessons of the log from n > `after`, in order."""
        ...

    def last_lesson(self) -> int:
        """Return the greatest n of the log, 0 while it is empty."""
        ...

    def lesson(self, url: str) -> Lesson | None:
        """Return the lesson of a URL, if it has one."""
        ...

    def untaught(self, *, limit: int, nofollow: bool = True) -> list[tuple[Lesson, ArchiveSpot | None]]:
        """Return lessons for the first URLs, in fetch order, that could give one and have none, and where the archive has each.

        They are made from what the store knows, which is no word of the page: `stream` is for the caller to fill in. Of
        links, those count that do not lead to a URL refused for anything but its topic; with `nofollow`, those so marked do not.
        """
        ...

    def teach(self, lessons: Sequence[Lesson]) -> None:
        """Append lessons of what was recorded earlier to the log, except where it gives none or has one already."""
        ...

    def distilled(
        self, found: Distillation, scores: Sequence[PageScore], *, moves: Mapping[str, float], now: float
    ) -> int:
        """Let a distillation count from now on, and return its version, one more than the last; 1 is the first.

        `scores` take the place of all earlier ones; `found` joins the log of distillations, with its hubs. What is said of URLs
        that are not known is passed over. Then `moves` are made, as by `move`.
        """
        ...

    def distillations(self, *, after: int = 0) -> list[Distillation]:
        """Return the log of distillations from version > `after`, in order."""
        ...

    def last_distillation(self) -> Distillation | None:
        """Return the distillation whose scores the pages have."""
        ...

    def page_scores(self, urls: Sequence[str]) -> dict[str, PageScore]:
        """Return the scores of the last distillation for those of these pages that have any."""
        ...

    def hubs(self, *, limit: int) -> list[PageScore]:
        """Return the best hubs of the last distillation, best first."""
        ...

    def authorities(self, *, limit: int) -> list[PageScore]:
        """Return the best authorities of the last distillation, best first."""
        ...

    def unvisited(self, urls: Sequence[str]) -> list[Unvisited]:
        """Return the URLs that wait, were never fetched, are no examples, and stand on one of these pages, in the order found.

        Only links count that somebody wrote to be followed: anchors and areas without nofollow.
        """
        ...

    def link_yields(self, urls: Sequence[str]) -> dict[str, LinkYield]:
        """Return what the links of these pages have led to; links count as for `unvisited`, each page that they lead to once."""
        ...

    def link_count(self) -> int:
        """Count the links of all pages. A database looks at each, so that this is not for every turn."""
        ...

    def topic_counts(self) -> dict[str, TopicCount]:
        """Count judged pages by their most likely topic; examples are no pages of the crawl, as in the census."""
        ...

    def note(self, key: str, value: str | None = None) -> str | None:
        """Remember a small fact about the crawl (a value given), or recall it."""
        ...

    def close(self) -> None: ...
