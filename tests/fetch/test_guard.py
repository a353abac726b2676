"""Which addresses the guard lets through, in every form an address can be written in."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.errors import SettingError
from scenthound.fetch.guard import Guard

# hypothesis draws from the special ranges often, which is where mistakes would be
v4 = st.ip_addresses(v=4)
v6 = st.ip_addresses(v=6)
# Forms that stand for an IPv4 address, where Python's answer is about the form and the guard's about the address.
EMBEDDING = (IPv6Network("64:ff9b::/96"), IPv6Network("::ffff:0:0/96"), IPv6Network("2002::/16"))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "fe80::1",
        "fe80::1%1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "2001:db8::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
        "100::1",
        "5f00::1",
        "3fff::1",
        "not an address",
        "",
    ],
)
def test_what_is_not_public_is_refused(address: str) -> None:
    assert not Guard([]).permits(address, "example.org")


@pytest.mark.parametrize(
    "address",
    [
        "93.184.216.34",
        "8.8.8.8",
        "172.32.0.1",
        "100.128.0.1",
        "2606:2800:220:1:248:1893:25c8:1946",
        "64:ff9b::808:808",  # what an IPv6-only network makes of 8.8.8.8
        "2002:808:808::1",
        "::ffff:8.8.8.8",
    ],
)
def test_what_is_public_is_permitted(address: str) -> None:
    assert Guard([]).permits(address, "example.org")


@given(v4)
def test_no_ipv4_address_passes_that_python_calls_private(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert not Guard([]).permits(str(address), "example.org")


@given(v6)
@example(IPv6Address("64:ff9b::808:808"))
def test_no_ipv6_address_passes_that_python_calls_private(address: IPv6Address) -> None:
    embeds = any(address in network for network in EMBEDDING)
    if not embeds and (not address.is_global or address.is_multicast or address.is_link_local):
        assert not Guard([]).permits(str(address), "example.org")


@given(v4)
def test_an_embedded_address_passes_only_where_it_would_pass_itself(inner: IPv4Address) -> None:
    guard = Guard([])
    itself = guard.permits(str(inner), "example.org")
    number = int(inner)
    mapped, nat64, six_to_four = (0xFFFF << 32) | number, (0x64FF9B << 96) | number, (0x2002 << 112) | (number << 80)
    for form in (mapped, nat64, six_to_four):
        assert guard.permits(str(IPv6Address(form)), "example.org") == itself
    compatible, teredo = number, (0x20010000 << 96) | (number ^ 0xFFFFFFFF)
    for form in (compatible, teredo):
        assert not guard.permits(str(IPv6Address(form)), "example.org")


@given(st.one_of(v4, v6))
def test_what_the_user_wrote_down_is_permitted_and_only_that(address: IPv4Address | IPv6Address) -> None:
    text = str(address)
    assert Guard([text]).permits(text, "example.org")
    neighbour = str(type(address)(int(address) ^ 1))
    assert Guard([text]).permits(neighbour, "example.org") == Guard([]).permits(neighbour, "example.org")


def test_an_allowed_network_is_also_allowed_where_an_ipv6_address_embeds_it() -> None:
    guard = Guard(["10.0.0.0/8"])
    assert guard.permits("10.9.8.7", "x.test")
    assert guard.permits("::ffff:10.9.8.7", "x.test")
    assert not guard.permits("192.168.0.1", "x.test")


def test_a_name_may_be_allowed_by_itself_or_with_all_below_it() -> None:
    guard = Guard(["intranet", "*.corp.example"])
    assert guard.permits("10.0.0.1", "intranet")
    assert guard.permits("10.0.0.1", "Wiki.Corp.Example.")
    assert not guard.permits("10.0.0.1", "corp.example")
    assert not guard.permits("10.0.0.1", "evilcorp.example")
    assert not guard.permits("10.0.0.1", "10.0.0.1")


@pytest.mark.parametrize("entry", ["10.0.0.0/40", "a b", "", "*", "http://intranet/"])
def test_an_entry_that_is_neither_address_nor_name_is_an_error_that_names_it(entry: str) -> None:
    with pytest.raises(SettingError, match="allow_private"):
        Guard([entry])
