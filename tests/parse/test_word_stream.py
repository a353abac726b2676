"""A reading in, its words in order out: numbered stems, leaf by leaf, and packed for the way to the apprentice."""

from dataclasses import replace
from itertools import accumulate, chain, islice, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import making_documents as make
from scenthound.parse.page import read
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.stems import STEMMED, STOP, Stems, stems
from scenthound.parse.words.token_terms import TokenTerms, token_places
from scenthound.parse.words.tokens import cut, tokens_of
from scenthound.parse.words.word_stream import WordStream, number_of, pack, stream_of, unpack
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Link, LinkKind, Reading

from .webs import fetches, web


def page(body: str | bytes, mime: str = "text/html") -> Reading:
    body = body.encode() if isinstance(body, str) else body
    fetch = Fetch(url="http://a.example/", started=0.0, finished=0.0, status=200, mime=mime, body=body)
    return read(fetch, types=FetchSettings().types, max_unpacked=10_000_000, product="scenthound")


def streamed(reading: Reading) -> WordStream:
    return stream_of(reading, terms_of(reading).language)


def leaf_by_leaf(stream: WordStream) -> list[list[int]]:
    return [words.tolist() for words in np.split(stream.words, stream.starts[1:-1])] if len(stream.starts) > 1 else []


def numbers(*terms: str) -> list[int]:
    return [number_of(term) for term in terms]


def in_words(stream: WordStream, *vocabulary: str) -> list[str]:
    """Return the words of each leaf as text, given all terms that may stand there."""
    known = {number_of(term): term for term in vocabulary}
    return [" ".join(known[number] for number in leaf) for leaf in leaf_by_leaf(stream)]


def told(stream: WordStream) -> tuple[list[int], list[int]]:
    return stream.words.tolist(), stream.starts.tolist()


# ── numbers ──


def test_numbers_stay_the_same_for_ever() -> None:
    assert numbers("otter", "hound", "île", "東京") == [6582068, 12477719, 13262818, 2507503]


@given(st.text())
def test_a_number_has_24_bits(term: str) -> None:
    assert 0 <= number_of(term) < 2**24


# ── what stands where ──


def test_stems_stand_in_their_leaves_and_stop_words_nowhere() -> None:
    stream = streamed(page("<html lang=en><title>Otters</title><p>See the <a href=x>running <b>hounds</b></a><br>1950"))
    assert in_words(stream, "otter", "see", "run", "hound") == ["otter", "see", "run", "hound", "", ""]


def test_a_link_leads_to_its_own_words_by_leaf_number() -> None:
    reading = page("<html lang=en><p>Read about <a href=x>the den of <i>otters</i></a> and <a href=y>fish</a>")
    stream = streamed(reading)
    owned = [
        stream.words[stream.starts[link.first_leaf] : stream.starts[link.last_leaf + 1]].tolist()
        for link in reading.links
    ]
    assert owned == [numbers("den", "otter"), numbers("fish")]


def test_an_image_speaks_with_its_alternative_text() -> None:
    markup = "<html lang=en><title></title><p>Go <a href=x> <img src=a> <img src=b alt='River otters'> </a> home <a href=y><img alt=Fish></a>"
    assert in_words(streamed(page(markup)), "go", "river", "otter", "home", "fish") == [
        "", "go", "river otter", "", "", "", "", "home", "fish"
    ]  # fmt: skip


def test_a_picture_of_words_keeps_quiet_where_the_link_has_words() -> None:
    stream = streamed(page("<html lang=en><title></title><a href=x><img alt='River'>Otters</a>"))
    assert in_words(stream, "otter") == ["", "", "otter"]


def test_an_area_of_a_map_speaks_too() -> None:
    stream = streamed(page("<html lang=en><title></title><map><area href=x alt=Otters><area href=y></map>"))
    assert in_words(stream, "otter") == ["", "otter", ""]


def test_frames_redirects_and_links_beyond_the_leaves_have_no_words() -> None:
    framed = page("<html lang=en><frameset><frame src=x><frame src=y></frameset>")
    assert [link.kind for link in framed.links] == [LinkKind.FRAME, LinkKind.FRAME]
    assert not streamed(framed).words.size
    astray = (Link(url="http://a.example/", text="otters", first_leaf=first, last_leaf=first) for first in (-1, 1, 7))
    assert told(stream_of(Reading(leaves=("",), links=tuple(astray)), "en")) == ([], [0, 0])


def test_scripts_without_blanks_give_pairs() -> None:
    stream = streamed(page("<html lang=ja><title></title><p>東京タワー</p><p>fish 水、木</p><p>水</p>"))
    assert in_words(stream, "東京", "京タ", "タワ", "ワー", "fish", "水", "木") == [
        "", "東京 京タ タワ ワー", "fish 水 木", "水"
    ]  # fmt: skip


def test_a_document_without_links_has_words_too() -> None:
    reading = replace(
        page(make.pdf(["Hounds follow trails"], title="Scents"), "application/pdf"), links=(), language="en"
    )
    stream = streamed(reading)
    assert numbers("hound", "follow", "trail") in leaf_by_leaf(stream)
    assert len(stream.starts) == len(reading.leaves) + 1


def test_the_language_is_the_one_that_is_said() -> None:
    assert stream_of(Reading(leaves=("Die Häuser",), language="en"), "de").words.tolist() == numbers("haus")


