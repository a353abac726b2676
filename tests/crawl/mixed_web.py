"""A small web on which only the words of links tell where these lead: hubs, each with links to pages about birds and
about rocks.

All hubs are alike, and all pages lie on one host, so that neither who cites a page nor where it lies says what it is
about.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.taxonomy import Topic, Topics
from tests.crawl.topical_web import COMMON, TOPICS, Served, sentence

HUBS = 8
LINKS = 24  # on each hub, every other one to a page about birds
EXAMPLES = 6
QUICK = ("critic.kind=bayes",)  # the quickest to learn; what is shown here is the apprentice


def item(number: int) -> str:
    return f"http://items.test/{number}.html"


def example(topic: str, number: int) -> str:
    return f"http://{topic}.test/{number}.html"


def is_bird(url: str) -> bool:
    return url.startswith("http://items.test/") and int(url.rpartition("/")[2].partition(".")[0]) % 2 == 0


def answer(host: str, path: str) -> Answer:
    name, number = host.partition(".")[0], path.strip("/").partition(".")[0]
    if not number.isdigit() or name not in ("items", "hubs", "birds", "rocks"):
        return Answer(status=404)
    body = _hub(int(number)) if name == "hubs" else _page(name, int(number))
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=body.encode())


def _page(host: str, number: int) -> str:
    """Return a page with nothing but text; the examples about birds also lead to the hubs."""
    draw = random.Random(f"{host}{number}")
    topic = ("birds", "rocks")[number % 2] if host == "items" else host
    hubs = [f"http://hubs.test/{n}.html" for n in range(HUBS) if n % EXAMPLES == number] if host == "birds" else []
    links = "".join(f'<p><a href="{hub}">people often found here</a></p>' for hub in hubs)
    text = "".join(f"<p>{sentence(topic, draw)}</p>" for _ in range(6))
    return f"<html lang=en><title>{' '.join(draw.choices(COMMON, k=3))}</title>{text}{links}</html>"


def _hub(number: int) -> str:
    draw = random.Random(f"hub{number}")
    items = range(LINKS * number, LINKS * (number + 1))
    links = "".join(f'<li><a href="{item(one)}">{_words(one, draw)}</a></li>' for one in items)
    both = "".join(f"<p>{sentence(topic, draw)}</p>" for topic in ("birds", "rocks") for _ in range(2))
    return f"<html lang=en><title>World {number}</title>{both}<ul>{links}</ul></html>"


def _words(number: int, draw: random.Random) -> str:
    return " ".join(draw.choices(TOPICS[("birds", "rocks")[number % 2]], k=3))


@contextmanager
def mixed_web(spy: Callable[[str], None] = lambda url: None) -> Iterator[Served]:
    """Serve it; `spy` is told each address before it is answered, but for robots.txt."""

    def watched(host: str, path: str) -> Answer:
        if path != "/robots.txt":
            spy(f"http://{host}{path}")
        return answer(host, path)

    with ServedWeb(watched) as web:
        yield Served(web=web, always=QUICK)


def topics() -> Topics:
    """Say that birds are wanted, and rocks are not."""
    return Topics(
        topics=tuple(
            Topic(path=name, good=name == "birds", examples=tuple(example(name, n) for n in range(EXAMPLES)))
            for name in ("birds", "rocks")
        )
    )
