"""Pages that contain only an HTTP status, whatever their own status: "301 Moved Permanently", "404 Not Found".

Servers send them as the body of a redirect or an error; copies of sites hold them as pages.
"""

import re
from http import HTTPStatus
from typing import Final

_PHRASES: Final = "|".join(re.escape(status.phrase) for status in HTTPStatus if status >= 300)
_CODE: Final = r"(?:http\W*)?(?:status|error)?\W*[345]\d\d\W*"
_TITLE: Final = re.compile(
    rf"\W*(?:{_CODE}(?:error|{_PHRASES}|moved|redirect\w*|(?:page |file |document |object )?(?:not found|moved).*)?"
    rf"|(?:{_PHRASES}|(?:object|document|page) (?:has )?(?:moved|not found)))\W*",
    re.IGNORECASE,
)
MOST_TERMS: Final = 60  # maximum number of distinct words of a status page


def is_status_page(title: str, terms: int) -> bool:
    """Tell whether a page with this title, and so many distinct words, is only a status message.

    >>> titles = ("301 Moved Permanently", "Object moved", "HTTP Status 404 – Not Found", "Error 404")
    >>> [is_status_page(title, 12) for title in titles]
    [True, True, True, True]
    >>> [is_status_page(title, 12) for title in ("404 Media", "500 days of touring", "Gone fishing", "")]
    [False, False, False, False]
    >>> is_status_page("404 Not Found", 400)  # an article about it
    False
    """
    return terms <= MOST_TERMS and bool(title) and _TITLE.fullmatch(" ".join(title.split())) is not None
