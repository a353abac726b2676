"""The nose alone: what the apprentice finds where the critic is always right.

`python -m bench.nose --web wiki --topics even --without meaning` crawls for topics of a web of `bench.live_counting`
with the same examples. It teaches the apprentice the truth in place of a critic's opinion: .95 for a page of the topic,
.04 for any other. The apprentice is alone: no store, no traps, five pages at a time, the best of all that wait. A crawl
takes a second. Use it to choose; `bench.live_counting` shows what a choice is worth in real crawls.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from time import process_time
from typing import Final

import numpy as np

from bench.live_counting import WEBS, is_even, open_web, table_of, topics_of
from bench.live_draws import LiveLabels, LiveTask, one_step
from scenthound.apprentice.scent import ScentModel
from scenthound.lab import World
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.types import Lesson, LessonLink

GOOD: Final = 0.95
BAD: Final = 0.04
TOGETHER: Final = 5  # pages fetched at a time: as many as the apprentice learns from together at first
IN_VAIN: Final = 3  # requests for each page that counts, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Smelt:
    """A crawl: its harvest, and the requests that brought no page."""

    harvest: float
    vain: int
    seconds: float


def follow(world: World, live: LiveTask, model: ScentModel, *, locked: frozenset[int]) -> Smelt:
    """Crawl for a task, led by an apprentice that knows nothing yet."""
    begun, given = process_time(), {*live.task.examples, *live.task.unwanted}
    model.learn_all([_lesson(world, live, url, locked, followed=True) for url in live.task.examples])
    model.learn_all([_lesson(world, live, url, locked, followed=False) for url in live.task.unwanted])
    pages, asked = list[int](), 0
    while len(pages) < live.counted and asked < IN_VAIN * live.counted:
        waiting = model.ground.waiting()
        if not len(waiting):
            break
        best = waiting[np.argsort(-model.urgency(waiting), kind="stable")[:TOGETHER]]
        urls = [model.ground.names[url] for url in best.tolist()]
        asked += len(urls)
        pages += [world.number[url] for url in urls if url in world.number and url not in given]
        model.learn_all([_lesson(world, live, url, locked, followed=True) for url in urls])
    return Smelt(harvest=live.harvest(pages), vain=asked - len(pages), seconds=process_time() - begun)


def _lesson(world: World, live: LiveTask, url: str, locked: frozenset[int], *, followed: bool) -> Lesson:
    """Return what there is to learn from a URL, if the critic is right; of one that is no page, that it failed."""
    number, found = world.number.get(url), world.exchange(url)
    if number is None or found is None:
        return Lesson(url=url, relevance=0.0, failed=True)
    links = {link.url: LessonLink(link.url, link.first_leaf, link.last_leaf) for link in reversed(found.reading.links)}
    return Lesson(
        url=url,
        relevance=GOOD if number in live.relevant else BAD,
        followed=followed,
        links=tuple(
            link for link in reversed(links.values()) if link.url != url and world.number.get(link.url) not in locked
        ),
        stream=found.reading.stream,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Crawl with the apprentice as it ships and without some scents, topic by topic, and print harvests."""
    parser = argparse.ArgumentParser(prog="python -m bench.nose", description=str(__doc__).splitlines()[0])
    parser.add_argument("--web", choices=sorted(WEBS), default="wiki")
    parser.add_argument("--topics", choices=("all", "even", "odd"), default="all", help="halves by a hash")
    parser.add_argument("--every", type=int, default=1, help="only one of so many topics")
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--without", default="meaning", help="scents to do without in the other crawl, with commas")
    chosen = parser.parse_args(arguments)
    web, without = WEBS[chosen.web], chosen.without.split(",")
    labels, rows = LiveLabels(table_of(web)), list[tuple[float, float, float]]()
    with open_web(web) as world:
        locked = locked_pages(world, web.locked)
        wanted = [one for one in topics_of(web) if chosen.topics == "all" or is_even(one) is (chosen.topics == "even")]
        for topic in wanted[:: chosen.every]:
            live = labels.task(world, topic, chosen.draw)
            ships = follow(world, live, ScentModel(), locked=locked)
            less = follow(world, live, ScentModel(without=without), locked=locked)
            rows.append((ships.harvest, less.harvest, one_step(world, live, locked=locked)))
            said = "  ".join(f"{harvest:.3f}" for harvest in rows[-1])
            print(
                f"  {topic[-60:]:<60} {live.counted:>4} {said}   {ships.vain} in vain, {ships.seconds:.1f} s",
                flush=True,
            )
    if rows:
        ships_mean, less_mean, oracle = (mean(column) for column in zip(*rows, strict=True))
        better = sum(row[0] > row[1] for row in rows)
        print(
            f"{len(rows)} topics: apprentice {ships_mean:.3f}, without {chosen.without} {less_mean:.3f}, "
            f"one-step oracle {oracle:.3f}; better on {better}, worse on {sum(row[0] < row[1] for row in rows)}"
        )


if __name__ == "__main__":
    main()
