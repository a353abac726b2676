"""The politeness check must see a breach where there is one: each kind is planted in a log and found."""

import re
from dataclasses import replace
from time import time

import pytest

from bench.politeness import (
    CRAWL_DELAY,
    CROWDED,
    FORBIDDEN,
    LEAST_HOSTS,
    RETRIED,
    RULES,
    TOO_SOON,
    UNASKED,
    Breach,
    CopiedWeb,
    Manners,
    Plea,
    WatchedWeb,
    breaches,
    manners_of,
)
from scenthound.demo.protocol import LogEntry
from scenthound.demo.served_answer import Answer, Behaviour
from scenthound.demo.web import DemoWeb

pytestmark = pytest.mark.slow


def visit(path: str, at: float, *, host: str = "a.test", seconds: float = 0.1) -> LogEntry:
    return LogEntry(
        started=at, finished=at + seconds, host=host, path=path, status=200, client_port=5000, user_agent="scenthound"
    )


def owed(*, crawl_delay: float = 0.0, per_host: int = 1) -> dict[str, Manners]:
    manners = Manners(
        delay=1.0, allows=lambda path: not path.startswith("/private"), crawl_delay=crawl_delay, per_host=per_host
    )
    return {"a.test": manners, "b.test": manners}


POLITE = [visit("/robots.txt", 100.0), visit("/", 101.2), visit("/next", 102.4)]


def kinds(found: list[Breach]) -> list[str]:
    return [breach.kind for breach in found]


def test_a_polite_crawl_has_no_breach() -> None:
    elsewhere = [replace(entry, host="b.test", started=entry.started + 0.01) for entry in POLITE]
    assert breaches([*POLITE, *elsewhere], owed()) == []


def test_the_order_of_the_log_does_not_matter() -> None:
    assert breaches(POLITE[::-1], owed()) == []


def test_a_request_too_soon_after_the_end_of_the_last_is_found() -> None:
    (breach,) = breaches([*POLITE, visit("/soon", 103.4)], owed())  # the last one ended at 102.5
    assert breach == Breach(kind=TOO_SOON, host="a.test", detail="/soon after 900.0 ms instead of 1000")


def test_the_gap_counts_from_the_last_response_to_end_whichever_began_first() -> None:
    log = [visit("/robots.txt", 100.0), visit("/slow", 101.2, seconds=9.0), visit("/quick", 110.5)]
    assert kinds(breaches(log, owed())) == [TOO_SOON]


def test_one_millisecond_is_tolerated_and_two_are_not() -> None:
    assert breaches([*POLITE, visit("/almost", 103.4992)], owed()) == []
    assert kinds(breaches([*POLITE, visit("/almost", 103.498)], owed())) == [TOO_SOON]


def test_a_crawl_delay_longer_than_ours_is_held_to() -> None:
    assert kinds(breaches(POLITE, owed(crawl_delay=1.15))) == [CRAWL_DELAY, CRAWL_DELAY]


def test_what_robots_forbids_is_found() -> None:
    assert kinds(breaches([*POLITE, visit("/private/x", 104.0)], owed())) == [FORBIDDEN]


def test_a_page_before_robots_is_known_is_found() -> None:
    assert kinds(breaches([visit("/", 98.0), *POLITE], owed())) == [UNASKED]
    assert kinds(breaches([visit("/", 98.0)], owed())) == [UNASKED]


def test_too_many_at_a_time_are_found() -> None:
    log = [visit("/robots.txt", 100.0), *(visit(f"/{n}", 102.0 + n / 100) for n in range(3))]
    assert kinds(breaches(log, owed(per_host=2))) == [CROWDED]
    assert breaches(log, owed(per_host=3)) == []


def test_a_request_while_a_retry_after_lasts_is_found() -> None:
    plea = Plea(host="a.test", at=101.25, seconds=3.0)
    assert kinds(breaches(POLITE, owed(), [plea])) == [RETRIED]
    assert breaches(POLITE, owed(), [replace(plea, seconds=1.0)]) == []
    assert breaches(POLITE, owed(), [replace(plea, host="b.test")]) == []


@pytest.mark.parametrize(
    ("robots", "path", "allowed"),
    [
        (Answer(status=404), "/private/x", True),
        (Answer(status=503), "/", False),
        (Answer(behaviour=Behaviour.SILENT), "/", False),
        (Answer(body=b"User-agent: *\nDisallow: /private/\n"), "/private/x", False),
        (Answer(body=b"User-agent: *\nDisallow: /private/\n"), "/public", True),
        (Answer(body=b"User-agent: scenthound\nDisallow: /\n"), "/public", False),
    ],
)
def test_what_a_host_is_owed_comes_from_its_robots_file(robots: Answer, path: str, allowed: bool) -> None:
    assert manners_of(robots, delay=1.0).allows(path) is allowed


def test_a_crawl_delay_is_read() -> None:
    assert manners_of(Answer(body=b"User-agent: *\nCrawl-delay: 2.5\n"), delay=1.0).crawl_delay == 2.5


def test_an_overloaded_server_pleads_at_every_nth_page_and_notes_it() -> None:
    server = WatchedWeb(lambda host, path: Answer(body=b"page"), every=3)
    statuses = [server.answer("a.test", path).status for path in ("/robots.txt", "/1", "/2", "/3", "/4")]
    assert statuses == [200, 200, 200, 429, 200]
    assert [(plea.host, plea.seconds) for plea in server.pleas] == [("a.test", 2.0)]


def test_a_response_ended_no_later_than_the_log_says_and_no_earlier_than_its_answer() -> None:
    server = WatchedWeb(lambda host, path: Answer(body=b"page", delay=1.0))
    before = time()
    server.answer("a.test", "/")
    logged = visit("/", before, seconds=5.0)
    (entry,) = server.corrected([logged])
    assert before + 1.0 <= entry.finished < logged.finished


def test_a_page_before_the_rules_on_another_host_have_come_is_a_breach() -> None:
    led = [visit(f"{RULES}a.test", 101.0, host="b.test", seconds=2.0)]
    assert kinds(breaches([*POLITE, *led], owed())) == [UNASKED, UNASKED]
    late = [replace(entry, started=entry.started + 5, finished=entry.finished + 5) for entry in POLITE[1:]]
    assert kinds(breaches([POLITE[0], *late, *led], owed())) == []


def test_copies_of_a_web_keep_to_themselves() -> None:
    web = CopiedWeb(DemoWeb(seed=7), 5)
    assert len(web.hosts) == len(set(web.hosts)) >= LEAST_HOSTS
    url = web.seeds()[-1]
    host, _, path = url.removeprefix("http://").partition("/")
    body = web.answer(host, f"/{path}").body.decode()
    assert host.startswith("copy4.")
    assert {link.partition(".")[0] for link in re.findall(r"http://([^/\"]+)", body)} <= {"copy4"}
