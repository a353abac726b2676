"""`scenthound lab world`: read a world into the cache and describe it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from scenthound.cli.lab.progress_view import lab_view
from scenthound.counted import count
from scenthound.errors import LabError
from scenthound.lab.runs.progress import reading_watched
from scenthound.lab.world.world import World, open_world
from scenthound.lab.world.world_sources import WorldSource
from scenthound.terminal import say

_DEMO = re.compile(r"demo(?::(?P<seed>\d+))?")
DEMO_SEED = 7


def tell_world(names: Sequence[str], *, labels: Path | None) -> int:
    """Print the topics of a world and their sizes."""
    with lab_view(quiet=False) as listener:
        world = open_world(source_named(names, labels), watch=reading_watched(listener))
    with world:
        say("\n".join(lines(world)))
    return 0


def source_named(names: Sequence[str], labels: Path | None) -> WorldSource:
    """Return the source: WARC files, a crawl directory, or demo:SEED."""
    demo = _DEMO.fullmatch(names[0])
    paths = tuple(Path(name) for name in names)
    name = paths[0].name.partition(".")[0]
    if demo and len(names) == 1 and not paths[0].exists():
        return WorldSource(name="demo", demo=int(demo["seed"] or DEMO_SEED), labels=labels)
    if paths[0].is_dir():
        if len(paths) > 1:
            raise LabError(
                f"{paths[0]} is a folder and {paths[1]} stands behind it; give one crawl directory, or WARC files"
            )
        return WorldSource(name=name, crawl=paths[0], labels=labels)
    return WorldSource(name=name, warc=paths, labels=labels)


def lines(world: World) -> Iterator[str]:
    """Yield the description of a world and the size of each topic."""
    yield f"{world.said}; {count(world.link_count, 'link')} between pages."
    yield f"Its digest is {world.digest}."
    for topic in world.topics:
        depth = topic.count("/")
        yield f"{'  ' * depth}{topic.rpartition('/')[2]}  {count(len(world.about(topic)), 'page')}"
