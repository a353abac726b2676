"""Texts that would be scripts, in every place that a crawled web can put them: the window shows them and runs none.

They stand, written in several ways, in titles, links, host names and whole pages of a site that is really crawled, and
in the names of topics, of the crawl and of the columns of an answer.
"""

import html
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics
from scenthound.ui.nicegui_compat import draws
from tests.crawl.scene import command
from tests.often import THOROUGH
from tests.services.small_site import HTML, WORDS
from tests.ui.in_browser import Watched, window

RUN = "top.hacked=window.hacked=1"
ATTACKS = (
    f'<img src=x onerror="{RUN}">',
    f'"><svg onload="{RUN}">',
    f"</title></script><script>{RUN}</script>",
    f"{{{{ constructor.constructor('{RUN}')() }}}}",
    f"`${{{RUN}}}`",
    f"&lt;img src=x onerror={RUN}&gt;",
    f"\\u003cimg src=x onerror={RUN}\\x3e",
    quote(f"<script>{RUN}</script>"),
    f"+ADw-script+AD4-{RUN}+ADw-/script+AD4-",
    f'" :onclick="{RUN}" :title="{RUN}" x="',
    f"\u2028{RUN}//",
    f"javascript:{RUN}",
    f"';{RUN};//\u202eכותרת",
)
GOOD, OTHER = f"Sport '-{RUN}-'", f'" :onclick="{RUN}" <img src=x onerror={RUN}>'
NAME = f"<img src=x onerror={RUN}>"
HOSTS = {"cycling": f"`${{{RUN.partition('=')[0]}}}`'-alert(1)-'.example", "baking": "baking.example"}


def answer(host: str, path: str) -> Answer:
    """A page with the words of its topic, a hostile title, hostile links, and scripts of its own."""
    if path == "/robots.txt":
        return Answer(status=404)
    number = int(path.strip("/"))
    words = WORDS["baking" if host.startswith("baking") else "cycling"].split()
    attack = ATTACKS[number % len(ATTACKS)]
    links = f"<a href='/{number + 1}'>{html.escape(attack)}</a> <a href='javascript:{RUN}'>here</a>"
    evil = f"<script>{RUN}</script><img src=x onerror='{RUN}'><iframe srcdoc='<script>{RUN}</script>'></iframe>"
    meta = f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>"
    text = " ".join(words[number % 10 :] * 3)
    page = f"<title>{html.escape(attack)}</title>{meta}<body onload='{RUN}'><p>{text} {links}</p>{evil}"
    return Answer(headers=HTML, body=page.encode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Crawl the hostile site."""
    topics = tuple(
        Topic(path=path, good=site == "cycling", examples=tuple(f"http://{HOSTS[site]}/{n}" for n in range(4)))
        for path, site in ((GOOD, "cycling"), (OTHER, "baking"))
    )
    with ServedWeb(answer) as served:
        settings = [
            f'fetch.resolve={{"*.example" = "127.0.0.1:{served.port}"}}', "fetch.delay=0.01", "read.workers=1",
            "crawl.pages=16", "crawl.order=breadth", "fetch.delay_factor=0",
        ]  # fmt: skip
        path = tmp_path_factory.mktemp("crawls") / NAME
        CrawlDirectory.create(path, topics=Topics(topics=topics), settings=override(Settings(), settings))
        command("crawl", str(path), "--quiet")
        titles = "SELECT f.url, p.title FROM pages p JOIN finds f ON f.id = p.url_id"
        command("questions", str(path), "add", ATTACKS[0].replace('"', "'"), "--sql", titles, "--report-first")
    return path.parent


# The window of somebody whose NiceGUI has another template for one of its components: Vue compiles all of them.
ANOTHER_NICEGUI = """
from scenthound.ui import nicegui_compat
nicegui_compat.KNOWN = nicegui_compat.KNOWN | {"dialog.js": "another"}
from scenthound.cli.main import run
run()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "program", [("-m", "scenthound"), ("-c", ANOTHER_NICEGUI)], ids=["drawn by our script", "compiled by Vue"]
)
def test_nothing_that_a_crawled_web_says_runs_as_a_script(
    browser: Browser, folder: Path, program: tuple[str, str]
) -> None:
    assert draws()  # else NiceGUI has other templates than window.js draws, and the policy allows eval
    with window(folder, program=program) as home:
        watched = Watched(browser.new_page(), home)
        shown = watched.go("/")
        crawl = f"/crawl/{quote(NAME, safe='')}"
        expect(shown.get_by_text(NAME, exact=True)).to_be_visible()
        views = {
            "": _monitor, "/results": _results, "/groups": _groups, "/company": _company, "/map": _map,
            "/topics": _topics, "/teach": _teach, "/sql": _sql, "/news": _news, "/settings": _nothing,
        }  # fmt: skip
        for view in views if THOROUGH or program[0] == "-m" else ("/results", "/topics", "/news"):
            views[view](watched.go(crawl + view))
            _is_unharmed(shown)
        _policy_holds(shown, evaluates=program[0] == "-c")
        assert watched.elsewhere == []


