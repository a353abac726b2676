"""What several engines of one crawl do when some of them die, stop, or are cut off from the server.

Engines crawl a small web until it is exhausted. Meanwhile one after another is killed and started again, stopped for
longer than its lease and woken, or its link to the server holds back everything for as long. The log of the web's
server then tells whether any host, domain or address was asked too soon or too often, and the database whether every
page is there, once.
"""

import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

from bench.crawling import UNJUDGED
from bench.figures import Figure, Report, at_least, at_most, number
from bench.politeness import SHOWN, WatchedWeb, breaches, manners_of
from bench.running import ROOT, scenthound
from scenthound.demo.protocol import LogEntry
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.store.postgres_server import MISSING, Server, programs, running_server

DISTURBANCES, QUICK = 1_000, 6
PER_CRAWL = 50  # disturbances of one crawl
LEAST_ENGINES, MOST_ENGINES = 2, 6
LEASE = 4.0
DELAY = 0.2
PER_DOMAIN, PER_IP = 2, 6
LIMIT = 1_200.0  # seconds for one crawl
BETWEEN = (1.0, 4.0)  # seconds between two disturbances


@dataclass(frozen=True, slots=True)
class RingWeb:
    """Domains with two hosts each, whose pages link to pages of the next domains. One host in four has a Crawl-delay."""

    domains: int
    pages: int

    @property
    def seeds(self) -> list[str]:
        return [f"http://{self._host(number, 0)}/0" for number in range(0, self.domains, 7)]

    @property
    def urls(self) -> set[str]:
        hosts = [self._host(number, part) for number in range(self.domains) for part in (0, 1)]
        return {f"http://{host}/{page}" for host in hosts for page in range(self.pages)}

    def answer(self, host: str, path: str) -> Answer:
        domain, part = int(host.split(".")[1].removeprefix("site")), int(host[1])
        if path == "/robots.txt":
            rules = b"User-agent: *\nDisallow: /never\n" + (b"Crawl-delay: 0.5\n" if domain % 4 == 0 else b"")
            return Answer(headers=(("Content-Type", "text/plain"),), body=rules)
        page = path.removeprefix("/")
        if not page.isdigit() or int(page) >= self.pages:
            return Answer(status=404)
        links = "".join(
            f'<a href="{url}">{url}</a> <a href="/never">no</a>' for url in self._links(domain, part, int(page))
        )
        text = f"<title>{host} {page}</title><p>Page {page} of {host}, about nothing else. {links}"
        return Answer(headers=(("Content-Type", "text/html"),), body=text.encode(), delay=0.05)

    def _links(self, domain: int, part: int, page: int) -> Iterator[str]:
        yield f"http://{self._host(domain, 1 - part)}/{page}"
        yield f"http://{self._host(domain, part)}/{(page + 1) % self.pages}"
        for step in (1, 2, 5):
            yield f"http://{self._host((domain + step) % self.domains, part)}/{page}"

    def _host(self, domain: int, part: int) -> str:
        return f"h{part}.site{domain}.test"


class Link:
    """A way to the database server that can be cut: what is sent meanwhile arrives when it is whole again."""

    def __init__(self, server: Server) -> None:
        self._target = str(next(server.folder.glob(".s.PGSQL.*[0-9]")))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._whole = threading.Event()
        self._whole.set()
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = [self._listener]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        self._whole.set()

    def close(self) -> None:
        self.mend()
        for end in self._sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in self._sockets:
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                there = socket.socket(socket.AF_UNIX)
                self._sockets += [client, there]
                there.connect(self._target)
                for one, other in ((client, there), (there, client)):
                    self._threads.append(threading.Thread(target=self._pump, args=(one, other), daemon=True))
                    self._threads[-1].start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self._whole.wait()
                other.sendall(data)
        with suppress(OSError):
            self._whole.wait()
            other.shutdown(socket.SHUT_WR)


