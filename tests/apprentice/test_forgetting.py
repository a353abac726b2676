"""Forgetting: what is kept stays as it was, memory stays bounded, and a replayed log forgets the same."""

from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.apprentice.memory.ground import WAITING, Ground, Ints
from scenthound.apprentice.memory.tables import Table
from scenthound.apprentice.memory_limit import without_the_rest
from scenthound.apprentice.scents import alive, returns, smell
from scenthound.types import Lesson
from tests.apprentice.made_lessons import OFTEN, in_whole_blocks, lessons, same, taught, without_late_links
from tests.often import often

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**9)
CAPACITY = 120
WIDE = [f"http://h{n % 9}.test/{n % 5}/wren{n}" for n in range(1_500)]


def remembered(ground: Ground, url: int) -> object:
    """Return all that is known of a URL, in words and numbers that do not depend on how things are numbered."""
    host, folder = int(ground.urls.host.values[url]), int(ground.urls.folder.values[url])
    domain = int(ground.hosts.domain.values[host])
    first, after = ground.urls.words_from.values[url], ground.urls.words_to.values[url]
    return (
        ground.urls.state.values[url],
        ground.urls.relevance.values[url],
        (ground.names_of("hosts")[host], row_of(ground.hosts, host, but="domain")),
        (ground.names_of("folders")[folder], row_of(ground.folders, folder)),
        (ground.names_of("domains")[domain], row_of(ground.domains, domain)),
        ground.address_words.values[first:after].tolist(),
        [link_of(ground, link) for link in sorted(ground.citing(url))],
    )


def row_of(table: Table, row: int, *, but: str = "") -> dict[str, float]:
    """Return all that a table says of one of its rows, but for a number that means nothing elsewhere."""
    return {name: float(column.values[row]) for name, column in table.columns().items() if name != but}


def link_of(ground: Ground, link: int) -> object:
    table, pages, words = ground.links, ground.pages, ground.words.values
    page = int(table.source.values[link])
    bounds = (table.around_from, table.own_from, table.own_to, table.around_to)
    begin, own_from, own_to, end = (int(column.values[link]) for column in bounds)
    return (
        [words[begin:own_from].tolist(), words[own_from:own_to].tolist(), words[own_to:end].tolist()],
        float(pages.relevance.values[page]),
        [float(column.values[link]) for column in (table.near_yielded, table.near_tried, table.place)],
    )


def some_of(ground: Ground, seed: int) -> Ints:
    chance, waiting = Random(seed), ground.waiting().tolist()
    return np.array(sorted(chance.sample(waiting, chance.randrange(len(waiting) + 1))), dtype=np.int64)


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
def test_what_is_kept_has_the_same_links_words_and_yields_as_before(seed: int, many: int) -> None:
    ground = taught(lessons(seed, many)).ground
    kept = some_of(ground, seed)
    left = without_the_rest(ground, kept)
    assert left.names == [ground.names[url] for url in kept.tolist()]
    for new, old in enumerate(kept.tolist()):
        assert left.known(ground.names[old]) == new
        assert remembered(left, new) == remembered(ground, old)
    assert len(left.links.source) == sum(len(ground.citing(url)) for url in kept.tolist())


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
@example(seed=190228821, many=50)  # many links to what something redirects to: the latest that count are other ones
def test_what_is_kept_smells_as_before(seed: int, many: int) -> None:
    model = taught(lessons(seed, many))
    kept = some_of(model.ground, seed)
    left, all_left = without_the_rest(model.ground, kept), np.arange(len(kept))
    before = smell(model.ground, model.lexicon, kept)
    assert smell(left, model.lexicon, all_left) == pytest.approx(before, abs=1e-9)
    assert alive(left, all_left).tolist() == alive(model.ground, kept).tolist()
    assert returns(left, all_left, share=0.2).tolist() == returns(model.ground, kept, share=0.2).tolist()


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 40), more=st.integers(1, 20))
def test_what_was_kept_goes_on_with_the_lessons_that_follow(seed: int, many: int, more: int) -> None:
    log = without_late_links(lessons(seed, many + more))
    many = len(in_whole_blocks(log[:many]))
    model, whole = taught(log[:many]), taught(log).ground
    unknown = np.flatnonzero(model.ground.urls.state.values == WAITING)  # offered or not: both may turn up again
    kept = [model.ground.names[url] for url in unknown.tolist()]
    model.ground = without_the_rest(model.ground, unknown)
    for lesson in log[many:]:
        model.learn(lesson)
    for name in kept:
        here, there = model.ground.number(name), whole.number(name)
        assert model.ground.urls.state.values[here] == whole.urls.state.values[there]
        assert words_around(model.ground, here) == words_around(whole, there)


def words_around(ground: Ground, url: int) -> list[list[int]]:
    table, words = ground.links, ground.words.values
    return [
        words[table.around_from.values[link] : table.around_to.values[link]].tolist()
        for link in sorted(ground.citing(url))
        if ground.urls.state.values[url] == WAITING
    ]


def long_log(seed: int) -> list[Lesson]:
    return lessons(seed, 150, urls=WIDE, links=20)


@often(5)
@given(seed=SEEDS)
def test_memory_stays_bounded_and_the_best_is_remembered(seed: int) -> None:
    model, forgot = taught([], capacity=CAPACITY), 0
    for lesson in long_log(seed):
        before = model.ground
        model.learn(lesson)
        assert len(model.ground.links.source) <= CAPACITY
        if model.ground is not before:
            forgot += 1
            assert len(model.ground.links.source) <= CAPACITY // 2
            assert (model.ground.urls.state.values[model.ground.links.target.values] == WAITING).all()
            kept = {model.ground.names[url] for url in model.ground.waiting().tolist()}
            rest = np.array([url for url in before.waiting().tolist() if before.names[url] not in kept], dtype=np.int64)
            worst_kept = model.scores(model.ground.waiting()).min(initial=1.0)
            after, model.ground = model.ground, before
            best_left = model.scores(rest).max(initial=0.0)
            model.ground = after
            assert best_left <= worst_kept + 1e-9
    assert forgot > 3
    assert len(model.ground.names) < 2 * CAPACITY < len({link.url for one in long_log(seed) for link in one.links})


@often(5)
@given(seed=SEEDS, cut=st.integers(0, 150))
def test_a_replayed_log_forgets_the_same(seed: int, cut: int) -> None:
    log = long_log(seed)
    whole, first = taught(log, capacity=CAPACITY), taught(log[:cut], capacity=CAPACITY)
    second = taught([], capacity=CAPACITY)
    second.restore(first.state())
    for lesson in log[cut:]:
        second.learn(lesson)
    assert same(second.state(), whole.state())
    assert not same(whole.state(), taught(log).state())
