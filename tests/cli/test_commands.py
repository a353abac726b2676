"""The commands as a user types them, on a small web on loopback: results on stdout, the rest on stderr, exit codes."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from tests.cli.conftest import PAGES, Crawled, one_line, scenthound, settings_for


def test_new_tells_what_to_do_next(tmp_path: Path) -> None:
    ran = scenthound("new", tmp_path / "birds", "https://a.example/")
    assert ran.code == 0
    assert "with 1 page to start from" in ran.out
    assert f"scenthound crawl {tmp_path / 'birds'}" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "nothing to crawl"),
        (("not-a-url",), "not-a-url is not the URL of a web page"),
        (("page.html",), "page.html is not the URL of a web page"),
        (("me@example.org",), "me@example.org is not the URL of a web page"),
        (("--query", "x", "--topics", "t.toml"), "not both"),
        (("--topics", "nowhere.toml"), "nowhere.toml: the file does not exist"),
        (("--bookmark", "x"), "No such option"),
    ],
)
def test_new_says_in_one_line_what_is_missing(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    ran = scenthound("new", tmp_path / "birds", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in one_line(ran.err)
    assert not (tmp_path / "birds").exists()


@pytest.mark.parametrize("command", ["crawl", "status"])
def test_what_is_no_crawl_is_refused_in_one_line(tmp_path: Path, command: str) -> None:
    ran = scenthound(command, tmp_path)
    assert ran.code == 2
    assert "is not a crawl directory" in one_line(ran.err)


def test_a_wrong_setting_is_refused_before_anything_is_fetched(new_crawl: Callable[..., Path]) -> None:
    path = new_crawl("http://a.example/")
    ran = scenthound("crawl", path, "--set", "fetch.dealy=1")
    assert (ran.code, one_line(ran.err)) == (
        2,
        "scenthound: --set: fetch.dealy does not exist; did you mean fetch.delay?",
    )
    assert not (path / "crawl.db").exists()


@pytest.mark.slow
def test_before_the_first_crawl_each_command_says_so(new_crawl: Callable[..., Path]) -> None:
    path = new_crawl("http://a.example/", "http://b.example/")
    assert scenthound("status", path).out == f"{path} has not been crawled yet; it starts from 2 pages.\n"
    assert json.loads(scenthound("status", path, "--json").out)["census"]["pages"] == 0
    for ran in (scenthound("why", path, "http://a.example/"), scenthound("export", path, "--format", "urls")):
        assert ran.code == 2
        assert "has not been crawled yet" in one_line(ran.err)


@pytest.mark.parametrize("made", [b"", None])
def test_a_database_without_tables_is_a_crawl_that_was_stopped_when_it_began(
    new_crawl: Callable[..., Path], made: bytes | None
) -> None:
    path = new_crawl("http://a.example/")
    if made is None:
        with closing(sqlite3.connect(path / "crawl.db")) as con:
            con.execute("PRAGMA journal_mode = WAL")
    else:
        (path / "crawl.db").write_bytes(made)
    ran = scenthound("status", path)
    assert ran.code == 1
    assert one_line(ran.err).endswith(
        f"holds nothing yet: the crawl was stopped when it began; start it again with: scenthound crawl {path}"
    )


def test_a_crawl_ends_when_the_frontier_is_dry_and_says_so(crawled: Crawled) -> None:
    assert crawled.ran.code == 0, crawled.ran.err
    assert crawled.ran.out.startswith("Stopped: frontier dry")
    assert f"{PAGES + 2} pages in " in crawled.ran.out
    assert crawled.ran.err.count("No contact is set") == 1


@pytest.mark.slow
def test_the_contact_is_asked_for_once_only(crawled: Crawled, served: ServedWeb) -> None:
    again = scenthound("crawl", crawled.path, *settings_for(served.port))
    assert again.code == 0
    assert "No contact" not in again.err


@pytest.mark.slow
def test_pages_count_over_all_runs(new_crawl: Callable[..., Path], served: ServedWeb) -> None:
    path = new_crawl("http://a.example/")
    for budget in (3, 8, 8):
        ran = scenthound("crawl", path, "--quiet", "--pages", str(budget), *settings_for(served.port))
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("Stopped: page budget reached")
        assert json.loads(scenthound("status", path, "--json").out)["census"]["pages"] == budget


@pytest.mark.slow
def test_a_crawl_without_a_page_says_that_its_starting_points_failed(
    new_crawl: Callable[..., Path], served: ServedWeb
) -> None:
    path = new_crawl("http://a.example/missing", "http://a.example/private/diary", "http://127.0.0.9/")
    ran = scenthound("crawl", path, "--quiet", *settings_for(served.port))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == (
        "No page was fetched: all 3 starting points failed (http-error 1, robots 1, private-address 1). "
        f"For details: scenthound why {path} http://a.example/missing"
    )


def test_a_crawl_with_a_page_says_nothing_of_the_kind(crawled: Crawled) -> None:
    assert "No page was fetched" not in crawled.ran.out


@pytest.mark.slow
@pytest.mark.parametrize("proxy", ["the web", "nobody"])
def test_the_password_of_a_proxy_is_never_shown(new_crawl: Callable[..., Path], served: ServedWeb, proxy: str) -> None:
    path = new_crawl("http://a.example/")
    port = served.port if proxy == "the web" else 9  # discard: refused
    text = (path / "crawl.toml").read_text().replace('#proxy = ""', f'proxy = "http://me:geheim@127.0.0.1:{port}"')
    (path / "crawl.toml").write_text(text)
    brisk = ("fetch.delay=0", "crawl.patience=0", "read.workers=1")
    ran = scenthound("crawl", path, "--pages", "2", *(f"--set={one}" for one in brisk))
    assert ("2 in all" in ran.out) == (proxy == "the web")
    looks = [scenthound("status", path), scenthound("status", path, "--json"), scenthound("why", path, "a.example")]
    shown = "".join(one.out + one.err for one in [ran, *looks])
    log = "".join(file.read_text() for file in (path / "logs").iterdir())
    assert "geheim" not in shown + log


@pytest.mark.slow
def test_bad_hosts_can_be_forgiven(new_crawl: Callable[..., Path], served: ServedWeb) -> None:
    path = new_crawl("http://unknown.invalid/", "http://b.example/")
    for _ in range(2):
        scenthound("crawl", path, *settings_for(served.port))
    assert "1 host is bad: unknown.invalid" in scenthound("status", path).out
    again = scenthound("crawl", path, "--forgive", *settings_for(served.port))
    assert "1 bad host" in again.err


@pytest.mark.slow
def test_status_in_words_and_as_json(crawled: Crawled) -> None:
    shown = crawled.run("status").out
    assert shown.startswith("not running\n")
    assert f"pages      {PAGES + 2}" in shown
    assert "http-error: the server answered that there is no such page" in shown
    sums = re.findall(r"^  (?:failed|refused) +(\d+).*\n((?:    +\d+  .+\n)*)", shown, re.MULTILINE)
    assert [int(total) for total, _ in sums] == [3, 1]
    assert all(sum(int(line.split()[0]) for line in lines.splitlines()) == int(total) for total, lines in sums)
    told = json.loads(crawled.run("status", "--json").out)
    assert (told["running"], told["census"]["pages"], told["harvest"]) == (False, PAGES + 2, None)
    assert told["refused"] == {"robots": 1}
    assert told["failed"] == {"http-error": 1, "unsupported-type": 1, "robots-unreachable": 1}
    assert {host["host"] for host in told["hosts"]} >= {"a.example", "b.example"}


def test_why_tells_the_story_of_a_page(crawled: Crawled) -> None:
    ran = crawled.run("why", "HTTP://A.example:80/page/3#part")
    assert ran.code == 0
    assert 'on http://a.example/ as a link with the words "see /page/3"' in ran.out
    assert "status 200 from 127.0.0.1" in ran.out
    assert '"Page 3, “Ünï”", text/html en' in ran.out
    assert "Archived in " in ran.out


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://a.example/private/diary", 'does not allow it ("Disallow: /private")'),
        ("http://a.example/missing", "status 404"),
        ("http://a.example/moved", "a redirect"),
        ("http://unknown.invalid/", "the site's robots.txt could not be fetched"),
        ("http://a.example/", "Given as a starting point"),
        ("http://a.example/private/diary", "not asked for: no page, because the site's robots.txt does not allow it"),
        ("http://a.example/picture", "status 200"),
    ],
)
def test_why_knows_what_went_wrong(crawled: Crawled, url: str, words: str) -> None:
    assert words in crawled.run("why", url).out


@pytest.mark.slow
def test_why_of_something_never_seen(crawled: Crawled) -> None:
    ran = crawled.run("why", "http://a.example/never")
    assert (ran.code, ran.out) == (1, "")
    assert "http://a.example/never was never seen: no page" in one_line(ran.err)
    assert crawled.run("why", "http://").code == 2


@pytest.mark.parametrize(
    "url", ["https://a.example/page/3", "www.a.example/page/3/", "http://a.example/page/3?from=mail"]
)
def test_why_offers_the_address_that_was_probably_meant(crawled: Crawled, url: str) -> None:
    ran = crawled.run("why", url)
    assert (ran.code, ran.out) == (1, "")
    assert one_line(ran.err).endswith("was never seen: did you mean http://a.example/page/3?")


@pytest.mark.slow
def test_an_address_without_a_scheme_means_the_same_to_new_and_why(crawled: Crawled, tmp_path: Path) -> None:
    made = scenthound("new", tmp_path / "birds", "www.rspb.org.uk/birds", "http://b.example/")
    assert (made.code, made.err) == (0, "")
    assert "www.rspb.org.uk/birds is read as https://www.rspb.org.uk/birds." in made.out
    assert CrawlDirectory.open(tmp_path / "birds").seeds() == ["https://www.rspb.org.uk/birds", "http://b.example/"]
    assert crawled.run("why", "a.example/page/3").out.startswith("http://a.example/page/3\n")
    refused = crawled.run("why", "notaurl")
    assert (refused.code, refused.out) == (2, "")
    assert "notaurl is not the" in one_line(refused.err)


def test_why_as_json(crawled: Crawled) -> None:
    told = json.loads(crawled.run("why", "http://a.example/missing", "--json").out)
    assert (told["url"], told["reason"], told["attempts"][-1]["status"]) == (
        "http://a.example/missing",
        "http-error",
        404,
    )


def test_a_disaster_is_one_line_and_a_traceback_only_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "crawl.toml").write_text("")
    (broken / "crawl.db").write_bytes(b"this is no database " * 100)
    ran = scenthound("status", broken)
    assert ran.code == 1
    assert "Traceback" not in one_line(ran.err)
    monkeypatch.setenv("SCENTHOUND_DEBUG", "1")
    assert "Traceback" in scenthound("status", broken).err
