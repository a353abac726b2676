"""Whatever happens in a crawl, every store gives the answers of the specification, and the database agrees with itself."""

from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from scenthound.store.indexed import IndexedStore
from scenthound.store.memory import MemoryStore
from scenthound.store.sqlite import SqliteStore
from scenthound.types import (
    ArchiveSpot,
    Census,
    Claim,
    CriticRecord,
    Discovery,
    Ending,
    Errand,
    HeldPage,
    Judgement,
    Limits,
    LinkKind,
    Outcome,
    Reason,
    Standing,
)
from tests.store.small_world import back, failed, found, later, moved, page, rules

# Three domains, two of them with several hosts, so that places are fought for.
HOSTS = ["a.one.test", "b.one.test", "c.one.test", "d.one.test", "a.two.test", "b.two.test", "alone.test"]
URLS = [f"http://{host}/{name}" for host in HOSTS for name in range(6)]
ADDRESSES = ["", "192.0.2.1", "192.0.2.2"]

priorities = st.integers(0, 4).map(lambda eighths: eighths / 8)  # sums of eighths are exact
discoveries: st.SearchStrategy[list[Discovery]] = st.lists(
    st.builds(
        found,
        st.sampled_from(URLS),
        priorities,
        demoted=st.sampled_from([0, 0, 0, 1]),
        depth=st.integers(0, 3),
        hops=st.integers(0, 2),
        refusal=st.sampled_from([None, None, None, Reason.LOCKED, Reason.NOFOLLOW, Reason.OFF_TOPIC]),
        kind=st.sampled_from([LinkKind.ANCHOR, LinkKind.ANCHOR, LinkKind.REDIRECT, LinkKind.CANONICAL, LinkKind.SEED]),
        nofollow=st.sampled_from([False, False, True]),
        cited=st.one_of(st.none(), priorities),
        text=st.sampled_from(["", "a word", "größer"]),
    ),
    max_size=8,
)
examples = st.lists(
    st.builds(found, st.sampled_from(URLS), demoted=st.just(-100), kind=st.just(LinkKind.SEED), example=st.just(True)),
    max_size=3,
)
moves = st.dictionaries(st.sampled_from(URLS), priorities, max_size=4)
standings = st.one_of(
    st.none(),
    st.builds(
        Standing,
        promise=st.one_of(st.none(), priorities),
        tunnel=st.integers(0, 2),
        topic=st.sampled_from(["", "birds"]),
    ),
)
limits = st.builds(
    Limits,
    delay=st.sampled_from([0.0, 1.0, 3.0]),
    per_host=st.sampled_from([1, 1, 2]),
    per_domain=st.sampled_from([0, 1, 2]),
    per_ip=st.sampled_from([0, 1, 2]),
    pages_per_host=st.sampled_from([0, 0, 0, 2]),
    robots=st.booleans(),
    examples=st.sampled_from([False, False, True]),
    choosy=st.sampled_from([0.0, 0.0, 0.5]),
)


