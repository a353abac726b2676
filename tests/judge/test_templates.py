"""What a site repeats on its pages is left out of what a critic reads, and nothing else."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judge.adaptation.templates import NO_TEMPLATES, Templates, learn_templates
from scenthound.judge.critic import Page
from scenthound.parse.words.page_terms import terms_of_text

TEMPLATE = "licence footer sailing"
WORDS = st.lists(st.sampled_from(["otter", "river", "fish", "sailing", "den"]), min_size=1, max_size=12)


def page(site: str, number: int, text: str) -> Page:
    return Page(url=f"http://{site}/{number}", terms=terms_of_text(text, language="en"))


def said(found: Page) -> dict[str, int]:
    return {term: count for term, count in zip(found.terms.terms, found.terms.main.tolist(), strict=True) if count}


def test_a_word_of_the_menu_keeps_what_the_page_says_of_it() -> None:
    pages = [page("boats.test", number, f"{TEMPLATE} otter{number}") for number in range(6)]
    about = page("boats.test", 7, f"{TEMPLATE} sailing sailing on the river")
    [cleaned] = learn_templates(pages).clean([about])
    assert said(cleaned) == {"sail": 2, "river": 1}


def test_a_site_of_which_little_is_known_is_read_whole() -> None:
    pages = [page("boats.test", number, TEMPLATE) for number in range(4)]
    assert learn_templates(pages).clean(pages) == pages


def test_another_site_is_left_alone_and_so_is_what_comes_from_no_site() -> None:
    templates = learn_templates([page("boats.test", number, TEMPLATE) for number in range(6)])
    others = [page("otters.test", 1, TEMPLATE), Page(url="notes.html", terms=terms_of_text(TEMPLATE, language="en"))]
    assert templates.clean(others) == others


@given(st.lists(WORDS, min_size=5, max_size=12))
def test_cleaning_takes_away_no_more_than_stands_on_nearly_all_pages(texts: list[list[str]]) -> None:
    pages = [page("boats.test", number, " ".join(words)) for number, words in enumerate(texts)]
    templates = learn_templates(pages)
    for before, after in zip(pages, templates.clean(pages), strict=True):
        lost = before.terms.main.astype(int) - after.terms.main.astype(int)
        assert (lost >= 0).all()
        for term in np.array(before.terms.terms)[lost > 0].tolist():
            assert sum(term in other.terms.terms for other in pages) >= 0.9 * len(pages)


def test_templates_come_back_as_they_were_saved() -> None:
    pages = [
        replace(page(site, number, f"{TEMPLATE} {site}"), title="")
        for site in ("a.test", "b.test")
        for number in range(6)
    ]
    templates = learn_templates(pages)
    back = Templates.of_model(*templates.as_model())
    assert [said(one) for one in back.clean(pages)] == [said(one) for one in templates.clean(pages)]
    assert Templates.of_model(*NO_TEMPLATES.as_model()).floors == {}
