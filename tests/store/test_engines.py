"""Several engines on one crawl: each claims from its own shards, none records what it has lost, and nothing is lost."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from random import Random

import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.memory.rows import Tally, Url
from scenthound.store.memory.store import MemoryStore
from scenthound.store.postgres.engine_rows import LEASE, SHARDS, SILENCE, moved_shards
from scenthound.store.postgres.lease import Lease
from scenthound.store.postgres.store import PostgresStore
from scenthound.types import Claim, Limits
from tests.often import THOROUGH, often
from tests.patience import PATIENCE
from tests.store.postgres_server import Server, shared_server
from tests.store.random_world import examples, limits, links, moves, outcome
from tests.store.small_world import FREE, claim, found, page, put, urls
from tests.store.test_same_answers import chances

pytestmark = pytest.mark.slow
POLITE = Limits(delay=10.0, per_host=1, per_domain=2, per_ip=2, robots=False)


@pytest.fixture
def server() -> Server:
    return shared_server()


@pytest.fixture
def url(server: Server) -> Iterator[ServerUrl]:
    url = ServerUrl.read(server.new_url())
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{url.schema}" CASCADE')


@pytest.fixture
def join(url: ServerUrl) -> Iterator[Callable[[str], PostgresStore]]:
    """Start engines, which leave at the end of the test."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(PostgresStore(url, engine=name))


def many(hosts: int = 40) -> list[str]:
    return [f"http://www.site-{number}.test/" for number in range(hosts)]


def forget_lease(server: Server, url: ServerUrl, store: PostgresStore) -> None:
    """Let the lease of an engine run out, as if its machine had stopped long ago."""
    number = store.lease.number
    server.psql(f'UPDATE "{url.schema}".engines SET until = 0 WHERE id = {number}')


def test_engines_share_the_hosts_and_claim_each_url_once(join: Callable[[str], PostgresStore]) -> None:
    one, two, three = join("one"), join("two"), join("three")
    assert sorted(view.shards for view in one.engines()) == [341, 341, 342]
    assert [view.teaches for view in two.engines()] == [True, False, False]
    assert (one.standing().teaches, three.standing().teaches, one.standing().others) == (True, False, 2)
    two.add([found(address) for address in many()], now=0.0)
    taken = [claim(store, now=0.0) for store in (one, two, three)]
    assert all(taken)
    assert sorted(urls([one for some in taken for one in some])) == sorted(many())
    assert claim(one, now=1.0) == []


