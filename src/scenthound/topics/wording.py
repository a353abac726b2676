"""How numbers and names stand in the sentences that importing and editing topics say."""

from collections.abc import Sequence


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun, in the plural where it needs one.

    >>> count(1, "topic"), count(1200, "address", "addresses")
    ('1 topic', '1,200 addresses')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def quoted(names: Sequence[str], *, most: int = 4) -> str:
    """Write some names in quotation marks, and how many more there are.

    >>> print(quoted(["A", "B"]), quoted(["A", "B", "C"], most=1))
    "A" and "B" "A" and 2 more
    """
    shown = [f'"{name}"' for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most:,} more")
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + "".join(shown[-1:])
