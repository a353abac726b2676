"""The words of a page, cut once: the same terms and the same stream as when it is gone through for each of them."""

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.page_words import words_of
from scenthound.parse.words.stems import Stems
from scenthound.parse.words.terms import Terms
from scenthound.parse.words.tokens import tokens_of
from scenthound.parse.words.word_stream import MOST_BYTES, WordStream, stream_of
from scenthound.types import Reading
from tests.often import slowly

from .test_word_stream import page, readings
from .webs import fetches, web

pytestmark = pytest.mark.slow

GERMAN = "Der Otter ist ein Tier, das in den Flüssen lebt und von dem es nur noch wenige gibt. "


def told(terms: Terms, stream: WordStream) -> list[object]:
    """Everything that is said, order included."""
    counts = (terms.title.tolist(), terms.main.tolist(), terms.rest.tolist(), terms.headings.tolist())
    return [terms.language, terms.terms, *counts, stream.words.tolist(), stream.starts.tolist()]


def same(reading: Reading) -> bool:
    found, terms = words_of(reading), terms_of(reading)
    return told(found.terms, found.stream) == told(terms, stream_of(reading, terms.language))


@given(readings, st.sampled_from(["text/html", "application/pdf"]))
def test_any_page_says_what_it_says_when_it_is_gone_through_twice(reading: Reading, mime: str) -> None:
    assert same(replace(reading, mime=mime))


@pytest.mark.parametrize("name", ["schools", *slowly("messy")])
def test_so_do_real_pages(name: str) -> None:
    for fetch in islice(fetches(web(name)), 0, 600, 20):
        assert same(page(fetch.body))


@pytest.mark.parametrize("declared", ["", "de", "en", "ja", "fi"])
def test_so_does_one_that_may_be_in_another_language_than_it_says(declared: str) -> None:
    reading = Reading(leaves=(8 * GERMAN, "", "Otter—Fluss 東京タワー"), language=declared)
    assert same(reading)
    assert (words_of(reading).terms.language == "de") is (declared not in ("ja", "fi"))


def test_one_too_long_for_arrays_loses_nothing_that_is_counted() -> None:
    reading = Reading(leaves=("otter " * (MOST_BYTES // 6), "hound", "hound"), language="en")
    assert same(reading)
    assert words_of(reading).terms.terms == ("otter", "hound")


@given(st.text(st.sampled_from("aeIstnr' 19é東京\n"), max_size=200), st.sampled_from(["en", "de", "fr", "ja", ""]))
def test_words_stemmed_together_have_the_stems_that_they_have_alone(text: str, language: str) -> None:
    tokens, alone, together = tokens_of(text), Stems(language), Stems(language)
    assert together.of_all(tokens) == [alone[token] for token in tokens]
    assert together.of_all(tokens[::-1]) == [alone[token] for token in tokens[::-1]]
