"""Answers: rankings, filters, facets, meaning, likeness, snippets and spelling, on a few pages."""

from pathlib import Path

import pytest

from scenthound.search.engine import answer
from scenthound.search.index import SearchReader
from scenthound.search.types import Filters, IndexedPage, Question, Weights
from tests.search.made_pages import MadeFacts, ask, found, index, page

BIKES = "The bicycle has a chain, a saddle and pedals. Riders oil the chain of a bicycle each week."
BREAD = "The baker mixes flour, water and yeast. Dough rests before the oven bakes the bread."


def _pages() -> list[IndexedPage]:
    """Return twenty pages about cycling and twenty about baking, and some that differ."""
    cycling = [
        page(
            number,
            f"{BIKES} Tour {number} leads along river {number}.",
            title=f"Tour {number}",
            topic="Sport/Cycling",
            relevance=number / 40,
            fetched_at=1_700_000_000.0 + number,
        )
        for number in range(1, 21)
    ]
    baking = [
        page(number, f"{BREAD} Recipe {number}.", topic="Home/Baking", relevance=0.1, site="b.example", language="en")
        for number in range(21, 41)
    ]
    derailleur = page(41, "A derailleur moves the chain of a bicycle between sprockets.", title="Derailleurs")
    return [*cycling, *baking, derailleur]


@pytest.fixture(scope="module")
def facts() -> MadeFacts:
    return MadeFacts(_pages(), authorities={7: 0.5, 3: 0.1})


@pytest.fixture(scope="module")
def reader(facts: MadeFacts, tmp_path_factory: pytest.TempPathFactory) -> SearchReader:
    return index(tmp_path_factory.mktemp("index") / "search", list(facts.pages.values()), learn=True)


def test_a_word_is_found_in_any_of_its_forms(reader: SearchReader, facts: MadeFacts) -> None:
    assert found(ask(reader, facts, "recipes")) == set(range(21, 41))


def test_a_topic_filters_with_those_below_it(reader: SearchReader, facts: MadeFacts) -> None:
    assert found(ask(reader, facts, "chain", filters=Filters(topic="Sport"))) == set(range(1, 21))
    assert not found(ask(reader, facts, "chain", filters=Filters(topic="Home/Baking")))


def test_a_vague_topic_weighs_pages_by_its_probability(reader: SearchReader, facts: MadeFacts) -> None:
    question = Question(words="chain", filters=Filters(topic="Sport/Cycling"), vague=True, limit=41)
    given = answer(reader, facts, question, chances=lambda ids: [1.0 if id == 41 else 0.01 for id in ids])
    assert given.hits[0].page.id == 41
    assert given.matches == 21


@pytest.mark.parametrize(
    ("weights", "best"),
    [
        (Weights(text=0, meaning=0, relevance=1), 20),
        (Weights(text=0, meaning=0, authority=1), 7),
        (Weights(text=0, meaning=0, date=1), 20),
        (Weights(text=0.01, meaning=0, relevance=1, authority=10), 7),
    ],
)
def test_any_weighted_sum_can_rank(reader: SearchReader, facts: MadeFacts, weights: Weights, best: int) -> None:
    assert ask(reader, facts, "chain", weights=weights, limit=1).hits[0].page.id == best


def test_facets_count_all_pages_found(reader: SearchReader, facts: MadeFacts) -> None:
    given = ask(reader, facts, "chain OR dough", limit=1)
    assert given.matches == 41
    assert {one.value: one.pages for one in given.facets["topic"]} == {"Sport/Cycling": 20, "Home/Baking": 20}
    assert {one.value: one.pages for one in given.facets["site"]} == {"a.example": 21, "b.example": 20}
    assert {one.value for one in given.facets["month"]} == {"2023-11", "1970-01"}


def test_pages_near_in_meaning_are_found_without_the_word(reader: SearchReader, facts: MadeFacts) -> None:
    given = ask(reader, facts, "yeast", weights=Weights(), limit=30)
    assert {hit.page.topic for hit in given.hits[:20]} == {"Home/Baking"}
    near = ask(reader, facts, "derailleur", weights=Weights(), limit=10)
    assert near.matches == 1
    assert near.hits[0].page.id == 41


def test_operators_keep_meaning_from_adding_pages(reader: SearchReader, facts: MadeFacts) -> None:
    given = ask(reader, facts, "title:derailleurs NOT dough", weights=Weights(), limit=30)
    assert [hit.page.id for hit in given.hits] == [41]


def test_pages_like_a_page_are_of_its_kind_and_not_itself(reader: SearchReader, facts: MadeFacts) -> None:
    given = answer(reader, facts, Question(like=(25,), limit=10))
    assert {hit.page.topic for hit in given.hits} == {"Home/Baking"}
    assert 25 not in {hit.page.id for hit in given.hits}


def test_pages_like_a_pasted_text_are_found(reader: SearchReader, facts: MadeFacts) -> None:
    given = answer(reader, facts, Question(like_text="oil your chain and ride a bicycle with pedals", limit=10))
    assert {hit.page.topic for hit in given.hits} <= {"Sport/Cycling", ""}


def test_a_snippet_marks_the_words_in_all_their_forms(reader: SearchReader, facts: MadeFacts) -> None:
    snippet = ask(reader, facts, '"bicycles" chains', limit=1).hits[0].snippet
    marked = {snippet.text[start:end] for start, end in snippet.marks}
    assert marked == {"bicycle", "chain"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("bycicle", "bicycle"), ("derailer", "derailleur"), ("bicycle", ""), ('title:tuor "ricer"', 'title:tour "river"')],
)
def test_words_that_no_page_has_are_spelled_better(
    reader: SearchReader, facts: MadeFacts, typed: str, meant: str
) -> None:
    assert ask(reader, facts, typed).did_you_mean == meant


def test_pages_in_other_languages_have_their_own_stems(tmp_path: Path) -> None:
    german = IndexedPage(id=1, n=1, text="Die Fahrräder stehen vor den Häusern.", language="de")
    pages = [german, page(2, "Houses stand in rows.")]
    reader, facts = index(tmp_path / "search", pages), MadeFacts(pages)
    assert found(ask(reader, facts, "Haus")) == {1}
    assert found(ask(reader, facts, "house")) == {2}


def test_text_without_blanks_is_found_by_its_pairs(tmp_path: Path) -> None:
    pages = [IndexedPage(id=1, n=1, text="東京タワーへ行った", language="ja")]
    reader, facts = index(tmp_path / "search", pages), MadeFacts(pages)
    assert found(ask(reader, facts, "タワー")) == {1}
    assert found(ask(reader, facts, "京都")) == set()
