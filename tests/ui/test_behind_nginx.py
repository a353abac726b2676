"""The window behind a real nginx with TLS, set up as the docs say: requests, forms and the websocket work under its
name.
"""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.topics.url_topics import topics_of_urls
from tests.patience import PATIENCE
from tests.ui.chromium import PROXY
from tests.ui.in_browser import MILLISECONDS, window
from tests.ui.nginx import proxy


@pytest.mark.slow
def test_programs_and_browsers_work_behind_a_proxy_and_other_sites_do_not(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "crawls"
    CrawlDirectory.create(folder / "mine", topics=topics_of_urls(["http://a.test/"]))
    (tmp_path / "nginx").mkdir()
    with window(folder, "--token", "--name", PROXY) as printed:
        home, _, token = printed.partition("?token=")
        port = int(home.rstrip("/").rpartition(":")[2])
        with proxy(tmp_path / "nginx", port) as public:
            _programs(public, token)
            _in_browser(browser, public, token)
    assert CrawlDirectory.open(folder / "mine").settings().fetch.delay == 4.0
    assert CrawlDirectory.open(folder / "bikes").topics().good[0].path == "Cycling"


def _programs(public: str, token: str) -> None:
    address = public.replace(PROXY, "127.0.0.1")
    ours = {"host": public.removeprefix("https://"), "authorization": f"Bearer {token}", "origin": public}
    with httpx.Client(base_url=address, verify=False, trust_env=False, timeout=PATIENCE) as client:
        changed = client.patch("/api/crawls/mine/settings", json={"fetch.delay": "4"}, headers=ours)
        assert (changed.status_code, changed.json()) == (200, {"says": ["Saved: fetch.delay."]})
        for other in ("https://evil.test", public.replace("https", "http"), f"https://{PROXY}", "null"):
            theirs = ours | {"origin": other}
            refused = client.patch("/api/crawls/mine/settings", json={"fetch.delay": "5"}, headers=theirs)
            assert refused.status_code == 403, other
        assert client.get("/api/crawls", headers=ours | {"authorization": ""}).status_code == 401
        cookie = client.get(f"/?token={token}", headers={"host": ours["host"]}).headers["set-cookie"]
        assert "; Secure" in cookie


def _in_browser(browser: Browser, public: str, token: str) -> None:
    page = browser.new_context(ignore_https_errors=True).new_page()
    page.set_default_timeout(MILLISECONDS)
    sockets: list[str] = []
    page.on("websocket", lambda one: sockets.append(one.url))
    page.goto(f"{public}/new?token={token}")
    page.get_by_label("Name", exact=True).fill("bikes")  # what is typed and clicked goes by the websocket
    page.get_by_label("URLs, one per line").fill("https://tour.test/")
    page.get_by_label("Name of the topic").fill("Cycling")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("checkbox", name="Cycling")).to_be_checked()
    assert any(one.startswith(public.replace("https", "wss")) for one in sockets)
