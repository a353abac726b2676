"""Whether a crawl kept its manners, by the server's account: every request of a crawl of the demo web is checked.

The rules are those of docs/explanation and RFC 9309: a pause after each response of a host, longer where its robots.txt
asks for it, no more requests at a time than allowed, nothing that robots.txt forbids or before it is known, and silence
for as long as a Retry-After says (RFC 9110 §10.2.3). Robots files are read here with another parser than the crawl's.
The demo web is served in five copies, 340 hosts. Every third host has its robots.txt on another host, which is owed the
same as for its pages, and nothing but robots.txt may be asked for before the rules have come from there.
"""

import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from time import time

from protego import Protego

from bench.crawling import UNJUDGED, crawl, new_crawl
from bench.figures import Figure, Report, at_least, at_most, number
from scenthound.demo.protocol import LogEntry
from scenthound.demo.served_answer import Answer, AnsweringFunction, Behaviour
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb

PRODUCT = "scenthound"
DELAY = 0.25
TOLERANCE = 0.001  # seconds: two processes read the clock, and neither reads it at the very instant
MINUTES = 1.25
EVERY = 40  # every so many pages of a host are first answered with 429
RETRY_AFTER = 2
LIMIT = 240.0
ELSEWHERE = 3  # one host in so many has its robots.txt on another one
RULES = "/rules-of/"  # where it lies there
COPIES = 5  # of the demo web
LEAST_HOSTS = 300
SHOWN = 20  # breaches that are shown in full


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What one host is owed. `allows` tells which paths may be asked for."""

    delay: float
    allows: Callable[[str], bool]
    crawl_delay: float = 0.0
    per_host: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plea:
    """A response that asked to be left alone for a while."""

    host: str
    at: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A request that should not have come, or not yet."""

    kind: str
    host: str
    detail: str
    visit: LogEntry | None = field(default=None, compare=False, repr=False)


TOO_SOON, CRAWL_DELAY, RETRIED, FORBIDDEN, UNASKED, CROWDED = KINDS = (
    "requests before the delay was over",
    "requests before the Crawl-delay was over",
    "requests before the Retry-After was over",
    "requests that robots.txt forbids",
    "requests before robots.txt was known",
    "requests beyond per_host at a time",
)


def breaches(log: Sequence[LogEntry], manners: Mapping[str, Manners], pleas: Sequence[Plea] = ()) -> list[Breach]:
    """Check every request of a log; return those that broke a rule, once for each rule that they broke."""
    found: list[Breach] = []
    by_host = sorted(log, key=lambda entry: (entry.host, entry.started))
    came = {entry.path.removeprefix(RULES): entry.finished for entry in by_host if entry.path.startswith(RULES)}
    for host, entries in groupby(by_host, key=lambda entry: entry.host):
        visits = list(entries)
        owed = manners[host]
        found += _pauses(visits, owed)
        found += _crowds(visits, owed)
        found += _robots(visits, owed, known_from=max(_known_from(visits), came.get(host, 0.0)))
        found += _retries(visits, [plea for plea in pleas if plea.host == host])
    return found


def _pauses(visits: Sequence[LogEntry], owed: Manners) -> Iterator[Breach]:
    """Compare each request with the end of the response before it. Only with one at a time is there such an end."""
    if owed.per_host > 1:
        return
    over, known_from = float("-inf"), _known_from(visits)
    for visit in visits:
        gap = visit.started - over
        crawl_delay = owed.crawl_delay if over >= known_from else 0.0
        for kind, least in ((TOO_SOON, owed.delay), (CRAWL_DELAY, crawl_delay)):
            if gap < least - TOLERANCE:
                yield _breach(kind, visit, f"after {1000 * gap:.1f} ms instead of {1000 * least:.0f}")
        over = max(over, visit.finished)


def _crowds(visits: Sequence[LogEntry], owed: Manners) -> Iterator[Breach]:
    open_until: list[float] = []
    for visit in visits:
        open_until = [until for until in open_until if until > visit.started]
        open_until.append(visit.finished)
        if len(open_until) > owed.per_host:
            yield _breach(CROWDED, visit, f"{len(open_until)} at a time")


