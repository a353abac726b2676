"""The portal of a crawl from the window: made with a click or over HTTP, taken away, and refused in one line."""

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.services.grouped_crawl import grouped_crawl
from tests.ui.in_browser import CommonWindow
from tests.ui.serving import served

pytestmark = pytest.mark.slow


def test_a_portal_is_made_and_downloaded(tmp_path: Path) -> None:
    grouped_crawl(tmp_path / "mine")
    with served(tmp_path) as api:
        early = api.client.get("/api/crawls/mine/portal")
        assert (early.status_code, early.json()["error"]) == (409, "there is no portal yet; make it first")
        made = api.client.post("/api/crawls/mine/portal")
        assert made.status_code == 200, made.text
        assert made.json()["out"] == str(tmp_path / "mine" / "portal")
        got = zipfile.ZipFile(io.BytesIO(api.client.get("/api/crawls/mine/portal").content))
        assert {"portal/index.html", "portal/assets/portal.js"} <= set(got.namelist())
        assert not [name for name in got.namelist() if "/." in name]
        assert api.client.post("/api/crawls/mine/portal").json()["written"] == 0


def test_a_click_publishes_and_says_where(common: CommonWindow) -> None:
    grouped_crawl(common.folder / "published")
    other = common.folder / "published" / "portal" / "other.txt"
    other.parent.mkdir()
    other.write_text("mine")
    watched = common.open()
    shown = watched.go("/crawl/published/results")
    shown.get_by_role("tab", name="Publish").click()
    shown.get_by_role("button", name="Publish").click()
    expect(shown.get_by_text("holds other things (other.txt)")).to_be_visible()
    expect(shown.get_by_text("The portal was not made.")).to_be_visible()
    assert other.read_text() == "mine"
    other.unlink()
    shown.get_by_role("button", name="Publish").click()
    expect(shown.get_by_text(f"written now, in {other.parent.resolve()}")).to_be_visible()
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "published-portal.zip"
    assert watched.errors == []
