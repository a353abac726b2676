"""What a link farm takes from a crawl: topic-stuffed pages that link only to each other, beside the demo web.

The farm is one host, or a domain with endless subdomains. Its pages are made of the words of real pages about the
topic, so that the critic takes them for what is wanted, and some pages of the demo web link there. Real crawls over
HTTP with default settings are compared with the same crawl of the demo web alone; all counts are taken from the
server's log.
"""

import random
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import structs

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from scenthound import StopSwitch, ignore, run_crawl
from scenthound.cli.work.demo_run import TOPIC, demo_settings, demo_topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb

DOMAIN: Final = "farm.test"
PAGES: Final = 2_000
LINKS: Final = 40  # on each page of the farm
PARAGRAPHS: Final = 12
ONE_IN: Final = 20  # pages of the demo web that link to the farm
_PARAGRAPH: Final = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")
_HTML: Final = (("Content-Type", "text/html; charset=utf-8"),)


@dataclass(frozen=True)
class FarmedWeb:
    """The demo web with a farm beside it; with `subdomains`, each of its pages is on a host of its own."""

    subdomains: bool
    seed: int = 7

    def __reduce__(self) -> tuple[type["FarmedWeb"], tuple[bool, int]]:
        return FarmedWeb, (self.subdomains, self.seed)

    @cached_property
    def _web(self) -> DemoWeb:
        return DemoWeb(self.seed)

    @cached_property
    def _words(self) -> list[str]:
        """The paragraphs of pages about the topic."""
        pages = [url for url, topic in self._web.truth.items() if f"{topic}/".startswith(f"{TOPIC}/")]
        found = [text for url in sorted(pages)[:60] for text in _PARAGRAPH.findall(self._web.html(url))]
        return [_TAG.sub("", text) for text in found if len(text) > 80]

    def answer(self, host: str, path: str) -> Answer:
        if host == DOMAIN or host.endswith(f".{DOMAIN}"):
            return Answer(status=404) if path == "/robots.txt" else self._stuffed(f"{host}{path}")
        answer = self._web.answer(host, path)
        lot = zlib.crc32(f"{host}{path}".encode())
        if answer.status != 200 or lot % ONE_IN or b"</body>" not in answer.body:
            return answer
        link = f'<p>See also <a href="{self._address(random.Random(lot))}">more about cycling</a></p></body>'
        return replace(answer, body=answer.body.replace(b"</body>", link.encode("ascii")))

    def _stuffed(self, address: str) -> Answer:
        chance = random.Random(address)
        text = "".join(f"<p>{paragraph}</p>" for paragraph in chance.sample(self._words, PARAGRAPHS))
        title = " ".join(chance.choice(self._words).split()[:5])
        links = "".join(
            f'<li><a href="{self._address(chance)}">{" ".join(chance.choice(self._words).split()[:3])}</a></li>'
            for _ in range(LINKS)
        )
        markup = f"<html><head><title>{title}</title></head><body>{text}<ul>{links}</ul></body></html>"
        return Answer(headers=_HTML, body=markup.encode("utf-8", "xmlcharrefreplace"))

    def _address(self, chance: random.Random) -> str:
        number = chance.randrange(10**9)
        return f"http://bike{number}.{DOMAIN}/" if self.subdomains else f"http://www.{DOMAIN}/cycling/{number}.html"


def run(*, quick: bool = False) -> Report:
    """Crawl three times: without a farm, with one host of it, with endless subdomains."""
    pages = 400 if quick else PAGES
    alone = crawled(DemoWeb(7).answer, pages)
    rows, figures = [["no farm", str(alone.pages), "", str(alone.wanted), ""]], list[Figure]()
    for order in ("best-first", "breadth"):
        found = crawled(FarmedWeb(True).answer, pages, order=order)
        share = found.farmed / max(1, found.pages)
        figures.append(Figure(name=f"share of fetches that a farm takes, {order}", value=share, goal=at_most(0.2)))
        rows.append([f"endless subdomains, {order}", str(found.pages), f"{share:.3f}", str(found.wanted), ""])
    for name, web in (("one host", FarmedWeb(False)), ("endless subdomains", FarmedWeb(True))):
        found = crawled(web.answer, pages)
        share, kept = found.farmed / max(1, found.pages), found.wanted / max(1, alone.wanted)
        figures += [
            Figure(name=f"share of fetches that a farm takes, {name}", value=share, goal=at_most(0.2)),
            Figure(name=f"true pages found beside a farm, {name}, of those without", value=kept, goal=at_least(0.95)),
        ]
        rows.append([name, str(found.pages), f"{share:.3f}", str(found.wanted), f"{kept:.3f}"])
    headings = ["farm", "pages fetched", "of the farm", "true pages", "of those without a farm"]
    return Report(figures=tuple(figures), text=(markdown_table(headings, rows, right=range(1, 5)),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What the server saw of a crawl: pages it gave, those of the farm, and those truly about the topic."""

    pages: int
    farmed: int
    wanted: int
    hosts: int = 0  # that the database knows at the end


def crawled(
    answer: Callable[[str, str], Answer], pages: int, *, order: str = "apprentice", keep: Path | None = None
) -> Crawled:
    """Crawl a web with default settings but for the order, examples left out of the counts."""
    web = DemoWeb(7)
    topics = demo_topics(web)
    examples = {example for topic in topics.topics for example in topic.examples}
    with tempfile.TemporaryDirectory() as folder, ServedApart(answer) as served:
        settings = demo_settings(web, served.port, pages=pages)
        settings = structs.replace(settings, crawl=structs.replace(settings.crawl, order=order))
        directory = CrawlDirectory.create(keep or Path(folder) / "crawl", topics=topics, settings=settings)
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
        with open_store(directory, read_only=True) as store:
            hosts = store.census(now=0.0).hosts
        given = Counter(
            f"http://{entry.host}{entry.path}"
            for entry in served.log()
            if entry.status == 200 and not entry.path.endswith("/robots.txt")
        )
    fetched = [url for url in given if url not in examples]
    return Crawled(
        hosts=hosts,
        pages=len(fetched),
        farmed=sum(f"{DOMAIN}/" in url for url in fetched),
        wanted=sum(f"{web.truth.get(url, '')}/".startswith(f"{TOPIC}/") for url in fetched),
    )
