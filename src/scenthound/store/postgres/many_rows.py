"""Updates of many rows as one statement: the server begins a statement once, and not once for each row.

The values come as one array for each placeholder. An update that joins the arrays changes each row once, so that rows
with the same key must not go together.

>>> sql = "UPDATE standings SET tries = tries + $1 WHERE host_id = $2 AND key = $3"
>>> joined(sql, ("int4", "int8", "int8"))  # doctest: +NORMALIZE_WHITESPACE
'UPDATE standings SET tries = tries + v.p1 FROM unnest($1::int4[], $2::int8[], $3::int8[]) AS v (p1, p2, p3)
 WHERE host_id = v.p2 AND key = v.p3'
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

_UPDATE = re.compile(r"\s*UPDATE \w+ SET [^()']+ WHERE ([^()']+)")
_DELETE = re.compile(r"\s*DELETE FROM \w+ WHERE ([^()']+)")
_PLACE = re.compile(r"\$(\d+)")
Row = Sequence[object]


@lru_cache(maxsize=512)
def keys_of(text: str) -> tuple[int, ...]:
    """Return which values name the row that a statement changes; none if it is not a plain update or deletion.

    >>> keys_of("DELETE FROM claims WHERE url_id = $1"), keys_of("INSERT INTO claims VALUES ($1)")
    ((0,), ())
    """
    found = _UPDATE.fullmatch(text) or _DELETE.fullmatch(text)
    return tuple(int(number) - 1 for number in _PLACE.findall(found[1])) if found else ()


def joined(text: str, kinds: Sequence[str]) -> str:
    """Return a statement for one row as one for arrays of rows."""
    arrays = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(kinds, 1))
    names = ", ".join(f"p{number}" for number in range(1, len(kinds) + 1))
    word = "USING" if _DELETE.fullmatch(text) else "FROM"
    head, where, rest = _PLACE.sub(r"v.p\1", text).partition(" WHERE ")
    return f"{head} {word} unnest({arrays}) AS v ({names}){where}{rest}"


def apart(rows: Sequence[Row], keys: Sequence[int]) -> Iterator[list[Row]]:
    """Yield rows in their order, in pieces that have no key twice.

    >>> list(apart([(1, "a"), (2, "b"), (1, "c")], [0]))
    [[(1, 'a'), (2, 'b')], [(1, 'c')]]
    """
    piece: list[Row] = []
    seen: set[tuple[object, ...]] = set()
    for row in rows:
        key = tuple(row[place] for place in keys)
        if key in seen:
            yield piece
            piece, seen = [], set()
        seen.add(key)
        piece.append(row)
    if piece:
        yield piece
