"""The encoding that a browser would take a page to be in."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.charset import charset_of, decode, named


@pytest.mark.parametrize(
    ("body", "header", "name"),
    [
        (b"\xef\xbb\xbfx", "windows-1252", "utf-8"),
        (b"\xff\xfex\0", "utf-8", "utf-16le"),
        (b"\xfe\xff\0x", "", "utf-16be"),
        (b'<meta charset="koi8-r">', "ISO-8859-1", "windows-1252"),
        (b"<meta charset=koi8-r>", "", "koi8-r"),
        (b"<META CHARSET = ' GB2312 '>", "", "gb18030"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', "", "shift_jis"),
        (b'<meta content="text/html;charset=euc-kr" http-equiv=content-type>', "nonsense", "euc-kr"),
        (b"<meta charset=nonsense><meta charset=big5>", "", "big5"),
        (b"<!-- <meta charset=big5> --><meta charset=utf-8>", "", "utf-8"),
        (b"<meta charset=utf-16>", "", "utf-8"),
        (b" " * 2000 + b"<meta charset=big5>\xff", "", "windows-1252"),
        ("Zoë".encode(), "", "utf-8"),
        ("Zoë".encode("latin-1"), "", "windows-1252"),
        (b"<html lang=ru>" + "привет".encode("cp1251"), "", "windows-1251"),
        ("Zo and more ë".encode()[:-1], "", "windows-1252"),
        ("ë and more ë".encode()[:-1], "", "utf-8"),
        ("<meta charset=x>".encode("utf-16-le"), "", "utf-16le"),
        (b"", "", "utf-8"),
    ],
)
def test_charset(body: bytes, header: str, name: str) -> None:
    assert charset_of(body, header) == name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("latin-1", "windows-1252"),
        ("US-ASCII", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("iso-8859-16", "iso-8859-16"),
        ("gbk", "gb18030"),
        ("x-sjis", "shift_jis"),
        ("utf8", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("utf-7", ""),
        ("", ""),
    ],
)
def test_labels_mean_what_they_mean_to_browsers(label: str, name: str) -> None:
    assert named(label) == name


@pytest.mark.parametrize(
    "label", ["utf-8", "big5", "ibm866", "macintosh", "iso-8859-8-i", "x-mac-cyrillic", "euc-jp", "tis-620"]
)
def test_every_name_can_be_decoded_with(label: str) -> None:
    assert decode(b"abc", named(label)) == "abc"


def test_byte_order_marks_are_not_text() -> None:
    assert decode(codecs.BOM_UTF8 + b"x", "utf-8") == "x"
    assert decode(codecs.BOM_UTF16_LE + b"x\0", "utf-16le") == "x"


@given(
    st.binary(max_size=300),
    st.sampled_from(["", "utf-8", "utf-16", "gb18030", "shift_jis", "iso-2022-jp", "euc-kr", "big5"]),
)
def test_decoding_never_raises(body: bytes, header: str) -> None:
    assert isinstance(decode(body, charset_of(body, header)), str)
