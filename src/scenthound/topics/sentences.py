"""How names stand in the sentences about importing and editing topics."""

from collections.abc import Sequence


def quoted(names: Sequence[str], *, most: int = 4) -> str:
    """Write some names in quotation marks, and how many more there are.

    >>> print(quoted(["A", "B"]), quoted(["A", "B", "C"], most=1))
    "A" and "B" "A" and 2 more
    """
    shown = [f'"{name}"' for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most:,} more")
    return ", ".join(shown[:-1]) + (" and " if len(shown) > 1 else "") + "".join(shown[-1:])
