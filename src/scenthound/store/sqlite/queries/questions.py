"""For questions in SQL: the views under the papers' names, example questions, and the names that SQLite knows."""

import sqlite3
from importlib.resources import files
from typing import Final

QUESTION: Final = "SELECT url, relevance FROM CRAWL LIMIT 10"
SHORT_QUESTION: Final = "SELECT url FROM CRAWL LIMIT 5"
# What the editor of the window begins with.
FIRST_QUESTION: Final = (
    "SELECT url, title, relevance\nFROM CRAWL\nWHERE relevance IS NOT NULL\nORDER BY relevance DESC\nLIMIT 20;"
)
INSERT_TOPIC: Final = "INSERT INTO TAXONOMY VALUES (?, ?, ?, ?, ?)"
_TABLES: Final = "SELECT name FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' ORDER BY schema, name"
_COLUMNS: Final = """
SELECT c.name, t.name FROM pragma_table_list t, pragma_table_info(t.name) c
WHERE t.name NOT LIKE 'sqlite_%' ORDER BY t.name"""


def paper_views() -> str:
    """Return the statements that make the views and tables under the papers' names."""
    return (files("scenthound.store.sqlite.queries") / "paper_views.sql").read_text(encoding="utf-8")


def function_names(con: sqlite3.Connection) -> list[str]:
    """Return the functions that a statement may call."""
    return [name for (name,) in con.execute("SELECT DISTINCT name FROM pragma_function_list")]


def table_names(con: sqlite3.Connection) -> list[str]:
    """Return the tables and views that a statement may read."""
    return [name for (name,) in con.execute(_TABLES)]


def column_names(con: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return all columns, each with its table."""
    return con.execute(_COLUMNS).fetchall()


def column_types(con: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    """Return the columns of a table, each with its type."""
    return con.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
