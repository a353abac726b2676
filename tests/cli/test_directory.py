"""One folder is one crawl: made once, opened often, crawled by one process at a time."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, TopicsError
from scenthound.services.crawls.new_crawl import Wish, make_crawl
from scenthound.settings.schema import FetchSettings, Settings
from scenthound.topics.url_topics import topics_of_urls
from tests.patience import PATIENCE

TOPICS = topics_of_urls(["https://a.example/"])


def make(path: Path) -> CrawlDirectory:
    return CrawlDirectory.create(path, topics=TOPICS)


def test_a_new_crawl_has_all_its_parts_and_opens_again(tmp_path: Path) -> None:
    made = make(tmp_path / "deep" / "birds")
    assert sorted(part.name for part in made.path.iterdir()) == [
        "archive",
        "crawl.toml",
        "logs",
        "models",
        "topics.toml",
    ]
    opened = CrawlDirectory.open(made.path)
    assert opened.seeds() == ["https://a.example/"]
    assert opened.settings() == Settings()
    assert opened.settings(["fetch.delay=3"]).fetch.delay == 3.0


def test_settings_given_at_birth_are_written_into_the_file(tmp_path: Path) -> None:
    settings = Settings(fetch=FetchSettings(delay=0.05, resolve={"*.demo.test": "127.0.0.1:80"}))
    made = CrawlDirectory.create(tmp_path / "birds", topics=TOPICS, settings=settings)
    assert made.settings() == settings
    assert "\ndelay = 0.05\n" in made.settings_file.read_text()


def test_an_empty_folder_may_become_a_crawl(tmp_path: Path) -> None:
    assert make(tmp_path).settings_file.is_file()


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    make(tmp_path / "birds")
    with pytest.raises(DirectoryError, match="is a crawl already; resume it with: scenthound crawl"):
        make(tmp_path / "birds")
    with pytest.raises(DirectoryError, match="is not empty"):
        make(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(DirectoryError, match="is a file"):
        make(tmp_path / "file")
    with pytest.raises(DirectoryError, match="cannot be made"):
        make(tmp_path / "file" / "below")


def test_what_is_not_a_crawl_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="is not a crawl directory"):
        CrawlDirectory.open(tmp_path)
    with pytest.raises(DirectoryError, match="does not exist; make a crawl there with: scenthound new"):
        CrawlDirectory.open(tmp_path / "nowhere")


def test_a_topics_file_comes_along_as_it_stands_with_the_files_it_names(tmp_path: Path) -> None:
    source = tmp_path / "mine"
    (source / "pages").mkdir(parents=True)
    (source / "pages" / "race.html").write_text("<p>race</p>")
    text = '# my own words\n[[topic]]\npath = "A"\ngood = true\nexamples = ["https://a.example/", "pages/race.html"]\n'
    (source / "t.toml").write_text(text)
    make_crawl(Wish(path=tmp_path / "birds", topics=source / "t.toml"))
    made = CrawlDirectory.open(tmp_path / "birds")
    assert made.topics_file.read_text() == text
    assert (made.path / "pages" / "race.html").read_text() == "<p>race</p>"
    assert made.topics().good[0].example_files == ("pages/race.html",)


@pytest.mark.parametrize(("name", "message"), [("../race.html", "lies outside"), ("archive/race.html", "rename it")])
def test_example_files_must_find_a_place_in_the_crawl(tmp_path: Path, name: str, message: str) -> None:
    source = tmp_path / "mine"
    source.mkdir()
    (source / name).parent.mkdir(exist_ok=True)
    (source / name).write_text("<p>race</p>")
    (source / "t.toml").write_text(f'[[topic]]\npath = "A"\ngood = true\nexamples = ["https://a.example/", "{name}"]\n')
    with pytest.raises(TopicsError, match=message):
        make_crawl(Wish(path=tmp_path / "birds", topics=source / "t.toml"))
    assert not (tmp_path / "birds").exists()


HOLDER = """
import sys
from pathlib import Path
from scenthound.services.crawls.new_crawl import Wish, make_crawl
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
with CrawlDirectory.open(Path(sys.argv[1])).lock():
    print("locked", flush=True)
    sys.stdin.read()
"""


@contextmanager
def hold(directory: CrawlDirectory) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-c", HOLDER, str(directory.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        yield holder


@pytest.mark.slow
def test_a_second_crawl_is_told_who_is_at_work_and_may_start_when_that_ends(tmp_path: Path) -> None:
    directory = make(tmp_path)
    assert not directory.is_running()
    with hold(directory) as holder:
        assert directory.is_running()
        with pytest.raises(DirectoryError) as caught, directory.lock():
            pass
        told = rf"is already being crawled by process {holder.pid} since \d\d:\d\d; stop it, or look at it with"
        assert re.search(told, str(caught.value))
        holder.communicate("")
    assert not directory.is_running()
    with directory.lock():
        assert directory.is_running()
    assert not directory.is_running()


@pytest.mark.slow
def test_a_process_that_was_killed_leaves_no_obstacle(tmp_path: Path) -> None:
    directory = make(tmp_path)
    with hold(directory) as holder:
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait(timeout=PATIENCE)
    assert directory.lock_file.read_text().startswith(str(holder.pid))
    assert not directory.is_running()
    with directory.lock():
        assert directory.lock_file.read_text().split()[0] == str(os.getpid())


def test_a_crawl_that_cannot_be_written_to_says_what_to_do(tmp_path: Path) -> None:
    directory = make(tmp_path)
    directory.lock_file.mkdir()  # root may write everywhere, but not into a folder
    with pytest.raises(DirectoryError, match=r"is not writable: .*; .* use a copy"), directory.lock():
        pass


def test_the_lock_is_free_again_after_an_error_inside(tmp_path: Path) -> None:
    directory = make(tmp_path)
    with pytest.raises(ZeroDivisionError), directory.lock():
        _ = 1 / 0
    assert not directory.is_running()
