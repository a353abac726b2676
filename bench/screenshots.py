"""`python -m bench.screenshots`: pictures of every view of the window for the docs, taken of a crawl of the demo web.

Each view is looked at on a laptop in light and on a phone in dark; `--all` takes the other two combinations as well, to
be looked at and not kept. Nothing in them is drawn by hand: what the docs show is what a user sees.
"""

import argparse
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from bench.running import ROOT, measured, python_module
from scenthound.cli.work.demo_run import demo_settings, demo_topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from tests.ui.chromium import MISSING, chromium

OUT = ROOT / "docs" / "how-to" / "pictures"
NAME = "cycling"
PAGES = 400
QUESTIONS = {"hub gears": '"hub gear" OR "gears and"', "touring": "title:tour*"}  # that are saved
COLOURS = 200  # of a picture: enough for flat surfaces, and half of the bytes
PATIENCE = 60_000  # milliseconds
SIZES = {"laptop": (1280, 800), "phone": (390, 844)}
KEPT = (("laptop", "light"), ("phone", "dark"))
OTHERS = (("laptop", "dark"), ("phone", "light"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A view, and what is done there before the picture is taken.

    A colourful one keeps its colours: small dots lose theirs.
    """

    name: str
    path: str
    act: Callable[[Page], None]
    colourful: bool = False


def _plot(page: Page) -> None:
    page.locator(".plot canvas").wait_for()


def _hits(page: Page) -> None:
    page.locator("article.hit").first.wait_for()


def _card(page: Page) -> None:
    _hits(page)
    page.locator("article.hit .page-title").first.click()
    page.get_by_text("Why it was judged so").wait_for()


def _hubs(page: Page) -> None:
    page.get_by_role("tab", name="Hubs").click()
    page.locator(".hit").first.wait_for()


def _quality(page: Page) -> None:
    page.get_by_role("button", name="Try the critic").click()
    page.get_by_text("Topic by topic").wait_for(timeout=PATIENCE)
    page.locator("section:has(.quality)").evaluate("one => one.scrollIntoView({block: 'start'})")


def _tree(page: Page) -> None:
    page.get_by_role("tree").get_by_role("checkbox").first.wait_for()


def _answer(page: Page) -> None:
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".rows tbody tr").first.wait_for()


def _map(page: Page) -> None:
    page.locator(".map canvas").wait_for()
    page.get_by_text("links").first.wait_for()


def _nothing(page: Page) -> None:
    page.locator(".main").wait_for()


def _groups(shown: Page) -> None:
    shown.locator(".hits .hit").first.wait_for()


def _company(shown: Page) -> None:
    shown.locator("table.plain tbody tr").first.wait_for()


def _news(shown: Page) -> None:
    shown.get_by_role("listitem").first.wait_for()


SHOTS = (
    Shot(name="crawls", path="/", act=_nothing),
    Shot(name="new", path="/new", act=_nothing),
    Shot(name="monitor", path=f"/crawl/{NAME}", act=_plot),
    Shot(name="results", path=f"/crawl/{NAME}/results", act=_hits),
    Shot(name="hubs", path=f"/crawl/{NAME}/results", act=_hubs),
    Shot(name="card", path=f"/crawl/{NAME}/results", act=_card),
    Shot(name="topics", path=f"/crawl/{NAME}/topics", act=_tree),
    Shot(name="quality", path=f"/crawl/{NAME}/topics", act=_quality),
    Shot(name="groups", path=f"/crawl/{NAME}/groups", act=_groups, colourful=True),
    Shot(name="company", path=f"/crawl/{NAME}/company", act=_company),
    Shot(name="map", path=f"/crawl/{NAME}/map", act=_map, colourful=True),
    Shot(name="news", path=f"/crawl/{NAME}/news", act=_news),
    Shot(name="sql", path=f"/crawl/{NAME}/sql", act=_answer),
    Shot(name="settings", path=f"/crawl/{NAME}/settings", act=_nothing),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures; the exit code is 1 where there is no browser."""
    parser = argparse.ArgumentParser(prog="python -m bench.screenshots", description="Take pictures of the window.")
    parser.add_argument("names", nargs="*", metavar="VIEW", help=f"one or more of {', '.join(s.name for s in SHOTS)}")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder that they go to")
    parser.add_argument("--all", action="store_true", help="on both screens in both colours")
    chosen = parser.parse_args(arguments)
    program = chromium()
    if program is None:
        print(MISSING, file=sys.stderr)
        return 1
    chosen.out.mkdir(parents=True, exist_ok=True)
    shots = [shot for shot in SHOTS if not chosen.names or shot.name in chosen.names]
    with demo_window() as home, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for screen, colours in (*KEPT, *(OTHERS if chosen.all else ())):
            for shot in shots:
                picture = taken(browser, home, shot, screen=screen, colours=colours)
                path = chosen.out / f"{shot.name}-{screen}-{colours}.png"
                path.write_bytes(picture)
                print(f"{path}: {len(picture) // 1024} kB", flush=True)
        browser.close()
    return 0


@contextmanager
def demo_window() -> Iterator[str]:
    """Crawl the demo web, and serve a window on that; return its address."""
    web = DemoWeb(7)
    with ServedApart(web.answer) as served, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawls" / NAME
        path.parent.mkdir()
        settings = demo_settings(web, served.port, pages=PAGES)
        CrawlDirectory.create(path, topics=demo_topics(web), settings=settings)
        for name, words in QUESTIONS.items():
            asked = ("questions", str(path), "add", name, "--search", words, "--report-first")
            measured(python_module("scenthound", *asked), limit=60)
        measured(python_module("scenthound", "crawl", str(path), "--quiet"), limit=300)
        command = python_module("scenthound", "serve", str(path.parent), "--port", "0", "--no-open", "--no-token")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield process.stdout.readline().rpartition(" ")[2].strip().rstrip("/")
            finally:
                process.terminate()


def taken(browser: Browser, home: str, shot: Shot, *, screen: str, colours: str) -> bytes:
    """Return one picture as a PNG."""
    width, height = SIZES[screen]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if colours == "dark" else "light",
        reduced_motion="reduce",
        device_scale_factor=1,
    )
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(home + shot.path)
        shot.act(page)
        page.mouse.move(0, 0)
        page.wait_for_timeout(2000)  # what is pushed comes every two seconds
        return small(page.screenshot(), colourful=shot.colourful)
    finally:
        context.close()


def small(png: bytes, *, colourful: bool) -> bytes:
    """Return a picture with few colours, which loses nothing that can be seen and half of its bytes."""
    out = io.BytesIO()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    reduced = image if colourful else image.quantize(COLOURS, dither=Image.Dither.NONE)
    reduced.save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
