"""Headers made to break a crawl: each ends in a page or a reason, is archived as it came, and cannot speak through our
own requests.
"""

from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.crawl.revisit.calendar import Revisit
from tests.badweb import Conversation
from tests.badweb.conversation import Site
from tests.crawl.scene import bad_web, new, on, resume

OK, HTML = b"HTTP/1.1 200 OK\r\n", b"Content-Type: text/html\r\n"
BODY = b"<title>A page</title><p>with words"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)

HEADS = {
    "etag-cr": OK + HTML + LENGTH + b'ETag: "a\rX-Forged: 1"\r\n',
    "etag-lf": OK + HTML + LENGTH + b'ETag: "a\nX-Forged: 1"\r\n',
    "etag-nul": OK + HTML + LENGTH + b'ETag: "a\0b"\r\n',
    "etag-bytes": OK + HTML + LENGTH + b'ETag: "\xff\xfe\x80"\r\n',
    "etag-long": OK + HTML + LENGTH + b'ETag: "' + b"a" * 7000 + b'"\r\n',
    "etag-many": OK + HTML + LENGTH + b'ETag: "a"\r\n' * 50,
    "modified-cr": OK + HTML + LENGTH + b"Last-Modified: now\rX-Forged: 1\r\n",
    "modified-odd": OK + HTML + LENGTH + b"Last-Modified: \xf0\x9f\x90\x95, 99 Foo 2999\r\n",
    "phrase-escape": b"HTTP/1.1 200 \x1b]0;owned\x07\x1b[2J\r\n" + HTML + LENGTH,
    "phrase-long": b"HTTP/1.1 200 " + b"A" * 6000 + b"\r\n" + HTML + LENGTH,
    "phrase-none": b"HTTP/1.1 200\r\n" + HTML + LENGTH,
    "status-odd": b"HTTP/1.1 999 what\r\n" + HTML + LENGTH,
    "status-minus": b"HTTP/1.1 -20 OK\r\n" + HTML + LENGTH,
    "status-101": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n",
    "version": b"HTTP/9.9 200 OK\r\n" + HTML + LENGTH,
    "length-minus": OK + HTML + b"Content-Length: -5\r\n",
    "length-plus": OK + HTML + b"Content-Length: +34\r\n",
    "length-huge": OK + HTML + b"Content-Length: 99999999999999999999\r\n",
    "length-twice": OK + HTML + b"Content-Length: 5\r\nContent-Length: 34\r\n",
    "length-and-chunks": OK + HTML + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "chunks-odd": OK + HTML + b"Transfer-Encoding: xchunked\r\n",
    "chunks-twice": OK + HTML + b"Transfer-Encoding: chunked, chunked\r\n",
    "coding-stack": OK + HTML + LENGTH + b"Content-Encoding: " + b"gzip, " * 60 + b"gzip\r\n",
    "coding-odd": OK + HTML + LENGTH + b"Content-Encoding: \xff;q=1\r\n",
    "type-bytes": OK + b"Content-Type: text/html; charset=\xff\x00\x1b[2J\r\n" + LENGTH,
    "type-long": OK + b"Content-Type: text/html; " + b"a=b; " * 1000 + b"\r\n" + LENGTH,
    "type-twice": OK + HTML + b"Content-Type: application/x-evil\r\n" + LENGTH,
    "folded": OK + HTML + LENGTH + b"X-Folded: a\r\n b\r\n\tc\r\n",
    "space-before-colon": OK + HTML + LENGTH + b"X-Odd : 1\r\n",
    "no-colon": OK + HTML + LENGTH + b"this is no header\r\n",
    "name-bytes": OK + HTML + LENGTH + b"X-\xff\x00: 1\r\n",
    "many": OK + HTML + LENGTH + b"".join(b"X-%d: 1\r\n" % number for number in range(2000)),
    "one-long": OK + HTML + LENGTH + b"X-Long: " + b"a" * 200_000 + b"\r\n",
    "retry-huge": b"HTTP/1.1 404 no\r\nRetry-After: 99999999999999999999\r\n" + LENGTH,
    "retry-minus": b"HTTP/1.1 404 no\r\nRetry-After: -1\r\n" + LENGTH,
    "location-cr": b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: http://a.test/\rX-Forged: 1\r\n",
    "location-script": b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: javascript:alert(1)\r\n",
    "location-file": b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: file:///etc/passwd\r\n",
    "location-bytes": b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: http://\xff\xfe/\x00\r\n",
    "location-long": b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: http://a.test/" + b"a" * 7000 + b"\r\n",
    "link-header": OK + HTML + LENGTH + b'Link: <http://127.0.0.1:22/>; rel="canonical"\r\n',
    "refresh": OK + HTML + LENGTH + b"Refresh: 0; url=http://169.254.169.254/\r\n",
    "cookie": OK + HTML + LENGTH + b"Set-Cookie: a=b; Domain=.test\r\n" * 300,
    "warc-forged": OK
    + HTML
    + LENGTH
    + b"X: 1\r\nWARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://forged.test/\r\n",
}


def saying(head: bytes) -> Site:
    async def site(it: Conversation) -> None:
        await it.send(head + b"\r\n" + BODY)
        it.close()

    return site


@pytest.mark.slow
def test_hostile_headers_end_in_a_page_or_a_reason_and_forge_nothing(tmp_path: Path) -> None:
    with bad_web() as web:
        web.sites |= {name: saying(head) for name, head in HEADS.items()}
        urls = {name: web.url(name) for name in HEADS}
        directory = new(tmp_path / "crawl", list(urls.values()))
        first = resume(directory, on(web))
        again = resume(directory, on(web), revisit=Revisit.ALL)
        asked = [visit for name in HEADS for visit in web.visits(name, "/")]
    ended = {name: again.story(url) for name, url in urls.items()}
    assert [name for name, story in ended.items() if story.page is None and story.reason is None] == []
    assert first.trouble() == again.trouble() == []
    assert len(asked) > len(HEADS)  # pages were asked for again, with what came as a validator
    assert not any("x-forged" in visit.headers for visit in asked)
    assert all(again.why(url) for url in urls.values())
    for file in sorted(directory.archive.glob("*.warc.gz")):
        with file.open("rb") as opened:
            records = [record for record in ArchiveIterator(opened) if record.rec_type != "warcinfo"]
        targets = {str(record.rec_headers.get_header("WARC-Target-URI")) for record in records}
        assert targets
        assert not any("forged.test" in target for target in targets)
