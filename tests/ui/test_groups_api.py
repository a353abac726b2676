"""Groups and the company of topics over HTTP."""

from pathlib import Path

import pytest

from tests.services.grouped_crawl import CYCLING, HOME, grouped_crawl
from tests.ui.serving import served

pytestmark = pytest.mark.slow


def test_groups_are_found_and_made_topics(tmp_path: Path) -> None:
    grouped_crawl(tmp_path / "mine")
    with served(tmp_path) as api:
        found = api.client.get("/api/crawls/mine/clusters", params={"topic": HOME, "groups": 2}).json()
        assert [group["pages"] for group in found["groups"]] == [16, 12]
        inside = api.client.get("/api/crawls/mine/clusters", params={"topic": HOME, "groups": 2, "into": "1"}).json()
        assert inside["above"][0]["label"] == found["groups"][0]["label"]
        made = api.client.post(
            "/api/crawls/mine/clusters/topic", json={"topic": HOME, "groups": 2, "into": "2", "name": "Brot"}
        )
        assert made.status_code == 200, made.text
        assert "Home/Brot" in [topic["path"] for topic in api.client.get("/api/crawls/mine/topics").json()]
        refused = api.client.get("/api/crawls/mine/clusters", params={"into": "x"})
        assert (refused.status_code, "no place of a group" in refused.json()["error"]) == (400, True)


def test_the_company_of_topics_and_recipes_with_them(tmp_path: Path) -> None:
    grouped_crawl(tmp_path / "mine")
    with served(tmp_path) as api:
        found = api.client.get("/api/crawls/mine/company", params={"topic": CYCLING}).json()
        assert {(pair["citing"], pair["links"]) for pair in found["pairs"]} == {(HOME, 2), (CYCLING, 1)}
        recipes = api.client.get("/api/crawls/mine/recipes").json()
        assert any(f"b.kcid = '{CYCLING}'" in recipe["sql"] for recipe in recipes)
