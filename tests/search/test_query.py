"""The query language: what is understood, and what is said of the rest."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import UsageError
from scenthound.search.query_language import And, Field, Not, Or, Phrase, Prefix, Word, parse_query
from scenthound.search.types import QueryError, Weights


def test_words_stand_for_pages_that_have_them_all() -> None:
    assert parse_query("hub gears") == And((Word("hub"), Word("gears")))


def test_and_binds_stronger_than_or() -> None:
    assert parse_query("a OR b AND c") == Or((Word("a"), And((Word("b"), Word("c")))))


@pytest.mark.parametrize("query", ["NOT motor", "-motor"])
def test_words_can_be_excluded(query: str) -> None:
    assert parse_query(query) == Not(Word("motor"))


def test_a_hyphen_inside_a_word_excludes_nothing() -> None:
    assert parse_query("mother-in-law") == Word("mother-in-law")


def test_fields_take_a_word_a_phrase_or_the_beginning_of_a_word() -> None:
    assert parse_query('title:hub anchor:"hub gear" title:ge*') == And(
        (Word("hub", Field.TITLE), Phrase("hub gear", Field.ANCHOR), Prefix("ge", Field.TITLE))
    )
    assert parse_query("site:localhost:8080") == Word("localhost:8080", Field.SITE)


def test_an_empty_query_asks_for_nothing() -> None:
    assert parse_query("  ") is None


@pytest.mark.parametrize(
    ("query", "at", "problem"),
    [
        ("hub AND", 7, "a word is missing"),
        ("OR hub", 0, "missing before OR"),
        ("(hub", 0, "never closed"),
        ("hub)", 3, "closes no bracket"),
        ('say "hub', 4, "quotation mark is never closed"),
        ("titel:hub", 0, 'no field "titel:"; there are title:'),
        ("title:", 6, "needs a word or a phrase"),
        ("g*", 0, "two letters"),
        ("(" * 200 + "hub", 51, "deeper than 50"),
        ("x" * 3000, 2000, "more than 2,000 characters"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(query: str, at: int, problem: str) -> None:
    with pytest.raises(QueryError, match=f"at character {at + 1}") as error:
        parse_query(query)
    assert problem in str(error.value)


@given(st.text(alphabet='ab "()-*:ANDORT\n', max_size=40))
def test_no_query_is_too_strange_to_be_read_or_refused(query: str) -> None:
    with suppress(QueryError):
        parse_query(query)


@pytest.mark.parametrize("text", ["texts=1", "text", "text=x", "text=-1", "text=nan", "", "text=0"])
def test_weights_that_cannot_rank_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="weights: "):
        Weights.parse(text)