def test_all_hosts_of_a_domain_are_asked_by_one_engine(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    one.add([found(f"http://h{number}.farm.test/") for number in range(20)], now=0.0)
    assert sorted([len(claim(one, now=0.0)), len(claim(two, now=0.0))]) == [0, 20]


def test_shards_go_to_the_others_when_an_engine_leaves(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    one.add([found(address) for address in many()], now=0.0)
    left = claim(one, now=0.0)
    one.close()
    assert [view.shards for view in two.engines()] == [SHARDS]
    assert two.standing().teaches
    mine = claim(two, now=0.0, lease=2.0 * time.time())
    assert sorted(urls(mine) + urls(left)) == sorted(many())  # those in flight were given back …
    assert sorted(urls(claim(two, now=time.time() + 1.0))) == sorted(urls(left))  # … and rest from then on
    assert two.check() == []


def test_a_dead_engine_is_taken_over_and_can_record_nothing(
    server: Server, url: ServerUrl, join: Callable[[str], PostgresStore]
) -> None:
    dead, alive = join("dead"), join("alive")
    alive.add([found(address) for address in many()], now=0.0)
    lost = claim(dead, now=100.0, limits=POLITE)
    kept = claim(alive, now=100.0, limits=POLITE)
    number = dead.lease.number
    forget_lease(server, url, dead)
    assert claim(alive, now=101.0, limits=POLITE) == []  # the hosts of the dead rest for their delay
    assert [view.name for view in alive.engines()] == ["alive"]
    assert dead.record([page(one, at=102.0) for one in lost], now=102.0, archived={})[0].n is None
    assert dead.lease.number > number  # it goes on as another engine
    assert not dead.lease.may_ask(number)
    assert alive.census(now=102.0).pages == 0
    put(alive, *[page(one, at=103.0) for one in kept], now=103.0)
    again = claim(alive, now=112.0, limits=POLITE) + claim(dead, now=112.0, limits=POLITE)
    assert sorted(urls(again)) == sorted(urls(lost))
    assert alive.check() == []


def test_an_engine_that_is_late_but_was_not_missed_goes_on(
    server: Server, url: ServerUrl, join: Callable[[str], PostgresStore]
) -> None:
    store = join("late")
    store.add([found("http://a.test/")], now=0.0)
    [taken] = claim(store, now=0.0)
    forget_lease(server, url, store)
    put(store, page(taken, at=1.0), now=1.0)
    assert store.census(now=1.0).pages == 1


def test_an_outcome_counts_once_whoever_records_it(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    one.add([found(address) for address in many()], now=0.0)
    mine = claim(one, now=0.0)
    assert [found.n for found in two.record([page(it, at=1.0) for it in mine], now=1.0, archived={})] == [None] * len(
        mine
    )
    put(one, *[page(it, at=1.0) for it in mine], now=1.0)
    put(one, *[page(it, at=1.0) for it in mine], now=1.0)
    assert one.census(now=1.0).pages == len(mine)
    assert one.check() == []


def test_the_page_budget_is_that_of_all_engines(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    one.add([found(address) for address in many()], now=0.0)
    ten = replace(FREE, budget=10)
    first = claim(one, now=0.0, limit=7, limits=ten)
    assert (len(first), len(claim(two, now=0.0, limit=7, limits=ten))) == (7, 3)
    put(one, *[page(it, at=1.0) for it in first], now=1.0)
    assert claim(one, now=2.0, limits=ten) == claim(two, now=2.0, limits=ten) == []


def test_engines_take_the_best_of_the_whole_frontier(join: Callable[[str], PostgresStore]) -> None:
    """Each engine has hosts with good links, but places are few: those go to the best, whoever has them."""
    one, two = join("one"), join("two")
    ranked = {address: 1.0 - number / 100 for number, address in enumerate(many())}
    one.add([found(address, priority) for address, priority in ranked.items()], now=0.0)
    choosy = replace(FREE, choosy=0.5)
    few = replace(choosy, places=6)
    taken = [*claim(one, now=0.0, limits=few, limit=6), *claim(two, now=0.0, limits=few, limit=6)]
    assert sorted(urls(taken)) == sorted(many()[:6])
    assert one.held_back(now=0.0, choosy=0.5, most=99).hosts > 0  # what it waits away for that
    assert len(claim(two, now=0.0, limits=choosy, limit=6)) == 6


def test_engines_have_one_account_of_what_they_wait_away(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    assert [one.account(-3.0, most=8.0), two.account(1.0, most=8.0), one.account(20.0, most=8.0)] == [-3.0, -2.0, 8.0]
    one.close()
    assert two.account(-1.0, most=8.0) == -1.0  # another engine is the oldest now


def test_an_address_is_not_asked_more_often_because_its_hosts_have_several_owners(
    join: Callable[[str], PostgresStore],
) -> None:
    one, two = join("one"), join("two")
    polite = replace(POLITE, delay=0.0)
    one.add([found(address) for address in many()], now=0.0)
    for store in (one, two):  # all hosts turn out to have one address
        while taken := claim(store, now=0.0, limits=polite):
            links = [found(f"{it.url}{number}") for it in taken for number in range(3)]
            put(store, *[page(it, at=0.0, ip="192.0.2.7") for it in taken], now=0.0)
            store.add(links, now=0.0)
            if store.census(now=0.0).pages >= 40:
                break
    for moment in range(1, 9):
        flying = [(store, it) for store in (one, two) for it in claim(store, now=float(moment), limits=polite)]
        assert len(flying) == 2
        for store, it in flying:
            put(store, page(it, at=float(moment), ip="192.0.2.7"), now=float(moment))
    owners = {store.lease.number for store, _ in flying}
    assert owners
    assert one.check() == []


def test_what_another_engine_has_moved_is_not_remembered_as_it_was(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    one.add([found(address, 0.9) for address in many()], now=0.0)
    one.add([found(address, 0.5) for address in many()], now=0.0)  # nothing to gain
    two.move(dict.fromkeys(many(), 0.1), now=0.0)
    one.add([found(address, 0.5) for address in many()], now=0.0)
    assert {waiting.priority for waiting in two.waiting(limit=99)} == {0.5}


def test_an_engine_waits_for_what_others_may_find(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    assert one.next_due(now=0.0) is None
    one.add([found("http://a.test/")], now=0.0)
    busy, idle = (one, two) if one.next_due(now=0.0) == 0.0 else (two, one)
    assert idle.next_due(now=0.0) == 1.0
    [taken] = claim(busy, now=0.0)
    assert (busy.next_due(now=0.0), idle.next_due(now=0.0)) == (None, 1.0)
    put(busy, page(taken, at=1.0), now=1.0)
    assert (busy.next_due(now=1.0), idle.next_due(now=1.0)) == (None, None)


def test_who_writes_alone_and_engines_keep_each_other_out(url: ServerUrl, join: Callable[[str], PostgresStore]) -> None:
    with PostgresStore(url), pytest.raises(StoreError, match="another process"):
        join("one")
    join("two")
    with pytest.raises(StoreError, match="another process"), PostgresStore(url):
        pass


def test_a_file_has_one_history(join: Callable[[str], PostgresStore]) -> None:
    one, two = join("one"), join("two")
    assert one.share_file("topics.toml", b"a", after=0) == 1
    assert two.share_file("topics.toml", b"b", after=0) is None
    assert two.share_file("topics.toml", b"b", after=1) == 2
    shared = one.shared_file("topics.toml")
    assert shared is not None
    assert (shared.version, shared.content) == (2, b"b")
    assert one.shared_versions(under="top") == {"topics.toml": 2}
    assert one.shared_file("crawl.toml") is None


def test_a_crawl_of_the_first_version_gets_what_it_lacks(server: Server, url: ServerUrl) -> None:
    with PostgresStore(url) as store:
        store.add([found(address) for address in many()], now=0.0)
    gone = "; ".join(
        f'DROP TABLE "{url.schema}".{name}' for name in ("engines", "shards", "last_writer", "shared_files")
    )
    server.psql(f'{gone}; ALTER TABLE "{url.schema}".hosts DROP COLUMN shard')
    server.psql(f'UPDATE "{url.schema}".store_version SET version = 1')
    with PostgresStore(url, read_only=True) as reader:
        assert reader.engines() == []
        assert reader.shared_versions() == {}
    with PostgresStore(url, engine="one") as one, PostgresStore(url, engine="two") as two:
        assert len(claim(one, now=0.0)) + len(claim(two, now=0.0)) == len(many())


def test_engines_that_work_at_the_same_time_lose_nothing_and_do_nothing_twice(
    url: ServerUrl, join: Callable[[str], PostgresStore]
) -> None:
    """Each page links to the next pages of all sites, so that every engine finds URLs of the others."""
    stores = [join(f"engine {number}") for number in range(4)]
    stores[0].add([found(address) for address in many(12)], now=0.0)
    recorded: list[str] = []
    faults: list[BaseException] = []

    def work(store: PostgresStore) -> None:
        end = time.monotonic() + PATIENCE
        try:
            while (store.next_due(now=1.0) is not None) and time.monotonic() < end:
                for taken in claim(store, now=1.0, limit=5):
                    level = taken.url.count("x")
                    more = [found(f"{address}{'x' * (level + 1)}") for address in many(12)] if level < 4 else []
                    [said] = store.record([page(taken, at=1.0, links=more)], now=1.0, archived={})
                    recorded.extend([taken.url] if said.n is not None else [])
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert sorted(recorded) == sorted({f"{address}{'x' * level}" for address in many(12) for level in range(5)})
    assert stores[0].census(now=1.0).pages == 60
    assert stores[0].check() == []


def test_a_lease_lets_nobody_be_asked_after_a_silence() -> None:
    now = 100.0
    lease = Lease(ServerUrl.read("postgresql://nobody@/nowhere?host=/nonexistent&crawl=a"), clock=lambda: now)
    lease.begin(7, at=now)
    assert lease.may_ask(7)
    assert not lease.may_ask(6)
    now += SILENCE * LEASE - 0.1
    assert lease.may_ask(7)
    now += 0.2
    assert not lease.may_ask(7)
    lease.end()


def test_a_lease_notices_by_itself_that_others_have_taken_over(server: Server, url: ServerUrl) -> None:
    """Requests that wait for a fresh lease must end: they may be all that the engine has, and keep it from its turn."""
    with PostgresStore(url, engine="short", lease=3.0) as store:
        number = store.lease.number
        server.psql(f'DELETE FROM "{url.schema}".engines')
        end = time.monotonic() + PATIENCE
        while not store.lease.has_lost(number) and time.monotonic() < end:
            time.sleep(0.1)
        assert store.lease.has_lost(number)
        store.note("back", "yes")
        assert store.lease.may_ask(store.lease.number)
        assert store.lease.number > number


@pytest.mark.parametrize("engines", [1, 2, 3, 7, 50])
def test_shards_are_shared_evenly_and_few_move(engines: int) -> None:
    chance, owners, names = Random(engines), dict[int, int](), list(range(1, engines + 1))
    for step in range(6):
        moved = moved_shards(owners, names)
        owners |= moved
        counts = sorted(sum(owner == name for owner in owners.values()) for name in names)
        assert (sum(counts), counts[-1] - counts[0] <= 1) == (SHARDS, True)
        assert moved_shards(owners, names) == {}
        if step:
            assert len(moved) <= SHARDS // max(1, len(names) - 1) + len(names)
        if len(names) > 1 and chance.random() < 0.5:
            names.remove(chance.choice(names))
        else:
            names.append(max(names) + 1)


class OwnHosts(MemoryStore):
    """The specification of an engine: a claim takes the best URLs of the hosts that the engine has."""

    def __init__(self) -> None:
        super().__init__(bad_after=2)
        self.own: frozenset[str] = frozenset()

    def _claimable(self, tally: Tally, now: float) -> Iterator[Url]:
        return (url for url in super()._claimable(tally, now) if url.host.name in self.own)


class RandomEngines(RuleBasedStateMachine):
    """Engines claim, record, interfere, die and come back in any order; the crawl stays what the specification says."""

    def __init__(self) -> None:
        super().__init__()
        self.server = shared_server()
        self.url = ServerUrl.read(self.server.new_url())
        self.opened = ExitStack()
        self.memory = OwnHosts()
        self.stores: list[PostgresStore] = []
        self.flying: list[tuple[int, Claim]] = []  # with the number of the engine that claimed it
        self.now = 1000.0
        self.limits = Limits(delay=0.0, per_host=2, robots=False)

    def teardown(self) -> None:
        self.opened.close()
        self.server.psql(f'DROP SCHEMA IF EXISTS "{self.url.schema}" CASCADE')

    @initialize(chance=chances)
    def begin(self, chance: Random) -> None:
        for number in range(chance.randrange(2, 4)):
            # A long lease: a sign of life between a death and the moment when another one notices would undo it.
            store = PostgresStore(self.url, bad_after=2, engine=f"e{number}", lease=3600.0)
            self.stores.append(self.opened.enter_context(store))
        seeds = [*links(chance, 30), *examples(chance)]
        assert self.stores[0].add(seeds, now=self.now) == self.memory.add(seeds, now=self.now)

    @rule(chance=chances)
    def claims(self, chance: Random) -> None:
        self.now += chance.choice([0.0, 1.0, 5.0, 60.0])
        store, limit = chance.choice(self.stores), chance.randrange(7)
        self.memory.own = self.hosts_of(store)
        owner = str(store.lease.number)
        want = claim(self.memory, now=self.now, limit=limit, limits=self.limits, owner=owner, lease=100.0)
        assert claim(store, now=self.now, limit=limit, limits=self.limits, lease=100.0) == want
        self.flying += [(store.lease.number, taken) for taken in want]

    @rule(chance=chances)
    def records(self, chance: Random) -> None:
        """An engine records what it claimed; what it claimed under another number, or others did, is dropped."""
        store = chance.choice(self.stores)
        chance.shuffle(self.flying)
        some = [self.flying.pop() for _ in range(min(len(self.flying), chance.randrange(5)))]
        outcomes = [(number, outcome(chance, taken, self.now)) for number, taken in some]
        said = store.record([one for _, one in outcomes], now=self.now, archived={})
        own = [one for number, one in outcomes if number == store.lease.number]
        expected = iter(self.memory.record(own, now=self.now, archived={}))
        assert said == [next(expected) if number == store.lease.number else type(said[0])() for number, _ in outcomes]
        self.flying += [(number, one.claim) for number, one in outcomes if number != store.lease.number]

    @rule(chance=chances)
    def dies(self, chance: Random) -> None:
        """The lease of an engine runs out, and another one notices that."""
        dead, other = chance.sample(self.stores, 2)
        number = dead.lease.number
        forget_lease(self.server, self.url, dead)
        self.memory.release(owner=str(number), now=self.now)
        self.memory.own = frozenset()
        for store in (other, self.memory):
            assert claim(store, now=self.now, limit=0, limits=self.limits) == []
        self.flying = [(owner, taken) for owner, taken in self.flying if owner != number]
        dead.note("back", "yes")
        assert dead.lease.number > number

    @rule(chance=chances)
    def interferes(self, chance: Random) -> None:
        store, new, priorities = chance.choice(self.stores), links(chance), moves(chance)
        assert store.add(new, now=self.now) == self.memory.add(new, now=self.now)
        assert chance.choice(self.stores).move(priorities, now=self.now) == self.memory.move(priorities, now=self.now)
        self.limits = chance.choice([self.limits, limits(chance)])

    @invariant()
    def is_one_crawl(self) -> None:
        for store in self.stores[:2]:
            assert list(store.pages(everything=True)) == list(self.memory.pages(everything=True))
            mine, theirs = store.census(now=self.now), self.memory.census(now=self.now)
            assert (mine.waiting, mine.claimed, mine.pages, mine.known) == (
                theirs.waiting, theirs.claimed, theirs.pages, theirs.known,
            )  # fmt: skip
        if self.stores:
            assert self.stores[-1].check() == []

    def hosts_of(self, store: PostgresStore) -> frozenset[str]:
        own = ", ".join(map(str, store.shards()))
        return frozenset(self.server.psql(f'SELECT name FROM "{self.url.schema}".hosts WHERE shard IN ({own})').split())


RandomEngines.TestCase.settings = often(200 if THOROUGH else 12, stateful_step_count=25)
TestRandomEngines = RandomEngines.TestCase
