"""Orders of columns: claims come out as a plain sort by the columns would have them, in every store and while the
columns move.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cmp_to_key
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.crawl.order.change import reorder
from scenthound.crawl.order.upkeep import Upkeep
from scenthound.errors import SettingError
from scenthound.frontier.orders import Combined, order_by_name, values_of
from scenthound.settings.file import load_settings
from scenthound.settings.order_columns import COLUMNS, Combination, Key, fault, load_code, parsed
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.memory.store import MemoryStore
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Bearings, Claim, Distillation, Ending, Outcome, PageScore, Reason, Standing
from tests.often import often
from tests.store.small_world import FREE, claim, found, later, page, put, urls

HOSTS = [f"h{n}.test" for n in range(4)]
# RELATIONAL §3.2: aggressive discovery; the two of maintenance, where times asked for are visits and tries are those in
# vain.
DISCOVERY, MAINTENANCE, AUTHORITIES = (
    "tries, -relevance, server_load",
    "last_visited, -hub",
    "-visits, -authority, -relevance",
)
keys = st.lists(
    st.sampled_from([name for name in COLUMNS if name not in ("tries", "expected")]), min_size=1, unique=True
)


@st.composite
def combinations(draw: st.DrawFn) -> str:
    names = [f"{draw(st.sampled_from(['', '-']))}{name}" for name in draw(keys)]
    text = ", ".join((["tries"] if draw(st.booleans()) else []) + names)
    while fault(text):  # more columns than there is room for
        text = text.rpartition(", ")[0]
    return text


def world(store: Store, seed: int) -> None:
    """Let a small crawl happen: pages that cite and promise, tries in vain, pages to be asked again, hubs."""
    chance = Random(seed)
    addresses = [f"http://{host}/{n}" for host in HOSTS for n in range(6)]
    store.add([found(url) for url in addresses[::3]], now=1.0)
    for at in range(10, 60, 10):
        for one in claim(store, now=float(at), limit=3):
            put(store, outcome(one, chance, addresses, float(at)), now=float(at))
    scores = [
        PageScore(url=url, hub=chance.choice([0.1, 0.2, 0.3]), authority=chance.choice([0.0, 0.5])) for url in addresses
    ]
    store.distilled(Distillation(at=60.0, critic=1, lesson=0, pages=1, links=1), scores, moves={}, now=60.0)
    before = float(chance.choice([0, 25, 45]))
    old = [one.url for one in store.visited(limit=99) if one.visits[-1].at < before]
    store.revisit_pages(old, priority=0.0, now=61.0)


def outcome(claimed: Claim, chance: Random, addresses: list[str], at: float) -> Outcome:
    """Let a claim fail for now, or give a page that links to others."""
    if chance.random() < 0.2:
        return later(claimed, Reason.CUT_SHORT, at=at)
    if claimed.fetched_before:  # what cites others, and loses links, is followed by the round, and not at once
        return replace(page(claimed, at=at), ending=Ending.UNCHANGED, reading=None)
    promise = chance.randrange(9) / 8
    others = [other for other in chance.sample(addresses, 4) if other != claimed.url]
    links = [found(other, promise, depth=chance.randrange(4)) for other in others]
    return page(claimed, at=at, links=links, relevance=promise, standing=Standing(promise=promise))


def sorted_by(combination: Combination, places: list[Bearings]) -> list[str]:
    """Sort as the words say: by the store's tries, then column after column, then load and age."""

    def compare(one: Bearings, other: Bearings) -> int:
        ours, theirs = values_of(one), values_of(other)
        for key in (Key(name="tries"), *combination.keys, Key(name="server_load"), Key(name="found")):
            if ours[key.name] != theirs[key.name]:
                return -1 if (ours[key.name] < theirs[key.name]) != key.descending else 1
        return 0

    return [one.url for one in sorted(places, key=cmp_to_key(compare))]


STORES: list[Callable[[], MemoryStore | SqliteStore]] = [MemoryStore, IndexedStore, lambda: SqliteStore(":memory:")]


@pytest.mark.slow
@often(30)
@given(combinations(), st.integers(0, 10_000))
def test_claims_come_out_as_a_plain_sort_by_the_columns_has_them(text: str, seed: int) -> None:
    for make in STORES:
        with make() as store:
            world(store, seed)
            order = Combined(parsed(text))
            reorder(store, order, seeds=(), nofollow=True, now=62.0)
            places = store.bearings(nofollow=True, limit=100)
            assert places
            assert urls(claim(store, now=63.0, limit=100)) == sorted_by(order.combination, places)


@pytest.mark.slow
@often(15)
@given(combinations(), st.integers(0, 10_000))
@example("relevance, -authority, -server_load", 1303)  # pages that have not changed are load as well
def test_the_order_holds_while_pages_come_in(text: str, seed: int) -> None:
    """After each page, what its turn has touched is weighed again, and the next claim is the first of all."""
    chance = Random(seed)
    with IndexedStore() as store:
        world(store, seed)
        order = Combined(parsed(text))
        reorder(store, order, seeds=(), nofollow=True, now=62.0)
        upkeep = Upkeep(store, order, nofollow=True)
        addresses = [f"http://{host}/{n}" for host in HOSTS for n in range(9)]
        for at in range(70, 90):
            places = store.bearings(nofollow=True, limit=100)
            for one in claim(store, now=float(at), limit=1):
                assert one.url == sorted_by(order.combination, places)[0]
                done = outcome(one, chance, addresses, float(at))
                put(store, done, now=float(at))
                store.move(upkeep.numbers_after([done]), now=float(at))


