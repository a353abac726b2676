"""Rules for settings that a type cannot express: a proxy must be a URL, an order a known name.

Each check returns the rule that a value breaks, or an empty text.
"""

import ipaddress
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from scenthound.errors import UsageError
from scenthound.settings.archive_url import ArchiveUrl
from scenthound.settings.order_columns import fault, is_combination
from scenthound.settings.schema import Settings
from scenthound.settings.sections.crawl_section import ORDERS
from scenthound.settings.server_url import ServerUrl

# One or more labels. A leading "*." means all subdomains. Digits and dots alone are addresses, not names.
_NAME = re.compile(
    r"(\*\.)?(?=.{1,255}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?", re.I
)
_ORDER = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
_MIME = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+", re.I)
_MIME_PATTERN = re.compile(r"\*|[a-z0-9!#$&^_.+-]+/(\*|[a-z0-9!#$&^_.+-]+)", re.I)
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_LEARNT = re.compile(r"([0-9a-f]{16})?")
_ROLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,62}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A value of the right type that breaks a rule."""

    key: str
    value: object
    rule: str


def faults(settings: Settings) -> Iterator[Fault]:
    """Yield every value that breaks a rule.

    >>> from scenthound.settings.schema import FetchSettings
    >>> [fault.rule for fault in faults(Settings(fetch=FetchSettings(proxy="localhost:8080")))]
    ['write a proxy as http://host:port or http://user:password@host:port']
    """
    for section in settings.__struct_fields__:
        group = getattr(settings, section)
        for name in group.__struct_fields__:
            value = getattr(group, name)
            rule = _not_finite(value) or _CHECKS.get(f"{section}.{name}", _anything)(value)
            if rule:
                yield Fault(key=f"{section}.{name}", value=value, rule=rule)


def _anything(_value: object) -> str:
    return ""


def _not_finite(value: object) -> str:
    if isinstance(value, int) and abs(value) >= 2**63:
        return "it must be a number below 2^63"
    return "it must be a finite number" if isinstance(value, float) and not math.isfinite(value) else ""


def _order(order: str) -> str:
    if order in ORDERS or _ORDER.fullmatch(order):
        return ""
    if is_combination(order):
        return fault(order)
    named = ", ".join(f'"{name}"' for name in ORDERS)
    return f'it takes {named}, "module:function", or columns such as "tries, -relevance, server_load"'


def _learnt(name: str) -> str:
    right = _LEARNT.fullmatch(name)
    return "" if right else "let scenthound set it: scenthound apprentice DIR --take FILE"


def _proxy(proxy: str) -> str:
    right = not proxy or _is_proxy(proxy)
    return "" if right else "write a proxy as http://host:port or http://user:password@host:port"


def _is_proxy(proxy: str) -> bool:
    try:
        parts = urlsplit(proxy)
        port = parts.port
    except ValueError:
        return False
    rest = parts.path.strip("/") or parts.query or parts.fragment or any(map(str.isspace, proxy))
    return parts.scheme == "http" and bool(parts.hostname) and bool(port) and not rest


def _store_url(url: str) -> str:
    if not url:
        return ""
    try:
        read = ServerUrl.read(url)
    except UsageError as error:
        return str(error)
    return "keep the password in ~/.pgpass or PGPASSWORD, and not in crawl.toml" if read.has_password else ""


def _reader(name: str) -> str:
    return "" if not name or _ROLE.fullmatch(name) else "it takes the name of a user of the PostgreSQL server"


def _archive_url(url: str) -> str:
    try:
        if url:
            ArchiveUrl.read(url)
    except UsageError as error:
        return str(error)
    return ""


def _allow_private(entries: list[str]) -> str:
    wrong = [entry for entry in entries if not (_is_network(entry) or _is_name(entry))]
    return f'"{wrong[0]}" is neither a network like "10.0.0.0/8", nor an address, nor a host name' if wrong else ""


def _resolve(table: dict[str, str]) -> str:
    for name, address in table.items():
        if not _is_name(name):
            return f'"{name}" is not a host name ("www.example.com", "*.example.com")'
        if not _is_address_with_port(address):
            return f'"{address}" is not an IP address with an optional port ("127.0.0.1:8080", "[::1]:8080")'
    return ""


def _user_agent(product: str) -> str:
    # RFC 9309 §2.2.1: with other characters, no robots.txt rule could match the name.
    return (
        "" if _PRODUCT.fullmatch(product) else "a product name may only have the letters a-z, A-Z, _ and - (RFC 9309)"
    )


def _contact(contact: str) -> str:
    return "" if contact.isprintable() else "it must be one printable line, because it goes into a request header"


def _types(types: list[str]) -> str:
    if not types:
        return 'name at least one type, such as "text/html"'
    wrong = [mime for mime in types if not _MIME.fullmatch(mime)]
    return f'"{wrong[0]}" is not a MIME type such as "text/html"' if wrong else ""


def _max_body(limit: int | dict[str, int]) -> str:
    table = {"*": limit} if isinstance(limit, int) else limit
    for pattern, size in table.items():
        if not _MIME_PATTERN.fullmatch(pattern):
            return f'"{pattern}" is neither a MIME type nor a pattern like "text/*" or "*"'
        if size < 1:
            return "the limit must be at least 1 byte"
    return ""


def _locked(patterns: list[str]) -> str:
    empty = any(not pattern.strip() for pattern in patterns)
    return "a pattern is empty; remove it" if empty else ""


def _colour(colour: str) -> str:
    return "" if _COLOUR.fullmatch(colour) else 'write a colour as "#2f6f4f": # and six digits from 0 to f'


def _base_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    right = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
    is_plain = url.isprintable() and not any(map(str.isspace, url)) and not set(url) & set("<>\"'")
    return (
        "" if not url or (right and is_plain) else 'write the address of the site as "https://www.example.org/cycling/"'
    )


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_name(text: str) -> bool:
    last = text.rstrip(".").rpartition(".")[2]
    return bool(_NAME.fullmatch(text)) and not last.isdigit()


def _is_address_with_port(text: str) -> bool:
    """Return whether a text is an IPv4 address or a bracketed IPv6 address, with an optional port."""
    address, port = text, ""
    if text.startswith("["):
        address, closed, after = text[1:].partition("]")
        if not closed or (after and not after.startswith(":")):
            return False
        port = after
    elif text.count(":") == 1:
        address, colon, digits = text.partition(":")
        port = colon + digits
    return _is_address(address) and (not port or _is_port(port[1:]))


def _is_address(text: str) -> bool:
    return "/" not in text and _is_network(text)


def _is_port(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and 0 < int(digits) < 65536


_CHECKS: dict[str, Callable[..., str]] = {
    "apprentice.before": _learnt,
    "archive.url": _archive_url,
    "crawl.order": _order,
    "fetch.user_agent": _user_agent,
    "fetch.contact": _contact,
    "fetch.max_body": _max_body,
    "fetch.types": _types,
    "fetch.proxy": _proxy,
    "fetch.allow_private": _allow_private,
    "fetch.locked": _locked,
    "fetch.only": _locked,
    "fetch.resolve": _resolve,
    "portal.accent": _colour,
    "portal.ground": _colour,
    "portal.base_url": _base_url,
    "store.reader": _reader,
    "store.url": _store_url,
}
