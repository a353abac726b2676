"""Writing outcomes: what became of the URL, what it says about the host, the page, its links, all in one transaction.

The steps are those of `memory/record.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scenthound.store.rules import FINAL, TEACHING, UrlState, answered, attempted, rank_after, state_after
from scenthound.store.sqlite import lessons, visits
from scenthound.store.sqlite.cache.host_rows import Host
from scenthound.store.sqlite.links import INSERT_LINK, absorb, clean, foresee, link_rows
from scenthound.store.sqlite.page_record import Earlier, earlier, write_page
from scenthound.store.sqlite.priorities import move
from scenthound.store.sqlite.transaction import NUMBER, Work, in_blocks
from scenthound.types import Call, Ending, Lesson, Outcome, Reason, Recorded, RobotsAnswer

_HELD = """
SELECT c.url_id, c.owner, c.host_id, c.key, c.paced, c.errand, s.demoted, s.tries, s.priority, f.fetched_before,
       s.counted, f.url
FROM claims c JOIN standings s ON s.host_id = c.host_id AND s.key = c.key JOIN finds f ON f.id = c.url_id
WHERE c.url_id IN (MARKS)"""
_END = "UPDATE standings SET state = ?, counted = ?, tries = tries + ?, demoted = ? WHERE host_id = ? AND key = ?"
_INSERT_FETCH = """
INSERT INTO fetches (url_id, at, errand, ending, reason, detail, status, seconds, ip)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_SET_ROBOTS = """
INSERT INTO robots VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (origin) DO UPDATE SET expires = ?2, fetched = ?3, status = ?4, text = ?5"""


@dataclass(frozen=True, slots=True)
class Held:
    """A claim that is being recorded."""

    host_id: int
    key: int
    paced: float
    errand: str
    demoted: int
    tries: int
    priority: float
    fetched_before: int
    counted: int
    url: str


@dataclass(slots=True)
class Rows:
    """Rows that nothing reads back within the transaction, so that they are written together at its end."""

    ends: list[tuple[object, ...]] = field(default_factory=list)
    links: list[tuple[object, ...]] = field(default_factory=list)
    fetches: list[tuple[object, ...]] = field(default_factory=list)
    lessons: list[tuple[int, Lesson]] = field(default_factory=list)


def record(work: Work, outcomes: Sequence[Outcome], *, bad_after: int, owner: str | None = None) -> list[Recorded]:
    """Write outcomes in order. With `owner`, the claims of others are left alone: several engines are at work."""
    rows, held = Rows(), _held(work, outcomes, owner)
    work.load(claim.host_id for claim in held.values())
    ours = [outcome for outcome in outcomes if outcome.claim.id in held]
    before = earlier(work.con, ours)
    if len(ours) > 1:
        foresee(work, [outcome.discoveries for outcome in ours])
    recorded = [_record(work, outcome, rows, held, before, bad_after) for outcome in outcomes]
    before.write(work.con)
    work.con.executemany(_END, rows.ends)
    work.con.executemany(INSERT_LINK, rows.links)
    work.con.executemany(_INSERT_FETCH, rows.fetches)
    lessons.write(work.con, rows.lessons)
    work.finish()
    return recorded


def _held(work: Work, outcomes: Sequence[Outcome], owner: str | None) -> dict[int, Held]:
    """Return the claims that are still held, by the ids of their URLs."""
    ids = list(dict.fromkeys(outcome.claim.id for outcome in outcomes))
    rows = in_blocks(work.con, _HELD, ids)
    return {id: Held(*row) for id, by, *row in rows if owner is None or by == owner}


def _record(
    work: Work, outcome: Outcome, rows: Rows, claims: dict[int, Held], before: Earlier, bad_after: int
) -> Recorded:
    id = outcome.claim.id
    held = claims.get(id)
    # A standby that lagged behind gives a number a second time: it may stand for another URL than at the claim.
    if held is None or held.url != outcome.claim.url:
        return Recorded()
    del claims[id]
    host = work.host(held.host_id)
    went_bad = _treat_host(work, host, outcome, held, bad_after)
    _end_claim(work, host, outcome, held, rows)
    for call in outcome.calls:
        _treat_called(work, call, bad_after)
    if outcome.robots:
        _write_robots(work, outcome.robots)
    if attempted(outcome):
        rows.fetches.append(_fetch_row(outcome, held.errand))
    absorbed = absorb(work, outcome.discoveries, id)
    if outcome.moves:
        move(work, outcome.moves)
    if outcome.ending not in FINAL:
        return Recorded(new_urls=absorbed.new, host_went_bad=went_bad)
    visit = visits.note(work.con, outcome, absorbed, again=bool(held.fetched_before))
    written = write_page(work, host, outcome, absorbed.ids, before, again=bool(held.fetched_before))
    if written.replaced:
        work.con.execute("DELETE FROM links WHERE src = ?", (id,))
    if not written.kept:
        rows.links += link_rows(id, outcome.discoveries, absorbed.ids)
    if outcome.lesson and outcome.ending in TEACHING:
        rows.lessons.append((id, outcome.lesson))
    return Recorded(
        n=written.n,
        duplicate_of=written.duplicate_of,
        near_duplicate_of=written.near_duplicate_of,
        new_urls=absorbed.new,
        host_went_bad=went_bad,
        change=visit,
    )