@dataclass(slots=True)
class Engine:
    """One engine: its command, its link, its process, and how often it was started."""

    command: list[str]
    link: Link
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    started: int = 0

    def start(self) -> None:
        self.started += 1
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def is_at_work(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, sign: signal.Signals) -> None:
        """Send a signal to the engine and its readers."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, sign)


@dataclass(slots=True)
class Story:
    """What happened to one crawl."""

    kinds: Counter[str] = field(default_factory=Counter)
    takeovers: list[float] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)
    requests: int = 0
    again: int = 0
    missing: int = 0
    twice: int = 0
    faults: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def run(*, quick: bool = False) -> Report:
    """Disturb crawls until there were enough disturbances."""
    if programs() is None:
        return Report(skipped=MISSING)
    wanted, stories, seed = QUICK if quick else DISTURBANCES, list[Story](), 0
    with running_server() as server:
        while sum(story.kinds.total() for story in stories) < wanted:
            seed += 1
            left = wanted - sum(story.kinds.total() for story in stories)
            engines = random.Random(seed).randrange(LEAST_ENGINES, MOST_ENGINES + 1)
            web = RingWeb(30, 4) if quick else RingWeb(40, 25)
            story = disturb(server, web, engines=engines, disturbances=min(left, PER_CRAWL), seed=seed)
            print(f"  crawl {seed}: {engines} engines, {in_words(story)}", flush=True)
            stories.append(story)
    return report(stories)


def disturb(server: Server, web: RingWeb, *, engines: int, disturbances: int, seed: int) -> Story:
    """Let engines crawl a web, disturb them, and look at what is left."""
    chance, story = random.Random(seed), Story()
    watched = WatchedWeb(web.answer)
    url = ServerUrl.read(server.new_url())
    with tempfile.TemporaryDirectory() as folder, ServedWeb(watched.answer) as served, ExitStack() as stack:
        crew = _crew(server, url, web, Path(folder), served.port, engines, stack)
        crew[0].start()
        _wait_for_settings(url, crew[0])
        for engine in crew[1:]:
            engine.start()
        _wait_for_all(url, crew)
        until = monotonic() + LIMIT
        while any(engine.is_at_work for engine in crew) and monotonic() < until:
            sleep(chance.uniform(*BETWEEN))
            if story.kinds.total() < disturbances:
                _disturb_one(crew, chance, story, url)
        _end(crew, url, story)
        log = watched.corrected(served.log())
        story.failed += [engine.log.read_text()[-2000:] for engine in crew if "Traceback" in engine.log.read_text()]
    _judge(log, web, watched, story)
    _look(url, web, story)
    server.psql(f'DROP SCHEMA "{url.schema}" CASCADE')
    return story


def _crew(
    server: Server, url: ServerUrl, web: RingWeb, folder: Path, port: int, engines: int, stack: ExitStack
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
        f'fetch.resolve={{"*.test" = "127.0.0.1:{port}"}}',
    ]
    given = [word for setting in settings for word in ("--set", setting)]
    crew = []
    for place in range(engines):
        link = stack.enter_context(closing(Link(server)))
        address = f"postgresql://scent@127.0.0.1:{link.port}/postgres?crawl={url.schema}"
        if place:
            command = scenthound("join", address, "--dir", str(folder / f"engine{place}"), "--quiet", *given)
        else:
            path = str(folder / "first")
            made = scenthound("new", path, *web.seeds, "--set", f"store.url={address}")
            subprocess.run(made, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
            command = scenthound("crawl", path, "--quiet", *given)
        crew.append(Engine(command=command, link=link, log=folder / f"log{place}"))
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


def _disturb_one(crew: Sequence[Engine], chance: random.Random, story: Story, url: ServerUrl) -> None:
    """Kill, stop or cut off one engine for longer than its lease."""
    working = [engine for engine in crew if engine.is_at_work]
    if not working:
        return
    engine, kind = chance.choice(working), chance.choice(["killed", "stopped", "cut off"])
    story.kinds[kind] += 1
    match kind:
        case "killed":
            engine.send(signal.SIGKILL)
            assert engine.process is not None
            engine.process.wait()
            if chance.random() < 0.5:
                sleep(chance.uniform(0.0, 1.5 * LEASE))
            engine.start()
        case "stopped":
            engine.send(signal.SIGSTOP)
            sleep(chance.uniform(1.1, 2.0) * LEASE)
            engine.send(signal.SIGCONT)
        case _:
            engine.link.cut()
            sleep(chance.uniform(1.1, 2.0) * LEASE)
            engine.link.mend()


def _end(crew: Sequence[Engine], url: ServerUrl, story: Story) -> None:
    for engine in crew:
        engine.link.mend()
        if engine.is_at_work:
            story.failed.append(f"did not end: {engine.log.read_text()[-500:]}")
            engine.send(signal.SIGKILL)
            assert engine.process is not None
            engine.process.wait()


def _judge(log: Sequence[LogEntry], web: RingWeb, watched: WatchedWeb, story: Story) -> None:
    """Check the manners of all engines together, by the log of the web's server."""
    hosts = {entry.host for entry in log}
    owed = {host: manners_of(web.answer(host, "/robots.txt"), delay=DELAY) for host in hosts}
    story.requests = len(log)
    story.breaches += [f"{one.kind}: {one.host} {one.detail}" for one in breaches(log, owed, watched.pleas)]
    # The address of a host is known when it has answered once, here as with one engine.
    answered = {host: min(entry.finished for entry in log if entry.host == host) for host in hosts}
    known = [entry for entry in log if entry.started >= answered[entry.host]]
    story.breaches += _crowds(log, "domain", PER_DOMAIN) + _crowds(known, "address", PER_IP)
    pages = Counter(entry.host + entry.path for entry in log if entry.path != "/robots.txt" and entry.status == 200)
    story.again = sum(times - 1 for times in pages.values())


