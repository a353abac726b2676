"""The demo web is a pure value, looks like a web, and misbehaves where it says so."""

import re
import subprocess
import sys
import time
from html import unescape
from urllib.parse import urljoin

import pytest

from scenthound.demo.host_table import Layout, Oddity
from scenthound.demo.served_answer import Behaviour
from scenthound.demo.site_plan import Kind
from scenthound.demo.web import DemoWeb


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(seed=7)


DIGEST = """
import hashlib
from scenthound.demo.web import DemoWeb
web, total = DemoWeb(7), hashlib.sha256()
for page in list(web.pages.values())[::25]:
    answer = web.answer(page.host, page.path)
    total.update(repr((page, answer.status, answer.headers)).encode() + answer.body)
print(total.hexdigest())
"""


# A change of the demo web changes every figure measured on it, and should be meant. Python 3.11, 3.12 and 3.13 agree.
PINNED = "15427c57ec2e1074220746d49c6453f4ab6af3f99855bcbe0089bd76f634977d"


def hrefs(web: DemoWeb, url: str) -> set[str]:
    return {
        urljoin(url, unescape(href)).partition("#")[0] for href in re.findall(r'(?i)<a href="([^"]*)"', web.html(url))
    }


def only(web: DemoWeb, oddity: Oddity) -> str:
    return next(name for name, host in web.hosts.items() if oddity in host.oddities)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_any_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": number}
        ).stdout
        for number in ("1", "2")
    }
    assert digests == {PINNED + "\n"}


@pytest.mark.slow
def test_another_seed_gives_another_web(web: DemoWeb) -> None:
    other = DemoWeb(8)
    assert set(other.pages) != set(web.pages)
    assert other.html("http://strata.test/") != web.html("http://strata.test/")


@pytest.mark.slow
def test_it_is_there_at_once() -> None:
    started = time.process_time()
    assert len(DemoWeb(11).truth) > 4500
    assert time.process_time() - started < 1.5


def test_its_size_and_its_topics(web: DemoWeb) -> None:
    assert 60 <= len(web.hosts) <= 75
    assert 4500 <= len(web.pages) <= 5500
    assert len(web.topics) == 15
    assert all(host.endswith(".test") for host in web.hosts)
    assert all(len([t for t in web.truth.values() if t == topic]) > 150 for topic in web.topics)


@pytest.mark.slow
def test_seeds_are_good_pages_of_their_topic(web: DemoWeb) -> None:
    for topic in web.topics:
        seeds = web.seeds(topic)
        assert len(set(seeds)) == len(seeds) == 6
        assert {web.truth[url] for url in seeds} == {topic}
        assert all(web.answer(web.pages[url].host, web.pages[url].path).status == 200 for url in seeds)
    assert {web.truth[url] for url in web.seeds("Recreation/Cycling", count=40)} == {
        "Recreation/Cycling/Mountain_Biking",
        "Recreation/Cycling/Touring",
    }


@pytest.mark.slow
def test_links_keep_to_their_topic(web: DemoWeb) -> None:
    on, off = [0, 0], [0, 0]
    for page in list(web.pages.values())[::9]:
        targets = [web.truth[url] for url in hrefs(web, page.url) if url in web.truth]
        for topic in web.topics:
            count = on if page.topic == topic else off
            count[0] += targets.count(topic)
            count[1] += len(targets)
    assert 0.3 < on[0] / on[1] < 0.45
    assert off[0] / off[1] < 0.04


def test_every_article_can_be_reached_from_its_home_page(web: DemoWeb) -> None:
    for host in ("ridgeline-mtb.test", "www.radreise.test", "www.webindex.test"):
        sections = [url for url in hrefs(web, f"http://{host}/") if url.endswith(("guides/", "stories/", "reviews/"))]
        listed = {link.target.url for url in sections for link in web.links(url) if link.target}
        articles = {p.url for p in web.pages.values() if p.host == host and p.kind is Kind.ARTICLE}
        assert articles
        assert articles <= listed


