"""Numbers as the report writes them: shares without a leading zero, a true minus, p without false precision."""

from collections.abc import Iterable, Sequence

from scenthound.lab.experiment.values import Interval

DASH = "–"
MINUS = "−"
SURE = "95\N{NO-BREAK SPACE}%"  # how wide intervals are


def places(values: Iterable[float]) -> int:
    """Return how many decimals suit all of some values, so that a column is written alike from top to bottom.

    >>> places([0.4, 0.31]), places([2.5, 0.3]), places([48.0]), places([1830.0])
    (3, 2, 1, 0)
    """
    greatest = max((abs(value) for value in values), default=0.0)
    return 3 if greatest <= 1 else 2 if greatest < 10 else 1 if greatest < 100 else 0


def figure(value: float | None, decimals: int = 3) -> str:
    """Write a number.

    >>> figure(0.2964), figure(-0.05), figure(1.0), figure(1830.4, 0), figure(None)
    ('.296', '−.050', '1.000', '1,830', '–')
    """
    if value is None:
        return DASH
    text = f"{abs(value):,.{decimals}f}"
    sign = MINUS if value < 0 and float(text.replace(",", "")) else ""
    return sign + (text[1:] if text.startswith("0.") else text)


def signed(value: float, decimals: int = 3) -> str:
    """Write a difference, with its sign.

    >>> signed(0.106), signed(-0.02), signed(0.0)
    ('+.106', '−.020', '.000')
    """
    text = figure(value, decimals)
    return f"+{text}" if value > 0 and text.strip(".0") else text


def span(interval: Interval, decimals: int = 3) -> str:
    """Write an interval by its ends; a mean of one topic has none.

    >>> span(Interval(mean=0.3, low=0.27, high=0.33, topics=16))
    '.270 to .330'
    """
    if interval.topics < 2:
        return "one topic"
    return f"{figure(interval.low, decimals)} to {figure(interval.high, decimals)}"


def chance(p: float) -> str:
    """Write a probability of the test, to be set behind a "p".

    >>> chance(0.00004), chance(0.0034), chance(0.21), chance(1.0)
    ('< .001', '= .003', '= .21', '= 1')
    """
    if p < 0.001:
        return "< .001"
    if p >= 0.995:
        return "= 1"
    return f"= {figure(p, 3 if p < 0.095 else 2)}"


def listed(names: Sequence[str]) -> str:
    """Write names one after the other.

    >>> listed(["shark"]), listed(["shark", "ache", "breadth"])
    ('shark', 'shark, ache and breadth')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
