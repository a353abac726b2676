"""URLs in one canonical form, and what a crawler needs of them: host, origin, registered domain, archive key, locks.

Parsing follows the WHATWG URL standard (by ada-url), so a link means the same here as in a browser. Added to that are
RFC 3986 §6.2.2 (escapes), the public suffix list (domains), and a short list of session and tracking names.

The canonical form: http or https only; no userinfo, default port, fragment or empty query; host in lower case and
punycode without a trailing dot; dot segments resolved; percent-escapes in upper case, those of unreserved characters
decoded once, a stray `%` written `%25`; session ids and tracking parameters removed; the order of parameters kept.
`%25` is never decoded: a doubly encoded href names another page than a singly encoded one.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import ada_url
from publicsuffixlist import PublicSuffixList

from scenthound.types import Reason

_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNSETTLED: Final = re.compile(
    r"%(?![013-9A-F][0-9A-F]|2[0-9A-CF])|%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"
)
_SLASHES: Final = re.compile("//+")
_WWW: Final = re.compile(r"^www\d*\.")
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

# Session ids in the path: servlets', PHP's with `;`, and ASP.NET's cookieless `(S(…))`.
_PATH_SESSION: Final = re.compile(
    r";(?:jsessionid|phpsessid|sessionid)=[^/;]*|/\([SAFX]\([^/()]*\)\)(?=/)", re.IGNORECASE
)
_QUERY_NOISE: Final = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|dclid|wbraid|gbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_ga|_gl"
    r"|_hsenc|_hsmi|vero_id|li_fat_id|oly_enc_id|oly_anon_id|wickedid"
    r"|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid)(?:=.*)?"
    r"|(?:s|sid|session|sessionid|session_id)=[0-9a-f]{32}",
    re.IGNORECASE,
)
_MAYBE_NOISE: Final = re.compile(
    r"[?&](?:utm_|gcl|dclid|[wg]braid|fbclid|msclkid|yclid|t[wt]clid|igshid|mc_|_g|_hs|vero_|li_fat|oly_|wicked"
    r"|phpsess|jsess|aspsess|cfid|cftoken|oscsid|zenid|s=|sid=|session)",
    re.IGNORECASE,
)
# Hrefs whose canonical form is plain concatenation; all others go to the full parser. A property test in
# tests/parse/test_urls.py checks that both ways agree. A separate check finds two slashes or a dot after a slash: one
# class for the whole path matches twice as fast.
_CHARS: Final = r"(?:[A-Za-z0-9_~.,+!*$@=&/-]++|%25|%[89A-F][0-9A-F])*+"
_QUERY: Final = r"(\?(?:[A-Za-z0-9_~.,+!*$@=&:/-]++|%25|%[89A-F][0-9A-F])++)?"
_HOST: Final = r"(?!(?:[a-z0-9-]+\.)*xn--)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}"
_PLAIN_RELATIVE: Final = re.compile(rf"(/|(?:\.\./)*+)(?![./])({_CHARS}){_QUERY}")
_PLAIN_ABSOLUTE: Final = re.compile(rf"https?://{_HOST}(/{_CHARS}){_QUERY}")


_SHORT: Final = 300  # characters: longer hrefs are not cached


# The last labels of names without a public server: RFC 6761, RFC 6762, RFC 8375, and "internal", reserved by ICANN.
_OWN_NAMES: Final = frozenset({"localhost", "test", "example", "local", "internal", "arpa"})


class Joiner:
    """Turn the hrefs of one page into canonical URLs, with a cache.

    Of the hrefs in the schools and messy webs 95 % are plain, and joining those by hand takes 0.8 µs instead of 3.8.

    >>> join = Joiner("http://school.example/wp/a/Atom.htm")
    >>> join("../p/Proton.htm#mass"), join("mailto:me@school.example")
    ('http://school.example/wp/p/Proton.htm', None)
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self._known: dict[str, str | None] = {}
        self._here = base[: base.partition("?")[0].rfind("/", 8) + 1] or base

    def __call__(self, href: str) -> str | None:
        return (_plain(self._here, href) if len(href) < _SHORT else None) or self._other(href)

    def _other(self, href: str) -> str | None:
        """Join any other href with the full parser."""
        found = self._known.get(href, "")
        if found == "":
            # Keep the fragment: a blank before it belongs to the path, but at the end of the href it would be cut off.
            found = canonical(href, self.base) if href[:1] != "#" and href else canonical(self.base)
            self._known[href] = found
        return found


