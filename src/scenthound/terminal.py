"""Makes text from the web safe to show. Titles, URLs and reason phrases come from any server.

Terminals obey escape sequences (ECMA-48), spreadsheets compute cells, and people read JSON in terminals too. All output
goes through `say` or `say_json`.
"""

import re
from typing import IO, Final

# Control characters except line ends and tabs (C0, DEL, C1), characters that change the direction of text or break
# lines, invisible tags, and single surrogates, which cannot be encoded.
_HARMFUL: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f\ud800-\udfff]|\r(?!\n)"
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def shown(text: str) -> str:
    r"""Return a text that is safe in a terminal: control characters become their numbers.

    >>> print(shown("\x1b]0;owned\x07 \u202eexe"))
    \x1b]0;owned\x07 \u202eexe
    """
    return _HARMFUL.sub(lambda found: _number(found[0]), text)


def in_json(text: str) -> str:
    r"""Return the same JSON with these characters escaped.

    >>> import json
    >>> in_json('"\x9b31m"'), json.loads(in_json('"\x9b31m"')) == "\x9b31m"
    ('"\\u009b31m"', True)
    """
    return _HARMFUL.sub(lambda found: _json_number(found[0]), text)


def cell(value: object) -> object:
    """Return a value for CSV that no spreadsheet takes for a formula, by a leading apostrophe.

    >>> cell("=1+1"), cell("-cmd"), cell(-1.5), cell("plain")
    ("'=1+1", "'-cmd", -1.5, 'plain')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def say(*texts: object, file: IO[str] | None = None, end: str = "\n", flush: bool = False) -> None:
    """Print texts safely. The arguments are those of `print`."""
    print(*(shown(str(text)) for text in texts), file=file, end=end, flush=flush)


def say_json(value: object) -> None:
    """Print a value as JSON."""
    import msgspec  # `scenthound --help` does not need it

    print(in_json(msgspec.json.encode(value).decode()))


class Shown:
    """A terminal as a file: everything written to it is made safe."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(shown(text))


def for_people(out: IO[str]) -> "IO[str] | Shown":
    """Return a file to write to. Only a terminal gets safe text; other files get the original."""
    return Shown(out) if out.isatty() else out


def _number(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_number(letter: str) -> str:
    code = ord(letter)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
