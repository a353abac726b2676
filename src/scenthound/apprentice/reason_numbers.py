"""The numbers behind a score as they are kept: a weight for each scent, then facts to tell them by, as 32-bit floats.

`status` reads one of them. So nothing is imported here: numpy and scipy would take most of its time.
"""

import struct
from typing import Final

NAMES: Final = (
    "start",  # always 1
    "citing",  # how many links lead there, log
    "page",  # the relevance of the pages that cite it
    "best page",  # of the best of them
    "merits",  # of all of them together, log
    "meaning",  # what links led to whose own words mean the same
    "context",  # the same of these and the words next to them
    "near",  # what links with the same words next to them led to
    "around",  # the same of all words around
    "address",  # what addresses with the same words led to
    "neighbours",  # what the links next to it led to
    "host",  # what other pages of the host were like
    "folder",  # what pages of the host were like whose addresses begin and end alike
    "length",  # words of the link, up to six
    "place",  # where on the page it stands, log
    "hub",  # how good a hub the best of the pages is that cite it
)
FACTS: Final = (
    "citing",
    "merit",
    "near tried",
    "near yielded",
    "host tried",
    "host yielded",
    "folder tried",
    "folder yielded",
    "hub",
    "lead",
)


def lead_of(kept: bytes) -> float | None:
    """Return the weight of the apprentice against best-first behind a score; None if it was not kept.

    >>> lead_of(struct.pack("<26f", *range(26))), lead_of(b"something else")
    (25.0, None)
    """
    whole = len(kept) == 4 * (len(NAMES) + len(FACTS))
    return float(struct.unpack_from("<f", kept, len(kept) - 4)[0]) if whole else None
