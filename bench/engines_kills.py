"""What several engines of one crawl do when some of them die, stop, or are cut off from the server.

Engines crawl a web of 300 hosts on eight addresses until it is exhausted. Meanwhile each is killed and started again,
stopped for longer than its lease and woken, or its link to the server holds back everything for as long. The log of the
web's server then tells whether any host, domain or address was asked too soon or too often, and the database whether
every page is there, once. With `--minutes` it begins no crawl after that time.
"""

import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic, sleep

from bench.crawling import UNJUDGED
from bench.engine_crew import Allowance, Engine, Link, TakeoverWatch, Tormentor
from bench.engine_deeds import Deed, kept, told
from bench.figures import Figure, Report, at_least, at_most, number
from bench.politeness import LEAST_HOSTS, SHOWN, WatchedWeb, breaches, manners_of
from bench.ring_web import RingWeb, ServedRing, crowds
from bench.running import ROOT, scenthound
from scenthound.demo.protocol import LogEntry
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.store.postgres_server import MISSING, Server, programs, running_server

DISTURBANCES, QUICK = 1_000, 6
PER_CRAWL = 60  # disturbances of one crawl
ENGINES = (6, 2, 4, 6, 3, 5)  # of one crawl after another
LEASE = 4.0
DELAY = 0.2
PER_DOMAIN, PER_IP = 2, 3
PLEA = 7  # every so many requests of a host are answered with 429 and a Retry-After
LIMIT = 1_200.0  # seconds for one crawl after the last disturbance
BETWEEN = (1.0, 8.0)  # seconds between two disturbances of one engine


@dataclass(slots=True)
class Story:
    """What happened to one crawl."""

    engines: int = 0
    hosts: int = 0
    pleas: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    takeovers: list[float] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)
    requests: int = 0
    again: int = 0
    missing: int = 0
    twice: int = 0
    faults: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        return [*self.breaches, *self.faults, *self.failed]


def run(*, quick: bool = False, minutes: float = inf) -> Report:
    """Disturb crawls until there were enough disturbances, or the time is over."""
    if programs() is None:
        return Report(skipped=MISSING)
    wanted, until = QUICK if quick else DISTURBANCES, monotonic() + 60 * minutes
    stories: list[Story] = []
    with running_server() as server:
        while (left := wanted - sum(story.kinds.total() for story in stories)) > 0 and monotonic() < until:
            seed = len(stories) + 1
            engines = 3 if quick else ENGINES[len(stories) % len(ENGINES)]
            web = RingWeb(30, 4, 2) if quick else RingWeb(150, 8, 8)
            story = disturb(server, web, engines=engines, disturbances=min(left, PER_CRAWL), seed=seed)
            print(f"  crawl {seed}: {engines} engines, {in_words(story)}", flush=True)
            for line in story.wrong[:SHOWN]:
                print(f"    {line}", flush=True)
            stories.append(story)
    return report(stories, hosts=1 if quick else LEAST_HOSTS)


def soak(minutes: float) -> Report:
    """Go on for so many minutes."""
    return run(minutes=minutes)


def disturb(server: Server, web: RingWeb, *, engines: int, disturbances: int, seed: int) -> Story:
    """Let engines crawl a web, disturb them, and look at what is left."""
    story = Story(engines=engines)
    watched = WatchedWeb(web.answer, every=PLEA)
    url = ServerUrl.read(server.new_url())
    with tempfile.TemporaryDirectory() as folder, ServedRing(web, watched.answer) as served, ExitStack() as stack:
        crew = _crew(server, url, web, Path(folder), served, engines, stack)
        crew[0].start()
        _wait_for_settings(url, crew[0])
        for engine in crew[1:]:
            engine.start()
        _wait_for_all(url, crew)
        watch, may = TakeoverWatch(url), Allowance(disturbances, story.kinds)
        watch.start()
        tormentors = [
            Tormentor(engine, random.Random(100 * seed + place), lease=LEASE, between=BETWEEN, may=may)
            for place, engine in enumerate(crew)
        ]
        for tormentor in tormentors:
            tormentor.start()
        for tormentor in tormentors:
            tormentor.join()
        until = monotonic() + LIMIT
        while any(engine.is_at_work for engine in crew) and monotonic() < until:
            sleep(0.5)
        story.takeovers = watch.end()
        _end(crew, story)
        log = watched.corrected(served.log())
        deeds = [deed for engine in crew for deed in engine.deeds]
        story.failed += [_last_words(engine) for engine in crew if engine.has_failed]
    _judge(log, web, watched, deeds, story)
    _look(url, web, story)
    if story.wrong:
        print(f"    all requests and what was done to engines: {kept(log, deeds)}", flush=True)
    server.psql(f'DROP SCHEMA "{url.schema}" CASCADE')
    return story


