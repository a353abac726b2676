"""The commands as a user types them, on a small web on loopback: results on stdout, the rest on stderr, exit codes."""

import csv
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scenthound.demo.answer import Answer
from scenthound.demo.server import ServedWeb
from tests.cli.conftest import PAGES, Crawled, scenthound, settings_for, small_web

EXPORT_COLUMNS = ["n", "url", "final_url", "host", "status", "mime", "title", "language", "relevance", "topic", "depth", "priority", "referrer", "fetched_at", "digest"]  # fmt: skip


def one_line(text: str) -> str:
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text.strip()


def test_new_tells_what_to_do_next(tmp_path: Path) -> None:
    ran = scenthound("new", tmp_path / "birds", "https://a.example/")
    assert ran.code == 0
    assert "with 1 page to start from" in ran.out
    assert f"scenthound crawl {tmp_path / 'birds'}" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "what shall be crawled?"),
        (("not-a-url",), "not-a-url is not the address of a web page"),
        (("--query", "x", "--topics", "t.toml"), "not both"),
        (("--topics", "nowhere.toml"), "nowhere.toml: there is no such file"),
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


def test_before_the_first_crawl_each_command_says_so(new_crawl: Callable[..., Path]) -> None:
    path = new_crawl("http://a.example/", "http://b.example/")
    assert scenthound("status", path).out == f"{path} has not been crawled yet: 2 seeds.\n"
    assert json.loads(scenthound("status", path, "--json").out)["census"]["pages"] == 0
    for ran in (scenthound("why", path, "http://a.example/"), scenthound("export", path, "--format", "urls")):
        assert ran.code == 2
        assert "has not been crawled yet" in one_line(ran.err)


def test_a_crawl_ends_when_the_frontier_is_dry_and_says_so(crawled: Crawled) -> None:
    assert crawled.ran.code == 0, crawled.ran.err
    assert crawled.ran.out.startswith("Stopped: frontier dry")
    assert f"{PAGES + 2} pages in " in crawled.ran.out
    assert crawled.ran.err.count("No contact is set") == 1


def test_the_contact_is_asked_for_once_only(crawled: Crawled, served: ServedWeb) -> None:
    again = scenthound("crawl", crawled.path, *settings_for(served.port))
    assert again.code == 0
    assert "No contact" not in again.err


def test_pages_count_over_all_runs(new_crawl: Callable[..., Path], served: ServedWeb) -> None:
    path = new_crawl("http://a.example/")
    for budget in (3, 8, 8):
        ran = scenthound("crawl", path, "--quiet", "--pages", str(budget), *settings_for(served.port))
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("Stopped: page budget reached")
        assert json.loads(scenthound("status", path, "--json").out)["census"]["pages"] == budget


def test_a_crawl_without_a_page_says_that_its_starting_points_failed(
    new_crawl: Callable[..., Path], served: ServedWeb
) -> None:
    path = new_crawl("http://a.example/missing", "http://a.example/private/diary", "http://127.0.0.9/")
    ran = scenthound("crawl", path, "--quiet", *settings_for(served.port))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == (
        "No page was fetched: all 3 starting points failed (http-error 1, robots 1, private-address 1). "
        f"This tells more: scenthound why {path} http://a.example/missing"
    )


def test_a_crawl_with_a_page_says_nothing_of_the_kind(crawled: Crawled) -> None:
    assert "No page was fetched" not in crawled.ran.out


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


def test_bad_hosts_can_be_forgiven(new_crawl: Callable[..., Path], served: ServedWeb) -> None:
    path = new_crawl("http://unknown.invalid/", "http://b.example/")
    for _ in range(2):
        scenthound("crawl", path, *settings_for(served.port))
    assert "1 host is bad: unknown.invalid" in scenthound("status", path).out
    again = scenthound("crawl", path, "--forgive", *settings_for(served.port))
    assert "1 bad host" in again.err


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


def test_why_as_json(crawled: Crawled) -> None:
    told = json.loads(crawled.run("why", "http://a.example/missing", "--json").out)
    assert (told["url"], told["reason"], told["attempts"][-1]["status"]) == (
        "http://a.example/missing",
        "http-error",
        404,
    )


