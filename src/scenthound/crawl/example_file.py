"""Reading a file of the user's as a page: an example that lies beside the topics file, or a file to be classified."""

from pathlib import Path

from scenthound.config import FetchSettings
from scenthound.judge.base import Page
from scenthound.parse.page import read
from scenthound.parse.text import terms_of
from scenthound.types import Fetch

_LARGEST = 50_000_000


def page_of_file(path: Path) -> Page | str:
    """Return a file as a page, or in words why it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            return f"larger than {_LARGEST // 1_000_000} MB"
        body = path.read_bytes()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    settings = FetchSettings()
    fetch = Fetch(url=path.absolute().as_uri(), started=0.0, finished=0.0, status=200, body=body)
    reading = read(fetch, types=settings.types, max_unpacked=settings.max_unpacked, product=settings.user_agent)
    if reading.reason is not None:
        return f"{reading.reason} {reading.detail}".strip()
    return Page(
        url=fetch.url,
        title=reading.title or path.name,
        language=reading.language,
        terms=terms_of(reading),
        text=" ".join(reading.leaves),
    )
