"""Pages that cite a good one are fetched too: an island about the topic that no page leads to is found backwards."""

import random
import re
import sys
import time
from pathlib import Path

import pytest

from scenthound.crawl.backlinks.sources import CitingCommand, source_of
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.errors import SettingError
from scenthound.settings.schema import BacklinksSettings
from scenthound.store.sqlite.store import SqliteStore
from tests.crawl.scene import Crawled, command, resume
from tests.crawl.topical_web import Served, new, sentence, topics, url
from tests.crawl.topical_web import answer as topical_answer
from tests.patience import PATIENCE
from tests.store.small_world import claim, found, page, put

ISLAND = [f"http://island.test/{number}" for number in range(4)]
PORTAL = "http://portal.test/"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
BRIEF = ("crawl.pages=60", "crawl.tunnel=0", "apprentice.sample=0", "critic.kind=bayes")  # quickest to learn


def answer(host: str, path: str) -> Answer:
    """The web of the topics, with an island about birds that cites page 9, and a portal about rocks that knows both."""
    if host == "island.test":
        return _page("birds", path, [url("birds", 9), *ISLAND])
    if host == "portal.test":
        return _page("rocks", path, [url("birds", 9), ISLAND[0]])
    if path == "/page8.html" and host == "birds.test":
        return _page("birds", path, [url("birds", 9), PORTAL])
    return topical_answer(host, path)


def _page(topic: str, path: str, links: list[str]) -> Answer:
    draw = random.Random(f"{topic} {path}")
    words = "".join(f"<p>{sentence(topic, draw)}</p>" for _ in range(6))
    anchors = "".join(f'<li><a href="{link}">see here</a></li>' for link in links)
    return Answer(headers=HTML, body=f"<title>{path}</title>{words}<ul>{anchors}</ul>".encode())


def crawl(path: Path, source: str, *settings: str) -> tuple[Crawled, list[str]]:
    with ServedWeb(answer) as web:
        served = Served(web=web)
        crawled = resume(new(path, topics()), served.settings(*BRIEF, f"backlinks.source={source!r}", *settings))
        return crawled, served.asked()


def program(path: Path, text: str) -> Path:
    """Write a program that stands for a search engine which knows who links to a page."""
    path.write_text(f"#!{sys.executable}\nimport sys\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


SLOW = pytest.mark.slow


@pytest.mark.slow
@pytest.mark.parametrize(
    "order", [pytest.param("apprentice", marks=SLOW), "best-first", pytest.param("breadth", marks=SLOW)]
)
def test_an_island_that_only_a_file_knows_is_found(tmp_path: Path, order: str) -> None:
    known = tmp_path / "citing.tsv"
    known.write_text(f"{url('birds', 9)}\t{ISLAND[0]}\nhttp://never.test/\thttp://other.test/\n", encoding="utf-8")
    crawled, asked = crawl(tmp_path / "crawl", str(known), f"crawl.order={order}")
    assert set(ISLAND) <= set(asked)
    assert "1 URL found backwards, by way of pages that cite good ones" in crawled.notices
    assert f"it cites {url('birds', 9)}, which is good." in crawled.why(ISLAND[0])
    assert crawled.trouble() == []


@SLOW
def test_without_a_source_nobody_finds_the_island(tmp_path: Path) -> None:
    _, asked = crawl(tmp_path / "crawl", "", "crawl.focus=hard")
    assert not set(ISLAND) & set(asked)


@SLOW
def test_the_links_of_the_crawl_lead_by_way_of_a_poor_page_that_cites_a_good_one(tmp_path: Path) -> None:
    crawled, asked = crawl(tmp_path / "crawl", "links", "crawl.focus=hard")
    assert PORTAL in asked
    assert set(ISLAND) <= set(asked)
    told = crawled.why(ISLAND[0])  # by the portal, or because it cites page 9 itself, whichever came first
    assert "it stands on a page that cites a good one." in told or "which is good." in told
    assert f"it also cites {url('birds', 9)}, which is good (found backwards)" in crawled.why(PORTAL)


@SLOW
def test_a_command_is_asked_about_each_good_page_once_over_all_runs(tmp_path: Path) -> None:
    log = tmp_path / "asked"
    text = f"print({ISLAND[0]!r} if sys.argv[2] == {url('birds', 9)!r} else '')\nopen({str(log)!r}, 'a').write(sys.argv[2] + '\\n')"
    engine = program(tmp_path / "engine", text)
    with ServedWeb(answer) as web:
        served = Served(web=web)
        directory = new(tmp_path / "crawl", topics())
        for pages in (14, 60):
            settings = served.settings(*BRIEF, f"backlinks.source={f'{engine} --cites'!r}", f"crawl.pages={pages}")
            crawled = resume(directory, settings)
        assert ISLAND[0] in served.asked()
    asked = log.read_text(encoding="utf-8").split()
    assert url("birds", 9) in asked
    assert len(set(asked)) > 10
    assert len(asked) - len(set(asked)) <= 4  # whose answers were under way when the first run stopped
    assert all(address.startswith(("http://birds.test", "http://island.test")) for address in asked)
    assert crawled.trouble() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import time; time.sleep(600)", "engine took longer than 0.1 s (backlinks.timeout)"),
        pytest.param("sys.exit(3)", "engine ended with status 3", marks=SLOW),
        pytest.param("print('<html>', sys.argv[1])", "engine printed 1 of 1 lines that are no addresses", marks=SLOW),
        pytest.param("while True: print('x' * 999)", "engine printed ", marks=SLOW),
    ],
)
def test_a_bad_source_is_told_of_once_and_does_not_stop_the_crawl(tmp_path: Path, text: str, told: str) -> None:
    engine = program(tmp_path / "engine", text)
    timeout = f"backlinks.timeout={0.1 if 'sleep' in text else PATIENCE}"
    crawled, asked = crawl(tmp_path / "crawl", str(engine), timeout, "crawl.pages=30")
    assert crawled.summary.pages_this_run == 30
    [notice] = [notice for notice in crawled.notices if told in notice]
    assert notice.endswith("; the crawl goes on")
    assert len(asked) >= 30


