"""Ports that the crawl never connects to: a link must not make us talk to mail, terminals or printers.

The list is that of browsers (WHATWG Fetch, "port blocking"), so a link that works there works here. We add Redis and
memcached: browsers leave them out, but both take commands line by line, and a crawler meets more links than a reader.
"""

from typing import Final

BLOCKED: Final = frozenset(
    {
        0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
        109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526,
        530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045,
        4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 6379, 11211,
    }
)  # fmt: skip


def is_blocked(host: str) -> bool:
    """Tell whether the port of a host, as written in a canonical URL, is blocked.

    >>> is_blocked("a.example:22"), is_blocked("a.example:8080"), is_blocked("a.example"), is_blocked("[::1]:6379")
    (True, False, False, True)
    """
    port = host.rpartition(":")[2]
    return port.isdecimal() and port != host and int(port) in BLOCKED
