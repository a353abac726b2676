"""The words of addresses: what a URL says about the page behind it."""

import re
from functools import cache
from typing import Final

from scenthound.parse.stems import STOP, stems

ADDRESS_WORDS: Final = 8  # of an address, the last

_ENDINGS: Final = ("htm", "html", "php", "asp", "aspx", "jsp")


def address_words(url: str) -> list[str]:
    """Return the words of an address behind its host, as stems.

    >>> address_words("http://a.example/wp/b/Bicycle_gears.htm?lang=en")
    ['bicycl', 'gear', 'lang']
    """
    path = url.partition("://")[2].partition("/")[2].lower()
    table = stems("en")  # addresses are in English more often than pages, and a wrong stem is still a word of its own
    found = (table[word.encode()] for word in _word().findall(path)[-ADDRESS_WORDS:])
    return [term for term in found if term and term not in (STOP, *_ENDINGS)]


@cache
def _word() -> re.Pattern[str]:
    return re.compile("[a-z]{3,}")
