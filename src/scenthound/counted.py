"""How a number stands with its noun in a sentence: "1 page", "1,200 pages"."""


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun, in the plural where it needs one.

    >>> count(1, "page"), count(1200, "page"), count(2, "address", "addresses")
    ('1 page', '1,200 pages', '2 addresses')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
