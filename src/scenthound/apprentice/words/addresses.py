"""The words of addresses: what a URL says about the page behind it, as the numbers of their stems."""

import re
from functools import cache
from typing import Final

from scenthound.parse.words.stems import STOP, stems
from scenthound.parse.words.word_stream import number_of

ADDRESS_WORDS: Final = 8  # of an address, the last
LONGEST_ENDING: Final = 12  # characters of a file's ending that count

_SILENT: Final = frozenset({"", STOP, "htm", "html", "php", "asp", "aspx", "jsp"})  # terms that say nothing
_NOTHING: Final = -1  # the number of these
_MOST_REMEMBERED: Final = 100_000


def address_words(url: str) -> list[int]:
    """Return the words of an address behind its host.

    >>> words = address_words("http://a.example/wp/b/Bicycle_gears.htm?lang=en")
    >>> words == [*map(number_of, ("bicycl", "gear", "lang"))]
    True
    """
    path = url.partition("://")[2].partition("/")[2].lower()
    words = _word().findall(path)[-ADDRESS_WORDS:]
    return [number for number in map(_numbers().__getitem__, words) if number != _NOTHING]


def folder_of(url: str) -> str:
    """Return what a URL has in common with its like: the host, the first folder, and the ending, numbers blanked.

    >>> folder_of("http://a.example/images/12/1254.jpg.htm"), folder_of("http://a.example/wiki2/Bicycle?lang=en")
    ('a.example/images/*.jpg.htm', 'a.example/wiki#/*')
    >>> folder_of("http://a.example/"), folder_of("http://a.example/index.html")
    ('a.example/*', 'a.example/*.html')
    """
    host, _, path = url.partition("://")[2].partition("/")
    path = path.partition("?")[0]
    folders, _, name = path.rpartition("/")
    first = folders.partition("/")[0]
    ending = name[name.find(".") :] if "." in name else ""
    return f"{host}/{_digits().sub('#', f'{first}/' if first else '')}*{_digits().sub('#', ending[:LONGEST_ENDING])}"


class _Numbers(dict[str, int]):
    """The numbers of words, remembered: the same words come again and again."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        term = stems("en")[
            word.encode()
        ]  # addresses are in English more often than pages, and a wrong stem is still a word
        number = self[word] = _NOTHING if term in _SILENT else number_of(term)
        return number


@cache
def _numbers() -> _Numbers:
    return _Numbers()


@cache
def _word() -> re.Pattern[str]:
    return re.compile("[a-z]{3,}")


@cache
def _digits() -> re.Pattern[str]:
    return re.compile("[0-9]+")
