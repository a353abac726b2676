"""Monitor in a real browser: the plot of a long crawl is smooth and shows more when one zooms in; what helps is done."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from scenthound.crawl.diagnosis.advice import FINDINGS
from scenthound.crawl.diagnosis.cures import finding, topics_command
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.events import FindingKind
from scenthound.store.sqlite.links import url_key
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import NOT_WANTED, Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, page
from tests.patience import until, waiting_for_a_core
from tests.ui.in_browser import CommonWindow
from tests.ui.owner import set_by_owner

MANY = 100_000
TOPICS = Topics(
    topics=(Topic(path="Cycling", good=True, examples=("http://tour.test/",)), Topic(path="Arts", query="violin"))
)
CHART = "window.getElement?.(Number(document.querySelector('.plot')?.id.slice(1)))?.chart"


def made(path: Path, *, pages: int = 5) -> CrawlDirectory:
    """Make a crawl of one site whose pages came ten a second, with a relevance all over the place."""
    first = page("http://tour.test/", 0.9, topic="Cycling", title="A page", fetched_at=1.7e9)
    directory = CrawlDirectory.open(directory_of(MadeCrawl(urls=[first], links=[]), path, TOPICS))
    set_by_owner(directory, "fetch.resolve", {"*.test": "127.0.0.1:9"})  # nobody is there
    address = "'http://tour.test/' || number"
    new = {
        "finds": {"id": "number", "key": f"url_key({address})", "url": address},
        "standings": {"id": "number", "key": f"url_key({address})"},
        "pages": {
            "n": "number",
            "url_id": "number",
            "fetched_at": "1.7e9 + number / 10.0",
            "relevance": "number * 7919 % 1000 / 1000.0",
        },
    }
    with closing(sqlite3.connect(directory.database)) as con:
        con.create_function("url_key", 1, url_key, deterministic=True)
        for table, values in new.items():
            columns = [row[1] for row in con.execute(f"PRAGMA table_info({table})")]
            chosen = ", ".join(values.get(name, name) for name in columns)
            con.execute(
                f"INSERT INTO {table} SELECT {chosen} FROM (SELECT * FROM {table} LIMIT 1), ({_NUMBERS})", (pages,)
            )
        con.commit()
    return directory


_NUMBERS = """
WITH RECURSIVE numbers (number) AS (VALUES (2) UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
SELECT number FROM numbers"""


@pytest.mark.slow
def test_the_plot_of_a_long_crawl_is_smooth_and_shows_more_when_one_zooms_in(common: CommonWindow) -> None:
    made(common.folder / "long", pages=MANY)
    watched = common.open()
    shown = watched.go("/crawl/long")
    expect(shown.get_by_text("dots stand for 100,000 fetches")).to_be_visible()
    told = _zoom_in(shown)
    expect(shown.get_by_text("all of fetches")).to_be_visible()
    assert until(lambda: _card_of_a_dot(shown) is not None)
    first, last = map(_number, re.findall(r"[\d,]+", shown.get_by_text("all of fetches").inner_text()))
    assert first <= (_card_of_a_dot(shown) or 0) <= last
    assert watched.errors == []
    print(
        f"{MANY:,} pages, {told['steps']} steps of the wheel: scripting {told['script']:.1f} ms and all work"
        f" {told['task']:.1f} ms a step; frames of {told['median']:.0f} ms (median), {told['worst']:.0f} ms (longest)"
    )
    assert told["script"] < 100 * waiting_for_a_core()  # that is felt


@pytest.mark.slow
def test_what_is_new_in_the_plot_is_sent_once_and_nothing_else_with_it(common: CommonWindow) -> None:
    made(common.folder / "short", pages=1500)
    watched = common.open()
    shown = watched.go("/crawl/short")
    shown.wait_for_function(f"() => {CHART}?.getOption()?.series[0].data.length > 0")
    shown.evaluate("() => { window.sent = []; window.socket.onAny((...it) => sent.push(JSON.stringify(it))); }")
    shown.get_by_text("Last 1,000").click()
    shown.wait_for_function(f"() => {_DOTS} === 1000")
    sent = shown.evaluate("window.sent")
    assert len([message for message in sent if "setOption" in message]) == 1
    assert not [message for message in sent if "symbolSize" in message]  # how the chart looks is not sent again
    assert watched.errors == []


_DOTS = f"{CHART}.getOption().series.slice(0, 2).reduce((sum, series) => sum + series.data.length, 0)"


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _zoom_in(shown: Page) -> dict[str, Any]:
    """Turn the wheel over the plot, and return what a step costs and how long frames took meanwhile."""
    shown.wait_for_function(f"() => {CHART}?.getOption()?.series[0].data.length > 0")  # what is turned before is lost
    canvas = shown.locator(".plot canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    session = shown.context.new_cdp_session(shown)
    session.send("Performance.enable")

    def spent() -> dict[str, float]:
        return {one["name"]: 1000 * one["value"] for one in session.send("Performance.getMetrics")["metrics"]}

    shown.evaluate(_FRAMES)
    before, steps = spent(), 0
    while steps < 40 and not shown.get_by_text("all of fetches").is_visible():
        shown.mouse.wheel(0, -120)
        shown.evaluate("new Promise(requestAnimationFrame)")
        steps += 1
    after, frames = spent(), sorted(shown.evaluate("window.frames_taken"))
    return {
        "steps": steps,
        "script": (after["ScriptDuration"] - before["ScriptDuration"]) / steps,
        "task": (after["TaskDuration"] - before["TaskDuration"]) / steps,
        "median": frames[len(frames) // 2],
        "worst": frames[-1],
    }


_FRAMES = """() => {
    window.frames_taken = [];
    let last = performance.now();
    const frame = (now) => { window.frames_taken.push(now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
}"""


def _card_of_a_dot(shown: Page) -> int | None:
    """Click the dot that is nearest to the middle of the plot, and return the number of the page whose card opens."""
    facts = shown.locator(".page-card .card-facts").first
    if not facts.count():
        shown.mouse.click(*shown.evaluate(_NEAREST))
        try:  # to click again at once would close the card of a slow server as soon as it opens
            expect(facts).to_be_visible(timeout=5_000 * waiting_for_a_core())
        except AssertionError:  # the plot was drawn again in between
            return None
    return _number(re.findall(r"page (\d+)", facts.inner_text())[-1])


_NEAREST = f"""() => {{
    const chart = {CHART}, box = chart.getDom().getBoundingClientRect();
    const dots = chart.getOption().series[0].data.map((dot) => chart.convertToPixel({{seriesIndex: 0}}, dot));
    const far = ([x, y]) => Math.hypot(x - box.width / 2, y - box.height / 2);
    const [x, y] = dots.reduce((one, two) => far(one) < far(two) ? one : two);
    return [x + box.x, y + box.y];
}}"""


@pytest.mark.slow
def test_what_would_help_is_done_and_taken_back_and_a_site_is_not_good(common: CommonWindow) -> None:
    directory = made(common.folder / "cured")
    mark, undo = topics_command("cured", "mark", "Arts"), topics_command("cured", "undo")
    by_hand = topics_command("cured", "example", "add", "Cycling", "URL")
    found = [
        finding(FindingKind.STAGNATION, "the crawl stagnates", ["0 of 200 pages"], mark, undo),
        finding(FindingKind.NEARLY_DRY, "soon nothing is left", ["4 URLs left"], by_hand),
    ]
    with SqliteStore(directory.database) as store:
        store.note(FINDINGS, msgspec.json.encode(found).decode())
    watched = common.open()
    shown = watched.go("/crawl/cured")
    expect(shown.get_by_text(by_hand)).to_be_visible()
    expect(shown.get_by_role("button", name="Copy the command")).to_have_count(1)
    shown.get_by_role("button", name="Apply the remedy").click()
    shown.get_by_role("button", name="Undo the remedy").wait_for()
    assert directory.topics().is_good("Arts")
    shown.get_by_role("button", name="Undo the remedy").click()
    shown.get_by_role("button", name="Apply the remedy").wait_for()
    assert not directory.topics().is_good("Arts")
    _site_is_not_good(shown, directory)
    assert watched.errors == []


def _site_is_not_good(shown: Page, directory: CrawlDirectory) -> None:
    def against() -> int:
        topic = directory.topics().find(NOT_WANTED)
        return len(topic.examples) if topic else 0

    shown.get_by_role("link", name="Results").click()
    shown.get_by_role("tab", name="Sites").click()
    shown.get_by_role("button", name="Not good: less like this site").click()
    expect(shown.get_by_text('become examples of "Not wanted"')).to_be_visible()
    shown.locator(".dialog .q-checkbox").first.click()  # this one not
    shown.get_by_role("button", name="Learn from these").click()
    assert until(lambda: against() > 1)
    shown.get_by_role("button", name="Undo the feedback").click()
    assert until(lambda: against() == 0)
