"""Spans of time as people write them: 30m, 6h, 1d, 1w."""

import re
from typing import Final

from scenthound.errors import SettingError

_UNITS: Final = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_NAMES: Final = {"m": "minute", "h": "hour", "d": "day", "w": "week"}
_LONGEST: Final = 53 * 604_800.0


def seconds_of(text: str, *, of: str) -> float:
    """Return the seconds of a span; `of` is what it was given for.

    >>> seconds_of("6h", of="--every"), seconds_of("1.5d", of="--every")
    (21600.0, 129600.0)
    """
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)\s*([mhdw])", text.strip().lower())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not 60.0 <= seconds <= _LONGEST:
        raise SettingError(
            f'{of} "{text}" cannot be used; give a number and m, h, d or w, from 1m to 53w, such as 30m, 6h, 1d or 1w'
        )
    return seconds


def in_words(seconds: float) -> str:
    """Return a span in words.

    >>> in_words(21600.0), in_words(60.0), in_words(129600.0), in_words(604800.0)
    ('6 hours', '1 minute', '36 hours', '1 week')
    """
    unit = next((unit for unit in "wdhm" if seconds >= _UNITS[unit] and not seconds % _UNITS[unit]), "m")
    number = seconds / _UNITS[unit]
    return f"{number:g} {_NAMES[unit]}{'' if number == 1 else 's'}"
