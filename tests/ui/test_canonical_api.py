"""The API's places in the canonical topic tree: what it refuses."""

from pathlib import Path

import pytest

from tests.ui.serving import served

pytestmark = pytest.mark.slow


def test_files_of_this_machine_have_no_place(tmp_path: Path) -> None:
    with served(tmp_path) as api:
        refused = api.client.get("/api/places", params={"url": "/etc/passwd"})
        assert refused.status_code == 400
        assert "/etc/passwd is not the URL of a web page" in refused.json()["error"]


def test_private_networks_stay_closed(tmp_path: Path) -> None:
    with served(tmp_path) as api:
        refused = api.client.get("/api/places", params={"url": "http://127.0.0.1:8901/"})
        assert refused.status_code == 400
        assert "http://127.0.0.1:8901/ gave no page: private-address" in refused.json()["error"]
