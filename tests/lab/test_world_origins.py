"""Worlds that no WARC file of somebody else's was given for: an earlier crawl, and the demo web."""

from pathlib import Path

import pytest

from scenthound.archive.warc import read_warc
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import run_crawl
from scenthound.crawl.engine.loop import StopSwitch
from scenthound.demo.host_table import Oddity
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.demo.web import DemoWeb
from scenthound.errors import LabError
from scenthound.events import ignore
from scenthound.lab.world.demo_origin import Generated
from scenthound.lab.world.world_sources import WorldSource
from scenthound.parse.urls import host_of
from scenthound.services.crawls.new_crawl import Wish, make_crawl
from scenthound.settings.schema import FetchSettings
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Reason
from tests.lab.small_worlds import demo_world, opened

HOME = "http://a.test/"


def answer(host: str, path: str) -> Answer:
    """A site with two pages of the same bytes, one that moved, and one that is gone."""
    html = (("Content-Type", "text/html; charset=utf-8"),)
    if path == "/moved":
        return Answer(status=301, headers=(("Location", "/one"),))
    pages = {
        "/": "<title>Home</title>"
        + "".join(f'<a href="/{name}">{name}</a> ' for name in ("one", "two", "moved", "gone")),
        "/one": '<title>Same</title><a href="/">Home</a> <a href="http://b.test/never">never</a>',
        "/two": '<title>Same</title><a href="/">Home</a> <a href="http://b.test/never">never</a>',
        "/robots.txt": "User-agent: *\nDisallow: /private",
    }
    if path not in pages:
        return Answer(status=404, headers=html, body=b"<p>No.")
    return Answer(headers=html, body=pages[path].encode())


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    examples = (HOME, f"{HOME}moved", "http://b.test/never", "own.html")
    folder = tmp_path_factory.mktemp("crawled")
    (folder / "own.html").write_text("<p>An example that is a file.")
    (folder / "topics.toml").write_text(f'[[topic]]\npath = "A/B"\ngood = true\nexamples = {list(examples)}\n')
    make_crawl(Wish(path=folder / "crawl", topics=folder / "topics.toml"))
    directory = CrawlDirectory.open(folder / "crawl")
    with ServedWeb(answer) as served:
        settings = directory.settings(
            [
                "fetch.delay=0",
                "critic.kind=none",
                "crawl.minutes=10",
                "read.workers=1",
                'fetch.contact="test@a.test"',
                f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}',
            ]
        )
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
    return directory


@pytest.mark.slow
def test_an_earlier_crawl_is_a_world_with_all_that_it_archived(crawled: CrawlDirectory, tmp_path: Path) -> None:
    [archive] = crawled.archive.glob("*.warc.gz")
    assert "revisit" in {record.type for record in read_warc(archive)}  # the second of two equal pages
    with opened(WorldSource(name="c", crawl=crawled.path), tmp_path) as world:
        assert {url.removeprefix(HOME) for url in world.urls} == {"", "one", "two"}
        one, two, gone = (world.exchange(f"{HOME}{name}") for name in ("one", "two", "gone"))
        assert one is not None
        assert two is not None
        assert gone is not None
        assert one.reading == two.reading
        assert gone.fetch.reason is Reason.HTTP_ERROR
        assert world.find(f"{HOME}moved") == world.number[f"{HOME}one"]
        robots = world.exchange(f"{HOME}robots.txt")
        assert robots is not None
        assert robots.fetch.body == b"User-agent: *\nDisallow: /private"
        links = {world.urls[number] for number in world.links(world.number[HOME])}
        assert links == {f"{HOME}one", f"{HOME}two"}


@pytest.mark.slow
def test_its_examples_are_its_labels_as_the_topics_have_them_now(crawled: CrawlDirectory, tmp_path: Path) -> None:
    source = WorldSource(name="c", crawl=crawled.path)
    with opened(source, tmp_path) as world:
        assert world.about("A/B") == {world.number[HOME], world.number[f"{HOME}one"]}
        assert not world.fully_labelled
        assert world.said.endswith("3 labels that are its examples, 1 of them of addresses that are no page here")
    (tmp_path / "labels.tsv").write_text(f"{HOME}two\tC\n")
    with opened(WorldSource(name="c", crawl=crawled.path, labels=tmp_path / "labels.tsv"), tmp_path) as world:
        assert world.topics == ("C",)
        assert world.fully_labelled


def test_a_crawl_without_an_archive_is_refused(tmp_path: Path) -> None:
    topics = Topics(topics=(Topic(path="A", good=True, examples=(HOME,)),))
    CrawlDirectory.create(tmp_path / "empty", topics=topics)
    with pytest.raises(LabError, match=r"empty has no archived page; crawl there first, with archive\.keep = true"):
        opened(WorldSource(name="c", crawl=tmp_path / "empty"), tmp_path)


# ── the demo web ──


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(7)


@pytest.fixture(scope="module")
def origin() -> Generated:
    return Generated(7, FetchSettings())


def host_with(web: DemoWeb, oddity: Oddity) -> str:
    return next(name for name, host in web.hosts.items() if oddity in host.oddities)


@pytest.mark.slow
def test_the_demo_web_has_every_planned_page_and_every_robots_txt(web: DemoWeb, origin: Generated) -> None:
    addresses = origin.addresses()
    assert addresses[: len(web.pages)] == tuple(web.pages)
    assert {host_of(url) for url in addresses[len(web.pages) :]} == set(web.hosts)
    assert origin.fetch(addresses[0]).status == 200


@pytest.mark.slow
def test_its_servers_fail_as_they_do_in_a_crawl(web: DemoWeb, origin: Generated) -> None:
    silent, cutting, sulking = (host_with(web, oddity) for oddity in (Oddity.SILENT, Oddity.CUTS, Oddity.NO_ROBOTS))
    assert origin.fetch(f"http://{silent}/").reason is Reason.FIRST_BYTE_TIMEOUT
    assert origin.fetch(f"http://{sulking}/robots.txt").reason is Reason.OVERLOADED
    reasons = {origin.fetch(url).reason for url in web.pages if host_of(url) == cutting}
    assert reasons == {None, Reason.CUT_SHORT, Reason.RESET}


def test_beyond_the_plan_a_world_goes_one_step_and_to_the_end_of_redirects(web: DemoWeb, origin: Generated) -> None:
    calendar = f"http://{host_with(web, Oddity.CALENDAR)}/calendar/2024/5/"
    moved = f"http://{host_with(web, Oddity.MOVED)}/"
    circle = "http://www.dailyvoice.test/round.html"
    found = origin.beyond([calendar, moved, circle, next(iter(web.pages)), "http://not-in-the-demo.example/"])
    assert list(found) == [calendar, moved, circle, "http://www.dailyvoice.test/about-round.html"]


def test_pages_about_no_topic_have_no_label(web: DemoWeb, origin: Generated) -> None:
    labels = {label.url: label.topic for label in origin.labels()}
    assert set(labels.values()) >= set(web.topics)
    assert not [topic for topic in labels.values() if topic.startswith("Other")]
    assert 0 < len(labels) < len(web.pages)


@pytest.mark.slow
def test_the_whole_demo_web_is_a_world(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> None:
    with demo_world(tmp_path_factory) as world:
        assert len(set(web.pages) - set(world.urls)) == 47  # of servers that are silent, cut off, or out of order
        assert set(web.topics) <= set(world.topics)
        assert world.fully_labelled
        assert not [url for url in world.urls if "/calendar/" in url and "/2024/" not in url]
        old = next(url for url in world.addresses if "/old/" in url and world.find(url) is not None)
        assert old not in world.number
