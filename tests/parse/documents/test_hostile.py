"""Nothing that a document may be stops the reader: any bytes, ruins of real files, and a share of the hostile
thousand.
"""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bench.documents import read_all
from bench.hostile_documents import WAYS, hostile, made
from scenthound.parse.documents import Document, Limits, Refused, read_document
from scenthound.settings.schema import Settings
from scenthound.types import Reason

FILES = Path(__file__).parent / "files"
BEGINNINGS = [b"", b"%PDF-1.4\n", b"PK\3\4", b"{\\rtf1 ", b"\x1f\x8b\x08\0", b"BZh9", b"\xfd7zXZ\0", b"<?xml version='1.0'?>",
              b"<rss>", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"[a](http://b.example/)"]  # fmt: skip
LIMITS = Limits(unpacked=100_000)


def fate(body: bytes, mime: str = "") -> Document | Refused:
    """Read a document, and check that what comes back holds together."""
    found = read_document(body, url="http://a.example/b", mime=mime, limits=LIMITS)
    if isinstance(found, Document):
        assert all(-1 <= link.first_leaf <= link.last_leaf < max(1, len(found.leaves)) for link in found.links)
    return found


@given(st.sampled_from(BEGINNINGS), st.binary(max_size=2_000), st.sampled_from(["", "text/plain", "application/pdf"]))
@hypothesis_settings(deadline=None)
def test_any_bytes_end_as_a_document_or_with_a_reason(beginning: bytes, rest: bytes, mime: str) -> None:
    assert isinstance(fate(beginning + rest, mime), Document | Refused)


@given(st.text(alphabet="{}\\'*abfu0159-? \n;\"HYPERLINK", max_size=300))
@hypothesis_settings(deadline=None)
def test_any_rich_text_ends(text: str) -> None:
    fate(f"{{\\rtf1 {text}}}".encode())


@given(st.text(alphabet="<>/&;!?[]'\"= abcxmlns:-", max_size=300))
@hypothesis_settings(deadline=None)
def test_any_markup_ends(text: str) -> None:
    fate(f"<?xml version='1.0'?><rss>{text}</rss>".encode())


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_ruins_of_real_files_end(path: Path) -> None:
    sources = {path.name: path.read_bytes()}
    ruins = WAYS[:8]
    for number in range(60):
        n = number // len(ruins) * len(WAYS) + number % len(ruins)
        document = hostile(n, seed=7, sources=sources)
        fate(document.body, document.mime)


def test_the_same_seed_makes_the_same_document() -> None:
    first, second = (hostile(3, seed=5, sources=made()) for _ in range(2))
    assert first == second != hostile(3, seed=6, sources=made())


@pytest.mark.slow
def test_a_document_of_each_hostile_way_costs_no_reader() -> None:
    """The bench reads a thousand. A reader that dies or overruns its time or memory is counted, and here there is
    none.
    """
    endings, restarts = asyncio.run(read_all(len(WAYS), seed=2, settings=Settings()))
    assert len(endings) == len(WAYS)
    assert restarts == 0
    reasons = {ending.reason for ending in endings}
    assert reasons <= {None, Reason.DAMAGED, Reason.BOMB, Reason.PROTECTED, Reason.UNSUPPORTED_TYPE}
    assert {Reason.DAMAGED, Reason.BOMB, Reason.PROTECTED} <= reasons
