"""A crawl directory from somebody else: nothing of it is run, and nothing outside it is read, before its user trusts
it once.
"""

import os
import pty
import resource
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.services.crawls.settings_edit import with_setting
from tests import nursery
from tests.cli.conftest import Crawled, one_line, scenthound, settings_for
from tests.patience import PATIENCE
from tests.ui.serving import served as window_of

EVIL = "import pathlib\ndef run(*_given):\n    pathlib.Path({mark!r}).touch()\n    return 0.5\nrun()\n"


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with a module that leaves a mark when it is imported, as a directory of somebody else may have
    it.
    """
    here = tmp_path / "here"
    here.mkdir()
    (here / "evil_module.py").write_text(EVIL.format(mark=str(tmp_path / "mark")))
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "path", [*sys.path])
    sys.modules.pop("evil_module", None)
    return tmp_path / "mark"


@pytest.fixture
def foreign(tmp_path: Path, served: ServedWeb) -> Callable[..., Path]:
    """Make a crawl directory that comes from elsewhere, with settings that its user has not seen."""

    def make(*settings: str) -> Path:
        shaped = [part for one in settings for part in ("--set", one)]
        made = scenthound("new", tmp_path / "maker", "http://a.example/", *settings_for(served.port), *shaped)
        assert made.code == 0, made.err
        return (tmp_path / "maker").rename(tmp_path / "foreign")

    return make


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting",
    ["crawl.order=evil_module:run", "critic.kind=evil_module:run", "backlinks.source=sh -c 'touch ../mark'"],
)
def test_what_its_settings_name_is_not_run(mark: Path, foreign: Callable[..., Path], setting: str) -> None:
    path = foreign("critic.kind=bayes", setting)
    thing = setting.partition("=")[2]
    commands = ("crawl", path), ("topics", path, "--retrain"), ("topics", path, "quality"), ("classify", path, "x")
    for words in commands:
        if words[0] == "crawl" or setting.startswith("critic"):
            ran = scenthound(*words)
            assert ran.code == 2
            assert thing in one_line(ran.err)
            assert "if you trust it, add --trust once" in ran.err
    assert not mark.exists()
    assert not (path / "crawl.db").exists()


@pytest.mark.slow
def test_it_is_run_once_it_is_trusted_and_a_changed_setting_is_asked_about_again(
    mark: Path, foreign: Callable[..., Path]
) -> None:
    path = foreign("crawl.order=evil_module:run")
    assert scenthound("crawl", path, "--quiet", "--trust").code == 0
    assert mark.exists()
    assert scenthound("crawl", path, "--quiet").code == 0
    directory = CrawlDirectory.open(path)
    text = with_setting(directory.settings_file.read_text(), "crawl.order", "os.path:exists")
    directory.settings_file.write_text(text)
    again = scenthound("crawl", path, "--quiet")
    assert (again.code, "the function os.path:exists" in one_line(again.err)) == (2, True)


@pytest.mark.slow
def test_what_the_user_has_set_by_a_command_is_trusted(mark: Path, tmp_path: Path, served: ServedWeb) -> None:
    web = settings_for(served.port)
    order = ("--set", "crawl.order=evil_module:run")
    assert scenthound("new", tmp_path / "one", "http://a.example/", *web, *order).code == 0
    assert scenthound("crawl", tmp_path / "one", "--quiet").code == 0
    assert mark.exists()
    assert scenthound("new", tmp_path / "two", "http://a.example/", *web).code == 0
    assert scenthound("crawl", tmp_path / "two", "--quiet", *order).code == 0


@pytest.mark.slow
def test_on_a_terminal_it_is_asked(mark: Path, foreign: Callable[..., Path]) -> None:
    path = foreign("crawl.order=evil_module:run")

    def asked(answer: bytes) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "scenthound", "crawl", str(path), "--pages", "3"]
        with subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs) as process:
            os.close(theirs)
            os.write(ours, answer)
            said = b""
            while process.poll() is None or b"\n" not in said[-200:]:
                try:
                    said += os.read(ours, 4096)
                except OSError:  # the program has closed its end
                    break
        os.close(ours)
        return process.returncode, said.decode()

    code, said = asked(b"n\n")
    assert (code, mark.exists()) == (2, False)
    assert "the function evil_module:run" in said
    assert "Do you trust it? You are asked only once. [y/N]" in said
    code, said = asked(b"y\n")
    assert (code, mark.exists()) == (0, True)
    code, said = asked(b"")
    assert (code, "Do you trust it" in said) == (0, False)


def _with_function_as_critic(path: Path) -> None:
    """Give a crawl a critic that is a function, as whoever made it may have."""
    from scenthound.judge.modelfile import CALLABLE, Model, write_model

    facts = {"function": "evil_module:run", "topic": "Interest"}
    write_model(path / "models" / "critic-0001", Model(kind=CALLABLE, facts=facts, arrays={}))
    with sqlite3.connect(path / "crawl.db") as con:
        con.execute("DELETE FROM critics")
        con.execute(
            "INSERT INTO critics (version, kind, model, lessons, good, trained_at, said) VALUES (1, 'logistic', ?, '', '[]', 0, '')",
            ("models/critic-0001",),
        )


@pytest.fixture
def copied(crawled: Crawled, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled.path, tmp_path / "crawls" / "copied"))


@pytest.mark.slow
def test_a_saved_critic_that_is_a_function_is_not_loaded(mark: Path, copied: Path) -> None:
    _with_function_as_critic(copied)
    ran = scenthound("classify", copied, "--stored")
    assert (ran.code, "the function evil_module:run" in one_line(ran.err)) == (2, True)
    with window_of(copied.parent) as window:
        for path in ("page?n=1", "page?url=http://a.example/", "hubs?topic=Interest", "status", "sites"):
            window.client.get(f"/api/crawls/copied/{path}")
    assert not mark.exists()
    assert scenthound("classify", copied, "--stored", "--trust").code == 0
    assert mark.exists()


@pytest.mark.parametrize("model", ["/tmp", "../../elsewhere", "models/link"])
def test_a_critic_elsewhere_is_not_opened(copied: Path, tmp_path: Path, model: str) -> None:
    (copied / "models" / "link").symlink_to(tmp_path)
    _with_function_as_critic(copied)
    with sqlite3.connect(copied / "crawl.db") as con:
        con.execute("UPDATE critics SET model = ?", (model,))
    ran = scenthound("classify", copied, "--stored")
    assert (ran.code, "leads out of" in one_line(ran.err)) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["archive", "crawl.db", "logs"])
def test_a_link_out_of_the_directory_is_not_followed(copied: Path, tmp_path: Path, name: str) -> None:
    (copied / name).rename(tmp_path / "elsewhere")
    (copied / name).symlink_to(tmp_path / "elsewhere")
    ran = scenthound("status", copied)
    assert (ran.code, f"the link {name} to {tmp_path / 'elsewhere'}" in one_line(ran.err)) == (2, True)
    with window_of(copied.parent) as window:
        assert window.client.get("/api/crawls/copied/status").status_code == 409
        [line] = window.client.get("/api/crawls").json()
        assert line["doing"].startswith("damaged: ")
    assert scenthound("topics", copied, "--trust").code == 0
    assert scenthound("status", copied).code == 0


def test_an_example_outside_the_directory_is_not_read(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<a href='http://a.example/secret'>x</a>")
    for example in (str(tmp_path / "secret.html"), "../../secret.html"):
        (copied / "topics.toml").write_text(f'[[topic]]\npath = "A"\ngood = true\nexamples = ["{example}"]\n')
        ran = scenthound("topics", copied)
        assert (ran.code, "lies outside the crawl directory" in one_line(ran.err)) == (2, True)


def _archived_in(path: Path, name: str) -> None:
    with sqlite3.connect(path / "crawl.db") as con:
        con.execute("UPDATE pages SET archive_file = ?", (name,))


@pytest.mark.slow
@pytest.mark.parametrize("where", ["absolute", "above", "link"])
def test_an_archive_elsewhere_is_not_opened(copied: Path, tmp_path: Path, where: str) -> None:
    file = next((copied / "archive").glob("*.warc.gz"))
    outside = tmp_path / "outside.warc.gz"
    shutil.copy(file, outside)
    (copied / "archive" / "link.warc.gz").symlink_to(outside)
    names = {"absolute": str(outside), "above": "../../../outside.warc.gz", "link": "link.warc.gz"}
    _archived_in(copied, names[where])
    ran = scenthound("export", copied, "--format", "cdxj")
    assert (ran.code, "leads out of" in one_line(ran.err)) == (1, True)
    with window_of(copied.parent) as window:
        answer = window.client.get("/archived/copied/1")
        assert (answer.status_code, "leads out of" in answer.json()["error"]) == (500, True)
        assert isinstance(window.client.get("/api/crawls/copied/page/text?n=1"), httpx.Response)


@pytest.mark.slow
def test_a_record_that_unpacks_to_gigabytes_is_read_up_to_a_limit(copied: Path) -> None:
    bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(bomb.compress(bytes(1_000_000)) for _ in range(400)) + bomb.flush()
    (copied / "archive" / "bomb.warc.gz").write_bytes(packed)
    _archived_in(copied, "bomb.warc.gz")
    with sqlite3.connect(copied / "crawl.db") as con:
        con.execute("UPDATE pages SET archive_offset = 0, archive_length = ?", (len(packed),))
    ran = scenthound("export", copied, "--format", "cdxj")
    assert (ran.code, "the record holds more than 256,000,000 bytes" in one_line(ran.err)) == (1, True)
    with window_of(copied.parent) as window:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        answer = window.client.get("/archived/copied/1")
        assert "the record holds more than 21,000,000 bytes" in answer.json()["error"]
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


@pytest.mark.slow
def test_a_file_beside_the_user_with_the_name_of_a_dependency_is_not_run(
    tmp_path: Path, served: ServedWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is started: readers, the distiller, what the window starts, and the demo's own web."""
    with nursery.at_length():
        _beside_such_files(tmp_path, served, monkeypatch)


def _beside_such_files(tmp_path: Path, served: ServedWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crawl"
    web = [*settings_for(served.port), "--set", "distill.least=1", "--set", "critic.kind=bayes"]
    assert scenthound("new", path, "http://a.example/", *web).code == 0
    here = tmp_path / "here"
    here.mkdir()
    for name in ("msgspec", "numpy", "selectolax", "zlib", "struct", "socket", "typer", "isal", "random", "scenthound"):
        (here / f"{name}.py").write_text(f"import sys\nsys.stderr.write('{name} was run')\nraise SystemExit(9)\n")
    monkeypatch.chdir(here)
    program = str(Path(sys.executable).with_name("scenthound"))
    for words in (["crawl", str(path)], ["demo", "--dir", str(tmp_path / "demo"), "--pages", "9"]):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, "was run" in done.stderr) == (0, False), (words, done.stderr)
    assert "was run" not in (path / "logs" / "readers.log").read_text()
    with window_of(path) as window:
        assert window.client.get("/api/crawls/crawl/quality").status_code == 200
        assert "text" in window.client.get("/api/crawls/crawl/page/text?n=1").json()