def test_fame_is_unequal(web: DemoWeb) -> None:
    """A tenth of the pages of a topic get a good third of its links: there are authorities to be found."""
    counts: dict[str, int] = {}
    for page in web.pages.values():
        if page.kind is Kind.ARTICLE and page.topic == "Home/Baking":
            for link in web.links(page.url):
                if link.target and link.target.topic == page.topic:
                    counts[link.target.url] = counts.get(link.target.url, 0) + 1
    ranked = sorted(counts.values(), reverse=True)
    assert sum(ranked[: len(ranked) // 10]) > 0.33 * sum(ranked)


def test_hubs_are_lists_of_links_about_one_topic(web: DemoWeb) -> None:
    hubs = [page for page in web.pages.values() if page.kind is Kind.LINKS and page.topic in web.topics]
    assert len(hubs) > 60
    for hub in hubs[::8]:
        targets = [link.target.topic for link in web.links(hub.url) if link.target]
        assert len(targets) >= 8
        assert targets.count(hub.topic) / len(targets) > 0.6


@pytest.mark.slow
def test_old_addresses_lead_to_pages_in_a_few_steps_or_round_in_a_circle(web: DemoWeb) -> None:
    steps = []
    for link in {link.href for page in list(web.pages.values())[::30] for link in web.links(page.url)}:
        url, count = link, 0
        while url.startswith("http://") and count < 9:
            host, _, path = url.removeprefix("http://").partition("/")
            answer = web.answer(host, "/" + path)
            if answer.status not in (301, 302):
                break
            url, count = dict(answer.headers)["Location"], count + 1
        steps.append(count)
    assert {0, 1, 2, 4} <= set(steps)
    assert web.answer("www.dailyvoice.test", "/round.html").status in (301, 302)


def test_a_moved_site_sends_every_page_to_its_new_place(web: DemoWeb) -> None:
    host = only(web, Oddity.MOVED)
    new = next(page for page in web.pages.values() if page.host == web.hosts[host].twin and page.kind is Kind.ARTICLE)
    assert dict(web.answer(host, new.path).headers)["Location"] == new.url


def test_a_mirror_has_the_same_texts_under_another_name(web: DemoWeb) -> None:
    mirror = web.hosts[only(web, Oddity.MIRROR)]
    page = next(p for p in web.pages.values() if p.host == mirror.name and p.kind is Kind.ARTICLE)
    copy, original = web.html(page.url), web.html(page.url.replace(mirror.name, mirror.twin))
    text = re.compile(r"<p>([^<]*)")
    assert f"Mirror of {mirror.twin}" in copy
    assert text.findall(copy)[:-1] == text.findall(original)
    assert f"http://{mirror.twin}/" not in copy


def test_a_print_view_names_the_page_it_shows(web: DemoWeb) -> None:
    host = only(web, Oddity.PRINT_VIEWS)
    page = next(p for p in web.pages.values() if p.host == host and p.kind is Kind.ARTICLE)
    printed = web.answer(host, page.path + "?view=print").body
    assert f'<link rel="canonical" href="{page.url}">'.encode() in printed
    assert printed != web.answer(host, page.path).body


@pytest.mark.parametrize(("oddity", "parameter"), [(Oddity.SESSIONS, "PHPSESSID"), (Oddity.VISITS, "visit")])
def test_each_view_gives_its_links_a_new_id_and_any_id_shows_the_page(
    web: DemoWeb, oddity: Oddity, parameter: str
) -> None:
    host = only(web, oddity)
    page = next(p for p in web.pages.values() if p.host == host and p.kind is Kind.SECTION)
    ids = re.compile(rf"{parameter}=(\w+)")
    once = web.answer(host, page.path).body.decode()
    again = web.answer(host, f"{page.path}?{parameter}=0123456789abcdef").body.decode()
    assert ids.search(once)
    assert set(ids.findall(once)).isdisjoint(ids.findall(again))
    assert ids.sub("", once) == ids.sub("", again)


def test_the_calendar_has_no_end(web: DemoWeb) -> None:
    host, path, seen = only(web, Oddity.CALENDAR), "/calendar/2024/5/", set()
    for _ in range(500):
        answer = web.answer(host, path)
        assert answer.status == 200
        assert path not in seen
        seen.add(path)
        path = re.findall(r'href="([^"]*)">Next month', answer.body.decode())[0]
    assert path == "/calendar/2066/1/"


def test_robots_rules(web: DemoWeb) -> None:
    assert b"Crawl-delay: 1" in web.answer(only(web, Oddity.CRAWL_DELAY), "/robots.txt").body
    assert web.answer(only(web, Oddity.NO_ROBOTS), "/robots.txt").status == 503
    club = next(name for name, host in web.hosts.items() if host.layout is Layout.CLUB and not host.oddities)
    assert b"Disallow: /private/" in web.answer(club, "/robots.txt").body
    assert "/private/members.html" in web.html(f"http://{club}/")
    assert web.answer(club, "/private/members.html").status == 200


@pytest.mark.slow
def test_servers_that_fail(web: DemoWeb) -> None:
    def statuses(host: str) -> set[int]:
        return {web.answer(host, p.path).status for p in web.pages.values() if p.host == host}

    assert {200, 500, 503} <= statuses(only(web, Oddity.ERRORS))
    assert web.answer(only(web, Oddity.SILENT), "/").behaviour is Behaviour.SILENT
    cutting = only(web, Oddity.CUTS)
    behaviours = {web.answer(cutting, p.path).behaviour for p in web.pages.values() if p.host == cutting}
    assert {Behaviour.PLAIN, Behaviour.CUT} <= behaviours
    assert web.answer(only(web, Oddity.SLOW), "/").delay > 0
    assert web.answer(only(web, Oddity.SOFT_404), "/nothing/here").status == 200
    assert web.answer("strata.test", "/nothing/here").status == 404
    assert web.answer("unknown.test", "/").status == 404


@pytest.mark.parametrize(
    ("host", "charset", "words"),
    [
        ("www.radreise.test", "iso-8859-1", "ü"),
        ("fernradler.test", "windows-1252", "ä"),
        ("www.lafournee.test", "utf-8", "é"),
        ("painmaison.test", "iso-8859-15", "À"),
        ("www.oldweb.test", "windows-1252", "“Best viewed"),
    ],
)
def test_pages_in_other_languages_and_charsets(web: DemoWeb, host: str, charset: str, words: str) -> None:
    pages = [page for page in web.pages.values() if page.host == host and page.kind is Kind.ARTICLE]
    bodies = [web.answer(host, page.path).body.decode(charset) for page in pages]
    assert any(words in body for body in bodies)
    declared = dict(web.answer(host, pages[0].path).headers)["Content-Type"]
    assert (f"charset={charset}" in declared) == web.hosts[host].declared


def test_an_old_site_opens_with_frames(web: DemoWeb) -> None:
    assert "<FRAME SRC=" in web.html("http://www.oldweb.test/")
    assert web.answer("www.oldweb.test", "/menu.htm").status == 200


def test_a_doorway_refreshes_to_its_page(web: DemoWeb) -> None:
    answer = web.answer("strata.test", "/go/guides/")
    assert b'http-equiv="refresh" content="0; url=/guides/"' in answer.body