@pytest.mark.parametrize("markup", ["", "<p></p>", "<html lang=en><p>the 1950 of</p>"])
def test_a_page_may_have_nothing_to_say(markup: str) -> None:
    reading = page(markup)
    assert told(streamed(reading)) == ([], [0] * (len(reading.leaves) + 1))


@pytest.mark.parametrize("letters", ["otter ", "東京", "x"])
def test_a_very_long_text_is_cut_off_between_words(letters: str) -> None:
    leaves = (letters * 99_000, "", "beaver", letters * 600_000, "mink", "")
    stream = stream_of(Reading(leaves=leaves, links=(), language="en"), "en")
    whole = stream_of(Reading(leaves=leaves[:3], links=(), language="en"), "en")
    assert stream.starts[:4].tolist() == whole.starts.tolist()
    assert stream.words[: len(whole.words)].tolist() == whole.words.tolist()
    assert len(stream.starts) == len(leaves) + 1
    assert len(whole.words) <= len(stream.words) < 100_000
    assert set(stream.words.tolist()) == set(whole.words.tolist())


# ── against the obvious way ──


def obvious(reading: Reading, language: str) -> tuple[list[int], list[int]]:
    """Return what a stream is, word by word."""
    leaves = list(reading.leaves)
    for link in reading.links:
        if 0 <= link.first_leaf < len(leaves) and not "".join(leaves[link.first_leaf : link.last_leaf + 1]):
            leaves[link.first_leaf] = link.text
    words = [
        [
            number_of(term)
            for token in tokens_of(leaf)
            for term in stems(language)[token].split(" ")
            if term not in ("", STOP)
        ]
        for leaf in leaves
    ]
    return list(chain(*words)), [0, *accumulate(map(len, words))]


texts = st.lists(
    st.sampled_from(
        [
            "otter",
            "Otters",
            "the",
            "RIVER-bank",
            "l’île",
            "1950",
            "東京タワー",
            "水",
            "Straße",
            "hound" * 9,
            "\n",
            "\0",
            "'",
        ]
    )
    | st.text(max_size=9),
    max_size=6,
).map(" ".join)
links = st.builds(
    lambda text, first, more: Link(url="http://a.example/", text=text, first_leaf=first, last_leaf=first + more),
    texts,
    st.integers(-1, 8),
    st.integers(0, 3),
)
readings = st.builds(
    Reading,
    title=texts,
    leaves=st.lists(st.just("") | texts, max_size=8).map(tuple),
    links=st.lists(links, max_size=4).map(tuple),
    language=st.sampled_from(["", "ja", *STEMMED]),
)


@given(readings)
def test_any_page_gives_what_the_obvious_way_gives(reading: Reading) -> None:
    assert told(stream_of(reading, reading.language)) == obvious(reading, reading.language)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["schools", "messy"])
def test_real_pages_give_what_the_obvious_way_gives(name: str) -> None:
    for fetch in islice(fetches(web(name)), 0, 600, 20):
        reading = page(fetch.body)
        language = terms_of(reading).language
        assert told(stream_of(reading, language)) == obvious(reading, language)


@pytest.mark.slow
def test_a_full_table_forgets_and_finds_again() -> None:
    """300,000 tokens in a table of 524,288 slots: many are displaced by others, and so many terms are not remembered."""
    table = TokenTerms(Stems(""))
    tokens = list(map("".join, islice(product("bcdfgklmnprstvwz", repeat=5), 300_000)))
    expected = numbers(*tokens)
    text = cut(" ".join(["", *tokens, ""]).encode())
    begins, ends = token_places(text)
    for _ in range(2):
        found = table.of(text, begins, ends)
        assert found.sizes is None
        assert table.numbers(found.codes).tolist() == expected
        assert table.terms(found.codes[::999]) == tokens[::999]


# ── packed ──

some_numbers = st.lists(st.integers(0, 2**24 - 1) | st.integers(0, 300), max_size=40)


@st.composite
def streams(draw: st.DrawFn) -> WordStream:
    sizes = draw(st.lists(st.sampled_from([0, 0, 1, 3, 300, 70_000]), max_size=4))
    few = draw(some_numbers.filter(bool))
    return WordStream(
        words=np.resize(np.array(few, dtype=np.uint32), sum(sizes)),
        starts=np.array([0, *accumulate(sizes)], dtype=np.uint32),
    )


@given(streams())
def test_what_is_packed_is_unpacked_as_it_was(stream: WordStream) -> None:
    back = unpack(pack(stream))
    assert told(back) == told(stream)
    assert {array.dtype for array in (back.words, back.starts)} == {np.dtype(np.uint32)}


def test_nothing_is_packed_as_nothing() -> None:
    assert pack(unpack(b"")) == b""
    assert told(unpack(b"")) == ([], [0])
    assert pack(stream_of(Reading(), "en")) == b""
    empty_leaves = stream_of(Reading(leaves=("", "")), "en")
    assert told(unpack(pack(empty_leaves))) == ([], [0, 0, 0])


def test_what_an_earlier_version_packed_can_still_be_read() -> None:
    packed = bytes.fromhex("785e05c141010030100220d4c7fa375ab483214586bcc4aaff00020600dc")
    assert told(unpack(packed)) == ([9, 7, 9], [0, 0, 3])
