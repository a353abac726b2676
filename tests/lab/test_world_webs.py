"""The archived webs of real pages as worlds: all of each is there, and opens in a moment."""

from pathlib import Path
from time import process_time

import pytest

from scenthound.lab.world.world_sources import WorldSource
from tests.lab.small_worlds import opened
from tests.often import THOROUGH
from tests.parse.webs import beginning

WHOLE = [("schools", 5_462, 1, 145_711, 4_354), ("webkb", 8_213, 589, 13_650, 8_229)]
BEGINNING = [("schools", 700, 1, 2_728, 573), ("webkb", 700, 112, 107, 701)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pages", "hosts", "links", "labels"), WHOLE if THOROUGH else BEGINNING)
def test_a_real_web_is_a_world(tmp_path: Path, name: str, pages: int, hosts: int, links: int, labels: int) -> None:
    warc = beginning(name, tmp_path)
    source = WorldSource(name=name, warc=(warc,), labels=warc.with_name(f"{name}.labels.tsv"))
    opened(source, tmp_path).close()  # reads it
    began = process_time()
    with opened(source, tmp_path) as world:
        assert (len(world.urls), len(set(world.hosts)), world.link_count) == (pages, hosts, links)
        assert f"{labels:,} labels" in world.said
        assert "no page here" not in world.said
        assert len(world.digest) == 32
        assert process_time() - began < 2.0
        for url in world.urls[::50]:
            found = world.exchange(url)
            assert found is not None
            assert found.reading.terms or not any(world.leaves(url))
