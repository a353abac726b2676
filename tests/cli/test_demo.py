"""`scenthound demo`: a whole crawl on this machine, told as a user would like it."""

import json
import re
import resource
from pathlib import Path

import pytest

from tests.cli.conftest import scenthound, scenthound_apart


@pytest.mark.slow
def test_the_demo_crawls_and_tells(tmp_path: Path) -> None:
    begun = _processor_time()
    ran = scenthound_apart("demo", "--dir", tmp_path / "demo", "--pages", "300")
    seconds = _processor_time() - begun
    assert ran.code == 0, ran.err
    assert "Stopped: page budget reached" in ran.out
    found = re.search(r"Of ([\d,]+) pages with a topic ([\d,]+) are truly about Recreation/Cycling", ran.out)
    assert found is not None
    assert 0 < int(found[2]) <= int(found[1]) <= 300
    assert "Trouble that was met and survived:" in ran.out
    assert seconds < 30  # and by the clock on a machine that does nothing else
    assert json.loads(scenthound("status", tmp_path / "demo", "--json").out)["census"]["pages"] == 300
    [command] = re.findall(r"scenthound why \S+ '(.*)'", ran.out)
    assert scenthound("why", tmp_path / "demo", command).code == 0


def _processor_time() -> float:
    """Return the seconds that processes which have ended have taken: the clock would count what else the machine has to do."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_demo_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("")
    ran = scenthound("demo", "--dir", tmp_path)
    assert ran.code == 2
    assert "exists; remove it, or choose another folder with --dir" in ran.err
