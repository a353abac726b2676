"""Markdown as it is written by hand: tables, parts to be opened, pictures."""

from collections.abc import Collection, Sequence
from html import escape


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> str:
    """Return a table; columns of these numbers are set to the right.

    >>> print(table(["name", "share"], [["a|b", ".5"]], numbers=[1]), end="")
    | name | share |
    |---|--:|
    | a\\|b | .5 |
    """
    marks = ["--:" if place in numbers else "---" for place in range(len(headings))]
    lines = [_line(headings), "|" + "|".join(marks) + "|", *map(_line, rows)]
    return "\n".join(lines) + "\n"


def details(title: str, inside: str) -> str:
    """Return a part that is shown when its title is clicked."""
    return f"<details>\n<summary>{escape(title)}</summary>\n\n{inside.rstrip()}\n\n</details>\n"


def picture(path: str, *, alt: str, caption: str) -> str:
    """Return a picture with what it shows below it."""
    return f"![{alt.replace('[', '(').replace(']', ')')}]({path})\n\n*{caption}*\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").strip() for cell in cells) + " |"
