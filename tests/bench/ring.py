"""A web of a few pages in a ring, each with links to the next two: served as it is, or archived under another web's
name.
"""

from pathlib import Path

from scenthound.archive.warc import exchange_record
from scenthound.demo.served_answer import Answer
from scenthound.types import Fetch

PAGES = 40
HTML = (("Content-Type", "text/html"),)


def ring(host: str, path: str) -> Answer:
    """Answer for the ring; everything else is a 404."""
    name = path.strip("/")
    if host != "ring.test" or not name.isdigit():
        return Answer(status=404)
    return Answer(headers=HTML, body=page(int(name), link="/{}"), delay=0.02)


def page(number: int, *, link: str) -> bytes:
    links = "".join(f'<a href="{link.format((number + step) % PAGES)}">page {step} on</a>' for step in (1, 2))
    words = " ".join(f"word{number * 31 + each}" for each in range(60))
    return f"<title>{number}</title><p>{words}</p>{links}".encode()


def archive_ring(path: Path, seed: str) -> None:
    """Write the ring as a WARC file in which the seed is page 0."""
    base = seed.rpartition("/")[0]
    records = []
    for number in range(PAGES):
        body = page(number, link=base + "/{}.htm")
        if number == 0:
            body += page(PAGES - 1, link=base + "/{}.htm")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        url = f"{base}/{number}.htm" if number else seed
        fetch = Fetch(
            url=url, started=1e9, finished=1e9, status=200, head=head, body=body, request_head=b"GET / HTTP/1.1"
        )
        records.append(exchange_record(fetch))
    path.write_bytes(b"".join(records))


def label_ring(path: Path, seed: str, topic: str) -> None:
    """Say that every other page of the archived ring is about a topic, and the others about another one."""
    base = seed.rpartition("/")[0]
    lines = [f"{base}/{number}.htm\t{topic if number % 2 else 'Other/Rest'}" for number in range(1, PAGES)]
    path.write_text("\n".join(["url\ttopic", *lines]) + "\n", encoding="utf-8")
