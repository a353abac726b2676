"""A crawl for birds on a made-up web of one host, whose pages /bird/N and /rock/N are the examples: what is the server
asked for?
"""

from collections.abc import Callable
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.taxonomy import Topic, Topics
from tests.crawl.scene import resume

ROOT = "http://made-up.test"


def asked_for(path: Path, answer: Callable[[str, str], Answer], *, order: str, pages: int, examples: int) -> list[str]:
    """Crawl in an order, and return the paths that the server was asked for, one after another."""
    birds = Topic(path="birds", good=True, examples=tuple(f"{ROOT}/bird/{n}" for n in range(examples)))
    rocks = Topic(path="rocks", examples=tuple(f"{ROOT}/rock/{n}" for n in range(examples)))
    directory = CrawlDirectory.create(path, topics=Topics(topics=(birds, rocks)))
    with ServedWeb(answer) as served:
        settings = [
            "fetch.delay=0",
            "fetch.delay_factor=0",
            "fetch.concurrency=1",
            "read.workers=1",
            'fetch.contact="test@made-up.test"',
            f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}',
            "crawl.traps=false",  # a thousand pages of one shape are what such a web is
            "critic.kind=bayes",  # the quickest to learn
            f"crawl.pages={pages}",
            f"crawl.order={order}",
        ]
        resume(directory, settings)
        return [entry.path for entry in served.log() if entry.path != "/robots.txt"]
