"""The SQL of `store/sqlite` as PostgreSQL reads it: other placeholders, and a few spellings that only SQLite knows.

Everything else is written so that both databases read it. A statement is translated once and then remembered.

>>> translated("SELECT a FROM t CROSS JOIN u ON u.id = t.id WHERE b = :b AND c = :c AND d IS NOT :b").text
'SELECT a FROM t JOIN u ON u.id = t.id WHERE b = $1 AND c = $2 AND d IS DISTINCT FROM $1'
>>> translated("INSERT INTO t VALUES (?1, ?2, ?1)").text, translated("SELECT ':a', ?").text
('INSERT INTO t VALUES ($1, $2, $1)', "SELECT ':a', $1")
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

# Quoted text and comments come first, so that nothing in them is taken for a placeholder.
_TOKEN = re.compile(r"'(?:[^']|'')*'|--[^\n]*|\?\d+|\?|(?<!:):[a-z_]+")
_SPELLINGS = (
    (re.compile(r"\bCROSS JOIN\b"), "JOIN"),  # tells SQLite's planner the order of the loops
    (re.compile(r" NOT INDEXED\b"), ""),
    (re.compile(r"\bIS NOT (?!NULL\b)"), "IS DISTINCT FROM "),
    (
        re.compile(r"\bCAST\(([^?]+?) \+ 0\.5 AS INTEGER\)"),
        r"floor(\1 + 0.5)",
    ),  # a CAST rounds there, and cuts off here
    (re.compile(r"\bCAST\(([\w.]+ \* 10) AS INTEGER\)"), r"CAST(trunc(\1) AS INTEGER)"),
    (re.compile(r"\bmin\(9, max\(0, (CAST.*?INTEGER\))\)\)"), r"least(9, greatest(0, \1))"),
    (re.compile(r"\bgroup_concat\(([\w.]+)\)"), r"string_agg(CAST(\1 AS TEXT), ',')"),
    (re.compile(r"\bINDEX (IF NOT EXISTS )?temp\."), r"INDEX \1"),
)
# What a temporary table of the distiller has: scores need all their digits, and ids all theirs.
_TEMPORARY = (
    (re.compile(r"\bREAL\b"), "DOUBLE PRECISION"),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
)
# Statements of the store mark where an engine looks at its own hosts only; see sqlite/transaction.py.
_OWN = re.compile(r"/\* own (h\.)?hosts \*/")
_OF_ENGINE = r"AND \1shard IN (SELECT o.shard FROM shards o WHERE o.engine = {})"
Values = Iterable[object] | Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Translated:
    """A statement with numbered placeholders; `names` has the names of the numbers, where they had any."""

    text: str
    names: tuple[str, ...]

    def ordered(self, values: Values) -> list[object]:
        """Return values in the order of their numbers."""
        if isinstance(values, Mapping):
            return [values[name] for name in self.names]
        return list(values)


# All tables of the crawl, as store/sqlite has them too.
TABLES = (
    "hosts", "places", "finds", "standings", "claims", "pages", "terms", "critics", "bands", "links", "lessons",
    "lesson_pages", "distillations", "prestige", "fetches", "visits", "lost_links", "backlinks", "asked_backwards",
    "robots", "shapes", "archive_files", "uploads", "notes", "limits", "counters",
)  # fmt: skip
_VIEWS = ("frontier", "fetched", "citations", "changes", "errors_by_reason", "hosts_by_state", "CRAWL", "LINK")
_WRITES = re.compile(r"\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)\b")
# Some columns have the name of a table: as a table it stands behind one of these words.
_AS_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE) (?!SET\b)(\w+)")


@lru_cache(maxsize=2048)
def touched(sql: str) -> tuple[frozenset[str], str]:
    """Return the tables that a statement may read or write; and, if it only writes, and to one of them, its name.

    A statement that names a view, or no table of a crawl, may read any of them.

    >>> sorted(touched("SELECT * FROM hosts h JOIN finds f ON f.host_id = h.id")[0]), touched("DELETE FROM claims")[1]
    (['finds', 'hosts'], 'claims')
    >>> touched("INSERT INTO places VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET busy = ?2")[1]
    'places'
    """
    named = set(_AS_TABLE.findall(sql))
    found = _WRITES.match(sql)
    if found and named == {found[1]} <= set(TABLES) and "SELECT" not in sql and "RETURNING" not in sql:
        return frozenset(named), found[1]
    if "urls" in named:
        named |= {"finds", "standings"}
    known = named & set(TABLES)
    return (frozenset(TABLES) if not known or named & set(_VIEWS) else frozenset(known)), ""


@lru_cache(maxsize=2048)
def translated(sql: str, engine: int = 0) -> Translated:
    """Return a statement as PostgreSQL reads it; one of several engines sees its own hosts where that is marked.

    >>> translated("SELECT h.id FROM hosts h WHERE h.bad /* own h.hosts */", 7).text
    'SELECT h.id FROM hosts h WHERE h.bad AND h.shard IN (SELECT o.shard FROM shards o WHERE o.engine = 7)'
    """
    names: list[str] = []
    questions = 0

    def place(found: re.Match[str]) -> str:
        nonlocal questions
        token = found[0]
        if token[0] in "'-":
            return token
        if token[0] == ":":
            if token[1:] not in names:
                names.append(token[1:])
            return f"${names.index(token[1:]) + 1}"
        if token == "?":
            questions += 1
            return f"${questions}"
        return f"${token[1:]}"

    text = _TOKEN.sub(place, _OWN.sub(_OF_ENGINE.format(engine), sql) if engine else sql)
    for spelling, other in (*_SPELLINGS, *(_TEMPORARY if text.startswith("CREATE TEMP") else ())):
        text = spelling.sub(other, text)
    return Translated(text, tuple(names))