@lru_cache(maxsize=32_768)  # about 10 MB: every other href was on a page of the same folder before
def _plain(here: str, href: str) -> str | None:
    """Return the URL that a plain href means on the pages of a folder, or None for any other."""
    plain = _PLAIN_RELATIVE.fullmatch(href.partition("#")[0])
    if plain is None:
        return None
    climb, path, query = plain.groups()
    if not (path or climb) or not _is_settled(path, query):
        return None
    folder = _folder(climb or "./", here)
    return folder and f"{folder}{path}{query or ''}"


@lru_cache(maxsize=4_096)
def _folder(climb: str, here: str) -> str | None:
    """Return where a climb ends; cached, because the pages of a folder climb to the same few others."""
    return canonical(climb, here)


def canonical(href: str, base: str = "") -> str | None:
    """Return the canonical URL that `href` means on the page `base`, or None if it is not a web address.

    >>> canonical("HTTP://Bücher.Example.:80/a/../%7ejo/?utm_source=x&q=1#top")
    'http://xn--bcher-kva.example/~jo/?q=1'
    """
    if is_plain(href):
        return href
    try:
        url = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return None
    return _settle_url(url)


def is_plain(url: str) -> bool:
    """Tell quickly that a URL is in canonical form; False means that it needs a closer look.

    >>> [is_plain(f"http://a.example{rest}") for rest in ("/wp/a/Atom.htm?page=2", ":8080/", "/b/../c")]
    [True, False, False]
    """
    plain = _PLAIN_ABSOLUTE.fullmatch(url)
    return plain is not None and _is_settled(plain[1], plain[2])


def _is_settled(path: str, query: str | None) -> bool:
    return "//" not in path and "/." not in path and not (query and _MAYBE_NOISE.search(query))


def _settle_url(url: str) -> str | None:
    """Apply our rules to a WHATWG-normal URL until nothing changes: one rule may leave work for another."""
    for _ in range(8):
        tidy = _tidied(url)
        if tidy is None or tidy == url:
            return tidy
        try:
            url = ada_url.normalize_url(tidy)
        except ValueError:
            return None
    return None


def _tidied(url: str) -> str | None:
    if not url.startswith(("http://", "https://")):
        return None
    scheme, _, rest = url.partition("#")[0].partition("://")
    authority, _, tail = rest.partition("/")
    path, _, query = tail.partition("?")
    host = _tidy_host(authority)
    if host is None:
        return None
    path, query = _settle_escapes(path), _settle_escapes(query)
    if ";" in path or "(" in path:
        path = _PATH_SESSION.sub("", "/" + path)[1:]
    if query and _MAYBE_NOISE.search("?" + query):
        query = "&".join(part for part in query.split("&") if not _QUERY_NOISE.fullmatch(part))
    return f"{scheme}://{host}/{path}?{query}" if query else f"{scheme}://{host}/{path}"


def _tidy_host(authority: str) -> str | None:
    """Drop userinfo and one trailing dot; a host with an empty label exists nowhere."""
    authority = authority.rpartition("@")[2]
    if authority.startswith("["):
        return authority
    host, colon, port = authority.partition(":")
    host = host.removesuffix(".")
    return None if not host or host[0] == "." or host[-1] == "." or ".." in host else f"{host}{colon}{port}"


def _settle_escapes(text: str) -> str:
    return _ESCAPE.sub(_settle_escape, text) if "%" in text and _UNSETTLED.search(text) else text


def _settle_escape(match: re.Match[str]) -> str:
    digits = match[1]
    if digits is None:
        return "%25"
    char = chr(int(digits, 16))
    return char if char in _UNRESERVED else match[0].upper()


def typed_address(text: str) -> str | None:
    """Return the URL of a web page as typed, with the scheme that a browser would add; None if it is none.

    A name without a scheme must end as names of the web do: "page.html" is a file, and "cycling" a word. Names known
    only to a machine or a private network get http, as everywhere.

    >>> typed_address("example.org/a"), typed_address("localhost:8000"), typed_address("HTTP://a.test")
    ('https://example.org/a', 'http://localhost:8000', 'HTTP://a.test')
    >>> others = ("notaurl", "page.html", "me@example.org", "mailto:me@example.org", "ftp://a.test/")
    >>> [typed_address(text) for text in others]
    [None, None, None, None, None]
    """
    text = text.strip()
    if "://" in text:
        return text if canonical(text) else None
    host = re.split("[/?#]", text, maxsplit=1)[0].lower()
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    end = name.rstrip(".").rpartition(".")[2]
    own = end in _OWN_NAMES or end.isdigit() or name.startswith("[")
    known = "." in name and _known_suffixes().publicsuffix(name) is not None
    if not (own or known) or re.search(r"[\s@]", host):
        return None
    address = f"{'http' if own else 'https'}://{text}"
    return address if canonical(address) else None


