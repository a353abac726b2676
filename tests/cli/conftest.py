"""A small web on loopback, and a crawl of it, for the tests of the commands."""

import contextlib
import io
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from scenthound.cli.main import main
from scenthound.demo.served_answer import Answer, Behaviour
from scenthound.demo.server import ServedWeb
from tests.made_once import made_once
from tests.nursery import at_length
from tests.patience import PATIENCE

HTML = (("Content-Type", "text/html; charset=utf-8"),)
PAGES = 12


def small_web(host: str, path: str) -> Answer:
    """Answer for a.example, which links to its pages and to b.example; what begins with /silent is never answered."""
    if path == "/robots.txt":
        return Answer(headers=(("Content-Type", "text/plain"),), body=b"User-agent: *\nDisallow: /private\n")
    if path.startswith("/silent"):
        return Answer(behaviour=Behaviour.SILENT)
    if path == "/picture":
        return Answer(headers=(("Content-Type", "image/png"),), body=b"\x89PNG\r\n\x1a\n")
    if path == "/moved":
        return Answer(status=301, headers=(*HTML, ("Location", "/page/1")))
    if host == "b.example" and path == "/":
        return Answer(headers=HTML, body=_page("Neighbour", "A neighbour with words of its own, quite different ones."))
    if host == "a.example" and path == "/":
        return Answer(headers=HTML, body=_home())
    if host == "a.example" and path.removeprefix("/page/") in {str(number) for number in range(PAGES)}:
        number = int(path.removeprefix("/page/"))
        return Answer(
            headers=HTML, body=_page(f"Page {number}, “Ünï”", f"Words of page {number}. " + f"w{number} " * 40)
        )
    return Answer(status=404, headers=HTML, body=_page("Not found", "There is no such page."))


def _home() -> bytes:
    paths = [f"/page/{number}" for number in range(PAGES)]
    targets = [
        *paths,
        "/moved",
        "/missing",
        "/picture",
        "/private/diary",
        "http://b.example/",
        "http://unknown.invalid/",
    ]
    links = "".join(f'<p><a href="{target}">see {target}</a></p>' for target in targets)
    return _page("Home", links)


def _page(title: str, body: str) -> bytes:
    return f'<html lang="en"><title>{title}</title><body>{body}</body></html>'.encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a run of the program ended."""

    code: int
    out: str
    err: str


def scenthound(*arguments: str | Path) -> Ran:
    """Run a command in this process: it saves the start-up, which takes longer than most commands."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return Ran(code=code, out=out.getvalue(), err=err.getvalue())


def scenthound_apart(*arguments: str | Path) -> Ran:
    """Run the program in a process of its own, as a user does."""
    command = [sys.executable, "-m", "scenthound", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    return Ran(code=done.returncode, out=done.stdout, err=done.stderr)


def one_line(text: str) -> str:
    """Return what was said, which must be one line."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text.strip()


def settings_for(port: int, **more: str) -> list[str]:
    """Return --set options that send the small web's names to the port, without the waits of a real crawl.

    No page is judged: what the commands show of fetching does not depend on it.
    """
    keys = {
        "critic.kind": "none",
        "crawl.order": "breadth",
        "fetch.resolve": f'{{"*.example" = "127.0.0.1:{port}"}}',
        "fetch.delay": "0",
        "fetch.delay_factor": "0",
        "fetch.tries": "1",
        "read.workers": "1",
    }
    return [part for key, value in (keys | more).items() for part in ("--set", f"{key}={value}")]


@pytest.fixture(scope="session")
def served() -> Iterator[ServedWeb]:
    with ServedWeb(small_web) as web:
        yield web


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """A finished crawl of the small web."""

    path: Path
    ran: Ran

    def run(self, command: str, *arguments: str | Path) -> Ran:
        return scenthound(command, self.path, *arguments)


@pytest.fixture(scope="session")
def crawled(served: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    path = tmp_path_factory.mktemp("crawls") / "small"
    made = scenthound("new", path, "http://a.example/")
    assert made.code == 0, made.err
    return Crawled(path=path, ran=scenthound("crawl", path, *settings_for(served.port)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A crawl of the demo web by a process of its own; tests only look at it."""

    path: Path
    ran: Ran
    seconds: float  # of processors


@pytest.fixture(scope="session")
def demo_crawl(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    def make(folder: Path) -> None:
        begun = _processor_time()
        with at_length():  # what is forked, others wait for
            ran = scenthound_apart("demo", "--dir", folder / "crawl", "--pages", "600")
        assert ran.code == 0, ran.err
        told = {"ran": asdict(ran), "seconds": _processor_time() - begun}
        (folder / "told.json").write_text(json.dumps(told), encoding="utf-8")

    folder = made_once(tmp_path_factory, "demo", make)
    told = json.loads((folder / "told.json").read_text(encoding="utf-8"))
    return Demo(path=folder / "crawl", ran=Ran(**told["ran"]), seconds=told["seconds"])


def _processor_time() -> float:
    """Return the seconds that processes which have ended have taken: the clock would count what else the machine has
    to do.
    """
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture
def new_crawl(tmp_path: Path) -> Callable[..., Path]:
    def make(*urls: str) -> Path:
        made = scenthound("new", tmp_path / "crawl", *urls)
        assert made.code == 0, made.err
        return tmp_path / "crawl"

    return make
