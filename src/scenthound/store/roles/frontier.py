"""The URLs that wait: claim them, record what became of them, put them back."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from scenthound.types import Awaited, Claim, Discovery, HeldBack, Limits, Outcome, Reason, Recorded


class Frontier(Protocol):
    """Several engines may share one frontier. An engine claims from the hosts that it owns, and from no others."""

    def add(self, discoveries: Sequence[Discovery], *, now: float) -> int:
        """Add URLs that no page led to (seeds); return how many were new."""
        ...

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        """Take up to `limit` URLs to fetch now, best first.

        The order is: demoted ascending, priority descending, pages of the host ascending, first found first. A URL can
        be claimed if its host is not bad, is due, has fewer than `per_host` claims and has not yet given
        `pages_per_host` pages (claims in flight count, examples do not), and if its registered domain and its address
        have free places.

        A claim is a lease of `lease` seconds for `owner`; a URL waits again when its lease expires. After a claim, the
        host is due again `delay` seconds after `now`, or later if its own delay is longer. With `limits.robots`, a
        claim becomes a ROBOTS errand if the robots.txt of its origin is unknown or has expired; until that errand is
        recorded, the host gives no other claim.

        With `limits.examples`, only examples are taken; with `limits.again`, examples and pages to visit again. With
        `limits.choosy`, a URL must have at least that share of the best priority that waits undemoted on a host that is
        due within half a minute. Examples are exempt. Where engines share the crawl, `limits.places` keeps such a claim
        to the best so many hosts of all engines, less the claims in flight. With `limits.budget`, pages and claims in
        flight, those of other engines included, stay within it.
        """
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
        """Write a batch of outcomes in order, and the length of each archive file that holds their records.

        The batch is written whole or not at all. `synced` returns once the archive files are on disk up to the lengths
        in `archived`; the store calls it last, and an exception from it undoes the batch. With `soon`, the batch may
        reach the disk later; `settle` waits for that. An outcome whose claim is no longer held is dropped: its lease
        expired and another owner recorded the URL.

        - A link to a known URL that waits raises its priority to the maximum over all pages that cite it. Then the
          outcome's `moves` apply, as in `move`.
        - A try that may be repeated puts the URL behind all URLs with fewer tries. A URL that is given back goes
          `behind` others.
        - The host is due at the later of the time that `claim` set and `finished` plus `rest`. If it was not asked, it
          is due at once. The outcome's `calls` say the same of other hosts. Three outcomes in a row with `host_failed`
          make a host bad.
        - A page that fails on a later visit stays the page that it was. The store keeps what each visit found compared
          with the one before, and which links the page has lost.
        - The lesson of a page, redirect or failure joins the log unless its URL has one: a later visit gives none.
        """
        ...

    def settle(self) -> None:
        """Wait until everything recorded is on disk."""
        ...

    def release(self, *, owner: str | None, now: float) -> int:
        """Give back the claims of one owner; return how many. None means all owners, if no other engine runs.

        The requests may just have reached the hosts, so each host rests for its delay from now.
        """
        ...

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        """Put URLs back that were refused or failed for one of these reasons; return how many.

        This scans for URLs once after a change of settings. A store with shards does one shard at a time, and repeats
        safely after a crash.
        """
        ...

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        """Return when a claim can succeed next; None if only a record can change that, or nothing is left.

        With `again`, only examples and pages to visit again count. A store with shards answers for the hosts that the
        engine owns.
        """
        ...

    def examples_due(self, *, now: float) -> float | None:
        """Return when an example can be fetched next: now if one is in flight, None if none is left.

        Examples on bad hosts do not count.
        """
        ...

    def awaited(self, *, now: float) -> Awaited | None:
        """Return the host that a choosy claim waits for: the one with the best undemoted URL, due within half a minute.

        A store with shards answers for the hosts that the engine owns.
        """
        ...

    def held_back(self, *, now: float, choosy: float, most: int) -> HeldBack:
        """Count the `most` best hosts that are due but have nothing good enough for a claim this choosy.

        A store with shards answers for the hosts that the engine owns.
        """
        ...