def _robots(visits: Sequence[LogEntry], owed: Manners, *, known_from: float) -> Iterator[Breach]:
    for visit in visits:
        if visit.path == "/robots.txt" or visit.path.startswith(RULES):
            continue
        if visit.started < known_from - TOLERANCE:
            yield _breach(UNASKED, visit, "")
        if not owed.allows(visit.path):
            yield _breach(FORBIDDEN, visit, "")


def _known_from(visits: Sequence[LogEntry]) -> float:
    return min((visit.finished for visit in visits if visit.path == "/robots.txt"), default=float("inf"))


def _retries(visits: Sequence[LogEntry], pleas: Sequence[Plea]) -> Iterator[Breach]:
    for plea in pleas:
        for visit in visits:
            if plea.at < visit.started < plea.at + plea.seconds - TOLERANCE:
                yield _breach(RETRIED, visit, f"{plea.at + plea.seconds - visit.started:.3f} s too early")


def _breach(kind: str, visit: LogEntry, detail: str) -> Breach:
    return Breach(kind=kind, host=visit.host, detail=f"{visit.path} {detail}".strip(), visit=visit)


class WatchedWeb:
    """An answering function that notes when it answered, and pleads: now and then it says 429 first.

    The moments matter because the server's log has the end of a response after the system call that sends it. That call
    wakes the crawler, and on a busy machine the crawler runs first: the log is then some milliseconds late, and a pause
    that was kept looks too short. No response can have ended before its answer was there, so that this moment is safe.
    """

    def __init__(self, answer: AnsweringFunction, *, every: int = EVERY) -> None:
        self._answer = answer
        self._every = every
        self._count: Counter[str] = Counter()
        self._answered: dict[tuple[str, str], deque[float]] = {}
        self.pleas: list[Plea] = []

    def answer(self, host: str, path: str) -> Answer:
        answer = (self._plead(host) if path != "/robots.txt" else None) or self._answer(host, path)
        seconds = dict(answer.headers).get("Retry-After", "")
        if seconds.isdigit():
            self.pleas.append(Plea(host=host, at=time(), seconds=float(seconds)))
        ended = float("inf") if answer.behaviour is Behaviour.SILENT else time() + answer.delay
        self._answered.setdefault((host, path), deque()).append(ended)
        return answer

    def corrected(self, log: Sequence[LogEntry]) -> list[LogEntry]:
        """Return the log with each response ended when its answer was there, if the log has it later."""
        return [
            replace(entry, finished=min(entry.finished, self._answered[entry.host, entry.path].popleft()))
            for entry in sorted(log, key=lambda entry: entry.started)
        ]

    def _plead(self, host: str) -> Answer | None:
        self._count[host] += 1
        if self._count[host] % self._every:
            return None
        return Answer(status=429, headers=(("Retry-After", str(RETRY_AFTER)),))


class CopiedWeb:
    """The demo web several times: each copy has hosts of its own, and its links stay in it."""

    def __init__(self, web: DemoWeb, copies: int) -> None:
        self._web = web
        self._copies = [f"copy{number}." for number in range(copies)]
        self.hosts = [f"{copy}{host}" for copy in self._copies for host in web.hosts]

    def seeds(self) -> list[str]:
        seeds = [url for topic in self._web.topics for url in self._web.seeds(topic)]
        return [url.replace("://", f"://{copy}", 1) for copy in self._copies for url in seeds]

    def answer(self, host: str, path: str) -> Answer:
        copy, _, original = host.partition(".")
        answer = self._web.answer(original, path)
        headers = tuple((name, value.replace("://", f"://{copy}.")) for name, value in answer.headers)
        return replace(answer, headers=headers, body=answer.body.replace(b"://", f"://{copy}.".encode()))


