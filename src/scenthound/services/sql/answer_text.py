"""Answers in SQL as text that other programs read: CSV and JSON, written row by row as they are found."""

import csv
from collections.abc import Sequence
from typing import Protocol

import msgspec

from scenthound.distill.query import Answer
from scenthound.terminal import cell, in_json


class Written(Protocol):
    """Whatever text can be written to."""

    def write(self, text: str, /) -> object: ...


def write_csv(answer: Answer, out: Written) -> None:
    """Write rows as CSV (RFC 4180), as they are found; NULL is an empty field."""
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell(name) for name in answer.columns])
    writer.writerows([cell(plain(value)) for value in row] for row in answer.rows)


def write_json(answer: Answer, out: Written) -> None:
    """Write a JSON array of objects, one a line, as they are found."""
    names, ahead = distinct(answer.columns), "["
    for row in answer.rows:
        told = dict(zip(names, map(plain, row), strict=True))
        out.write(f"{ahead}\n{in_json(msgspec.json.encode(told).decode())}")
        ahead = ","
    out.write("[]\n" if ahead == "[" else "\n]\n")


def distinct(columns: Sequence[str]) -> list[str]:
    """Number columns that have the same name, so that none hides another.

    >>> distinct(["url", "count", "url"])
    ['url', 'count', 'url_2']
    """
    names: list[str] = []
    for column in columns:
        number = 1 + sum(name == column or name.startswith(f"{column}_") for name in names)
        names.append(column if column not in names else f"{column}_{number}")
    return names


def plain(value: object) -> object:
    """Return a value as text formats can have it: bytes in hexadecimal."""
    return value.hex() if isinstance(value, bytes) else value
