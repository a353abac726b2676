"""Leaves numbered from left to right, elements that matter with their place among them, and no markup that hangs."""

import time
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from scenthound.parse.markup.html import Tree, parse
from scenthound.parse.markup.markup_guard import tame
from tests.often import often, slowly

from .webs import fetches, web


def spans(tree: Tree, tag: str = "a") -> list[list[str]]:
    return [tree.leaves[mark.first_leaf : mark.last_leaf + 1] for mark in tree.marks if mark.tag == tag]


def test_leaves_are_text_nodes_and_childless_elements() -> None:
    tree = parse(b"<body>one<p>two<br>three</p><img alt=x><div></div><div><!-- c --><!-- d --></div>four")
    assert tree.leaves == ["", "one", "two", "", "three", "", "", "", "four"]  # the first is the empty <head>


def test_white_space_is_collapsed_and_white_leaves_count() -> None:
    tree = parse("<head></head><body><p> a\n\t b\u00a0c </p> <p>d</p>".encode())
    assert tree.leaves == ["", "a b c", "", "d"]


@pytest.mark.parametrize("tag", ["script", "style", "template", "noscript", "iframe", "noframes"])
def test_what_is_not_shown_has_no_text_and_is_one_leaf(tag: str) -> None:
    tree = parse(f"<body>a<{tag}>hidden <a href=x>link</a></{tag}>b".encode())
    assert tree.leaves == ["", "a", "", "b"]
    assert spans(tree) == []


def test_a_link_knows_the_leaves_below_it() -> None:
    tree = parse(
        b"<p>before <a href=1>one</a> <a href=2>two <b>and</b> half</a><a href=3><img alt=' a  cat '></a>"
        b"<a href=4></a><a href=5><!-- c --><script>x</script><i></i>five</a> after"
    )
    assert spans(tree) == [["one"], ["two", "and", "half"], [""], [""], ["", "", "five"]]
    assert [mark.alt for mark in tree.marks if mark.tag == "a"] == ["", "", "a cat", "", ""]


def test_comments_in_links_neither_count_nor_shift() -> None:
    tree = parse(b"<a href=1><!-- c --></a>x<a href=2><h1><!-- c --></h1>two</a><a href=3><!-- c --></a>")
    assert spans(tree) == [[""], ["", "two"], [""]]


def test_text_is_parsed_as_browsers_do() -> None:
    tree = parse(b"<table>lost<tr><td>cell</table><p>a<p>b &amp; &eacute;<a href=1>x<a href=2>y")
    assert [leaf for leaf in tree.leaves if leaf] == ["lost", "cell", "a", "b & é", "x", "y"]
    assert spans(tree) == [["x"], ["y"]]


def test_the_title_is_the_first_that_is_not_in_a_drawing() -> None:
    assert parse(b"<body><svg><g><title>icon</title></g></svg><title> The\n page </title>").title == "The page"
    assert parse(b"<title>one</title><title>two</title>").title == "one"


@pytest.mark.parametrize(
    "markup", [b"", b"<", b"<!--", b"\0\0", b"</html>", b"<frameset>", "\u2028".encode(), b"\xff\xfe"]
)
def test_odds_and_ends_parse(markup: bytes) -> None:
    assert isinstance(parse(markup).leaves, list)


EVIL = {
    "nested div": "<div>" * 40_000,
    "nested div, closed": "<div>" * 40_000 + "text" + "</div>" * 40_000,
    "nested formatting": "".join(f"<font color={n}>" for n in range(40_000)),
    "nested links": "<a href=x>" * 40_000,
    "nested tables": "<table><tr><td>" * 14_000,
    "nested forms": "<div><form>" * 40_000,
    "nested drawings": "<svg>" + "<g>" * 40_000,
    "self-closed div": "<div/>" * 100_000,
    "self-closed div in a drawing": "<svg>" + "<div/>" * 100_000,
    "misnested": "<b><i><p></b></i>" * 20_000,
    "wrong ends": "<y>" * 40_000 + "</x>" * 40_000,
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(30_000)) + ">",
    "attributes with quotes": "<p " + " ".join(f'a{n}="x>y"' for n in range(30_000)) + ">",
    "attributes without values": "<p " + " ".join(f"a{n}" for n in range(100_000)) + ">",
    "html tags": "".join(f"<html a{n}=1>" for n in range(20_000)),
    "body tags": "".join(f"<body a{n}=1>" for n in range(20_000)),
    "options": "<select>" + "<option>" * 40_000,
    "unclosed tags": "<a " * 500_000,
    "unclosed html tags": "<html " * 200_000,
    "unclosed quotes": "<a x=\" '" * 200_000,
    "less-than signs": "<" * 1_000_000,
    "unclosed comments": "<!--" * 200_000,
    "entities": "&amp" * 200_000,
    "one long word": "a" * 5_000_000,
    "just below the size that is checked": ("".join(f"<font color={n}>" for n in range(9_000)))[:64_000],
}


ONE_OF_EACH_KIND = ("nested div", "misnested", "attributes", "html tags", "less-than signs", "entities")


@pytest.mark.parametrize("name", [*ONE_OF_EACH_KIND, *slowly(*(name for name in EVIL if name not in ONE_OF_EACH_KIND))])
def test_markup_made_to_hang_ends_soon(name: str) -> None:
    markup = EVIL[name].encode() + b"<p>the <a href=x>end</a>"
    started = time.process_time()
    parse(markup)
    assert time.process_time() - started < 2


