"""`scenthound new`: make a crawl directory from addresses or from a topics file."""

from collections.abc import Sequence
from pathlib import Path

from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import count
from scenthound.crawl.topics_file import topics_of_urls
from scenthound.errors import UsageError


def make_crawl(path: Path, *, urls: Sequence[str], topics: Path | None) -> int:
    directory = _make(path, urls, topics)
    seeds = directory.topics().seeds()
    print(f"Made {path} with {count(len(seeds), 'page')} to start from. Settings are in {directory.settings_file}.")
    print(f"Start it with: scenthound crawl {path} --pages 1000")
    return 0


def _make(path: Path, urls: Sequence[str], topics: Path | None) -> CrawlDirectory:
    if topics and urls:
        raise UsageError("give either addresses or --topics, not both; addresses can be examples in the topics file")
    if topics:
        return CrawlDirectory.create_from_file(path, topics_file=topics)
    if not urls:
        raise UsageError(
            f"what shall be crawled? scenthound new {path} https://www.example.org/page, or --topics F.toml"
        )
    return CrawlDirectory.create(path, topics=topics_of_urls(urls))
