"""What `why` says of a URL that waits in an order of columns: its columns, and how many URLs stand before it."""

from collections.abc import Iterator
from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.frontier.orders import values_of
from scenthound.services.sql.read_connection import asking
from scenthound.services.why.reason_words import moment
from scenthound.settings.order_columns import is_combination, parsed
from scenthound.store.base import Priorities
from scenthound.store.sqlite.queries.crawl_progress import waiting_before
from scenthound.types import Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The columns of an order, as one URL has them, and the URLs that wait before it, equals not counted."""

    columns: dict[str, float]
    before: int


def place_of(
    directory: CrawlDirectory, store: Priorities, story: Story, order: str | None, expected: float
) -> Place | None:
    """Return where a URL stands, if it waits and the order is one of columns."""
    name = (order or "").partition(" ")[0]
    if story.state != "waiting" or not is_combination(name):
        return None
    nofollow = directory.settings().crawl.nofollow == "obey"
    values = values_of(store.bearings_of([story.url], nofollow=nofollow)[0], expected)
    with asking(directory) as con:
        before = waiting_before(con, story.demoted + story.tries, story.priority)
    return Place(columns={str(key): values[key.name] for key in parsed(name).keys}, before=before)


def place_lines(place: Place) -> Iterator[str]:
    """Yield it line by line.

    >>> list(place_lines(Place(columns={"tries": 0, "-relevance": 0.43, "server_load": 12}, before=37)))
    ['  In the order tries 0, relevance 0.43 (greatest first), server_load 12, 37 of the URLs that wait stand before it.']
    """
    named = ", ".join(_column(name, value) for name, value in place.columns.items())
    yield f"  In the order {named}, {place.before:,} of the URLs that wait stand before it."


def _column(name: str, value: float) -> str:
    descending = " (greatest first)" if name.startswith("-") else ""
    return f"{name.removeprefix('-')} {_value(name.removeprefix('-'), value)}{descending}"


def _value(name: str, value: float) -> str:
    if name == "last_visited":
        return moment(value) if value else "never"
    return f"{value:.2g}" if isinstance(value, float) and abs(value) < 10 else f"{value:,.0f}"
