"""Whatever happens in a crawl, every store gives the answers of the specification, and the database agrees with
itself.
"""

from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from scenthound.store.indexed.store import IndexedStore
from scenthound.store.memory.store import MemoryStore
from scenthound.store.sqlite.store import SqliteStore, SqlStore
from scenthound.types import Census, Claim, CriticRecord, HeldPage, Judgement, Limits, Reason, Standing
from tests.often import THOROUGH, often
from tests.store.postgres_server import emptied_store
from tests.store.random_world import (
    HOSTS,
    URLS,
    backward,
    distillation,
    examples,
    judgement,
    lesson,
    limits,
    links,
    moves,
    outcome,
    turns,
)

STATES = [None, "ready", "resting", "busy", "parked", "capped", "bad", "idle"]
chances = st.integers(0, 2**32 - 1).map(Random)


class SameAnswers(RuleBasedStateMachine):
    """Drive all stores with the same calls."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = MemoryStore(bad_after=2)
        self.indexed = IndexedStore(bad_after=2)
        self.opened = ExitStack()
        self.database = self.opened.enter_context(self.in_sql())
        self.now = 1000.0
        self.claims: list[Claim] = []
        self.limits = Limits(delay=0.0, per_host=2, robots=False)

    def in_sql(self) -> AbstractContextManager[SqlStore]:
        return SqliteStore(":memory:", bad_after=2)

    def teardown(self) -> None:
        self.opened.close()

    def all(self, verb: str, **values: Any) -> Any:
        """Ask all stores the same, and return what they all say."""
        want = getattr(self.memory, verb)(**values)
        for store in (self.indexed, self.database):
            assert getattr(store, verb)(**values) == want, type(store).__name__
        return want

    @initialize(chance=chances)
    def begin(self, chance: Random) -> None:
        self.all("add", discoveries=[*links(chance, 30), *examples(chance)], now=self.now)

    @rule(chance=chances)
    def crawl(self, chance: Random) -> None:
        for _ in range(chance.randrange(6)):
            self.turn(chance)

    def turn(self, chance: Random) -> None:
        """Claim some URLs and record some of what is in flight, perhaps long after its lease."""
        self.now += chance.choice([0.0, 0.5, 1.0, 5.0, 60.0])
        owner, limit, lease = chance.choice(["me", "you"]), chance.randrange(7), chance.choice([5.0, 100.0])
        self.claims += self.all("claim", owner=owner, now=self.now, limit=limit, limits=self.limits, lease=lease)
        chance.shuffle(self.claims)
        done = [self.claims.pop() for _ in range(min(len(self.claims), chance.randrange(5)))]
        outcomes = [outcome(chance, claim, self.now) for claim in done]
        self.all("record", outcomes=outcomes, now=self.now, archived={"a.warc.gz": int(self.now)})

    @rule(chance=chances)
    def interfere(self, chance: Random) -> None:
        """Do what a user may do to a crawl, or a start of the program."""
        now, reasons = self.now, [Reason.HTTP_ERROR, Reason.LOCKED, Reason.ROBOTS]
        choices: list[tuple[str, dict[str, Any]]] = [
            ("add", {"discoveries": links(chance)}),
            ("add", {"discoveries": examples(chance)}),
            ("move", {"priorities": moves(chance)}),
            ("release", {"owner": chance.choice([None, "me", "you"])}),
            ("revisit_pages", {"urls": chance.choices(URLS, k=9), "priority": chance.choice([0.0, 0.375])}),
            ("distilled", distillation(chance, now)),
            ("revisit", {"turns": turns(chance)}),
            ("leave_alone", {}),
            ("wind_back", {}),
            (
                "found_backwards",
                {
                    "cited": chance.choice(URLS),
                    "discoveries": backward(chance),
                    "citing": chance.choice([None, URLS[:3]]),
                },
            ),
            ("forgive", {}),
            ("reconsider", {"reasons": chance.sample(reasons, chance.randrange(4))}),
        ]
        verb, values = chance.choice(choices)
        self.all(verb, **values, now=now)
        self.limits = chance.choice([self.limits, limits(chance)])

    @rule(chance=chances)
    def judge_again(self, chance: Random) -> None:
        critic = chance.randrange(3)
        found = self.all("to_judge", critic=critic, after=chance.randrange(5), limit=chance.randrange(1, 9))
        verdicts = [(page, None if page.redirect else judgement(chance, critic)) for page in found]
        self.all("rejudge", verdicts=verdicts, critic=critic, stand=_stand)
        by_promise, blend, nofollow = (chance.random() < 0.5 for _ in range(3))
        if chance.random() < 0.5:
            asked = {"by_promise": by_promise, "blend": blend, "nofollow": nofollow, "now": self.now}
            after: int | None = chance.choice([0, 0, 3])
            while after is not None:
                after = self.all("rescore", **asked, after=after, limit=chance.choice([2, 9, 1000])).after

    @rule(chance=chances)
    def teach(self, chance: Random) -> None:
        """Teach some pages, known or not, and some of those that lack a lesson."""
        self.all("teach", lessons=[lesson(chance, chance.choice(URLS)) for _ in range(chance.randrange(3))])
        missing = self.all("untaught", limit=chance.randrange(1, 6), nofollow=chance.random() < 0.5)
        self.all("teach", lessons=[new for new, _ in missing if chance.random() < 0.5])

    @rule(version=st.integers(1, 3))
    def engage(self, version: int) -> None:
        record = CriticRecord(
            version=version, kind="bayes", model="m", lessons="x", good=("birds/größer",), trained_at=self.now
        )
        self.all("engage", record=record)
        self.all("note", key="engaged", value=str(version))

    @rule(chance=chances)
    def look(self, chance: Random) -> None:
        limit, now, some = chance.randrange(1, 9), self.now, chance.sample(URLS, 3)
        self.all("awaited", now=now)
        self.all("host_counts", after=chance.choice([0, 1, 3]), limit=limit)
        self.all("domain", name=chance.choice(["a.test", "b.test", "never.test"]))
        self.all("host", name=chance.choice([*HOSTS, "never.test"]), now=now)
        self.all("held_back", now=now, choosy=chance.choice([0.25, 0.75, 1.0]), most=chance.choice([1, 100]))
        self.all("critic")
        self.all("note", key="engaged")
        self.all("hosts", now=now, state=chance.choice(STATES), limit=limit)
        self.all("originals", digests=[*URLS, "sha1:A", "sha1:B"])
        self.all("shape_yields", keys=[(host, shape) for host in HOSTS for shape in ("/x", "/y")])
        for url in some:
            self.all("story", url=url, now=now)
            self.all("robots", origin=url[: url.index("/", 8)])
            self.all("lesson", url=url)
        self.all("held", urls=[*URLS, "http://never.test/"])
        self.all("neighbours", urls=some, limit=limit)
        self.all("cited", urls=some, limit=limit)
        self.all("drawn", limit=limit, first=chance.choice([3, 1000]))
        self.all("distinct_pages")
        self.all("critics")
        self.all("topic_counts")
        self.all("distillations", after=chance.randrange(3))
        self.all("last_distillation")
        self.all("page_scores", urls=some)
        self.all("hubs", limit=limit)
        self.all("authorities", limit=limit)
        self.all("unvisited", urls=chance.sample(URLS, 9))
        self.all("link_yields", urls=chance.sample(URLS, 9))
        self.all("link_count")
        self.all("recent", limit=limit)
        nofollow = chance.random() < 0.5
        host = chance.choice(["", *HOSTS])
        self.all("bearings", nofollow=nofollow, after=chance.randrange(20), limit=limit, host=host)
        self.all("bearings_of", urls=[*some, *some, "http://never.test/"], nofollow=nofollow)
        self.all("lessons", after=chance.randrange(5), limit=limit)
        self.all("waiting", after=chance.randrange(20), limit=limit)
        self.all("visited", after=chance.randrange(20), limit=limit, again=chance.random() < 0.5)
        self.all("good_pages", after=chance.randrange(5), least=0.25, limit=limit)
        self.export(after=chance.randrange(9), everything=chance.random() < 0.5, least=chance.choice([None, 0.25]))

    def export(self, after: int, everything: bool, least: float | None) -> None:
        want, *others = (
            list(store.pages(after=after, everything=everything, min_relevance=least))
            for store in (self.memory, self.indexed, self.database)
        )
        assert others == [want, want]

    @invariant()
    def same_numbers(self) -> None:
        self.all("next_due", now=self.now)
        self.all("next_due", now=self.now, again=True)
        self.all("examples_due", now=self.now)
        self.all("archived")
        self.all("last_lesson")
        want = self.memory.census(now=self.now)
        assert self.indexed.census(now=self.now) == want
        assert _told(self.database.census(now=self.now)) == _told(want)

    @invariant()
    def agrees_with_itself(self) -> None:
        assert self.database.check() == []


def _stand(held: HeldPage, judgement: Judgement | None, via: Standing | None) -> Standing:
    """Half of what came goes on; a page that got nothing gives nothing."""
    if via is None or via.promise is None:
        return Standing(promise=judgement.relevance) if judgement and not held.example else Standing()
    return Standing(promise=via.promise / 2, tunnel=via.tunnel + 1, topic=via.topic)


def _told(census: Census) -> Census:
    """A database notices that a host is parked when a claim passes over it; until then it calls it ready."""
    return replace(census, hosts_ready=census.hosts_ready + census.hosts_parked, hosts_parked=0)


class InManyCrawls(SameAnswers):
    """The same, for longer."""


class OnAServer(SameAnswers):
    """The same in PostgreSQL, where each statement takes longer."""

    def in_sql(self) -> AbstractContextManager[SqlStore]:
        return emptied_store("random", bad_after=2)


SameAnswers.TestCase.settings = often(25, stateful_step_count=30)
InManyCrawls.TestCase.settings = often(1_000 if THOROUGH else 40, stateful_step_count=50)
OnAServer.TestCase.settings = often(200 if THOROUGH else 8, stateful_step_count=20)
TestSameAnswers = SameAnswers.TestCase
TestSameAnswersInManyCrawls = pytest.mark.slow(InManyCrawls.TestCase)
TestSameAnswersOnAServer = pytest.mark.slow(OnAServer.TestCase)
