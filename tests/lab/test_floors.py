"""Quality that was reached once is kept: short crawls of each web that is here give no less than the floors say."""

import pytest

from bench.floors import FILE, floors, measured, raised, webs
from tests.lab.small_worlds import shared_cache
from tests.often import thoroughly

WEBS = dict(webs())


@pytest.mark.slow
@pytest.mark.parametrize("world", ["demo", *(pytest.param(name, marks=thoroughly) for name in ("schools", "webkb"))])
def test_no_figure_is_below_its_floor(world: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    if world not in WEBS:
        pytest.skip(f"{world}.warc.gz was not found; put it into ../shared/webs or name its folder in SCENTHOUND_WEBS")
    digest, found = measured(WEBS[world], processes=1, cache=shared_cache(tmp_path_factory))
    known = floors().get(world, {})
    assert digest in known, f"the web {world} has changed; set its floors with `python -m bench.floors --raise`"
    below = {
        name: (found.get(name, 0.0), floor) for name, floor in known[digest].items() if found.get(name, 0.0) < floor
    }
    assert not below, f"found and floor: {below}"


def test_floors_are_there_and_mean_something() -> None:
    assert FILE.exists()
    figures = [floor for webs_ in floors().values() for own in webs_.values() for floor in own.values()]
    assert len(figures) >= 10
    assert all(0.0 < floor < 1.0 for floor in figures)


def test_a_floor_never_goes_down() -> None:
    assert raised({"harvest": 0.4}, {"harvest": 0.1})["harvest"] == 0.4
    assert raised({"harvest": 0.4}, {"harvest": 0.6})["harvest"] == pytest.approx(0.59)
