"""What an apprentice remembers of the web, held against an obvious way of remembering it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.memory.ground import FETCHED, GONE, WAITING, Ground
from scenthound.apprentice.scent import BLOCK
from scenthound.types import Lesson, LessonLink
from tests.apprentice.made_lessons import OFTEN, in_whole_blocks, lessons, taught, without_late_links, words_of
from tests.apprentice.obvious_ground import Link, ObviousGround, Yield, host_of

SEEDS = st.integers(0, 10**9)
A, B, C, D = (f"http://{name}.test/" for name in "abcd")


def both(log: list[Lesson]) -> tuple[Ground, ObviousGround]:
    obvious = ObviousGround()
    for lesson in log:
        obvious.take(lesson)
    return taught(log).ground, obvious


def words(ground: Ground, link: int) -> tuple[list[int], list[int], list[int]]:
    """Return the words before a link, its own, and those after it."""
    table, all_words = ground.links, ground.words.values
    around_from, own_from, own_to, around_to = (
        int(column.values[link]) for column in (table.around_from, table.own_from, table.own_to, table.around_to)
    )
    parts = all_words[around_from:own_from], all_words[own_from:own_to], all_words[own_to:around_to]
    return parts[0].tolist(), parts[1].tolist(), parts[2].tolist()


def agree(yielded: float, tried: float, expected: Yield) -> bool:
    return (float(yielded), float(tried)) == pytest.approx((expected.yielded, expected.tried), abs=1e-9)


@pytest.mark.slow
@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
def test_every_link_is_remembered_with_its_words_and_what_came_of_its_like(seed: int, many: int) -> None:
    ground, obvious = both(in_whole_blocks(without_late_links(lessons(seed, many))))
    assert set(ground.names) == set(obvious.leading)
    for url in obvious.leading:
        citing = ground.citing(ground.number(url))
        expected: list[Link] = obvious.leading[url][::-1]
        assert len(citing) == len(expected)
        for link, seen in zip(citing, expected, strict=True):
            page = int(ground.links.source.values[link])
            assert words(ground, link) == (seen.before, seen.own, seen.after)
            assert ground.pages.relevance.values[page] == seen.page.relevance
            links = ground.links
            assert agree(links.near_yielded.values[link], links.near_tried.values[link], obvious.beside(seen))


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
def test_hosts_yield_what_their_pages_were_like(seed: int, many: int) -> None:
    ground, obvious = both(in_whole_blocks(without_late_links(lessons(seed, many))))
    for url in obvious.leading:
        number = ground.number(url)
        own = int(ground.urls.host.values[number])
        expected = obvious.of_group(lambda other, url=url: host_of(other) == host_of(url))  # type: ignore[misc]
        assert agree(ground.hosts.yielded.values[own], ground.hosts.tried.values[own], expected)


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
def test_what_waits_was_offered_and_neither_fetched_nor_does_it_redirect(seed: int, many: int) -> None:
    log = without_late_links(lessons(seed, many))
    ground, obvious = both([one for one in log if not (one.redirect and one.links[0].url == one.url)])
    assert {ground.names[url] for url in ground.waiting().tolist()} == obvious.waiting()
    states = {url: ground.urls.state.values[ground.number(url)] for url in obvious.leading}
    assert {url for url, state in states.items() if state == FETCHED} == obvious.met.keys()
    assert {url for url, state in states.items() if state == GONE} == obvious.gone
    assert all(states[url] == WAITING for url in obvious.waiting())


@pytest.mark.slow
@OFTEN
@given(seed=SEEDS, many=st.integers(1, 60), most=st.integers(1, 5))
def test_of_many_urls_at_once_the_latest_links_to_each_are_found(seed: int, many: int, most: int) -> None:
    ground = taught(lessons(seed, many)).ground
    some = np.arange(0, len(ground.names), 2)
    found = ground.citations(some, most=most)
    expected = [(link, place) for place, url in enumerate(some.tolist()) for link in ground.citing(url)[:most]]
    assert list(zip(found.links.tolist(), found.places.tolist(), strict=True)) == sorted(expected)
    assert ground.urls.cited.values[some].tolist() == [len(ground.citing(url)) for url in some.tolist()]


def test_links_to_a_url_lead_to_where_it_redirects_and_know_what_came_of_it() -> None:
    stream = words_of([[1], [2], [3]])
    citing = Lesson(url=A, relevance=0.5, links=(LessonLink(B, 0, 0), LessonLink(C, 1, 1)), stream=stream)
    more = [Lesson(url=f"{D}{n}", relevance=0.5) for n in range(BLOCK - 2)]
    log = [Lesson(url=D, relevance=1.0), citing, *more, Lesson(url=B, redirect=True, links=(LessonLink(D),))]
    ground = taught(log).ground
    assert ground.citing(ground.number(B)) == []
    (link,) = ground.citing(ground.number(D))
    assert words(ground, link) == ([], [1], [2, 3])
    (beside,) = ground.citing(ground.number(C))
    assert ground.links.near_yielded.values[beside] == 1.0


def test_links_found_later_to_a_url_that_redirects_lead_on_too() -> None:
    moved = Lesson(url=B, redirect=True, links=(LessonLink(D),))
    ground = taught([moved, Lesson(url=A, relevance=0.5, links=(LessonLink(B),))]).ground
    assert len(ground.citing(ground.number(D))) == 1