def rows_of(crawled: Crawled, *arguments: str) -> list[dict[str, object]]:
    ran = crawled.run("export", "--format", "jsonl", *arguments)
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def test_export_has_one_row_a_fetched_url_in_fetch_order(crawled: Crawled) -> None:
    rows = rows_of(crawled)
    assert all(list(row) == EXPORT_COLUMNS for row in rows)
    numbers = [int(str(row["n"])) for row in rows]
    assert numbers == sorted(set(numbers))
    by_url = {str(row["url"]): row for row in rows}
    home, page, missing = (by_url[f"http://a.example/{path}"] for path in ("", "page/3", "missing"))
    assert (home["depth"], home["status"], home["referrer"], home["relevance"]) == (0, 200, "", None)
    assert (page["depth"], page["title"], page["language"]) == (1, "Page 3, “Ünï”", "en")
    assert page["referrer"] == "http://a.example/"
    assert missing["status"] == 404
    assert str(page["fetched_at"]).endswith("Z")


def test_export_all_adds_what_brought_no_page(crawled: Crawled) -> None:
    rows = rows_of(crawled, "--all")
    assert all(list(row) == [*EXPORT_COLUMNS, "ending", "reason", "duplicate_of", "near_duplicate_of"] for row in rows)
    extra = {str(row["url"]): row["reason"] for row in rows if row["n"] not in {one["n"] for one in rows_of(crawled)}}
    assert extra == {
        "http://a.example/moved": None,
        "http://a.example/picture": "unsupported-type",
        "http://a.example/private/diary": "robots",
        "http://unknown.invalid/": "robots-unreachable",
    }


def test_export_has_no_row_for_what_looks_like_a_page_and_was_refused(crawled: Crawled) -> None:
    assert {row["status"] for row in rows_of(crawled)} == {200, 404}
    assert "http://a.example/picture" not in {row["url"] for row in rows_of(crawled)}


def test_csv_says_the_same_as_jsonl(crawled: Crawled) -> None:
    rows = list(csv.DictReader(io.StringIO(crawled.run("export", "--format", "csv").out)))
    lines = rows_of(crawled)
    assert [(row["url"], row["title"], row["digest"]) for row in rows] == [
        (line["url"], line["title"], line["digest"]) for line in lines
    ]


def test_urls_are_the_pages_only(crawled: Crawled) -> None:
    urls = crawled.run("export", "--format", "urls").out.splitlines()
    assert len(urls) == PAGES + 2
    assert "http://a.example/missing" not in urls


def test_bookmarks_can_be_read_by_a_browser(crawled: Crawled) -> None:
    class Anchors(HTMLParser):
        found: list[str]

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "a":
                self.found.append(str(dict(attrs)["href"]))

    parser = Anchors()
    parser.found = []
    parser.feed(crawled.run("export", "--format", "bookmarks").out)
    assert parser.found == crawled.run("export", "--format", "urls").out.splitlines()


def test_cdxj_leads_to_the_records(crawled: Crawled) -> None:
    lines = crawled.run("export", "--format", "cdxj").out.splitlines()
    assert lines == sorted(lines)
    entries = {entry["url"]: entry for entry in (json.loads(line.split(" ", 2)[2]) for line in lines)}
    assert {entries[f"http://a.example/{path}"]["status"] for path in ("page/1", "missing", "moved")} == {
        "200",
        "404",
        "301",
    }
    entry = entries["http://a.example/page/3"]
    data = (crawled.path / "archive" / entry["filename"]).read_bytes()
    member = data[int(entry["offset"]) : int(entry["offset"]) + int(entry["length"])]
    record = gzip.decompress(member).decode()
    assert "WARC-Target-URI: http://a.example/page/3" in record
    assert f"WARC-Payload-Digest: sha1:{entry['digest']}" in record


