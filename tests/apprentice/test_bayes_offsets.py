"""Features of links: words by their offset, topics of the page, and what is known of the links around (APPRENTICE
§2.2).
"""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.bayes.offsets import (
    HIGH,
    LOW,
    SPACE,
    Features,
    cited_features,
    joined,
    stacked,
    text_features,
    topic_features,
)
from scenthound.parse.words.word_stream import WordStream

# A page is a list of leaves, each with the numbers of its words; links are disjoint ranges of leaves.
LEAVES = st.lists(st.lists(st.integers(0, 2**24 - 1), max_size=4), max_size=14)
Link = tuple[int, int]


def stream_of(leaves: list[list[int]]) -> WordStream:
    return WordStream(
        words=np.array([word for leaf in leaves for word in leaf], dtype=np.uint32),
        starts=np.cumsum([0, *map(len, leaves)]).astype(np.uint32),
    )


def sides(links: list[Link]) -> tuple[np.ndarray, np.ndarray]:
    both = np.array(links, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def counted(features: Features) -> Counter[tuple[int, int, int]]:
    """Return how often each link has each word at each offset."""
    return Counter(zip(features.rows.tolist(), features.tokens.tolist(), features.offsets.tolist(), strict=True))


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[list[int]], list[Link]]:
    """Draw a page, with links that may have no leaves, as frames have none."""
    leaves = draw(LEAVES)
    cuts = sorted(draw(st.sets(st.integers(0, max(0, len(leaves) - 1)), max_size=8))) if leaves else []
    links = [(first, last) for first, last in zip(cuts[::2], cuts[1::2], strict=False)]
    return leaves, [*links, (-1, -1)] if draw(st.booleans()) else links


def by_definition(leaves: list[list[int]], links: list[Link], d_max: int) -> Counter[tuple[int, int, int]]:
    """Number the leaves from left to right, and say of each where it is as seen from each link."""
    found: Counter[tuple[int, int, int]] = Counter()
    for row, (first, last) in enumerate(links):
        for leaf, words in enumerate(leaves if first >= 0 else []):
            offset = leaf - first if leaf < first else leaf - last if leaf > last else 0
            found.update((row, word, offset) for word in words if abs(offset) <= d_max)
    return found


@given(page=pages(), d_max=st.integers(0, 6))
def test_words_stand_at_the_offsets_of_the_paper(page: tuple[list[list[int]], list[Link]], d_max: int) -> None:
    leaves, links = page
    found = text_features(stream_of(leaves), *sides(links), d_max=d_max)
    assert counted(found) == by_definition(leaves, links, d_max)
    assert found.links == len(links)


@given(page=pages(), d_max=st.integers(0, 6))
def test_looking_less_far_is_leaving_out(page: tuple[list[list[int]], list[Link]], d_max: int) -> None:
    leaves, links = page
    far = text_features(stream_of(leaves), *sides(links), d_max=6)
    assert counted(far.within(d_max)) == by_definition(leaves, links, d_max)
    assert set(far.without_offsets().offsets.tolist()) <= {0}


def test_a_link_beyond_the_leaves_of_its_page_has_no_words() -> None:
    assert len(text_features(stream_of([[1], [2]]), *sides([(1, 2), (7, 9)]), d_max=5)) == 0
    nothing = WordStream(words=np.zeros(0, np.uint32), starts=np.zeros(0, np.uint32))
    assert len(text_features(nothing, *sides([(0, 0)]), d_max=5)) == 0


def test_features_have_numbers_of_their_own() -> None:
    """Of 100,000 features in 4 million places about 1.2 % share one; hardly more, and not in step from offset to
    offset.
    """
    words, offsets = (
        np.repeat(np.arange(10_000, dtype=np.uint32), 10),
        np.tile(np.arange(-5, 5, dtype=np.int16), 10_000),
    )
    every = Features(links=1, rows=np.zeros(len(words), np.int64), tokens=words, offsets=offsets)
    assert every.numbers.max() < SPACE
    shared = len(words) - len(np.unique(every.numbers))
    assert shared < 0.02 * len(words)
    table = every.numbers.reshape(10_000, 10)
    order = np.argsort(table[:, 0])
    one, other = order[:-1][np.diff(table[order, 0]) == 0], order[1:][np.diff(table[order, 0]) == 0]
    assert not (table[one, 1:] == table[other, 1:]).any()


def test_the_same_feature_has_the_same_number_everywhere() -> None:
    """Counts are kept on disk: other numbers would make nonsense of them."""
    some = Features(
        links=1,
        rows=np.zeros(3, np.int64),
        tokens=np.array([0, 1, HIGH], dtype=np.uint32),
        offsets=np.array([0, -5, 5], dtype=np.int16),
    )
    assert some.numbers.tolist() == [0, 3567531, 3201788]


def test_all_links_have_the_topics_of_their_page() -> None:
    found = topic_features(["Sport/Cycling/Touring", "Arts"], links=2)
    names = len({"/", "Sport", "Sport/Cycling", "Sport/Cycling/Touring", "Arts"})
    assert Counter(found.rows.tolist()) == {0: names, 1: names}
    bare = topic_features(["Sport/Cycling/Touring", "Arts"], links=2, prefixes=False)
    assert Counter(bare.rows.tolist()) == {0: 2, 1: 2}
    assert set(bare.numbers.tolist()) < set(found.numbers.tolist())
    assert len(topic_features([], links=2)) == 0


@given(
    page=pages(),
    d_max=st.integers(0, 6),
    known=st.lists(st.sampled_from([float("nan"), 0.2, 0.5, 0.9]), min_size=9, max_size=9),
    order=st.permutations(range(9)),
)
def test_links_tell_about_those_around_them_that_are_fetched_later(
    page: tuple[list[list[int]], list[Link]], d_max: int, known: list[float], order: list[int]
) -> None:
    links = page[1]
    relevance, fetched = np.array(known[: len(links)]), np.array(order[: len(links)], dtype=np.int64)
    found = cited_features(*sides(links), relevance, fetched, d_max=d_max)
    expected: Counter[tuple[int, int, int]] = Counter()
    for row, (first, last) in enumerate(links):
        for other, (begin, end) in enumerate(links):
            offset = end - first if end < first else begin - last
            near = other != row and first >= 0 and begin >= 0 and abs(offset) <= d_max
            if near and fetched[other] < fetched[row] and not np.isnan(relevance[other]):
                expected[(row, HIGH if relevance[other] >= 0.5 else LOW, offset)] += 1
    assert counted(found) == expected


def test_what_is_joined_and_stacked_is_all_there() -> None:
    one = text_features(stream_of([[1], [2], [3]]), *sides([(0, 0), (2, 2)]), d_max=1)
    both = joined(one, topic_features(["Arts"], links=2, prefixes=False))
    assert len(both) == len(one) + 2
    two_pages = stacked([both, one])
    assert two_pages.links == 4
    assert two_pages.rows.tolist() == [*both.rows.tolist(), *(one.rows + 2).tolist()]
    assert stacked([]).links == 0


@pytest.mark.parametrize("offset", range(-16, 17))
def test_no_two_offsets_are_one_to_any_word(offset: int) -> None:
    """Before it is mixed, a feature's number differs from that of every other feature within 16 leaves."""
    words = 26  # bits that tokens have
    mask = [(one * 0x9E3779B1) % 2**32 for one in (offset, *range(offset))]
    assert all((mask[0] ^ other) >> words for other in mask[1:] if other != mask[0])