def _crew(
    server: Server, url: ServerUrl, web: RingWeb, folder: Path, served: ServedRing, engines: int, stack: ExitStack
) -> list[Engine]:
    settings = [
        *UNJUDGED,
        f"store.lease={LEASE}",
        f"fetch.delay={DELAY}",
        "fetch.delay_factor=0",
        "fetch.per_host=1",
        f"fetch.per_domain={PER_DOMAIN}",
        f"fetch.per_ip={PER_IP}",
        "fetch.concurrency=8",
        "crawl.patience=60",
        "read.workers=1",
        "search.beside=false",
        served.resolve,
    ]
    given = [word for setting in settings for word in ("--set", setting)]
    crew = []
    for place in range(engines):
        link = stack.enter_context(closing(Link(server)))
        address = f"postgresql://scent@127.0.0.1:{link.port}/postgres?crawl={url.schema}"
        name = f"engine{place}"
        contact = ("--set", f"fetch.contact={name}")
        if place:
            command = scenthound("join", address, "--dir", str(folder / name), "--quiet", *given, *contact)
        else:
            path = str(folder / "first")
            made = scenthound("new", path, *web.seeds, "--set", f"store.url={address}")
            subprocess.run(made, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
            command = scenthound("crawl", path, "--quiet", *given, *contact)
        crew.append(Engine(name=name, command=command, link=link, log=folder / f"log{place}"))
    return crew


def _wait_for_settings(url: ServerUrl, first: Engine) -> None:
    """Wait until others can join."""
    until = monotonic() + LIMIT
    while monotonic() < until:
        assert first.is_at_work, first.log.read_text()
        with suppress(Exception), PostgresStore(url, read_only=True) as store:
            if store.shared_file("topics.toml") is not None:
                return
        sleep(0.5)


def _wait_for_all(url: ServerUrl, crew: Sequence[Engine]) -> None:
    """Wait until all engines are at work, so that nothing is spent on a start."""
    until = monotonic() + LIMIT
    while monotonic() < until and all(engine.is_at_work for engine in crew):
        with PostgresStore(url, read_only=True) as store:
            if len(store.engines()) == len(crew):
                return
        sleep(0.5)


def _end(crew: Sequence[Engine], story: Story) -> None:
    for engine in crew:
        engine.link.mend()
        if engine.is_at_work:
            story.failed.append(f"{engine.name} did not end: {engine.log.read_text()[-500:]}")
            engine.kill()


def _last_words(engine: Engine) -> str:
    done = ", ".join(f"{deed.kind} {deed.began:.1f} to {deed.ended:.1f}" for deed in engine.deeds[-3:])
    last = engine.log.stat().st_mtime
    return f"{engine.name} (it was {done}; last said something at {last:.1f}): {engine.log.read_text()[-2000:]}"


def _judge(log: Sequence[LogEntry], web: RingWeb, watched: WatchedWeb, deeds: Sequence[Deed], story: Story) -> None:
    """Check the manners of all engines together, by the log of the web's server."""
    hosts = {entry.host for entry in log}
    owed = {host: manners_of(web.answer(host, "/robots.txt"), delay=DELAY) for host in hosts}
    story.requests, story.hosts, story.pleas = len(log), len(hosts), len(watched.pleas)
    found = breaches(log, owed, watched.pleas)
    found += crowds(log, "domain", PER_DOMAIN) + crowds(with_known_address(log), "address", PER_IP)
    story.breaches += [told(breach, log, deeds) for breach in found]
    pages = Counter(entry.host + entry.path for entry in log if entry.path != "/robots.txt" and entry.status == 200)
    story.again = sum(times - 1 for times in pages.values())


def with_known_address(log: Sequence[LogEntry]) -> list[LogEntry]:
    """Leave out what a host was asked before the crawl had its address in the database.

    The answer to the first robots.txt brings the address, and pages follow when it is recorded. An engine that dies in
    between takes it along, and another one asks for the robots.txt of a host whose address nobody knows.
    """
    known_from = dict[str, float]()
    for entry in log:
        if entry.path != "/robots.txt":
            known_from[entry.host] = min(known_from.get(entry.host, inf), entry.started)
    return [entry for entry in log if entry.started >= known_from.get(entry.host, inf)]


def _look(url: ServerUrl, web: RingWeb, story: Story) -> None:
    """Check that every page is there, once, and that the database agrees with itself."""
    with PostgresStore(url, engine="inspector") as store:
        store.release(owner=None, now=0.0)
        pages = [row.url for row in store.pages()]
        story.missing = len(web.urls - set(pages))
        story.twice = len(pages) - len(set(pages))
        story.faults += store.check()
        con = store.session.con
        twice = (
            "SELECT count(*) FROM (SELECT url_id FROM fetches WHERE ending = 'page' GROUP BY 1 HAVING count(*) > 1) t"
        )
        story.twice += con.execute(twice).fetchone()[0]


def in_words(story: Story) -> str:
    what = ", ".join(f"{count} {kind}" for kind, count in sorted(story.kinds.items())) or "nothing"
    return (
        f"{what}; {number(story.requests)} requests, {story.again} of them again; {story.missing} pages missing, "
        f"{story.twice} twice, {len(story.breaches)} breaches, {len(story.faults)} faults, {len(story.failed)} failed"
    )


def report(stories: Sequence[Story], *, hosts: int) -> Report:
    """Add up what happened."""
    kinds = sum((story.kinds for story in stories), Counter[str]())
    lines = [line for story in stories for line in story.wrong]
    zero, late = at_most(0), [seconds for story in stories for seconds in story.takeovers]
    return Report(
        figures=(
            Figure(name="engines killed", value=kinds["killed"]),
            Figure(name="engines stopped for longer than their lease", value=kinds["stopped"]),
            Figure(name="engines cut off for longer than their lease", value=kinds["cut off"]),
            Figure(name="requests checked", value=sum(story.requests for story in stories), goal=at_least(1)),
            Figure(name="of them, by six engines", value=sum(one.requests for one in stories if one.engines == 6)),
            Figure(name="hosts of the smallest web", value=min(one.hosts for one in stories), goal=at_least(hosts)),
            Figure(name="answers with a Retry-After", value=sum(story.pleas for story in stories)),
            Figure(name="pages asked for again", value=sum(story.again for story in stories)),
            Figure(name="pages missing", value=sum(story.missing for story in stories), goal=zero),
            Figure(name="pages recorded twice", value=sum(story.twice for story in stories), goal=zero),
            Figure(name="takeovers", value=len(late)),
            Figure(name="longest time from the end of a lease to its takeover", value=max(late, default=0.0), unit="s"),
            Figure(name="breaches of politeness", value=sum(len(story.breaches) for story in stories), goal=zero),
            Figure(name="totals that do not agree", value=sum(len(story.faults) for story in stories), goal=zero),
            Figure(name="engines that failed or did not end", value=sum(len(one.failed) for one in stories), goal=zero),
        ),
        text=tuple(f"- {line}" for line in lines[:SHOWN]),
    )
