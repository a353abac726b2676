"""Introduction and footer from Markdown: HTML in it stays text, links lead to the web or into the site, no images."""

import re
from collections.abc import MutableMapping, Sequence
from typing import Any, Final

from markupsafe import Markup

_LINKED: Final = re.compile(r"(https?://|mailto:|#|[\w.-]+(/|\.html|$))", re.IGNORECASE)


def as_html(text: str) -> Markup:
    """Return Markdown as HTML that is safe to show.

    >>> print(as_html("Read **this**, <b>not</b> [that](javascript:alert(1))"))
    <p>Read <strong>this</strong>, &lt;b&gt;not&lt;/b&gt; [that](javascript:alert(1))</p>
    <BLANKLINE>
    >>> print(as_html("![spy](https://a.example/x.png)"))
    <p>!<a href="https://a.example/x.png" rel="noopener">spy</a></p>
    <BLANKLINE>
    """
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])
    reader.validateLink = lambda url: bool(_LINKED.match(url.strip()))  # type: ignore[method-assign]
    reader.add_render_rule("link_open", _link_open)
    return Markup(reader.render(text))  # the renderer escapes all texts and addresses


def _link_open(
    self: Any, tokens: Sequence[Any], place: int, options: MutableMapping[str, Any], env: MutableMapping[str, Any]
) -> str:
    tokens[place].attrSet("rel", "noopener")
    return str(self.renderToken(tokens, place, options, env))
