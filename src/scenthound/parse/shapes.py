"""The shape of a URL without its variable parts, the unit for recognising crawler traps.

A calendar, a session id in the path or a relative link that piles up folders makes endless URLs of few shapes. The
crawl counts how many pages of a shape were new. `suspicion` names what looks like a trap in a single URL.
"""

import re
from functools import lru_cache
from typing import Final

# One search shows for most URLs that there is nothing to replace.
_VARIABLE: Final = re.compile(r"[0-9?;]|[A-Za-z]{20}")
_DIGITS: Final = re.compile(r"(?<!%)(?<!%[0-9A-F])[0-9]+")
_OPAQUE: Final = re.compile(
    r"(?<![0-9A-Za-z%])(?:"
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"  # UUID
    r"|(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,}"  # hexadecimal, with digits and letters
    r"|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[0-9A-Za-z]{20,}"  # base 32, 36, 62
    r"|[A-Za-z]{33,}"  # no word of any language is that long in one piece
    r")(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_SESSION: Final = re.compile(r"[;/(](?:[a-z]*sess(?:ion)?_?(?:id)?|sid|zenid)[=/(:][0-9a-z_-]{8,}", re.IGNORECASE)
_YEAR: Final = re.compile(
    r"(?:[?&;](?:y|yr|year|cal_?year|date|month)=|/calendar/(?:\w+/)?)([0-9]{4})(?![0-9])", re.IGNORECASE
)

_CALENDAR: Final = re.compile(
    r"[/?&;_-](?:calendar|calender|kalender|calendrier|calendario|agenda|cal)(?![a-z]).*[?/=_-][0-9]", re.IGNORECASE
)

_LONGEST_PERIOD: Final = 4
_REPEATS: Final = 3
_FEWEST_SHUFFLED: Final = 4
_DEEPEST: Final = 20
_MOST_PARAMETERS: Final = 20
_YEARS: Final = range(1700, 2101)


@lru_cache(maxsize=16_384)  # about 5 MB: pages of a site cite each other, and its navigation is on every page
def shape_of(url: str) -> str:
    """Return a canonical URL with its variable parts replaced.

    Digit runs become `#`, opaque tokens `*`, a query its sorted keys, a repeated run of folders `(…)+`, and a path that
    shuffles few names `{…}+`.

    >>> shape_of("http://a.example/news/2024/story-77?page=3&id=9")
    'http://a.example/news/#/story-#?id&page'
    >>> shape_of("http://a.example/x/a/b/a/b/a/b/")
    'http://a.example/x/(a/b)+/'
    >>> shape_of("http://a.example/old/new/new/old")
    'http://a.example/{new,old}+'
    """
    start = url.find("/", 8)
    if _VARIABLE.search(url, start) is None:
        folders = url.split("/")
        if len(folders) == len(set(folders)) + (url[-1] == "/"):
            return url
    path, _, query = url[start:].partition("?")
    path = _blank(_fold(path))
    return f"{url[:start]}{path}?{_keys(query)}" if query else url[:start] + path


def _blank(text: str) -> str:
    return _DIGITS.sub("#", _OPAQUE.sub("*", text))


def _keys(query: str) -> str:
    return "&".join(sorted({_blank(part.partition("=")[0]) for part in query.split("&")}))


def _fold(path: str) -> str:
    """Write each repeated run of folders once, in brackets."""
    folders = path.split("/")
    if len(folders) == len(set(folders)):
        return path
    kept: list[str] = []
    at = 0
    while at < len(folders):
        period, times = _repetition(folders, at)
        group = "/".join(folders[at : at + period])
        kept.append(f"({group})+" if times > 1 else group)
        at += period * times
    return _unshuffle_path(folders, kept) or "/".join(kept)


def _unshuffle_path(folders: list[str], kept: list[str]) -> str:
    """Write the names of a path that repeats the same few in any order; return "" for others."""
    parts, names = [folder for folder in folders if folder], set(filter(None, folders))
    if len(parts) < _FEWEST_SHUFFLED or 2 * len(names) > len(parts) or len(list(filter(None, kept))) <= len(names) + 1:
        return ""
    return f"/{{{','.join(sorted(names))}}}+"


def _repetition(folders: list[str], at: int) -> tuple[int, int]:
    """Return the period and the count of the run that repeats from `at`, or (1, 1).

    One folder twice is too common to mean anything (/en/en/, /07/07/); a longer group twice, or one thrice, is not.
    """
    for period in range(1, _LONGEST_PERIOD + 1):
        group = folders[at : at + period]
        times = 1
        while folders[at + times * period : at + (times + 1) * period] == group:
            times += 1
        if times > (2 if period == 1 else 1) and group[0]:
            return period, times
    return 1, 1


def suspicion(url: str) -> str:
    """Name the trap that a canonical URL seems to lead into, or return "".

    >>> suspicion("http://a.example/a/b/a/b/a/b/a/b/x.htm")
    'path repeats a/b 4 times'
    """
    path, _, query = url[url.find("/", 8) :].partition("?")
    folders = path.split("/")
    if len(folders) > 3 and len(set(folders)) < len(folders) - 1 and (repeated := _repeated(folders)):
        return repeated
    if len(folders) > _DEEPEST:
        return f"path is {len(folders) - 1} folders deep"
    if _SESSION.search(path):
        return "session id in the path"
    return _odd_query(url, query) or ("it walks a calendar" if _CALENDAR.search(url, url.find("/", 8)) else "")


def _repeated(folders: list[str]) -> str:
    at = 0
    while at < len(folders):
        period, times = _repetition(folders, at)
        if times >= _REPEATS:
            return f"path repeats {'/'.join(folders[at : at + period])} {times} times"
        at += period * times
    return ""


def _odd_query(url: str, query: str) -> str:
    if not query and "calendar" not in url:
        return ""
    if (year := _YEAR.search(url)) and int(year[1]) not in _YEARS:
        return f"calendar in the year {year[1]}"
    keys = [part.partition("=")[0] for part in query.split("&")]
    if len(keys) > _MOST_PARAMETERS:
        return f"query has {len(keys)} parameters"
    for key in set(keys):
        if (times := keys.count(key)) > _REPEATS and not key.endswith(("[]", "%5B%5D")):
            return f"query repeats {key} {times} times"
    return ""