@pytest.mark.slow
def test_flattening_keeps_text_and_links() -> None:
    tree = parse(b"<div>" * 40_000 + b"<a href=x>deep</a>" + b"</div>" * 40_000 + b"<p>after")
    assert spans(tree) == [["deep"]]
    assert tree.leaves[-1] == "after"
    assert tree.detail == "nesting 40000 deep was flattened to 512"


def test_cutting_attributes_keeps_the_first_and_what_follows() -> None:
    tree = parse(b"<a href=x " + b" ".join(b"a%d=1" % n for n in range(30_000)) + b">link</a> after")
    assert spans(tree) == [["link"]]
    assert tree.leaves[-1] == "after"
    assert tree.detail == "a tag with more than 512 attributes was cut"


@pytest.mark.slow
def test_big_ordinary_markup_is_left_as_it_is() -> None:
    page = (
        b"<ul>" + b"<li><p><a href=x title='a > b'>text</a><br><td>" * 20_000 + b"</ul><svg>" + b"<path d=''/>" * 9_000
    )
    assert tame(page).markup == page


SILENT = {"script", "style", "template", "noscript", "noframes", "noembed", "iframe"}
Span = tuple[str | None, int, int]


def plainly(markup: bytes) -> tuple[list[str], list[Span]]:
    """Number leaves and place links by the definition, element by element, with no thought of speed."""
    leaves: list[str] = []
    spans: list[Span] = []

    def visit(node: LexborNode) -> None:
        below = [] if node.tag in SILENT else [child for child in children(node) if child.tag != "-comment"]
        first, place = len(leaves), len(spans)
        if not below:
            leaves.append(" ".join((node.text_content or "").split()) if node.tag == "-text" else "")
        for child in below:
            visit(child)
        if node.tag == "a":
            spans.insert(place, (node.attributes.get("href"), first, len(leaves) - 1))

    root = LexborHTMLParser(tame(markup).markup, options=LexborDocumentOptions.WO_EVENTS).root
    if root is not None:
        visit(root)
    return leaves, spans


def children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def quickly(markup: bytes) -> tuple[list[str], list[Span]]:
    tree = parse(markup)
    return tree.leaves, [(mark.attributes.get("href"), *mark[2:4]) for mark in tree.marks if mark.tag == "a"]


pieces = [
    "<a href=1>",
    "</a>",
    "<a>",
    "<b>",
    "</b>",
    "<!--c-->",
    "<img alt=' x  y'>",
    "<p>",
    "</p>",
    "<br>",
    "<table>",
    "<td>",
]
pieces += [
    "</table>",
    "word",
    " ",
    "\n",
    " a  b\u00a0",
    "\u2003",
    "<script>x</script>",
    "<noscript><a>n</a></noscript>",
    "<svg>",
]


@given(st.lists(st.sampled_from(pieces), max_size=40).map("".join))
def test_the_quick_walk_finds_what_the_definition_says(markup: str) -> None:
    assert quickly(markup.encode()) == plainly(markup.encode())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["schools", "messy"])
def test_the_quick_walk_finds_on_real_pages_what_the_definition_says(name: str) -> None:
    for fetch in islice(fetches(web(name)), 150):
        assert quickly(fetch.body) == plainly(fetch.body), fetch.url


ELEMENTS = [
    "a",
    "address",
    "b",
    "big",
    "button",
    "caption",
    "center",
    "code",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "form",
    "h1",
    "i",
    "input",
    "label",
    "li",
    "marquee",
    "math",
    "mi",
    "nobr",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "section",
    "select",
    "small",
    "span",
    "strike",
    "svg",
    "foreignObject",
    "table",
    "tbody",
    "td",
    "template",
    "th",
    "tr",
    "u",
    "ul",
    "x-y",
]
tags = st.builds(
    "<{}{}{}>".format, st.sampled_from(["", "", "/"]), st.sampled_from(ELEMENTS), st.sampled_from(["", "/"])
)


@pytest.mark.slow
@often(40)
@example("<optgroup>")  # 160,000 of these took 268 s
@example("<i></b>")  # and of these 310
@example("<dd><li>")
@example("<b><object></b></object>")
@example("<form><div></form>")
@example("<span><div></span>")
@example("<b><table><td></b></table>")
@example("<math><a><input>")
@example("<math><math></math><a>")
@example("<rt><hr>")
@example("<math></b>")
@example("<address/><svg/>")
@example("<svg a=b/>")
@given(st.lists(tags, min_size=1, max_size=5).map("".join))
def test_no_tags_however_often_they_come_make_a_deep_tree(unit: str) -> None:
    """Time follows depth: what lies deep takes a parser quadratic time. A counted level may have a few of tables and
    lists in it.
    """
    opening = unit.count("<") - unit.count("</")
    markup = unit.encode() * (8_000 // max(opening, 1))
    markup += b" " * max(0, 70_000 - len(markup))
    root = LexborHTMLParser(tame(markup).markup, options=LexborDocumentOptions.WO_EVENTS).root
    assert root is not None
    assert depth_of(root) < 3_500


def depth_of(root: LexborNode) -> int:
    deepest, level = 0, [root]
    while level:
        deepest += 1
        level = [child for node in level for child in children(node)]
    return deepest
