"""A reading in, terms out: words of any script, stems by language, the main text apart from what surrounds it."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.page import read
from scenthound.parse.words.page_terms import terms_of, terms_of_text
from scenthound.parse.words.stems import STEMMED, Stems
from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.terms import Terms, pack, unpack
from scenthound.parse.words.tokens import words_of
from scenthound.types import Fetch, Link, Reading

from .webs import fetches, web

PARAGRAPH = (
    "Otters are playful animals that live along the rivers and the shores of many countries. They eat fish and crabs, "
    "and they sleep in dens that they dig into the banks of the river, or in hollow trees not far from the water. "
)
GERMAN = (
    "Der Fischotter ist ein Tier, das an den Ufern der Flüsse lebt und sich von Fischen und Krebsen ernährt. Er schläft "
    "in Höhlen, die er in die Böschung gräbt, und wird bis zu einem Meter lang. In vielen Ländern ist er selten, weil "
    "ihm die Menschen wegen seines Fells nachgestellt haben und weil die Flüsse nicht mehr sauber sind. "
)


def page(markup: str) -> Reading:
    fetch = Fetch(
        url="http://a.example/", started=0.0, finished=0.0, status=200, mime="text/html", body=markup.encode()
    )
    return read(fetch, types=["text/html"], max_unpacked=10_000_000, product="scenthound")


def main_of(terms: Terms) -> dict[str, int]:
    return {term: int(count) for term, count in zip(terms.terms, terms.main, strict=True) if count}


def rest_of(terms: Terms) -> dict[str, int]:
    return {term: int(count) for term, count in zip(terms.terms, terms.rest, strict=True) if count}


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "The running dogs of the O'Neills weren't running", {"run": 2, "dog": 1, "neill": 1}),
        ("de", "Die Häuser und das Haus, Straßen und Strassen", {"haus": 2, "strass": 2}),
        ("fr", "L’homme n'est pas une chèvre; les chèvres de l'île", {"homm": 1, "chevr": 2, "île": 1}),
        ("es", "Las bibliotecas de la biblioteca están aquí", {"bibliotec": 2}),
        ("it", "Nell'acqua e sull'acqua ci sono dei gatti", {"acqua": 2, "gatt": 1}),
        ("pt", "As meninas e os meninos são bons", {"menin": 2, "bons": 1}),
        ("nl", "De katten en het katje zijn in de huizen", {"kat": 2, "huis": 1}),
        ("ru", "Книги и книгами он не был", {"книг": 2}),
        ("sv", "Hundarna springer", {"hundarna": 1, "springer": 1}),
        ("hi", "हिन्दी विश्व", {"हिन्दी": 1, "विश्व": 1}),
        ("zh", "北京大学。", {"北京": 1, "京大": 1, "大学": 1}),
        ("ja", "東京タワーです", {"東京": 1, "京タ": 1, "タワ": 1, "ワー": 1, "ーで": 1}),
        ("ko", "서울에서", {"서울": 1, "울에": 1, "에서": 1}),
        ("zh", "学习python编程 and running", {"学习": 1, "编程": 1, "python": 1, "and": 1, "running": 1}),
    ],
)
def test_each_language_has_its_stems(language: str, text: str, found: dict[str, int]) -> None:
    assert main_of(terms_of_text(text, language=language)) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mother-in-law e-mail", ["mother", "in", "law", "e", "mail"]),
        ("rock'n'roll 'quoted'", ["rock'n'roll", "quoted"]),
        ("ﬁsh ＦＩＳＨ Fi\u00adsh", ["fish", "fish", "fish"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("snake_case a.b,c", ["snake", "case", "a", "b", "c"]),
        ("\u0301 ´ !", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_numbers_single_letters_and_keys_are_no_terms() -> None:
    text = "1984 3,141 20th x b52 mp3 " + "a1b2" * 20 + " " + "q" * 41
    assert main_of(terms_of_text(text, language="en")) == {"mp3": 1}


def test_a_false_declaration_is_seen_through() -> None:
    assert terms_of_text(GERMAN, language="en").language == "de"
    assert terms_of_text(GERMAN).language == "de"
    assert terms_of_text(PARAGRAPH, language="en-GB").language == "en"
    assert terms_of_text("Fischotter", language="en").language == "en"


def test_a_language_without_stop_words_here_is_believed() -> None:
    assert terms_of_text(GERMAN, language="da").language == "da"


def test_a_text_in_no_known_language_stays_what_it_says() -> None:
    latin = (
        "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore "
        * 4
    )
    assert terms_of_text(latin, language="en").language == "en"


def test_navigation_stands_in_the_rest() -> None:
    menu = "".join(f"<li><a href={name}>{name.title()}</a></li>\n" for name in ("shop", "imprint", "careers", "press"))
    found = terms_of(
        page(f"<html lang=en><title>Otters</title><body>\n<ul>{menu}</ul>\n<h1>Otters</h1>\n<p>{PARAGRAPH * 2}</p>\n"
             f"<p>See <a href=beaver>the beaver</a>. {PARAGRAPH}</p>\n<ul>{menu}</ul>\n</body>")
    )  # fmt: skip
    assert rest_of(found).keys() >= {"shop", "imprint", "career", "press"}
    assert not main_of(found).keys() & {"shop", "imprint", "career", "press"}
    assert main_of(found).keys() >= {"otter", "river", "fish", "beaver"}
    assert found.title[found.terms.index("otter")] == 1


def test_a_page_of_short_lines_is_main_text() -> None:
    found = terms_of(page("<html lang=en><p>Otter</p>\n<p>Beaver</p>\n<p>Mink</p>"))
    assert main_of(found) == {"otter": 1, "beaver": 1, "mink": 1}


def test_a_full_table_of_stems_gives_the_same_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.parse.words.stems._MOST_REMEMBERED", 3)
    table = Stems("en")
    assert [table[token] for token in [b"dogs", b"cats", b"hens", b"cows"] * 3] == ["dog", "cat", "hen", "cow"] * 3
    assert len(table) <= 3


def test_counts_stop_at_the_most_that_fits() -> None:
    assert main_of(terms_of_text("otter " * 70_000)) == {"otter": 65_535}


def test_stop_words_are_words_as_they_are_looked_up() -> None:
    for language in STEMMED:
        assert all(words_of(word) == [word] for word in stop_words(language))


texts = st.text(
    st.characters(codec="utf-8") | st.sampled_from("aábcd 'e’fß1_-.北京です\u0301\u00ad\u00a0\n"), max_size=200
)
languages = st.sampled_from([*STEMMED, "", "ja", "xx"])


@given(title=texts, text=texts, language=languages)
def test_terms_are_clean_and_counts_in_step(title: str, text: str, language: str) -> None:
    found = terms_of_text(text, title=title, language=language)
    assert len(set(found.terms)) == len(found.terms) == len(found.title) == len(found.main) == len(found.rest)
    assert all(term and not any(map(str.isspace, term)) for term in found.terms)
    assert (found.title.astype(int) + found.main + found.rest > 0).all()


@given(text=texts, language=languages)
def test_white_space_does_not_matter(text: str, language: str) -> None:
    once, spaced = (
        main_of(terms_of_text(version, language=language))
        for version in (" ".join(text.split()), text.replace(" ", "\n\t "))
    )
    assert once == spaced


@given(
    leaves=st.lists(texts, max_size=30),
    places=st.lists(st.tuples(st.integers(-1, 40), st.integers(-1, 40)), max_size=10),
    language=languages,
)
def test_no_reading_is_too_strange(leaves: list[str], places: list[tuple[int, int]], language: str) -> None:
    links = tuple(Link(url="http://a.example/", first_leaf=first, last_leaf=last) for first, last in places)
    found = terms_of(Reading(leaves=tuple(leaves), links=links, language=language))
    whole = main_of(terms_of_text("\n".join(leaves), language=found.language))
    apart = found.main.astype(int) + found.rest
    assert {term: int(count) for term, count in zip(found.terms, apart, strict=True) if count} == whole


@pytest.mark.slow
def test_real_pages_have_main_text_and_a_rest() -> None:
    chosen = islice(fetches(web("schools")), 0, 300, 30)
    pages = [
        terms_of(read(fetch, types=["text/html"], max_unpacked=10_000_000, product="scenthound")) for fetch in chosen
    ]
    assert len(pages) == 10
    assert all(found.language == "en" and found.main.any() for found in pages)
    assert sum(found.rest.any() for found in pages) > len(pages) / 2


def test_headings_are_counted_apart_and_in_the_text() -> None:
    found = terms_of(
        page(f"<title>Otters</title><h1>Otters</h1><h2>Dens <i>and</i> food</h2><p>{PARAGRAPH * 2}<h2>Food</h2>")
    )
    above = {term: int(count) for term, count in zip(found.terms, found.headings, strict=True) if count}
    assert above == {"otter": 1, "den": 1, "food": 2}
    assert main_of(found)["food"] + rest_of(found).get("food", 0) == 2
    back = unpack(pack(found))
    assert (back.terms, back.headings.tolist()) == (found.terms, found.headings.tolist())


def test_a_heading_that_is_never_closed_is_none() -> None:
    paragraphs = "".join(f"<div>{PARAGRAPH}</div>" for _ in range(20))
    assert not len(terms_of(page(f"<body><h2>Otters{paragraphs}")).headings)


def test_terms_stored_before_headings_were_counted_can_be_read() -> None:
    one = np.array([1, 2], dtype=np.uint16)
    old = pack(Terms(language="en", terms=("hub", "gear"), title=one, main=one, rest=one))
    found = unpack(old)
    assert (found.rest.tolist(), found.headings.tolist()) == ([1, 2], [])
