"""Engines whose server dies while they crawl: its standby takes its place, and nothing is lost or recorded twice."""

import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import pytest

from bench.crawling import UNJUDGED
from bench.politeness import Plea, WatchedWeb, breaches, manners_of
from bench.ring_web import RingWeb, ServedRing, crowds
from bench.running import ROOT, scenthound
from scenthound.demo.protocol import LogEntry
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.patience import PATIENCE
from tests.store.standby_pair import StandbyPair, standby_pair

pytestmark = pytest.mark.slow
WEB = RingWeb(24, 8, 2)
DELAY, PLEA, PER_DOMAIN = 0.2, 7, 2
FLYING = 4  # requests of one engine at a time
ENGINES = 2
TWICE = "SELECT count(*) FROM (SELECT url_id FROM fetches WHERE ending = 'page' GROUP BY 1 HAVING count(*) > 1) t"


@dataclass(slots=True)
class Crew:
    """Engines of one crawl, and the web that they crawl."""

    pair: StandbyPair
    url: ServerUrl
    folder: Path
    watched: WatchedWeb
    served: ServedRing
    engines: "list[subprocess.Popen[bytes]]"

    def wait_until(self, what: Callable[[], bool]) -> None:
        end = monotonic() + PATIENCE
        while not what():
            assert monotonic() < end, self.said()
            assert all(engine.poll() in (None, 0) for engine in self.engines), self.said()
            sleep(0.05)

    def finish(self) -> list[LogEntry]:
        """Let the crawl end by itself; return what the web was asked."""
        self.wait_until(lambda: all(engine.poll() == 0 for engine in self.engines))
        return self.watched.corrected(self.served.log())

    def kill(self) -> None:
        for engine in self.engines:
            engine.kill()
            engine.wait()

    def pages(self) -> int:
        with PostgresStore(self.url, read_only=True) as store:
            return store.census(now=0.0).pages

    def said(self) -> list[str]:
        """Return the log of each engine."""
        logs = [self.folder / f"engine{place}" / "logs" / "crawl.log" for place in range(ENGINES)]
        return [log.read_text() for log in logs if log.exists()] + [
            path.read_text() for path in self.folder.glob("*.out")
        ]


@contextmanager
def crew(pair: StandbyPair) -> Iterator[Crew]:
    watched = WatchedWeb(WEB.answer, every=PLEA)
    url = ServerUrl.read(pair.url("birds"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        served = stack.enter_context(ServedRing(WEB, watched.answer))
        found = Crew(pair, url, folder, watched, served, [])
        stack.callback(found.kill)
        first = str(folder / "engine0")
        subprocess.run(scenthound("new", first, *WEB.seeds, "--set", f"store.url={url.text}"), check=True, cwd=ROOT)
        _start(found, "crawl", first)
        found.wait_until(lambda: _is_shared(url))
        for place in range(1, ENGINES):
            _start(found, "join", url.text, "--dir", str(folder / f"engine{place}"))
        yield found


def _start(crew: Crew, *words: str) -> None:
    settings = [
        *UNJUDGED,
        f"fetch.delay={DELAY}",
        "fetch.delay_factor=0",
        f"fetch.per_domain={PER_DOMAIN}",
        f"fetch.concurrency={FLYING}",
        "crawl.patience=60",
        "read.workers=1",
        "search.beside=false",
        crew.served.resolve,
    ]
    given = [word for setting in settings for word in ("--set", setting)]
    with (crew.folder / f"{len(crew.engines)}.out").open("wb") as out:
        command = scenthound(*words, "--quiet", *given)
        crew.engines.append(subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out))


def _is_shared(url: ServerUrl) -> bool:
    try:
        with PostgresStore(url, read_only=True) as store:
            return store.shared_file("topics.toml") is not None
    except Exception:
        return False


def check(crew: Crew, log: list[LogEntry], *, pleas: Sequence[Plea]) -> None:
    """Every page is there once, the totals agree, and all hosts were left in peace as they are owed."""
    owed = {host: manners_of(WEB.answer(host, "/robots.txt"), delay=DELAY) for host in {one.host for one in log}}
    assert breaches(log, owed, pleas) + crowds(log, "domain", PER_DOMAIN) == []
    with PostgresStore(crew.url, engine="inspector") as store:
        pages = [row.url for row in store.pages()]
        assert sorted(pages) == sorted(WEB.urls)
        assert store.session.con.execute(TWICE).fetchone() == (0,)
        assert store.check() == []
    for text in crew.said()[:ENGINES]:
        assert "the crawl waits for it" in text
        assert "the crawl goes on" in text


def asked_again(log: list[LogEntry]) -> int:
    answered = Counter(one.host + one.path for one in log if one.path != "/robots.txt" and one.status == 200)
    return sum(times - 1 for times in answered.values())


def test_engines_go_on_at_the_standby_and_only_ask_again_for_what_was_in_flight() -> None:
    with standby_pair() as pair:
        pair.wait_for_copy()
        with crew(pair) as engines:
            engines.wait_until(lambda: engines.pages() > len(WEB.urls) / 4)
            pair.kill_primary()
            sleep(2.0)
            pair.promote()
            log = engines.finish()
            check(engines, log, pleas=engines.watched.pleas)
            assert asked_again(log) <= ENGINES * FLYING


def test_what_a_standby_that_lagged_behind_does_not_have_is_asked_for_again() -> None:
    with standby_pair() as pair, crew(pair) as engines:
        engines.wait_until(lambda: engines.pages() > len(WEB.urls) / 4)
        pair.standby.stop()  # what follows does not reach it
        before = engines.pages()
        engines.wait_until(lambda: engines.pages() > before + 20)
        pair.kill_primary()
        pair.standby.start()
        pair.promote()
        log = engines.finish()
        check(engines, log, pleas=())  # the new server may not know of the last ones
        assert asked_again(log) >= 20
