"""Numbers for Prometheus of a crawl on a server, and the example dashboard that shows them."""

import json
import re
from pathlib import Path

import pytest

from scenthound.services.crawls.crawl_list import Crawls
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from scenthound.ui.metrics import metrics_text
from scenthound.ui.window import Window
from tests.cli.conftest import scenthound
from tests.store.postgres_server import shared_server
from tests.store.small_world import claim, found, page

DASHBOARD = Path("docs/how-to/grafana-dashboard.json")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the numbers while an engine of a crawl with a page is at work."""
    path, url = tmp_path_factory.mktemp("crawls") / "birds", shared_server().new_url()
    assert scenthound("new", path, "http://a.test/", "--set", f"store.url={url}").code == 0
    with PostgresStore(ServerUrl.read(url), engine='the "first"') as store:
        store.add([found("http://a.test/"), found("http://b.test/")], now=0.0)
        taken, _ = claim(store, now=1.0)
        store.record([page(taken, at=1.0)], now=1.0, archived={"scenthound-00001-00001.warc.gz": 700})
        return metrics_text(Window(crawls=Crawls.at(path)))


def value(text: str, name: str) -> float:
    [line] = [line for line in text.splitlines() if line.startswith(f"scenthound_{name}{{")]
    return float(line.rpartition(" ")[2])


def test_engines_and_their_server_are_told(text: str) -> None:
    assert value(text, "engine_shards") == 1024
    assert value(text, "engine_teaches") == 1
    assert 0 <= value(text, "engine_silent_seconds") < 60
    assert value(text, "running") == 1
    assert value(text, "claimed") == 1
    assert value(text, "server_bytes") > 100_000
    assert value(text, "server_commits_total") > 1
    assert (value(text, "archive_files_local"), value(text, "archive_bytes_local")) == (1, 700)
    assert 'engine="1",name="the \\"first\\""' in text


def test_the_format_is_that_of_prometheus(text: str) -> None:
    """Each figure has its help and its type once, before its samples, and every line has the form of the format."""
    seen = ""
    for line in text.splitlines():
        if line.startswith("# TYPE"):
            _, _, seen, kind = line.split(" ")
            assert kind == ("counter" if seen.endswith("_total") else "gauge")
            assert text.count(f"# TYPE {seen} ") == 1
        elif not line.startswith("# HELP"):
            assert re.fullmatch(r'(\w+)\{\w+="([^"\\]|\\.)*"(,\w+="([^"\\]|\\.)*")*\} [0-9.e+-]+', line), line
            assert line.partition("{")[0] == seen


def test_the_dashboard_asks_for_figures_that_are_there(text: str) -> None:
    """Every figure of the dashboard exists; every figure of engines and servers is on it."""
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    asked = {
        name
        for panel in board["panels"]
        for target in panel.get("targets", ())
        for name in re.findall(r"scenthound_\w+", target["expr"])
    }
    there = set(re.findall(r"# TYPE (\w+)", text))
    assert asked <= there
    assert {name for name in there if "_engine_" in name or "_server_" in name or "_archive_" in name} <= asked