class SameAnswers(RuleBasedStateMachine):
    """Drive all stores with the same calls."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = MemoryStore(bad_after=2)
        self.indexed = IndexedStore(bad_after=2)
        self.sqlite = SqliteStore(":memory:", bad_after=2)
        self.sqlite.__enter__()
        self.now = 1000.0
        self.claims: list[Claim] = []
        self.limits = Limits()

    def teardown(self) -> None:
        self.sqlite.close()

    def all(self, verb: str, **values: Any) -> Any:
        """Ask all stores the same, and return what they all say."""
        want = getattr(self.memory, verb)(**values)
        for store in (self.indexed, self.sqlite):
            assert getattr(store, verb)(**values) == want, type(store).__name__
        return want

    @rule(seeds=discoveries)
    def add(self, seeds: list[Discovery]) -> None:
        self.all("add", discoveries=seeds, now=self.now)

    @rule(seconds=st.sampled_from([0.0, 0.5, 1.0, 5.0, 60.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(new=limits)
    def change_limits(self, new: Limits) -> None:
        self.limits = new

    @rule(owner=st.sampled_from(["me", "you"]), limit=st.integers(0, 6), lease=st.sampled_from([5.0, 100.0]))
    def claim(self, owner: str, limit: int, lease: float) -> None:
        self.claims += self.all("claim", owner=owner, now=self.now, limit=limit, limits=self.limits, lease=lease)

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def record(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(1, min(3, len(self.claims))))
        outcomes = [data.draw(self.outcome(self.claims.pop(data.draw(st.integers(0, len(self.claims) - 1)))))
                    for _ in range(count)]  # fmt: skip
        self.all("record", outcomes=outcomes, now=self.now, archived={"a.warc.gz": int(self.now)})

    @st.composite
    @staticmethod
    def _draw(draw: st.DrawFn, claim: Claim, at: float) -> Outcome:
        ending = draw(st.sampled_from(list(Ending)))
        links = draw(discoveries)
        if claim.errand is Errand.ROBOTS and draw(st.booleans()):
            return back(claim, at=at, robots=rules(claim, at=at, lasts=draw(st.sampled_from([2.0, 500.0]))))
        outcome = {
            Ending.PAGE: lambda: _page(draw, claim, at, links),
            Ending.REDIRECT: lambda: moved(claim, draw(st.sampled_from(URLS)), at=at, standing=draw(standings)),
            Ending.UNCHANGED: lambda: replace(page(claim, at=at, etag='"2"'), ending=Ending.UNCHANGED),
            Ending.FAILED: lambda: failed(
                claim,
                draw(st.sampled_from([Reason.HTTP_ERROR, Reason.CONNECT, Reason.ROBOTS])),
                at=at,
                status=draw(st.sampled_from([0, 404])),
                asked=draw(st.booleans()),
            ),
            Ending.RETRY: lambda: later(
                claim,
                draw(st.sampled_from([Reason.OVERLOADED, Reason.DNS])),
                at=at,
                rest=draw(st.sampled_from([0, 30])),
            ),
            Ending.RETURN: lambda: back(claim, at=at),
        }[ending]()
        return replace(
            outcome,
            host_delay=draw(st.sampled_from([None, None, 2.0])),
            rest=draw(st.sampled_from([0.0, 4.0, 40.0])),
            moves=draw(moves),
        )

    def outcome(self, claim: Claim) -> st.SearchStrategy[Outcome]:
        return SameAnswers._draw(claim, self.now)

    @rule(owner=st.sampled_from([None, "me", "you"]))
    def release(self, owner: str | None) -> None:
        self.all("release", owner=owner, now=self.now)

    @rule(priorities=moves)
    def move(self, priorities: dict[str, float]) -> None:
        self.all("move", priorities=priorities, now=self.now)

    @rule(ago=st.sampled_from([0.0, 2.0, 50.0]))
    def revisit(self, ago: float) -> None:
        self.all("revisit", before=self.now - ago, now=self.now)

    @rule(key=st.sampled_from("ab"), value=st.sampled_from([None, "x", "y"]))
    def note(self, key: str, value: str | None) -> None:
        self.all("note", key=key, value=value)

    @rule(after=st.integers(0, 9), everything=st.booleans(), least=st.sampled_from([None, 0.25]))
    def export(self, after: int, everything: bool, least: float | None) -> None:
        want, *others = (
            list(store.pages(after=after, everything=everything, min_relevance=least))
            for store in (self.memory, self.indexed, self.sqlite)
        )
        assert others == [want, want]

    @rule(
        state=st.sampled_from([None, "ready", "resting", "busy", "parked", "capped", "bad", "idle"]),
        limit=st.integers(1, 9),
    )
    def look_at_hosts(self, state: str | None, limit: int) -> None:
        self.all("hosts", now=self.now, state=state, limit=limit)

    @rule(url=st.sampled_from(URLS))
    def ask_why(self, url: str) -> None:
        self.all("story", url=url, now=self.now)
        self.all("robots", origin=url[: url.index("/", 8)])

    @rule()
    def forgive(self) -> None:
        self.all("forgive", now=self.now)

    @rule(reasons=st.sets(st.sampled_from([Reason.HTTP_ERROR, Reason.LOCKED, Reason.ROBOTS])))
    def reconsider(self, reasons: set[Reason]) -> None:
        self.all("reconsider", reasons=sorted(reasons), now=self.now)

    @rule()
    def count_shapes(self) -> None:
        self.all("originals", digests=[*URLS, "same"])
        self.all("shape_yields", keys=[(host, shape) for host in HOSTS for shape in ("/x", "/y")])

    @rule(wanted=examples)
    def add_examples(self, wanted: list[Discovery]) -> None:
        self.all("add", discoveries=wanted, now=self.now)

    @rule(version=st.integers(1, 3))
    def engage(self, version: int) -> None:
        record = CriticRecord(
            version=version, kind="bayes", model="m", lessons="x", good=("birds/größer",), trained_at=self.now
        )
        self.all("engage", record=record)
        self.all("critic")

    @rule(limit=st.integers(1, 4), most=st.sampled_from([None, 0.25]))
    def draw_pages(self, limit: int, most: float | None) -> None:
        self.all("drawn", limit=limit, most_relevance=most)
        self.all("held", urls=[*URLS, "http://never.test/"])
        self.all("topic_counts")
        self.all("neighbours", urls=URLS[:limit], limit=limit)
        self.all("cited", urls=URLS[:limit], limit=limit)

    @rule(critic=st.integers(0, 2), after=st.integers(0, 4), limit=st.integers(1, 5), relevance=priorities)
    def judge_again(self, critic: int, after: int, limit: int, relevance: float) -> None:
        found = self.all("to_judge", critic=critic, after=after, limit=limit)
        verdicts = [
            (page, None if page.redirect else Judgement(relevance=relevance, topic="fish", critic=critic))
            for page in found
        ]
        self.all("rejudge", verdicts=verdicts, critic=critic, stand=_stand)

    @rule(by_promise=st.booleans(), blend=st.booleans(), nofollow=st.booleans())
    def rescore(self, by_promise: bool, blend: bool, nofollow: bool) -> None:
        self.all("rescore", by_promise=by_promise, blend=blend, nofollow=nofollow, now=self.now)

    @invariant()
    def same_numbers(self) -> None:
        self.all("next_due", now=self.now)
        self.all("examples_due", now=self.now)
        self.all("archived")
        want = self.memory.census(now=self.now)
        assert self.indexed.census(now=self.now) == want
        assert _told(self.sqlite.census(now=self.now)) == _told(want)

    @invariant()
    def agrees_with_itself(self) -> None:
        assert self.sqlite.check() == []


def _stand(held: HeldPage, judgement: Judgement | None, via: Standing | None) -> Standing:
    """Half of what came goes on; a page that got nothing gives nothing."""
    if via is None or via.promise is None:
        return Standing(promise=judgement.relevance) if judgement and not held.example else Standing()
    return Standing(promise=via.promise / 2, tunnel=via.tunnel + 1, topic=via.topic)


def _told(census: Census) -> Census:
    """A database notices that a host is parked when a claim passes over it; until then it calls it ready."""
    return replace(census, hosts_ready=census.hosts_ready + census.hosts_parked, hosts_parked=0)


def _page(draw: st.DrawFn, claim: Claim, at: float, links: list[Discovery]) -> Outcome:
    outcome = page(
        claim,
        at=at,
        links=links,
        digest=draw(st.sampled_from(["", "", "sha1:A", "sha1:B"])),
        fingerprint=draw(st.sampled_from([None, 0, 7, 15, -1, -8, 1 << 62])),
        canonical=draw(st.sampled_from(["", claim.url, *[link.link.url for link in links]])),
        relevance=draw(st.sampled_from([None, 0.125, 0.5])),
        ip=draw(st.sampled_from(ADDRESSES)),
        shape=draw(st.sampled_from(["", "/x", "/y"])),
        etag=draw(st.sampled_from([None, '"1"'])),
        counts=draw(st.booleans()),
        standing=draw(standings),
        terms=draw(st.sampled_from([b"", b"packed"])),
        critic=draw(st.integers(0, 2)),
        title="größer",
    )
    return replace(outcome, spot=ArchiveSpot(file="a.warc.gz", offset=int(at), length=9))


SameAnswers.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestSameAnswers = SameAnswers.TestCase
