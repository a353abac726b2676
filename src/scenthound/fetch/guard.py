"""Which addresses a crawl may connect to: nothing private is reached by accident.

Follows the IANA special-purpose address registries (RFC 6890 and its updates) and not `ipaddress.is_global`, whose
answers differ between Python releases. IPv6 is refused unless known to be public.
"""

import re
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from scenthound.errors import SettingError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_REFUSED_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network; 0.0.0.0 reaches this machine on Linux
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; 100.100.100.200 is Alibaba's metadata service
        "127.0.0.0/8",
        "168.63.129.16/32",  # a public address that inside Azure is the machine's platform service
        "169.254.0.0/16",  # link-local; 169.254.169.254 is most clouds' metadata service
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; 192.0.0.192 is Oracle's metadata service
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays, withdrawn by RFC 7526
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_REFUSED_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, including Teredo (2001::/32): no web server is there, whatever it embeds
        "2001:db8::/32",
        "3fff::/20",
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_NAME = re.compile(r"(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")


class Guard:
    """Decides whether a connection to an address is allowed. Everything private is refused unless `allow` names it.

    An entry of `allow` is a network, an address, or a host name (exact, or "*.name" for the names below it).

    >>> guard = Guard(["10.1.0.0/16", "*.corp.example"])
    >>> guard.permits("93.184.216.34", "example.org"), guard.permits("127.0.0.1", "example.org")
    (True, False)
    >>> guard.permits("10.1.2.3", "10.1.2.3"), guard.permits("192.168.0.7", "wiki.corp.example")
    (True, True)
    """

    def __init__(self, allow: Sequence[str]) -> None:
        self._networks = tuple(network for entry in allow if (network := _network_of(entry)) is not None)
        self._names = frozenset(_name_of(entry) for entry in allow if _network_of(entry) is None)

    def permits(self, address: str, host: str) -> bool:
        """Tell whether a connection to `address` is allowed for a URL with this `host`."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return self._allows(parsed) or self._names_allow(host) or self._is_harmless(parsed)

    def _is_harmless(self, address: Address) -> bool:
        inner = address if isinstance(address, IPv4Address) else embedded_v4(address)
        if inner is None:
            return is_public_v6(address)
        return is_public_v4(inner) or self._allows(inner)

    def _allows(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    def _names_allow(self, host: str) -> bool:
        name = host.lower().rstrip(".")
        return bool(self._names) and any(pattern in self._names for pattern in patterns_of(name))


def is_public_v4(address: IPv4Address) -> bool:
    """Tell whether an IPv4 address can belong to a public web server."""
    return not any(address in network for network in _REFUSED_V4)


def is_public_v6(address: Address) -> bool:
    """Tell whether an IPv6 address without an embedded IPv4 address can belong to a public web server."""
    return address in _GLOBAL_UNICAST and not any(address in network for network in _REFUSED_V6)


def embedded_v4(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address where a packet to this IPv6 address would end: IPv4-mapped, 6to4, NAT64 (RFC 6052).

    IPv4-compatible addresses, Teredo and the local NAT64 prefix 64:ff9b:1::/48 are refused as a whole: no public server
    has one.

    >>> str(embedded_v4(IPv6Address("64:ff9b::7f00:1")))
    '127.0.0.1'
    """
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def patterns_of(name: str) -> Iterator[str]:
    """Yield the name and the wildcards that cover it, most exact first.

    >>> list(patterns_of("a.b.test"))
    ['a.b.test', '*.b.test', '*.test', '*']
    """
    yield name
    while "." in name:
        name = name.split(".", 1)[1]
        yield f"*.{name}"
    yield "*"


def _network_of(entry: str) -> Network | None:
    try:
        return ip_network(entry.strip().strip("[]"), strict=False)
    except ValueError:
        return None


def _name_of(entry: str) -> str:
    name = entry.strip().lower().rstrip(".")
    if not _NAME.fullmatch(name):
        raise SettingError(
            f'fetch.allow_private: "{entry}" is neither a network (10.0.0.0/8), an address nor a host name; correct it'
        )
    return name
