"""Where a crawl may not go, by the address alone."""

import pytest

from scenthound.frontier.bounds import Bounds
from scenthound.parse.ports import BLOCKED
from scenthound.types import Reason

BOUNDS = Bounds(locked=[], max_url=1000, max_host=255)
# As the standard lists them (WHATWG Fetch, "port blocking"), in ranges.
BROWSERS = {
    0,
    1,
    7,
    9,
    11,
    13,
    15,
    17,
    *range(19, 24),
    25,
    37,
    42,
    43,
    53,
    69,
    77,
    79,
    87,
    95,
    *range(101, 105),
    109,
    110,
    111,
    113,
}
BROWSERS |= {
    115,
    117,
    119,
    123,
    135,
    137,
    139,
    143,
    161,
    179,
    389,
    427,
    465,
    *range(512, 516),
    526,
    530,
    531,
    532,
    540,
    548,
    554,
    556,
}
BROWSERS |= {
    563,
    587,
    601,
    636,
    989,
    990,
    993,
    995,
    1719,
    1720,
    1723,
    2049,
    3659,
    4045,
    4190,
    5060,
    5061,
    6000,
    6566,
    *range(6665, 6670),
}
BROWSERS |= {6679, 6697, 10080}


def test_the_ports_are_those_of_browsers_and_two_more() -> None:
    assert BROWSERS | {6379, 11211} == BLOCKED


@pytest.mark.parametrize("port", sorted(BLOCKED))
def test_links_to_ports_of_other_services_are_refused(port: int) -> None:
    for host in ("a.example", "127.0.0.1", "[2001:db8::1]"):
        assert BOUNDS.address(f"http://{host}:{port}/").refusal is Reason.BLOCKED_PORT
        assert BOUNDS.address(f"https://{host}:{port}/x?y=:8080").refusal is Reason.BLOCKED_PORT


@pytest.mark.parametrize(
    "host", ["a.example", "a.example:8080", "a.example:81", "[2001:db8::22]", "[2001:db8::22]:8443"]
)
def test_others_are_not(host: str) -> None:
    assert BOUNDS.address(f"http://{host}/x:22/").refusal is None
