"""The precision of figures: twelve significant digits, so that no result depends on the last bit of a sum."""


def tidy(value: float) -> float:
    """Round to 12 significant digits.

    >>> tidy(0.1 + 0.2), tidy(2 / 3), tidy(12345678.5)
    (0.3, 0.666666666667, 12345678.5)
    """
    return float(f"{value:.12g}")


def tidy_or_none(value: float | None) -> float | None:
    return None if value is None else tidy(value)
