"""Outcomes in memory: what became of the URL, its host, its page and its links."""

from collections.abc import Iterable, Mapping

from scenthound.store.memory.rows import (
    Host,
    Lease,
    Links,
    Page,
    Url,
    attempt_of,
    near,
    page_of,
    same_canonical,
    same_content,
)
from scenthound.store.memory.state import State
from scenthound.store.rules import (
    FINAL,
    TEACHING,
    WHOLE_HOST,
    UrlState,
    answered,
    attempted,
    change_of,
    nearly_same,
    rank_after,
    state_after,
)
from scenthound.types import Call, Change, Ending, Outcome, Recorded, ShapeYield, Visit


class Recorder(State):
    """Writes one outcome at a time."""

    def _record(self, outcome: Outcome, now: float) -> Recorded:
        url = self._urls.get(outcome.claim.url)
        if url is None or url.lease is None:
            return Recorded()
        lease, url.lease = url.lease, None
        went_bad = self._treat_host(url.host, outcome, lease, now)
        for call in outcome.calls:
            self._treat_called(self._known_host(call.host, call.domain), call)
        url.state = state_after(outcome.ending, fetched_before=url.fetched_before)
        url.demoted = rank_after(url.demoted, url.state) + outcome.behind
        url.tries += outcome.ending is Ending.RETRY
        failed = url.state is UrlState.FAILED
        url.reason, url.detail = (outcome.reason, outcome.detail) if failed else (None, "")
        if outcome.robots:
            self._robots[outcome.robots.origin] = outcome.robots
        if attempted(outcome):
            url.attempts += (attempt_of(outcome, lease.errand),)
        known = len(self._urls)
        found = self._absorb(outcome.discoveries, url, now)
        new_urls = len(self._urls) - known
        self._move(outcome.moves)
        if outcome.ending not in FINAL:
            return Recorded(new_urls=new_urls, host_went_bad=went_bad)
        news = sum(new.id > known and new.state is UrlState.WAITING for new in found.values())
        change = self._note_visit(url, outcome, self._links_of(url), news)
        page = self._record_page(url, outcome, found)
        if outcome.lesson and outcome.ending in TEACHING:
            self._learn(url, outcome.lesson)
        return Recorded(
            n=page.n,
            duplicate_of=page.duplicate_of.url if page.duplicate_of else None,
            near_duplicate_of=page.near_duplicate_of.url if page.near_duplicate_of else None,
            new_urls=new_urls,
            host_went_bad=went_bad,
            change=change,
        )

    def _treat_host(self, host: Host, outcome: Outcome, lease: Lease, now: float) -> bool:
        """Note what the outcome says about its host; return whether it went bad."""
        if outcome.fetch and outcome.fetch.ip:
            host.ip = outcome.fetch.ip
        if outcome.host_delay is not None:
            host.delay = outcome.host_delay
        if outcome.asked:
            host.due = max(host.due, outcome.finished + outcome.rest)
        elif host.due == lease.paced:  # nobody else was asked since, nor told us to wait
            host.due = min(host.due, now)
        if outcome.host_failed:
            host.failures += 1
            host.reason = outcome.reason or ""
        elif answered(outcome) and not host.bad:
            host.failures, host.reason = 0, ""
        was_bad, host.bad = host.bad, host.bad or host.failures >= self._bad_after
        return host.bad and not was_bad

    def _treat_called(self, host: Host, call: Call) -> None:
        """Note what a request to a host that was not claimed says about it."""
        host.ip = call.ip or host.ip
        host.due = max(host.due, call.finished + call.rest)
        if call.reason:
            host.failures, host.reason = host.failures + 1, call.reason
        elif call.answered and not host.bad:
            host.failures, host.reason = 0, ""
        host.bad = host.bad or host.failures >= self._bad_after

    def _note_visit(self, url: Url, outcome: Outcome, before: Links, news: int) -> Change | None:
        """Remember what a visit found, `news` being the addresses on the page that nobody had known; the page is still
        the old one.
        """
        change = change_of(
            outcome.ending,
            outcome.fetch.status if outcome.fetch else 0,
            url.visits,
            same=not news and _same_text(url, outcome),
        )
        if change is None:
            return None
        gained, lost = set[Url](), set[Url]()
        if outcome.ending is Ending.PAGE and url.visits:
            now, then = {self._urls[find.link.url] for find in outcome.discoveries}, set(before.targets)
            gained, lost = now - then, then - now
        _lose(lost, url, outcome.finished)
        visit = Visit(at=outcome.finished, change=change, gained=len(gained), lost=len(lost))
        url.visits += (visit,)
        return change

    def _record_page(self, url: Url, outcome: Outcome, found: Mapping[str, Url]) -> Page:
        fetch = outcome.fetch
        if outcome.ending in (Ending.UNCHANGED, Ending.FAILED) and url.fetched_before and url.page:
            if outcome.ending is Ending.UNCHANGED and fetch:
                url.page.fetched_at = outcome.finished
                url.page.etag = fetch.etag or url.page.etag
                url.page.last_modified = fetch.last_modified or url.page.last_modified
            return url.page
        links = tuple([find.link for find in outcome.discoveries])
        targets = tuple([found[link.url] for link in links])
        self._links[url.id] = Links(targets, links)
        first_visit = not url.fetched_before
        self._n += 1
        url.page = None  # what it was before does not make it a duplicate
        page = page_of(url, outcome, self._n)
        if outcome.ending is Ending.PAGE:
            self._compare(page, url, outcome)
            if first_visit and outcome.shape:
                for shape in (outcome.shape, WHOLE_HOST):
                    self._count_shape((url.host.name, shape), novel=not (page.duplicate_of or page.near_duplicate_of))
        if outcome.ending is Ending.REDIRECT:
            page.target = next(iter(targets), None)
        url.counted = url.counted or (outcome.ending is Ending.PAGE and outcome.counts)
        url.page = page
        return page

    def _count_shape(self, key: tuple[str, str], *, novel: bool) -> None:
        old = self._shapes.get(key, ShapeYield())
        self._shapes[key] = ShapeYield(fetched=old.fetched + 1, novel=old.novel + novel)

    # -- sameness

    def _compare(self, page: Page, url: Url, outcome: Outcome) -> None:
        """Find the earliest page that this one repeats: by content, by declared canonical, or nearly."""
        page.canonical = self._canonical(url, outcome)
        earlier = self._perhaps_alike(page)
        for same in (same_content, same_canonical):
            page.duplicate_of = next((old.url for old in earlier if same(page, old)), None)
            if page.duplicate_of:
                return
        page.near_duplicate_of = next((old.url for old in earlier if near(page, old)), None)

    def _perhaps_alike(self, page: Page) -> list[Page]:
        """Return the pages to compare a new one with, in fetch order."""
        return [old for _, old in self._fetched(Ending.PAGE)]

    def _canonical(self, url: Url, outcome: Outcome) -> Url | None:
        """Return the declared canonical address, unless it lies on another registered domain."""
        wanted = outcome.reading.canonical if outcome.reading else ""
        if wanted == url.url:
            return url
        near_by = wanted and any(
            found.link.url == wanted and found.domain == url.host.domain for found in outcome.discoveries
        )
        return self._urls[wanted] if near_by else None


def _same_text(url: Url, outcome: Outcome) -> bool:
    page, read = url.page, outcome.reading
    if page is None or read is None:
        return False
    return nearly_same(read.digest, read.fingerprint, page.digest, page.fingerprint)


def _lose(targets: Iterable[Url], source: Url, at: float) -> None:
    for target in targets:
        if (source, at) not in target.lost:
            target.lost += ((source, at),)