def test_out_is_written_as_a_whole_or_not_at_all(crawled: Crawled, tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text("before")
    assert crawled.run("export", "--format", "jsonl", "--out", file).code == 0
    assert file.read_text() == crawled.run("export", "--format", "jsonl").out
    assert [part.name for part in tmp_path.iterdir()] == ["pages.jsonl"]
    missing = tmp_path / "no" / "such" / "file"
    ran = crawled.run("export", "--format", "jsonl", "--out", missing)
    assert ran.code == 2
    assert f"{missing} cannot be written: there is no folder {missing.parent}" in one_line(ran.err)
    ran = crawled.run("export", "--format", "jsonl", "--out", tmp_path)
    assert f"{tmp_path} cannot be written: Is a directory" in one_line(ran.err)


def test_a_reader_that_leaves_early_is_no_error(crawled: Crawled) -> None:
    command = [sys.executable, "-m", "scenthound", "export", str(crawled.path), "--format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as export:
        assert export.stdout is not None
        assert export.stderr is not None
        export.stdout.close()
        assert export.stderr.read() == b""
        assert export.wait(timeout=30) == 0


def test_an_unknown_format_names_those_that_exist(crawled: Crawled) -> None:
    ran = crawled.run("export", "--format", "xml")
    assert ran.code == 2
    assert "'jsonl'" in one_line(ran.err)


def start(path: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "scenthound", "crawl", str(path), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(condition: Callable[[], bool], *, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def requests_for(served: ServedWeb, path: str) -> int:
    return sum(entry.path == path for entry in served.log())


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_crawl_saves_and_resumes(
    new_crawl: Callable[..., Path], served: ServedWeb, number: signal.Signals
) -> None:
    path = new_crawl("http://a.example/")
    homes = requests_for(served, "/")
    with start(path, *settings_for(served.port, **{"fetch.delay": "0.5"})) as crawl:
        wait_until(lambda: requests_for(served, "/") > homes)
        os.kill(crawl.pid, number)
        out, err = crawl.communicate(timeout=30)
    assert crawl.returncode == 130
    assert "finishing what is in flight; again to stop at once" in err
    assert out.startswith("Stopped: interrupted")
    pages = json.loads(scenthound("status", path, "--json").out)["census"]["pages"]
    assert 1 <= pages < PAGES
    resumed = scenthound("crawl", path, *settings_for(served.port))
    assert resumed.code == 0
    assert json.loads(scenthound("status", path, "--json").out)["census"]["pages"] == PAGES + 2


@contextmanager
def crawl_of_a_silent_server(path: Path) -> "Iterator[subprocess.Popen[str]]":
    """Start a crawl of a page that is never answered, and wait until the page is asked for."""
    asked = threading.Event()

    def silent(host: str, path: str) -> Answer:
        if path == "/silent":
            asked.set()
        return small_web(host, path)

    with ServedWeb(silent) as web, start(path, *settings_for(web.port)) as crawl:
        assert asked.wait(20)
        yield crawl


def stop_at_once(crawl: "subprocess.Popen[str]") -> None:
    """Interrupt a crawl twice: the second time when it has said that it heard the first."""
    os.kill(crawl.pid, signal.SIGINT)
    assert crawl.stderr is not None
    assert any("again to stop at once" in line for line in crawl.stderr)
    os.kill(crawl.pid, signal.SIGINT)
    crawl.communicate(timeout=30)
    assert crawl.returncode == 130


def test_a_second_interrupt_does_not_wait_for_a_silent_server(new_crawl: Callable[..., Path]) -> None:
    with crawl_of_a_silent_server(new_crawl("http://a.example/silent")) as crawl:
        begun = time.monotonic()
        stop_at_once(crawl)
    assert time.monotonic() - begun < 10  # the first byte would have been waited for 20 seconds


def test_a_second_crawl_of_one_directory_is_refused_and_status_sees_the_first(new_crawl: Callable[..., Path]) -> None:
    path = new_crawl("http://a.example/silent")
    with crawl_of_a_silent_server(path) as crawl:
        second = scenthound("crawl", path)
        assert second.code == 2
        assert f"is already being crawled by process {crawl.pid}" in second.err
        assert scenthound("status", path).out.startswith("running\n")
        stop_at_once(crawl)


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