def _crowds(log: Sequence[LogEntry], what: str, most: int) -> list[str]:
    found, ends = [], dict[str, list[float]]()
    for entry in sorted(log, key=lambda entry: entry.started):
        name = entry.host.partition(".")[2] if what == "domain" else ""
        flying = [end for end in ends.get(name, []) if end > entry.started] + [entry.finished]
        ends[name] = flying
        if len(flying) > most:
            found.append(f"requests beyond the limit of a {what}: {len(flying)} at {entry.host}{entry.path}")
    return found


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


def report(stories: Sequence[Story]) -> Report:
    """Add up what happened."""
    kinds = sum((story.kinds for story in stories), Counter[str]())
    told = [line for story in stories for line in (*story.breaches, *story.faults, *story.failed)]
    for line in told[:SHOWN]:
        print(f"  {line}")
    zero = at_most(0)
    return Report(
        figures=(
            Figure(name="engines killed", value=kinds["killed"]),
            Figure(name="engines stopped for longer than their lease", value=kinds["stopped"]),
            Figure(name="engines cut off for longer than their lease", value=kinds["cut off"]),
            Figure(name="requests checked", value=sum(story.requests for story in stories), goal=at_least(1)),
            Figure(name="pages asked for again", value=sum(story.again for story in stories)),
            Figure(name="pages missing", value=sum(story.missing for story in stories), goal=zero),
            Figure(name="pages recorded twice", value=sum(story.twice for story in stories), goal=zero),
            Figure(name="breaches of politeness", value=sum(len(story.breaches) for story in stories), goal=zero),
            Figure(name="totals that do not agree", value=sum(len(story.faults) for story in stories), goal=zero),
            Figure(name="engines that failed or did not end", value=sum(len(one.failed) for one in stories), goal=zero),
        ),
        text=tuple(f"- {line}" for line in told[:SHOWN]),
    )