def _is_unharmed(shown: Page) -> None:
    for frame in shown.frames:
        assert frame.evaluate("window.hacked") is None, frame.url


def _nothing(shown: Page) -> None:
    expect(shown.get_by_text("Find a setting")).to_be_visible()


def _teach(shown: Page) -> None:
    expect(shown.get_by_text("What the crawl has learnt")).to_be_visible()


def _news(shown: Page) -> None:
    expect(shown.get_by_text("What is new")).to_be_visible()


def _monitor(shown: Page) -> None:
    expect(shown.get_by_text(HOSTS["cycling"].lower()).first).to_be_visible()
    expect(shown.locator(".plot canvas")).to_be_visible()


def _results(shown: Page) -> None:
    for attack in ATTACKS[:4]:
        expect(shown.locator(".page-title", has_text=attack).first).to_be_visible()
    shown.locator(".page-title").first.click()
    card = shown.locator(".page-card")
    for tab in ("Why", "Text", "Links", "Copy"):
        card.get_by_role("tab", name=tab).click()
        shown.wait_for_timeout(100)
        _is_unharmed(shown)
    expect(card.frame_locator("iframe").get_by_text("saddle").first).to_be_visible()
    card.get_by_role("button", name="Not good").click()
    expect(card.get_by_role("button", name="Undo the feedback")).to_be_visible()
    card.get_by_role("button", name="Close the card").click()
    for tab in ("Hubs", "Authorities", "Sites"):
        shown.get_by_role("tab", name=tab).click()
        shown.wait_for_timeout(300)


def _groups(shown: Page) -> None:
    expect(shown.locator(".hits .hit").first).to_be_visible()
    shown.locator(".groups-map canvas").hover()


def _company(shown: Page) -> None:
    expect(shown.get_by_text("judged page").first).to_be_visible()


def _map(shown: Page) -> None:
    expect(shown.locator(".legend")).to_contain_text(GOOD)
    shown.get_by_text("The map as a table").click()
    expect(shown.locator(".map-table .page-title").first).to_be_visible()
    shown.locator(".map canvas").hover()


def _topics(shown: Page) -> None:
    expect(shown.get_by_role("checkbox", name=GOOD, exact=True)).to_be_checked()
    line = shown.locator(".node-head", has_text=OTHER)
    line.hover()
    line.get_by_role("checkbox").click()
    expect(
        shown.get_by_role("status").or_(shown.locator(".q-notification")).filter(has_text=OTHER).first
    ).to_be_visible()
    expect(line.get_by_role("checkbox")).to_be_focused()  # then the tree is drawn again
    line.get_by_role("button", name="Change this topic").click()
    shown.get_by_text("Rename …").click()
    expect(shown.locator(".dialog .title")).to_contain_text(OTHER)
    shown.keyboard.press("Escape")


def _sql(shown: Page) -> None:
    shown.locator(".cm-content").fill(f'SELECT title AS "{ATTACKS[0].replace(chr(34), "")}", n AS "{RUN}" FROM pages')
    shown.get_by_role("button", name="Ask", exact=True).click()
    expect(shown.get_by_role("cell", name=ATTACKS[0], exact=True).first).to_be_visible()
    shown.get_by_role("tab", name="Plot").click()
    shown.locator(".quick-plot canvas").hover()


def _policy_holds(shown: Page, *, evaluates: bool) -> None:
    """Even what got into the page would not run: markup, a script, a handler, nor text that is evaluated, unless Vue
    must.
    """
    shown.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=1\">')")
    shown.evaluate(
        "document.body.appendChild(Object.assign(document.createElement('script'), {text: 'window.hacked=1'}))"
    )
    shown.evaluate(
        "document.body.appendChild(Object.assign(document.createElement('a'), {href: 'javascript:window.hacked=1'})).click()"
    )
    # In a function of the page, for what a debugger asks for may evaluate.
    tried = shown.evaluate(
        "new Promise((done) => setTimeout(() => { try { done(Function('return 1')()); } catch (error) { done(error.name); } }))"
    )
    shown.wait_for_timeout(200)
    assert shown.evaluate("window.hacked") is None
    assert tried == (1 if evaluates else "EvalError")
