"""Any small web, crawled for real, ends as a breadth-first search on paper says: same pages, same reasons, same
requests.
"""

import tempfile
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.events import StopCause
from scenthound.types import Ending, Reason
from tests.crawl.scene import BRISK, crawl
from tests.often import often

SIZE = 14
HOSTS = 3
TRIES = 2
HTML = (("Content-Type", "text/html"),)


class Kind(StrEnum):
    PAGE = "page"
    MISSING = "missing"
    BROKEN = "broken"
    PICTURE = "picture"
    MOVED = "moved"
    PRIVATE = "private"  # robots.txt forbids it


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One URL of a drawn web; a moved one leads to the first of its links, or to itself."""

    kind: Kind
    links: tuple[int, ...]


Web = tuple[Node, ...]
nodes = st.builds(
    Node,
    kind=st.sampled_from([Kind.PAGE] * 4 + list(Kind)),
    links=st.lists(st.integers(0, SIZE - 1), max_size=4).map(tuple),
)
webs = st.lists(nodes, min_size=SIZE, max_size=SIZE).map(tuple)

REASONS = {
    Kind.MISSING: Reason.HTTP_ERROR,
    Kind.BROKEN: Reason.SERVER_ERROR,
    Kind.PICTURE: Reason.UNSUPPORTED_TYPE,
    Kind.PRIVATE: Reason.ROBOTS,
}


@often(6, suppress_health_check=[HealthCheck.too_slow])
@given(web=webs)
def test_a_crawl_of_any_web_is_the_search_of_its_graph(web: Web) -> None:
    expected = reachable(web)
    with ServedWeb(lambda host, path: answer(web, path)) as served, tempfile.TemporaryDirectory() as folder:
        names = f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}'
        crawled = crawl(Path(folder) / "crawl", [url(web, 0)], [*BRISK, names, f"fetch.tries={TRIES}"])
        asked = Counter(entry.path for entry in served.log() if entry.path != "/robots.txt")
        ends = {number: crawled.story(url(web, number)) for number in expected}
        known = crawled.summary.census.known
        assert crawled.trouble() == []
    assert crawled.summary.cause is StopCause.DRY
    assert known == len(expected)
    assert asked == {path(web, number): requests(web[number]) for number in expected if requests(web[number])}
    for number, story in ends.items():
        kind = web[number].kind
        if kind is Kind.PAGE:
            assert (story.state, story.reason) == (Ending.PAGE, None)
        elif kind is Kind.MOVED:
            assert (story.state, story.reason) in (("redirect", None), ("failed", Reason.REDIRECT_LOOP))
        else:
            assert (story.state, story.reason) == ("failed", REASONS[kind])


def reachable(web: Web) -> set[int]:
    """Search the graph: what a page links to and where a redirect leads is found."""
    found = [0]
    for number in found:
        node = web[number]
        onward = node.links if node.kind is Kind.PAGE else node.links[:1] if node.kind is Kind.MOVED else ()
        found += [target for target in dict.fromkeys(onward) if target not in found]
    return set(found)


def requests(node: Node) -> int:
    """Return how often a URL is asked for: what failed on the server's side may pass, what is private never."""
    return {Kind.PRIVATE: 0, Kind.BROKEN: TRIES}.get(node.kind, 1)


def path(web: Web, number: int) -> str:
    return f"/private/{number}" if web[number].kind is Kind.PRIVATE else f"/{number}"


def url(web: Web, number: int) -> str:
    return f"http://w{number % HOSTS}.any.test{path(web, number)}"


def answer(web: Web, asked: str) -> Answer:
    if asked == "/robots.txt":
        return Answer(body=b"User-agent: *\nDisallow: /private/\n", headers=(("Content-Type", "text/plain"),))
    number = int(asked.rpartition("/")[2])
    node = web[number]
    match node.kind:
        case Kind.MISSING:
            return Answer(status=404, headers=HTML, body=b"no such page")
        case Kind.BROKEN:
            return Answer(status=500, headers=HTML, body=b"oh dear")
        case Kind.PICTURE:
            return Answer(headers=(("Content-Type", "image/png"),), body=b"\x89PNG\r\n\x1a\n")
        case Kind.MOVED:
            target = node.links[0] if node.links else number
            return Answer(status=302, headers=(("Location", url(web, target)),))
        case _:
            links = " ".join(f'<a href="{url(web, target)}">to {target}</a>' for target in node.links)
            return Answer(headers=HTML, body=f"<title>{number}</title><p>page {number}</p>{links}".encode())
