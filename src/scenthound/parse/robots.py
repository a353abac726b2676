"""robots.txt by RFC 9309: which group applies to us, and whether a URL is allowed.

We read the groups here, because Protego takes `User-agent: scent` to mean scenthound as well and ends a group at
unknown lines. Protego matches the paths. It searches each part between stars once, from left to right, so a pattern
with many stars costs no more than its length (tests/parse/test_robots.py checks this).
"""

import math
import re
from collections.abc import Iterator
from typing import Final

from protego import Protego

# Misspellings that Google's parser accepts too; a misspelt Disallow is still a wish to be left alone.
_AGENT: Final = frozenset({"user-agent", "useragent", "user agent"})
_RULES: Final = {
    "allow": "Allow",
    "disallow": "Disallow",
    "dissallow": "Disallow",
    "dissalow": "Disallow",
    "disalow": "Disallow",
    "diasllow": "Disallow",
    "disallaw": "Disallow",
}
_ESCAPED_SLASH: Final = re.compile("%2f", re.IGNORECASE)
_TOKEN: Final = re.compile(r"[a-z_-]+")
_LINES: Final = re.compile(r"\r\n|\n|\r")


class Rules:
    """The rules of one robots.txt for one product token; made by `Rules.parse`.

    >>> lines = ("User-agent: *", "Disallow: /private/", "Allow: /private/open$", "Crawl-delay: 2")
    >>> rules = Rules.parse("\\n".join(lines), "scenthound")
    >>> rules.allows("http://a.example/private/open"), rules.allows("http://a.example/private/x"), rules.crawl_delay
    (True, False, 2.0)
    """

    def __init__(self, protego: Protego, crawl_delay: float | None) -> None:
        self._protego = protego
        self._crawl_delay = crawl_delay

    @classmethod
    def parse(cls, text: str, product: str) -> "Rules":
        """Read a robots.txt for the product token `product`. Skip meaningless lines; raise nothing."""
        lines = _ruling_lines(text.removeprefix("\ufeff"), product.lower())
        rules = [
            f"{_RULES[field]}: {_with_plain_slashes(value)}" for field, value in lines if field in _RULES and value
        ]
        delays = [_seconds(value) for field, value in lines if field == "crawl-delay"]
        delay = max((seconds for seconds in delays if seconds is not None), default=None)
        return cls(Protego.parse("\n".join(["User-agent: *", *rules])), delay)

    def allows(self, url: str) -> bool:
        """Tell whether a canonical URL is allowed; robots.txt itself always is (§2.2.2)."""
        return self._protego.can_fetch(_with_plain_slashes(url), "*")

    @property
    def crawl_delay(self) -> float | None:
        """Return the minimum gap in seconds that the site asks for: not in the RFC, but common."""
        return self._crawl_delay


def _with_plain_slashes(address: str) -> str:
    """Decode %2F in a query, where `/` and its escape mean the same (§2.2.2); Protego distinguishes them everywhere."""
    path, mark, query = address.partition("?")
    return path + mark + _ESCAPED_SLASH.sub("/", query) if "%2" in query else address


def _ruling_lines(text: str, product: str) -> list[tuple[str, str]]:
    """Return the (field, value) lines of all groups for the product, or of the `*` groups if it has none (§2.2.1)."""
    ours: list[tuple[str, str]] = []
    general: list[tuple[str, str]] = []
    named = False
    agents: set[str] = set()
    in_header = False
    for field, value in _fields(text):
        if field in _AGENT:
            agents = agents if in_header else set()
            agents.add(_product_token(value))
            in_header = True
            named = named or product in agents
        elif field in _RULES or field == "crawl-delay":
            # Only rules end a list of user agents: a Sitemap or unknown line between them does not (§2.2.4).
            in_header = False
            if product in agents:
                ours.append((field, value))
            if "*" in agents:
                general.append((field, value))
    return ours if named else general


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in _LINES.split(text):
        field, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield field.strip().lower(), value.strip()


def _product_token(value: str) -> str:
    """Return the token of a User-agent line: `ScentHound/1.2` means scenthound, `scent` does not (§2.2.1)."""
    if value.startswith("*"):
        return "*" if value[1:].strip() == "" else ""
    token = _TOKEN.match(value.lower())
    return token[0] if token else ""


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
