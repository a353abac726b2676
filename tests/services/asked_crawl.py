"""A crawl of three pages that grows by hand, for saved questions."""

from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, add_page, directory_of, page

CYCLING = "Sport/Cycling"
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True, examples=("http://tour.test/",)), Topic(path="Home")))
CRAWL = MadeCrawl(
    urls=[
        page("http://tour.test/", 0.9, topic=CYCLING, title="Tours by bicycle"),
        page("http://cake.test/", 0.1, topic="Home", title="Tours of bakeries"),
        page("http://shop.test/", 0.2, topic="Home", title="A shop"),
    ],
    links=[],
)
PAGES_SQL = "SELECT f.url, p.title, p.relevance FROM pages p JOIN finds f ON f.id = p.url_id"


def asked_crawl(path: Path) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(CRAWL, path, TOPICS))


def grow(directory: CrawlDirectory, name: str, title: str, *, relevance: float = 0.8) -> None:
    """Fetch one more page."""
    add_page(directory.path, page(f"http://{name}.test/", relevance, topic=CYCLING, title=title))
