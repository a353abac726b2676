"""The main text for people: the article and nothing around it."""

import base64
import gzip
import json
import os
from pathlib import Path

import pytest

from scenthound.parse.markup.main_text import main_text

PAGE = """<html><body><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>
<article><h1>Hub gears</h1><p>{0}</p><h2>Care</h2><p>{0}</p><ul><li>Grease the axle.</li></ul></article>
<div class="comments"><p>First!</p></div><footer>Imprint, cookies, terms.</footer></body></html>"""
SENTENCE = "A hub gear hides its cogs from rain and mud, so that it runs for years if the oil is changed now and then."


@pytest.mark.slow
def test_the_article_stays_and_what_surrounds_it_goes() -> None:
    text = main_text(PAGE.format(SENTENCE))
    assert text.splitlines() == ["Hub gears", SENTENCE, "Care", SENTENCE, "- Grease the axle."]


def test_markdown_keeps_headings_and_lists_and_no_tags() -> None:
    text = main_text(PAGE.format(f"{SENTENCE} Write &lt;b&gt; for bold."), as_markdown=True)
    assert "# Hub gears\n" in text
    assert "## Care\n" in text
    assert "- Grease the axle." in text
    assert "Write \\<b> for bold." in text


@pytest.mark.parametrize("markup", ["", "<html></html>", "<p>Menu</p>", "\x00", "not markup", "<" * 1000])
def test_without_an_article_there_is_no_text(markup: str) -> None:
    assert main_text(markup) == ""


@pytest.mark.slow
def test_it_is_as_good_as_promised_on_pages_with_marked_texts() -> None:
    data = Path(os.environ.get("SCENTHOUND_DATA", "../shared/data")) / "articles.jsonl.gz"
    if not data.exists():
        pytest.skip("the article benchmark is not there: set SCENTHOUND_DATA to its folder")
    from bench.main_text import f1_of

    with gzip.open(data) as lines:
        pages = [json.loads(line) for line, _ in zip(lines, range(20), strict=False)]
    texts = [main_text(base64.b64decode(page["html_base64"]).decode("utf-8", "replace")) for page in pages]
    assert f1_of(texts, [page["article"] for page in pages]).f1 > 0.93