def host_of(url: str) -> str:
    """Return the host of a canonical URL, with a non-default port."""
    return url.split("/", 3)[2]


def origin_of(url: str) -> str:
    """Return scheme, host and port of a canonical URL: the scope of a robots.txt."""
    return url[: url.index("/", 8)]


@lru_cache(maxsize=65_536)
def domain_of(host: str) -> str:
    """Return the registered domain of a host: one label below its public suffix, including private suffixes.

    IP addresses, single labels and public suffixes are their own domain.

    >>> domain_of("www.cs.cmu.edu"), domain_of("me.github.io:8080"), domain_of("127.0.0.1"), domain_of("[::1]:80")
    ('cmu.edu', 'me.github.io', '127.0.0.1', '[::1]')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    name = host.partition(":")[0]
    if name.rpartition(".")[2].isdigit():
        return name
    return _suffixes().privatesuffix(name) or name


@cache
def _suffixes() -> PublicSuffixList:
    # Reading the list takes 36 ms, so the first call pays for it, not the import.
    return PublicSuffixList()


@cache
def _known_suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


def too_long(url: str, max_url: int, max_host: int) -> Reason | None:
    """Return URL_TOO_LONG if a canonical URL or its host is too long."""
    if len(url) <= min(max_url, max_host):
        return None  # nearly always: a host is no longer than its URL
    if len(url) > max_url or len(host_of(url)) > max_host:
        return Reason.URL_TOO_LONG
    return None


def surt(url: str) -> str:
    """Return the sort-friendly form of a canonical URL, the key of CDXJ indexes.

    The host reversed (addresses too, as in other tools), without `www.`; all in lower case; parameters sorted; slashes
    neither doubled nor at the end.

    >>> surt("http://www.Example.com/Dir/?b=2&a=1")
    'com,example)/dir?a=1&b=2'
    """
    authority, _, tail = url.partition("://")[2].lower().partition("/")
    path, _, query = tail.partition("?")
    arguments = f"?{'&'.join(sorted(query.split('&')))}" if query else ""
    return f"{_reversed_host(authority)})/{_SLASHES.sub('/', path).strip('/')}{arguments}"


def _reversed_host(authority: str) -> str:
    if authority.startswith("["):
        return authority[1:].replace("]", "", 1)
    host, colon, port = authority.partition(":")
    return ",".join(reversed(_WWW.sub("", host).split("."))) + colon + port


class Locks:
    """Domains and URL patterns that the crawl never fetches.

    A pattern without `*` and `/` is a domain and locks its subdomains too. Any other matches the whole URL, with `*`
    for any characters. Without a scheme it means both; without a `/` it may also match the host.

    >>> locks = Locks(["ads.example", "*/wp/index/*", "school.example/private*"])
    >>> [locks.locked(f"http://{rest}") for rest in ("x.ads.example/", "a.example/wp/index/b", "school.example/public")]
    [True, True, False]
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        wanted = [pattern.strip() for pattern in patterns if pattern.strip()]
        self._domains = frozenset(p.lower().strip(".") for p in wanted if "*" not in p and "/" not in p)
        globs = [_glob(p) for p in wanted if "*" in p or "/" in p]
        self._pattern = re.compile("|".join(globs), re.DOTALL) if globs else None

    def locked(self, url: str) -> bool:
        """Tell whether the crawl must not fetch a canonical URL."""
        if self._domains and self._in_domains(host_of(url)):
            return True
        return self._pattern is not None and self._pattern.match(url) is not None

    def _in_domains(self, host: str) -> bool:
        if host in self._domains:
            return True
        name = host if host.startswith("[") else host.partition(":")[0]
        while name:
            if name in self._domains:
                return True
            name = name.partition(".")[2]
        return False


def _glob(pattern: str) -> str:
    whole = _star_regex(pattern if "://" in pattern or pattern.startswith("*") else f"http://{pattern}")
    if "://" not in pattern and not pattern.startswith("*"):
        whole = whole.replace("http://", "https?://", 1)
    return whole if "/" in pattern else rf"{whole}|https?://{_star_regex(pattern, end='/')}"


def _star_regex(pattern: str, end: str = r"\Z") -> str:
    """Write a pattern as a regex whose groups never backtrack, so that many stars cost no more than few."""
    any_char = "." if end == r"\Z" else "[^/]"
    first, *others = [re.escape(part) for part in re.split(r"\*+", pattern)]
    if not others:
        return first + end
    *middle, last = others
    return first + "".join(f"(?>{any_char}*?{part})" for part in middle) + f"{any_char}*{last}{end}"
