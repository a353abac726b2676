"""The web of FOCUS' mutual funds on loopback: a handful of pages about funds in the midst of hundreds about shares and
bonds.

Pages about shares and bonds link to one another and to pages about sport, which link to sport only. Whoever wants funds
and nothing else soon has them all; whoever wants investment finds it everywhere.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.taxonomy import Topic, Topics

FUNDS, SHARES, BONDS, SPORT = "Investment/Mutual funds", "Investment/Shares", "Investment/Bonds", "Sport"
EXAMPLES = 8
SIZES = {"funds": 12, "shares": 400, "bonds": 400, "sport": 800}
WORDS = {
    "funds": "fund manager fee unit holder charge tracker index load prospectus redemption trustee",
    "shares": "share dividend stock exchange broker earnings listing takeover option split rally float",
    "bonds": "bond coupon yield maturity issuer treasury gilt default rating duration spread curve",
    "sport": "goal match league striker referee stadium coach penalty season trophy transfer midfield",
}
MONEY = ["invest", "investor", "capital", "risk", "return", "market", "price", "profit"]
COMMON = [
    "people",
    "year",
    "time",
    "world",
    "small",
    "large",
    "place",
    "found",
    "often",
    "during",
    "about",
    "many",
    "different",
    "called",
]
PATHS = {"funds": FUNDS, "shares": SHARES, "bonds": BONDS, "sport": SPORT}
HOSTS = 4  # of each topic


def url(topic: str, number: int) -> str:
    return f"http://{topic}{number % HOSTS}.test/{number}"


def topic_of(address: str) -> str:
    return address.split("//")[1].split(".")[0].rstrip("0123456789")


def answer(host: str, path: str) -> Answer:
    topic, number = host.split(".")[0].rstrip("0123456789"), path.strip("/")
    if topic not in SIZES or not number.isdigit() or int(number) >= SIZES[topic]:
        return Answer(status=404, headers=(("Content-Type", "text/html"),), body=b"<p>Nothing here.")
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=page(topic, int(number)).encode())


def page(topic: str, number: int) -> str:
    draw = random.Random(f"{topic} {number}")
    paragraphs = "".join(f"<p>{sentence(topic, draw)}</p>" for _ in range(5))
    links = " ".join(f'<li><a href="{url(*target)}">read on</a>' for target in targets(topic, number, draw))
    return f"<html lang=en><title>{topic} {number}</title>{paragraphs}<ul>{links}</ul></html>"


def targets(topic: str, number: int, draw: random.Random) -> list[tuple[str, int]]:
    kinds = {
        "funds": ["funds", "shares", "bonds", "sport"],
        "shares": ["shares", "shares", "bonds", "sport"],
        "bonds": ["bonds", "bonds", "shares", "sport"],
        "sport": ["sport"] * 4,
    }[topic]
    return [(kind, draw.randrange(SIZES[kind])) for kind in kinds * 2]


def sentence(topic: str, draw: random.Random) -> str:
    money = draw.choices(MONEY, k=4) if topic != "sport" else []
    words = draw.choices(WORDS[topic].split(), k=12) + money + draw.choices(COMMON, k=14)
    draw.shuffle(words)
    return " ".join(words) + "."


def new(path: Path) -> CrawlDirectory:
    """Make the crawl of a user who wants mutual funds, and only these."""
    topics = [
        Topic(path=PATHS[name], good=name == "funds", examples=tuple(url(name, n) for n in range(EXAMPLES)))
        for name in SIZES
    ]
    return CrawlDirectory.create(path, topics=Topics(topics=tuple(topics)))


@contextmanager
def money_web() -> Iterator[tuple[ServedWeb, list[str]]]:
    """Serve it; yield the server, and settings for a crawl of it."""
    with ServedWeb(answer) as web:
        yield (
            web,
            [
                "fetch.delay=0",
                "fetch.delay_factor=0",
                "fetch.concurrency=4",
                "fetch.robots=false",
                "fetch.per_ip=0",
                "read.workers=1",
                "crawl.traps=false",
                'fetch.contact="test@money.test"',
                f'fetch.resolve={{"*.test" = "127.0.0.1:{web.port}"}}',
            ],
        )
