"""The other crawlers of the throughput bench, on a web of a few pages: they must visit all of it to be compared with."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.crawling import summarised
from bench.running import ProgramFailedError, Run, measured, python_module
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb

pytestmark = pytest.mark.slow

PAGES = 12


def chain(host: str, path: str) -> Answer:
    """Answer as a web of pages of which each has a link to the next; robots.txt forbids one that all link to."""
    if path == "/robots.txt":
        return Answer(body=b"User-agent: *\nDisallow: /private\n")
    name = path.strip("/")
    if not name.isdigit() or int(name) >= PAGES:
        return Answer(status=404)
    link = f'<a href="/{int(name) + 1}">next</a> <a href="/private">private</a>'
    return Answer(headers=(("Content-Type", "text/html"),), body=f"<title>{name}</title>{link}".encode())


def test_the_bare_loop_fetches_every_url_of_its_list(tmp_path: Path) -> None:
    urls = tmp_path / "urls"
    urls.write_text("\n".join(f"http://chain.test/{number}" for number in range(PAGES)), encoding="utf-8")
    with ServedWeb(chain) as served:
        run = measured(python_module("bench.peers.bare_loop", served.proxy_url, str(urls)), limit=60)
        asked = sorted(entry.path for entry in served.log())
    assert run.json()["pages"] == PAGES
    assert asked == sorted(f"/{number}" for number in range(PAGES))
    assert run.cpu > 0


@pytest.mark.skipif(find_spec("scrapy") is None, reason="Scrapy is installed for benches only")
def test_scrapy_follows_links_and_obeys_robots() -> None:
    with ServedWeb(chain) as served:
        command = python_module("bench.peers.scrapy_spider", served.proxy_url, "http://chain.test/0", "0")
        run = measured(command, limit=60)
        asked = {entry.path for entry in served.log()}
    assert run.json()["pages"] == PAGES
    assert asked == {"/robots.txt", *(f"/{number}" for number in range(PAGES + 1))}


def test_the_closing_lines_of_a_crawl_are_read() -> None:
    text = "Stopped: frontier dry (no URL is left that may be fetched).\n  5,462 pages in 12 s (455.2 a second); 5,470 in all.\n"
    crawl = summarised(Run(output=text, seconds=12.5, cpu=20.0))
    assert (crawl.pages, crawl.pages_per_second, crawl.pages_in_all) == (5462, 455.2, 5470)
    assert crawl.stopped.startswith("frontier dry")


def test_a_program_that_fails_says_what_it_said() -> None:
    with pytest.raises(ProgramFailedError, match="no such thing"):
        measured(["sh", "-c", "echo no such thing >&2; exit 3"], limit=10)


def test_a_program_that_hangs_is_ended() -> None:
    with pytest.raises(ProgramFailedError, match="ended with -9"):
        measured(["sh", "-c", "sleep 30"], limit=0.2)