@pytest.mark.parametrize("text", [DISCOVERY, MAINTENANCE, AUTHORITIES])
def test_the_orders_of_the_paper_can_be_written(text: str) -> None:
    assert not fault(text)
    assert isinstance(order_by_name(text, seed=0), Combined)


def test_aggressive_discovery_costs_no_bits_but_for_relevance() -> None:
    assert parsed(DISCOVERY).bits == 16
    assert parsed("tries").bits == parsed("server_load, found").bits == 0


@pytest.mark.parametrize("name", COLUMNS)
@given(st.floats(0, 1), st.floats(0, 1))
def test_no_column_ever_turns_two_values_round(name: str, one: float, other: float) -> None:
    column = COLUMNS[name]
    scale = 1.0 if column.bits == 16 else float(1 << column.bits)
    small, great = sorted((one * scale, other * scale))
    assert 0 <= column.code(small) <= column.code(great)


def test_precision_is_what_is_said() -> None:
    relevance, hub = COLUMNS["relevance"].code, COLUMNS["hub"].code
    assert relevance(0.5) < relevance(0.5 + 1.01 / 65535)
    assert COLUMNS["last_visited"].code(1.7e9) < COLUMNS["last_visited"].code(1.7e9 + 1 / 16) < 2**36
    assert hub(1e-6) < hub(1.0008e-6)
    assert all(load_code(n) < load_code(n + 1) for n in range(16))
    assert all(load_code(n) < load_code(n + n // 8) for n in range(16, 5000))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tries, relevence", 'there is no column "relevence"; did you mean "relevance"?'),
        ("-relevance, tries", '"tries" must be first'),
        ("-tries", '"tries" must be first'),
        ("relevance, depth, -relevance", '"relevance" occurs twice'),
        ("last_visited, found", "these columns need 68 bits, but only 53 are available; remove the last one"),
        ("depth,", 'there is no column ""'),
    ],
)
def test_what_cannot_be_an_order_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "crawl.toml"
    file.write_text(f'[crawl]\norder = "{text}"\n', encoding="utf-8")
    with pytest.raises(SettingError) as error:
        load_settings(file)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_list_says_the_same_as_a_text(tmp_path: Path) -> None:
    file = tmp_path / "crawl.toml"
    file.write_text('[crawl]\norder = ["tries", "-relevance", "server_load"]\n', encoding="utf-8")
    assert load_settings(file).crawl.order == DISCOVERY
    assert load_settings(file, ['crawl.order=["-hub", "depth"]']).crawl.order == "-hub, depth"
    assert load_settings(file, ["crawl.order=-hub, depth"]).crawl.order == "-hub, depth"


def test_a_host_that_has_given_much_waits_behind_others_at_once() -> None:
    with MemoryStore() as store:
        store.add(
            [found(f"http://a.test/{n}") for n in range(9)] + [found(f"http://b.test/{n}") for n in range(9)], now=0.0
        )
        order = Combined(parsed("server_load, -depth"))
        reorder(store, order, seeds=(), nofollow=True, now=0.0)
        upkeep, asked = Upkeep(store, order, nofollow=True), list[str]()
        for at in range(8):
            [one] = claim(store, now=float(at), limit=1, limits=FREE)
            asked.append(one.host)
            done = page(one, at=float(at))
            put(store, done, now=float(at))
            store.move(upkeep.numbers_after([done]), now=float(at))
    assert asked == ["a.test", "b.test"] * 4


def test_new_hubs_bring_what_they_cite_forward_within_a_few_turns() -> None:
    with MemoryStore() as store:
        store.add([found("http://hub.test/"), found("http://seed.test/")], now=0.0)
        hub, seed = claim(store, now=0.0)
        plain = [found(f"http://seed.test/{n}", 0.5) for n in range(60)]
        put(store, page(seed, at=1.0, links=plain, relevance=0.5, standing=Standing(promise=0.5)), now=1.0)
        cited = [found("http://cited.test/", 0.5)]
        put(store, page(hub, at=1.0, links=cited, relevance=0.5, standing=Standing(promise=0.5)), now=1.0)
        order = Combined(parsed("-hub, found"))
        upkeep = Upkeep(store, order, nofollow=True)
        reorder(store, order, seeds=(), nofollow=True, now=1.0)
        [first] = claim(store, now=2.0, limit=1)
        store.move(upkeep.numbers_after([page(first, at=2.0)]), now=2.0)
        store.distilled(Distillation(at=2.0), [PageScore(url="http://hub.test/", hub=0.9)], moves={}, now=2.0)
        store.move(upkeep.numbers_after([page(first, at=3.0)]), now=3.0)
        assert first.url == "http://seed.test/0"
        assert urls(claim(store, now=4.0, limit=1)) == ["http://cited.test/"]
