"""URLs in one canonical form, and what a crawler asks of them: host, origin, registered domain, archive key, locks.

Parsing follows the WHATWG URL standard (by ada-url), so that a link means here what it means in a browser. On top of
that come RFC 3986 §6.2.2 (escapes), the public suffix list (domains), and a short list of session and tracking names.

The canonical form: http or https only; no userinfo, default port, fragment or empty query; host in lower case and
punycode without a trailing dot; dot segments resolved; percent-escapes in upper case, those of unreserved characters
decoded once, a stray `%` written `%25`; session ids and tracking parameters removed; the order of parameters kept.
`%25` is never decoded: hrefs that were encoded twice name other pages than those encoded once.
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

# Session ids that servers write into the path: servlets', PHP's with `;`, and ASP.NET's cookieless `(S(…))`.
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
# Hrefs for which the canonical form is plain concatenation; anything else goes to the full parser.
# tests/parse/test_urls.py checks by property that both ways agree.
# Two slashes or a dot after a slash are looked for afterwards: one class for the whole path matches twice as fast.
_CHARS: Final = r"(?:[A-Za-z0-9_~.,+!*$@=&/-]++|%25|%[89A-F][0-9A-F])*+"
_QUERY: Final = r"(\?(?:[A-Za-z0-9_~.,+!*$@=&:/-]++|%25|%[89A-F][0-9A-F])++)?"
_HOST: Final = r"(?!(?:[a-z0-9-]+\.)*xn--)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}"
_PLAIN_RELATIVE: Final = re.compile(rf"(/|(?:\.\./)*+)(?![./])({_CHARS}){_QUERY}")
_PLAIN_ABSOLUTE: Final = re.compile(rf"https?://{_HOST}(/{_CHARS}){_QUERY}")


_SHORT: Final = 300  # characters: longer hrefs are not remembered


# The last labels of names that no public server has: RFC 6761, RFC 6762, RFC 8375, and "internal" as ICANN has set it apart.
_OWN_NAMES: Final = frozenset({"localhost", "test", "example", "local", "internal", "arpa"})


class Joiner:
    """Turn the hrefs of one page into canonical URLs; the same href is worked out once.

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
        """Work out what is not plain, by the full parser."""
        found = self._known.get(href, "")
        if found == "":
            # With its fragment: a blank before that belongs to the path, at the end of the href it would be cut off.
            found = canonical(href, self.base) if href[:1] != "#" and href else canonical(self.base)
            self._known[href] = found
        return found


@lru_cache(maxsize=32_768)  # about 10 MB: every other href has stood on a page of the same folder before
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
    """Return where a climb ends; remembered, for the pages of a folder climb to the same few others."""
    return canonical(climb, here)


def canonical(href: str, base: str = "") -> str | None:
    """Return the canonical URL that `href` means on the page `base`, or None if it is not one of the web.

    >>> canonical("HTTP://Bücher.Example.:80/a/../%7ejo/?utm_source=x&q=1#top")
    'http://xn--bcher-kva.example/~jo/?q=1'
    """
    if is_plain(href):
        return href
    try:
        url = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return None
    return _settled(url)


def is_plain(url: str) -> bool:
    """Tell at a glance that a URL is in canonical form; of one that is not plain it takes a closer look to tell.

    >>> is_plain("http://a.example/wp/a/Atom.htm?page=2"), is_plain("http://a.example:8080/"), is_plain("http://a.example/b/../c")
    (True, False, False)
    """
    plain = _PLAIN_ABSOLUTE.fullmatch(url)
    return plain is not None and _is_settled(plain[1], plain[2])


def _is_settled(path: str, query: str | None) -> bool:
    return "//" not in path and "/." not in path and not (query and _MAYBE_NOISE.search(query))


def _settled(url: str) -> str | None:
    """Apply our rules to a WHATWG-normal URL until nothing changes: what one rule removes may leave work for another."""
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
    """Return the address of a web page that somebody types, with the scheme that a browser would add; None where it is none.

    A name without a scheme must end as names of the web do: "page.html" is a file, and "cycling" a word. Names that only a machine
    or a network of one's own knows are asked for without TLS, as everywhere.

    >>> typed_address("example.org/a"), typed_address("localhost:8000"), typed_address("HTTP://a.test")
    ('https://example.org/a', 'http://localhost:8000', 'HTTP://a.test')
    >>> [typed_address(text) for text in ("notaurl", "page.html", "me@example.org", "mailto:me@example.org", "ftp://a.test/")]
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
    """Return the host of a canonical URL, with its port if that is not the default one."""
    return url.split("/", 3)[2]


def origin_of(url: str) -> str:
    """Return scheme, host and port of a canonical URL: what a robots.txt rules."""
    return url[: url.index("/", 8)]


@lru_cache(maxsize=65_536)
def domain_of(host: str) -> str:
    """Return the registered domain of a host: one label below its public suffix, private suffixes included.

    IP addresses, single labels and public suffixes themselves are their own domain.

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
    # Reading the list takes 36 ms, so the first question pays for it, not the import.
    return PublicSuffixList()


@cache
def _known_suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


def too_long(url: str, max_url: int, max_host: int) -> Reason | None:
    """Return URL_TOO_LONG if a canonical URL or its host is longer than wanted."""
    if len(url) <= min(max_url, max_host):
        return None  # nearly always: a host is no longer than its URL
    if len(url) > max_url or len(host_of(url)) > max_host:
        return Reason.URL_TOO_LONG
    return None


def surt(url: str) -> str:
    """Return the sort-friendly form of a canonical URL that CDXJ indexes use as key.

    The host reversed (addresses too, as other tools do it), without `www.`; all in lower case; parameters sorted;
    slashes neither doubled nor at the end.

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
    """Domains and URL patterns that are never fetched.

    A pattern without `*` and `/` is a domain and locks its subdomains too. Any other is matched against the whole
    URL, `*` standing for any characters; without a scheme it means both; without a `/` it may also match the host.

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
        """Tell whether a canonical URL must not be fetched."""
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
    """Write a pattern as a regex whose groups never give back what they took, so that many stars cost no more than few."""
    any_char = "." if end == r"\Z" else "[^/]"
    first, *others = [re.escape(part) for part in re.split(r"\*+", pattern)]
    if not others:
        return first + end
    *middle, last = others
    return first + "".join(f"(?>{any_char}*?{part})" for part in middle) + f"{any_char}*{last}{end}"
