"""Names of groups: typical words and phrases as people write them, in any language, without menus."""

import pytest

from scenthound.search.labels import LabelledPage, label_groups


def page(text: str, *, title: str = "", language: str = "en", site: str = "a.example") -> LabelledPage:
    return LabelledPage(title=title, text=text, language=language, site=site)


BREAD = [
    page(f"The baker bakes bread {number}. Baked bread is bread.", site=f"{number}.example") for number in range(6)
]


def first_of(pages: list[LabelledPage]) -> str:
    return label_groups([pages, BREAD])[0][0]


@pytest.mark.slow
def test_words_are_shown_as_they_are_written_and_never_as_stems() -> None:
    text = "Our bicycles carry us. Bicycles are light; bicycles, a bicycle, bicycling."
    told = label_groups([[page(text, site=f"{n}.example") for n in range(3)], BREAD])
    assert told[0][0] == "bicycles"
    assert "bicycl" not in told[0]
    assert set(told[1]) & {"bread", "baker", "bakes", "baked"}


def test_a_phrase_stands_for_its_words() -> None:
    assert (
        first_of([page(f"Hub gears need oil. Our hub gears {n}.", site=f"{n}.example") for n in range(5)])
        == "hub gears"
    )


def test_names_keep_their_capitals() -> None:
    texts = [f"We went to New York. New York is large. {number}" for number in range(5)]
    assert first_of([page(text, site=f"{n}.example") for n, text in enumerate(texts)]) == "New York"


def test_lines_that_a_site_repeats_do_not_count() -> None:
    menu = "Subscribe to newsletter\nSubscribe to newsletter now\nCookie settings"
    pages = [
        page(f"{menu}\nTents keep rain out, a tent {number}.", title=f"Tent {number} | Shopname") for number in range(6)
    ]
    told = label_groups([pages, BREAD])[0]
    assert told[0].lower() in ("tent", "tents")
    assert not any(word in " ".join(told) for word in ("newsletter", "Cookie", "Shopname"))


def test_groups_in_other_languages_have_their_words() -> None:
    german = [
        page(f"Die Fahrräder sind alt. Fahrräder, Fahrräder! {n}", language="de", site=f"{n}.de") for n in range(4)
    ]
    chinese = [page("東京の天気 東京の天気", language="ja", site=f"{n}.jp") for n in range(4)]
    told = label_groups([german, chinese, BREAD])
    assert told[0][0] == "Fahrräder"
    assert "東京" in told[1]


def test_pages_without_words_have_no_name() -> None:
    assert label_groups([[page("")], BREAD])[0] == ()
    assert label_groups([]) == []
