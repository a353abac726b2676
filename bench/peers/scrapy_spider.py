"""Scrapy on the same web: it obeys robots.txt, extracts links with its LinkExtractor, and follows them.

`python scrapy_spider.py PROXY SEED PAGES`. Nothing is judged, stored or archived, and whatever costs time and is not
needed for this is switched off in Scrapy's favour (log, cookies, telnet, statistics of memory).
"""
# Scrapy is installed for benches only; where it is missing, its classes have no types.
# mypy: disable-error-code="import-not-found", disallow-subclassing-any=False, disallow-untyped-decorators=False

import json
import os
import sys
from collections.abc import Iterator
from time import perf_counter

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "LOG_ENABLED": False,
    "LOG_INSTALL_ROOT_HANDLER": False,
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


class Follower(scrapy.Spider):
    """Fetches everything that links lead to, breadth first."""

    name = "follower"

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.start_urls = [seed]
        self.pages = 0
        self.began = perf_counter()
        # The same links as scenthound follows in this bench: with frames, without images and https.
        self._links = LinkExtractor(
            deny=("/images/", "^https:"), tags=("a", "area", "frame", "iframe"), attrs=("href", "src")
        )

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        self.pages += 1
        if isinstance(response, HtmlResponse):
            for link in self._links.extract_links(response):
                yield scrapy.Request(link.url)


def main(proxy: str, seed: str, pages: str) -> None:
    os.environ["http_proxy"] = proxy  # read by Scrapy's HttpProxyMiddleware
    process = CrawlerProcess(SETTINGS | {"CLOSESPIDER_PAGECOUNT": int(pages)})
    crawler = process.create_crawler(Follower)
    process.crawl(crawler, seed=seed)
    process.start()
    spider = crawler.spider
    assert isinstance(spider, Follower)
    print(json.dumps({"pages": spider.pages, "seconds": perf_counter() - spider.began}))


if __name__ == "__main__":
    main(*sys.argv[1:])
