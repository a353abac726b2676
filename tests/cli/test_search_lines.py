"""What people see of an answer: grammar, facets that can narrow it down, and colours on a terminal."""

import io

from rich.console import Console

from scenthound.cli.work.search_lines import answer_lines, answer_view
from scenthound.search.types import Answer, FacetCount, Hit, PageFacts, Snippet, Weights
from scenthound.services.search.crawl_search import Found


def found(*, matches: int = 1, facets: dict[str, tuple[FacetCount, ...]] | None = None, title: str = "Hubs") -> Found:
    page = PageFacts(
        id=1,
        n=1,
        url="http://a.example/hubs",
        host="a.example",
        title=title,
        language="en",
        mime="text/html",
        topic="Cycling",
        relevance=0.9,
        authority=0.0,
        fetched_at=0.0,
    )
    snippet = Snippet(text="A hub gear hides its wheels. " * 8, marks=((2, 5),))
    hit = Hit(page=page, score=0.5, by_words=True, parts=Weights(), snippet=snippet)
    return Found(answer=Answer(hits=(hit,), matches=matches, did_you_mean="", facets=facets or {}, pages=9))


def drawn(given: Found) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=60, highlight=False, color_system="standard", _environ={})
    for part in answer_view(given):
        console.print(part)
    return out.getvalue()


def test_one_page_matches_and_two_match() -> None:
    assert next(answer_lines(found(matches=1))).startswith("1 of 9 pages matches (")
    assert next(answer_lines(found(matches=2))).startswith("2 of 9 pages match, the best 1 of them (")


def test_a_facet_with_one_value_says_nothing() -> None:
    one, other = FacetCount(value="en", pages=2), FacetCount(value="de", pages=1)
    lines = list(answer_lines(found(facets={"language": (one, other), "type": (FacetCount(value="x/y", pages=3),)})))
    assert lines[-1] == "language: en 2, de 1"


def test_a_terminal_shows_the_words_bold_and_wraps_lines() -> None:
    shown = drawn(found())
    assert "\x1b[1;33mhub\x1b[0m" in shown
    lines = shown.splitlines()
    assert sum(line.startswith("     ") for line in lines) >= 5  # address, facts, and a snippet of several lines
    assert "[hub]" not in shown


def test_a_terminal_does_not_obey_a_page() -> None:
    assert "\x1b]0;owned" not in drawn(found(title="\x1b]0;owned\x07"))
