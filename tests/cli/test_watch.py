"""`scenthound questions` and `scenthound watch`, as a user types them: over a small web on loopback."""

import json
import shlex
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.services.news.watch_process import watch_state
from tests.cli.conftest import Crawled, one_line, scenthound, settings_for
from tests.nursery import started
from tests.patience import until

TITLES = "SELECT f.url, p.title FROM pages p JOIN finds f ON f.id = p.url_id WHERE p.ending = 'page'"


@pytest.fixture
def mine(crawled: Crawled, tmp_path: Path) -> Path:
    """A copy of the crawl of the small web, which other tests only look at."""
    path = tmp_path / "mine"
    shutil.copytree(crawled.path, path)
    return path


@pytest.mark.slow
def test_a_question_is_saved_listed_run_and_removed(mine: Path) -> None:
    added = scenthound("questions", mine, "add", "all", "--sql", TITLES, "--report-first")
    assert (added.code, added.out.splitlines()[0]) == (0, "all: 14 new of 14 rows")
    assert scenthound("questions", mine).out == f"all: {TITLES}\n    14 rows, 14 new at the last run\n"
    assert json.loads(scenthound("questions", mine, "list", "--json").out)["questions"][0]["rows"] == 14
    news = json.loads(scenthound("questions", mine, "answers", "all", "--most", "3", "--json").out)
    assert [item["question"] for item in news] == ["all"] * 3
    assert scenthound("questions", mine, "run").out == "all: 0 new of 14 rows\n"
    gone = scenthound("questions", mine, "remove", "all").out
    assert f"add all --sql {shlex.quote(TITLES)} --report-first" in gone


@pytest.mark.slow
def test_a_feed_has_a_secret_address_that_can_be_renewed(mine: Path) -> None:
    first = scenthound("questions", mine, "feed").out
    assert scenthound("questions", mine, "feed").out == first
    assert scenthound("questions", mine, "feed", "--renew").out != first
    assert (mine / "questions.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "x"], "give --search or --sql"),
        (["add", "x", "--search", "a", "--sql", "SELECT 1"], "give --search or --sql"),
        (["add", "x", "--sql", "SELECT 1", "--key", "url"], 'the key "url" is no column of the answer'),
        (["run", "nope"], 'there is no question "nope"'),
        (["remove", "nope"], 'there is no question "nope"'),
        (["notify"], "give one of --webhook URL, --command WORDS and --stop WHERE"),
        (["notify", "--webhook", "example.org"], "give a whole address"),
        (["notify", "--webhook", "http://a.test/", "--header", "x"], "write a name, a colon and a value"),
        (["notify", "--command", "say 'it"], "--command cannot be read: No closing quotation"),
        (["notify", "--stop", "x"], '"x" gets no news'),
    ],
)
def test_wrong_questions_are_one_line(mine: Path, arguments: list[str], said: str) -> None:
    ran = scenthound("questions", mine, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in one_line(ran.err)
    assert not (mine / "questions.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [([], "say how often"), (["--every", "6x"], '--every "6x" cannot be used'), (["--every", "10s"], "from 1m to 53w")],
)
def test_a_wrong_watch_is_one_line(mine: Path, arguments: list[str], said: str) -> None:
    ran = scenthound("watch", mine, *arguments)
    assert ran.code == 2
    assert said in one_line(ran.err)


def test_what_somebody_else_wrote_into_the_file_is_refused(mine: Path) -> None:
    (mine / "questions.toml").write_text('[[command]]\nrun = ["touch", "mark"]\n')
    for ran in (scenthound("questions", mine, "run"), scenthound("watch", mine, "--once")):
        assert ran.code == 2
        assert "wants to use the command or file touch mark" in one_line(ran.err)


@pytest.mark.slow
def test_questions_run_after_a_crawl(new_crawl: Callable[..., Path], served: ServedWeb) -> None:
    path = new_crawl("http://a.example/")
    assert scenthound("questions", path, "add", "neighbours", "--search", "neighbour").code == 0
    ran = scenthound("crawl", path, "--quiet", *settings_for(served.port))
    assert "neighbours: 1 new of 1 row\n    Neighbour\n      http://b.example/\n" in ran.out
    assert "Neighbour" in (path / "news.atom").read_text()


@pytest.mark.slow
def test_a_round_revisits_and_asks(mine: Path, served: ServedWeb) -> None:
    scenthound("questions", mine, "add", "visits", "--sql", "SELECT url_id, at FROM visits")
    asked = len(served.log())
    more = {"revisit.chance": "0", "revisit.hours": "0"}
    ran = scenthound("watch", mine, "--once", *settings_for(served.port, **more))
    assert ran.code == 0, ran.err
    assert len(served.log()) > asked
    assert "Asked again for 14 pages" in ran.err
    assert "visits: 28 new of 28 rows" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_watch_ends_in_good_order_and_is_alone(mine: Path, served: ServedWeb, number: signal.Signals) -> None:
    directory = CrawlDirectory.open(mine)
    with started("watch", str(mine), "--every", "6h", *settings_for(served.port)) as watch:
        assert until(lambda: (watch_state(directory).due or 0) > (mine / "crawl.lock").stat().st_mtime + 3600)
        ran = scenthound("watch", mine, "--every", "1h", *settings_for(served.port))
        assert (ran.code, f"is already watched by process {watch.pid}" in ran.err) == (2, True)
        watch.send_signal(number)
        assert watch.wait() == 0
    assert not watch_state(directory).running