@dataclass(frozen=True)
class RulesElsewhere:
    """A web in which some hosts have their robots.txt on the host after them in the alphabet."""

    web: DemoWeb | CopiedWeb

    def answer(self, host: str, path: str) -> Answer:
        hosts = sorted(self.web.hosts)
        if path.startswith(RULES):
            return self.web.answer(path.removeprefix(RULES), "/robots.txt")
        robots = self.web.answer(host, path)
        if (
            path != "/robots.txt"
            or robots.status not in (200, 404)
            or host not in hosts
            or hosts.index(host) % ELSEWHERE
        ):
            return robots
        other = hosts[(hosts.index(host) + 1) % len(hosts)]
        return Answer(status=301, headers=(("Location", f"http://{other}{RULES}{host}"),))


def manners_of(robots: Answer, *, delay: float) -> Manners:
    """Read what a host is owed from its robots.txt: 4xx forbids nothing, an unreachable one everything (§2.3.1)."""
    if 400 <= robots.status < 500:
        return Manners(delay=delay, allows=lambda _: True)
    if robots.status != 200 or robots.behaviour in (Behaviour.SILENT, Behaviour.RESET):
        return Manners(delay=delay, allows=lambda _: False)
    rules = Protego.parse(robots.body.decode("utf-8", errors="replace"))
    return Manners(
        delay=delay,
        allows=lambda path: bool(rules.can_fetch(path, PRODUCT)),
        crawl_delay=rules.crawl_delay(PRODUCT) or 0.0,
    )


def run(*, quick: bool = False) -> Report:
    """Crawl the demo web with real pauses, and check the server's log."""
    web = CopiedWeb(DemoWeb(seed=7), 1 if quick else COPIES)
    watched = WatchedWeb(RulesElsewhere(web).answer)
    with tempfile.TemporaryDirectory() as folder, ServedWeb(watched.answer) as served:
        path = Path(folder, "crawl")
        new_crawl(path, *web.seeds())
        crawl(path, settings(web, served.port, minutes=0.15 if quick else MINUTES), limit=LIMIT)
        log = watched.corrected(served.log())
    owed = {host: manners_of(web.answer(host, "/robots.txt"), delay=DELAY) for host in {entry.host for entry in log}}
    found = breaches(log, owed, watched.pleas)
    for breach in found[:SHOWN]:
        print(f"  {breach.kind}: {breach.host} {breach.detail}")
    return report(log, found, owed, watched.pleas, hosts=1 if quick else LEAST_HOSTS)


def settings(web: DemoWeb | CopiedWeb, port: int, *, minutes: float) -> list[str]:
    endings = sorted({host.split(".", 1)[1] for host in web.hosts})
    table = ", ".join(f'"*.{ending}" = "127.0.0.1:{port}"' for ending in endings)
    return [
        *UNJUDGED,
        f"crawl.minutes={minutes}",
        f"fetch.delay={DELAY}",
        "fetch.per_host=1",
        "fetch.per_domain=0",
        "fetch.per_ip=0",
        "fetch.first_byte_timeout=2",
        f"fetch.resolve={{{table}}}",
    ]


def report(
    log: Sequence[LogEntry],
    found: Sequence[Breach],
    owed: Mapping[str, Manners],
    pleas: Sequence[Plea],
    *,
    hosts: int = 1,
) -> Report:
    """Count breaches by kind."""
    kinds = Counter(breach.kind for breach in found)
    slow = sum(manners.crawl_delay > 0 for manners in owed.values())
    led = sum(entry.path.startswith(RULES) for entry in log)
    story = (
        f"{number(len(log))} requests on {len(owed)} hosts, {slow} of them with a Crawl-delay; {led} were for the "
        "robots.txt of another host; "
        f"{len(pleas)} responses asked for a pause with Retry-After. A gap counts from the end of a response to the "
        "start "
        f"of the next request of the host, on the server's clock; less than {DELAY} s is a breach, with "
        f"{1000 * TOLERANCE:g} ms of tolerance."
    )
    return Report(
        figures=(
            Figure(name="requests checked", value=len(log), goal=at_least(1)),
            Figure(name="hosts asked", value=len(owed), goal=at_least(hosts)),
            *(Figure(name=kind, value=kinds[kind], goal=at_most(0)) for kind in KINDS),
        ),
        text=(story, *(f"- {breach.kind}: {breach.host} {breach.detail}" for breach in found[:SHOWN])),
    )
