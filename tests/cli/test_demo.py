"""`scenthound demo`: a whole crawl on this machine, told as a user would like it."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Demo, scenthound


@pytest.mark.slow
def test_the_demo_crawls_and_tells(demo_crawl: Demo) -> None:
    ran = demo_crawl.ran
    assert "Stopped: page budget reached" in ran.out
    found = re.search(r"Of ([\d,]+) pages with a topic ([\d,]+) are truly about Recreation/Cycling", ran.out)
    assert found is not None
    assert 0 < int(found[2]) <= int(found[1]) <= 600
    assert "Problems that the crawl handled:" in ran.out
    assert demo_crawl.seconds < 60  # half of it by the clock on a machine of two cores that does nothing else
    assert json.loads(scenthound("status", demo_crawl.path, "--json").out)["census"]["pages"] == 600
    [command] = re.findall(r"scenthound why \S+ '(.*)'", ran.out)
    assert scenthound("why", demo_crawl.path, command).code == 0


def test_the_demo_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("")
    ran = scenthound("demo", "--dir", tmp_path)
    assert ran.code == 2
    assert "exists; remove it, or choose another folder with --dir" in ran.err