def test_a_command_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    text = "import subprocess; subprocess.run(['sleep', '600'])"
    engine = CitingCommand([str(program(tmp_path / "engine", text))], timeout=0.5)
    begun = time.monotonic()
    named = engine.citing("http://a.test/")
    assert named.failed
    assert time.monotonic() - begun < PATIENCE


def test_an_address_is_given_as_one_argument_and_never_to_a_shell(tmp_path: Path) -> None:
    engine = program(
        tmp_path / "engine", "print('http://seen.test/' + sys.argv[1].replace('/', '_'), len(sys.argv), sep='?')"
    )
    named = CitingCommand([str(engine)], timeout=PATIENCE).citing("http://a.test/;touch%20x&y=$(id)")
    assert named.urls == ("http://seen.test/http:__a.test_;touch%20x&y=$(id)?2",)


def test_a_file_may_be_json_lines_and_a_few_bad_lines_do_no_harm(tmp_path: Path) -> None:
    lines = [
        '{"cited": "http://a.test", "citing": "http://B.test/x#top"}',
        '{"cited": 3}',
        "http://a.test/\thttp://c.test/",
    ]
    (tmp_path / "citing").write_text("\n".join(lines), encoding="utf-8")
    source = source_of(BacklinksSettings(source="citing"), tmp_path)
    assert source.citing("http://a.test/").urls == ("http://b.test/x", "http://c.test/")
    assert source.citing("http://other.test/").urls == ()


@pytest.mark.parametrize(
    ("source", "cure"),
    [
        ("no-such-thing --at all", "is neither a file nor a program that can be run"),
        ("prose.txt", 'write "cited<TAB>citing" in each'),
        ('"half', "cannot be read as a command"),
    ],
)
def test_a_source_that_is_none_is_an_error_before_anything_is_asked_for(tmp_path: Path, source: str, cure: str) -> None:
    (tmp_path / "prose.txt").write_text("This is a letter.\nIt names no pages.\n", encoding="utf-8")
    with pytest.raises(SettingError, match=cure):
        source_of(BacklinksSettings(source=source), tmp_path)


@SLOW
def test_the_command_line_takes_a_source(tmp_path: Path) -> None:
    known = tmp_path / "citing.tsv"
    known.write_text(f"{url('birds', 9)}\t{ISLAND[0]}\n", encoding="utf-8")
    with ServedWeb(answer) as web:
        served = Served(web=web)
        directory = new(tmp_path / "crawl", topics())
        chosen = [word for setting in served.settings(*BRIEF) for word in ("--set", setting)]
        command("crawl", str(directory.path), "--backlinks", str(known), "--quiet", *chosen)
        assert ISLAND[0] in served.asked()
    found = command("sql", str(directory.path), "SELECT url FROM backlinks b JOIN finds f ON f.id = b.citing")
    assert ISLAND[0] in found


@pytest.mark.slow
def test_the_program_in_the_docs_asks_another_crawl(tmp_path: Path) -> None:
    page_of_docs = Path(__file__).parents[2] / "docs" / "how-to" / "follow-links-backwards.md"
    [text] = re.findall(r"```python\n(.*?)```", page_of_docs.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "portal").mkdir()
    with SqliteStore(tmp_path / "portal" / "crawl.db") as store:
        store.add([found("http://hub.test/")], now=0.0)
        put(
            store,
            page(*claim(store, now=0.0), at=1.0, links=[found("http://good.test/"), found("http://o.test/")]),
            now=1.0,
        )
    engine = tmp_path / "who-cites"
    engine.write_text(text.replace("file:portal", f"file:{tmp_path}/portal"), encoding="utf-8")
    engine.chmod(0o755)
    source = source_of(BacklinksSettings(source=str(engine)), tmp_path)
    assert source.citing("http://good.test/").urls == ("http://hub.test/",)
    assert source.citing("http://hub.test/").urls == ()
