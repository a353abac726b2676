"""Which terms get a column, and what a page's row looks like."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judge.critic import Page
from scenthound.judge.models.features import features_of
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import Terms
from tests.often import often

WORDS = st.lists(st.sampled_from(["apple", "plum", "pear", "cherry", "quince", "medlar", "sloe"]), max_size=30)


def page(text: str) -> Page:
    return Page(terms=terms_of_text(text, language="en"))


def zoned(*, main: str, rest: str) -> Page:
    """A page with one term in its main text and one in what surrounds it."""
    one, none = np.array([1, 0], dtype=np.uint16), np.array([0, 1], dtype=np.uint16)
    return Page(terms=Terms(terms=(main, rest), title=0 * one, main=one, rest=none))


def long_page(number: int) -> Page:
    """A page of sixty words, one of which stands nowhere else."""
    return page(
        " ".join(f"word{chr(97 + place // 26)}{chr(97 + place % 26)}" for place in range(60))
        + f" rare{chr(97 + number)}x"
    )


def test_a_rare_term_of_a_long_page_has_no_column_and_that_of_a_query_has() -> None:
    terms = features_of([*map(long_page, range(4)), page("unicorn")]).terms
    assert "unicorn" in terms
    assert not [term for term in terms if term.startswith("rare")]


def test_pages_at_hand_tell_which_words_are_common() -> None:
    labelled = [page("otter river")] * 3
    alone = features_of(labelled)
    aware = features_of(labelled, [page("river stone")] * 30)
    weight = dict(zip(aware.terms, aware.idf.tolist(), strict=True))
    assert set(alone.idf.tolist()) == {1.0}
    assert weight["otter"] > 3 > weight["river"]
    assert "stone" in weight


def test_a_word_said_ten_times_weighs_less_than_ten_words() -> None:
    features = features_of([page("apple pear")] * 3)
    row = features.rows([page("apple " * 10 + "pear")]).toarray()[0]
    apple, pear = (row[features.columns[term]] for term in ("appl", "pear"))
    assert 3.3 < apple / pear < 3.31  # 1 + log 10


def test_what_surrounds_the_main_text_is_read_only_if_asked_for() -> None:
    pages = [zoned(main="otter", rest="imprint")] * 3
    assert features_of(pages, text="main").terms == ("otter",)
    assert features_of(pages, text="all").terms == ("imprint", "otter")


@often(30)
@given(st.lists(WORDS, min_size=1, max_size=6))
def test_rows_have_unit_length_and_do_not_depend_on_company(said: list[list[str]]) -> None:
    pages = [page(" ".join(words)) for words in said]
    features = features_of(pages[: len(pages) // 2 + 1])
    together = features.rows(pages).toarray()
    alone = np.concatenate([features.rows([one]).toarray() for one in pages])
    assert np.array_equal(together, alone)
    lengths = np.linalg.norm(together, axis=1)
    assert np.allclose(lengths[together.any(axis=1)], 1.0)


def test_no_pages_have_no_columns_and_still_rows() -> None:
    assert features_of([]).rows([page("apple"), Page()]).shape == (2, 0)
