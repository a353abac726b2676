"""HTML inside other documents: members of an archive, and descriptions in feeds."""

from scenthound.parse.charset import charset_of, decode
from scenthound.parse.documents.draft import Draft
from scenthound.parse.documents.limits import Document
from scenthound.parse.markup.html import parse
from scenthound.parse.markup.page_links import sayings

_NOBODY = ""  # crawler instructions count only for pages that stand on the web by themselves


def read_html(body: bytes, *, url: str, mime: str, charset: str = "") -> Document:
    """Read a whole page."""
    charset = charset_of(body, charset)
    tree = parse(decode(body, charset).encode("utf-8", "replace"))
    said = sayings(tree, url, _NOBODY)
    return Document(
        mime=mime,
        charset=charset,
        title=said.title,
        language=said.language,
        leaves=tuple(tree.leaves),
        links=said.links,
        detail=said.detail,
    )


def take_fragment(draft: Draft, markup: str, url: str) -> None:
    """Add the text and the links of a piece of HTML to a draft; do not parse pieces without markup."""
    if "<" not in markup and "&" not in markup:
        draft.leaf(markup)
        return
    page = read_html(markup.encode("utf-8", "replace"), url=url, mime="text/html", charset="utf-8")
    draft.take(page.leaves, page.links)
