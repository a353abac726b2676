"""A site without end on a loopback port, and a crawl of it that judges nothing: something to start, watch and stop."""

from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.services.crawls.reader_store import reading
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.topics.url_topics import topics_of_urls

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def endless(host: str, path: str) -> Answer:
    """A site on which each page links to the next ones."""
    if path == "/robots.txt":
        return Answer(status=404)
    number = int(path.strip("/") or 0)
    links = "".join(f'<a href="/{number * 3 + more}">page</a> ' for more in (1, 2, 3))
    return Answer(headers=HTML, body=f"<title>{number}</title><p>word{number} {links}</p>".encode())


def endless_crawl(path: Path, port: int) -> CrawlDirectory:
    settings = [
        "critic.kind=none", "crawl.order=breadth", "fetch.delay=0.02", "fetch.delay_factor=0", "crawl.traps=false",
        f'fetch.resolve={{"*.example" = "127.0.0.1:{port}"}}', "read.workers=1",
    ]  # fmt: skip
    return CrawlDirectory.create(
        path, topics=topics_of_urls(["http://a.example/"]), settings=override(Settings(), settings)
    )


def pages(directory: CrawlDirectory) -> int:
    if not directory.database.exists():
        return 0
    with reading(directory) as store:
        return store.census(now=0.0).pages
