"""What pages say about their use: licences and opt-outs, in markup and in headers."""

from email.message import Message
from email.parser import HeaderParser

import pytest

from scenthound.parse.markup.html import parse
from scenthound.parse.markup.rights import Rights, rights_of

BY = "https://creativecommons.org/licenses/by/4.0/"


def rights(markup: str = "", headers: str = "") -> Rights:
    read: Message = HeaderParser().parsestr(headers)
    return rights_of(parse(markup.encode()).marks, read, url="http://a.example/x/y", markup=markup)


@pytest.mark.parametrize(
    ("markup", "headers", "licences"),
    [
        (f'<link rel="license" href="{BY}">', "", ("CC BY 4.0",)),
        (f'<a href="{BY}deed.de">CC</a>', "", ("CC BY 4.0",)),
        ('<a rel="nofollow LICENSE" href="../terms">terms</a>', "", ("http://a.example/terms",)),
        ('<link itemprop="license" href="/l">', "", ("http://a.example/l",)),
        ('<meta name="DCTERMS.license" content="http://creativecommons.org/publicdomain/zero/1.0/">', "", ("CC0 1.0",)),
        ('<meta name="dc.rights" content="All  rights\nreserved">', "", ("All rights reserved",)),
        (f'<script type="application/ld+json">{{"license": "{BY}"}}</script>', "", ("CC BY 4.0",)),
        ("", f"Link: </other>; rel=next, <{BY}>; rel=license", ("CC BY 4.0",)),
        (f'<link rel=license href="{BY}"><a rel=license href="{BY}">', "", ("CC BY 4.0",)),
        ('<a href="/licenses/by">no</a><a rel="license">no</a><meta name="license" content=" ">', "", ()),
        (
            "".join(f'<a rel=license href="/{n}">' for n in range(9)),
            "",
            tuple(f"http://a.example/{n}" for n in range(5)),
        ),
    ],
)
def test_licences_that_a_page_declares(markup: str, headers: str, licences: tuple[str, ...]) -> None:
    assert rights(markup, headers).licences == licences


@pytest.mark.parametrize(
    ("markup", "headers", "opt_outs"),
    [
        ('<meta name="Robots" content="NOINDEX, nofollow">', "", ("noindex",)),
        ('<meta name="robots" content="none">', "", ("noindex",)),
        ('<meta name="scenthound" content="noarchive"><meta name="otherbot" content="noindex">', "", ("noarchive",)),
        ('<meta name="robots" content="noai, noimageai, nosnippet">', "", ("nosnippet", "noai", "noimageai")),
        ("", "X-Robots-Tag: noindex, noai", ("noindex", "noai")),
        ("", "X-Robots-Tag: otherbot: noindex, noarchive\nX-Robots-Tag: scenthound: noai", ("noai",)),
        ("", "X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST, noarchive", ("noarchive",)),
        ("", "TDM-Reservation: 1", ("tdm-reservation",)),
        ('<meta name="tdm-reservation" content="1">', "tdm-reservation: 0", ("tdm-reservation",)),
        ('<meta name="robots" content="index, follow">', "tdm-reservation: 0", ()),
    ],
)
def test_opt_outs_that_a_page_declares(markup: str, headers: str, opt_outs: tuple[str, ...]) -> None:
    assert rights(markup, headers).opt_outs == opt_outs