def _treat_host(work: Work, host: Host, outcome: Outcome, held: Held, bad_after: int) -> bool:
    """Note what the outcome says about its host; return whether it went bad."""
    work.leave(host)
    host.errand = None if host.errand == outcome.claim.id else host.errand
    if outcome.fetch and outcome.fetch.ip and outcome.fetch.ip != host.ip:
        _move_address(work, host, outcome.fetch.ip)
    if outcome.host_delay is not None:
        host.delay = outcome.host_delay
    if outcome.asked:
        host.due = max(host.due, outcome.finished + outcome.rest)
    elif host.due == held.paced:  # nobody else was asked since, nor told us to wait
        host.due = min(host.due, work.now)
    if outcome.host_failed:
        host.failures += 1
        host.reason = _text(outcome.reason) or ""
    elif answered(outcome) and not host.bad:
        host.failures, host.reason = 0, ""
    was_bad, host.bad = host.bad, int(host.bad or host.failures >= bad_after)
    return host.bad > was_bad


def _treat_called(work: Work, call: Call, bad_after: int) -> None:
    """Note what a request to a host that was not claimed says about it."""
    host = work.host(work.host_id(call.host, call.domain))
    if call.ip and call.ip != host.ip:
        _move_address(work, host, call.ip)
    host.due = max(host.due, call.finished + call.rest)
    if call.reason:
        host.failures, host.reason = host.failures + 1, _text(call.reason) or ""
    elif call.answered and not host.bad:
        host.failures, host.reason = 0, ""
    host.bad = int(host.bad or host.failures >= bad_after)


def _move_address(work: Work, host: Host, ip: str) -> None:
    """Let the host's other requests in flight count for the address at which it was met now."""
    if host.ip and host.busy:
        work.move_place(f"i:{host.ip}", -host.busy)
    host.ip = ip
    if host.busy:
        work.move_place(f"i:{ip}", host.busy)


def _end_claim(work: Work, host: Host, outcome: Outcome, held: Held, rows: Rows) -> None:
    id, state = outcome.claim.id, state_after(outcome.ending, fetched_before=bool(held.fetched_before))
    work.con.execute("DELETE FROM claims WHERE url_id = ?", (id,))
    counted = held.counted or int(outcome.ending is Ending.PAGE and outcome.counts)
    tried = 1 if outcome.ending is Ending.RETRY else 0
    demoted = rank_after(held.demoted, state) + outcome.behind
    end = (NUMBER[state], counted, tried, demoted, held.host_id, held.key)
    work.foreseen.forget((held.host_id, held.key))
    if state is UrlState.WAITING:
        work.con.execute(_END, end)
    else:  # no link can move it any more, whether it is still called claimed or not
        rows.ends.append(end)
    work.counts["pages"] += counted - held.counted
    work.counts["url:claimed"] -= 1
    work.counts[f"url:{state}"] += 1
    if state is UrlState.FAILED:
        _give_up(work, id, outcome)
    if state is UrlState.WAITING:
        host.waiting += 1
        host.offer(demoted + held.tries + tried, held.priority, id)
    host.pages += state is UrlState.PAGE and not outcome.claim.example


def _give_up(work: Work, id: int, outcome: Outcome) -> None:
    """Say why there is no page. A URL that could be claimed had no reason, so that nothing else is to be cleared."""
    reason = _text(outcome.reason)
    work.con.execute("UPDATE finds SET reason = ?, detail = ? WHERE id = ?", (reason, clean(outcome.detail), id))
    if reason:
        work.counts[f"reason:{reason}"] += 1


def _write_robots(work: Work, answer: RobotsAnswer) -> None:
    work.con.execute(
        _SET_ROBOTS,
        (answer.origin, answer.expires, answer.fetched, answer.status, clean(answer.text)),
    )


def _fetch_row(outcome: Outcome, errand: str) -> tuple[object, ...]:
    fetch, detail = outcome.fetch, clean(outcome.detail)
    ending, reason = outcome.ending.value, _text(outcome.reason)
    if fetch is None:
        return (outcome.claim.id, outcome.finished, errand, ending, reason, detail, 0, 0.0, "")
    return (
        outcome.claim.id, fetch.started, errand, ending, reason, detail,
        fetch.status, fetch.seconds, fetch.ip,
    )  # fmt: skip


def _text(reason: Reason | None) -> str | None:
    """Return a reason as an exact string: sqlite3 looks up an adapter for every subclass, 0.7 µs each time."""
    return reason.value if reason else None
