"""What a body is, whatever its header says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.sniff import effective_type

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


@pytest.mark.parametrize(
    ("mime", "head", "found"),
    [
        ("text/html", b"<!DOCTYPE html><p>", "text/html"),
        ("Text/HTML; charset=x", b"<p>", "text/html"),
        ("text/html", b"no markup at all", "text/html"),
        ("text/html", b"", "text/html"),
        ("text/html", PNG, "image/png"),
        ("text/html", b"%PDF-1.4\n%\xe2\xe3", "application/pdf"),
        ("text/html", b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        ("text/html", b"PK\3\4\x14\0", "application/zip"),
        ("text/html", b"\x1f\x8b\x08", "application/gzip"),
        ("text/html", b"\0\0\0\x18ftypmp42", "video/mp4"),
        ("text/html", b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        ("text/html", b"MZ\x90\0\3\0\0\0", "application/x-msdownload"),
        ("text/html", b"MZ is how old programs begin", "text/html"),
        ("text/html", b"\x7fELF\2\1\1", "application/x-elf"),
        ("text/html", b"ab\0\1\2cd", "application/octet-stream"),
        ("text/html", b"<p>one stray \0 in a page of some length</p>", "text/html"),
        ("text/html", "<html>wide".encode("utf-16-le"), "text/html"),
        ("text/html", "\ufeff<html>wide".encode("utf-16-be"), "text/html"),
        ("text/html", b"<?xml version='1.0'?>\n<rss version='2.0'>", "application/rss+xml"),
        ("text/html", b"<?xml version='1.0'?><feed xmlns='x'>", "application/atom+xml"),
        ("application/xhtml+xml", b"<?xml version='1.0'?><!DOCTYPE html><html>", "application/xhtml+xml"),
        ("text/plain", b"<html>is what it is about", "text/plain"),
        ("text/plain", b"a\0b", "application/octet-stream"),
        ("text/plain", PNG, "image/png"),
        ("", b"  <HTML>", "text/html"),
        ("", b"\xef\xbb\xbf<!doctype html>", "text/html"),
        ("", b"<?xml version='1.0'?><html xmlns='x'>", "application/xhtml+xml"),
        ("", b"words", "text/plain"),
        ("", b"\0\1", "application/octet-stream"),
        ("nonsense", b"<div>", "text/html"),
        ("application/octet-stream", b"<body>", "text/html"),
        ("application/pdf", b"<html>", "text/html"),
        ("application/pdf", b"\0\1damaged from its first byte", "application/pdf"),
        ("image/jpeg", PNG, "image/jpeg"),
        ("application/pdf", b"Sorry, no such file", "text/plain"),
        ("application/msword", b"{\\rtf1 }", "application/rtf"),
        ("application/x-gzip", b"\x1f\x8b\x08", "application/gzip"),
        ("text/x-markdown", b"# Head", "text/markdown"),
        ("text/markdown", b"<!doctype html>", "text/html"),
        ("application/rss+xml", b"<?xml version='1.0'?><other/>", "application/rss+xml"),
        ("application/rss+xml", b"<!doctype html><title>404", "text/html"),
        ("text/plain", b"<?xml version='1.0'?><feed>", "application/atom+xml"),
        ("text/plain", b"<!DOCTYPE html><p>", "text/html"),
        ("text/plain", b"how to use %PDF- in a text", "text/plain"),
        ("text/html", b"<?xml version='1.0'?><urlset xmlns='x'>", "text/xml"),
        ("text/xml", b"<?xml version='1.0'?><html xmlns='x'>", "application/xhtml+xml"),
        ("text/xml", b"<?xml version='1.0'?><rss>", "text/xml"),
        ("", b"junk\n%PDF-1.4\n\0\1\2", "application/pdf"),
        ("", bytes(257) + b"ustar\0" + bytes(249), "application/x-tar"),
        ("", OLE + "WordDocument".encode("utf-16-le"), "application/msword"),
        ("", OLE + "PowerPoint Document".encode("utf-16-le"), "application/vnd.ms-powerpoint"),
        ("", OLE + "Workbook".encode("utf-16-le"), "application/vnd.ms-excel"),
        ("", OLE, "application/x-ole-storage"),
    ],
)
def test_effective_type(mime: str, head: bytes, found: str) -> None:
    assert effective_type(mime, head) == found


@given(st.sampled_from(["", "text/html", "text/plain", "application/xml"]), st.binary(max_size=2000))
def test_any_bytes_have_a_type(mime: str, head: bytes) -> None:
    assert "/" in effective_type(mime, head)
