"""Which pages stand for the words of a query: the tree's, where it has a place for them, and the best answers crawled."""

import pytest

from scenthound.judge.canonical.canon import canon
from scenthound.judge.canonical.query_pages import best_answers, few_tree_pages, match_words, query_page, tree_pages
from scenthound.judge.critic import Page
from scenthound.parse.words.page_terms import terms_of_text


def crawled(url: str, text: str) -> Page:
    return Page(url=f"http://{url}.test/", terms=terms_of_text(text, language="en"))


STEW = crawled("stew", "Cook the lentils slowly. This recipe for a stew needs an onion, carrots and a large pot. " * 3)
SOUP = crawled("soup", "A recipe for soup: chop the leeks, boil them in stock, and season the soup with pepper. " * 3)
CODE = crawled("code", "A recipe in a makefile is a list of commands that the compiler runs for every target. " * 3)
MOON = crawled("moon", "The moon orbits the earth, and telescopes show its craters and its dark plains. " * 3)


def test_words_find_the_pages_that_the_tree_has_on_their_topic() -> None:
    terms = {term for page in tree_pages("cooking recipes") for term in page.terms.terms}
    assert {"cook", "recip", "oven"} & terms


def test_words_without_a_place_in_the_tree_have_no_pages_there() -> None:
    assert tree_pages("geography of great britain") == []
    assert tree_pages("xyzzy") == []


def test_words_that_name_a_topic_above_mean_all_below_it() -> None:
    known = {page.url: leaf for page, leaf in zip(canon().pages(), canon().leaf_of(), strict=True)}
    history = {known[page.url] for page in tree_pages("history")}
    assert history == {leaf for leaf in canon().leaves if leaf.startswith("History/")}
    assert not any("Sports/" in known[page.url] for page in tree_pages("water pollution")), "a name alone says little"
    assert [known[page.url] for page in few_tree_pages("history", most=3)] == sorted(history)[:3]
    assert len(few_tree_pages("history", most=100)) == len(tree_pages("history"))


@pytest.mark.slow
def test_answers_have_a_word_of_the_query_and_lie_near_its_place_in_the_tree() -> None:
    assert best_answers("cooking recipes", [MOON, CODE, SOUP, STEW], most=2) == [STEW, SOUP]
    assert MOON not in best_answers("cooking recipes", [MOON, CODE, SOUP, STEW], most=4)


def test_words_alone_find_answers_where_the_tree_knows_no_place() -> None:
    britain = crawled("britain", "The geography of Great Britain: moors in the north, chalk hills in the south. " * 3)
    assert best_answers("geography of great britain", [MOON, STEW, britain], most=5) == [britain]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    scores = match_words(query_page("the lentils of a year").terms, [STEW, SOUP, CODE, MOON])
    assert scores[0] > 0
    assert not scores[1:].any()


def test_one_word_of_three_is_no_answer_beside_a_page_that_has_all() -> None:
    assert best_answers("lentil stew recipe", [CODE, MOON, STEW], most=5) == [STEW]
    assert best_answers("lentil stew recipe", [CODE, MOON], most=5) == [CODE]


def test_no_page_is_no_answer() -> None:
    assert best_answers("cooking recipes", [], most=5) == []


def test_a_query_is_english_if_most_of_its_words_are() -> None:
    assert query_page("hub gears").terms.language == "en"
    assert query_page("schönste Radwege für Familien").terms.language == ""
