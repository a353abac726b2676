"""Crawl made-up webs with every kind that is a class and print what was fetched: run by a test under several hash
seeds.
"""

import json

from scenthound.lab.strategies.kind import Kind
from scenthound.lab.strategies.kinds import catalogue
from scenthound.lab.strategies.strategy import Strategy
from tests.lab.strategies.small_pages import BIRDS, Web, briefing, crawl, made_up_web

START = ["bird-0", "rock-1"]
QUICK = {"every": 10}  # so that learners learn in a crawl of 80 pages


def classes() -> list[Kind]:
    return [kind for kind in catalogue() if kind.make is not None]


def made(kind: Kind, web: Web, *, truthful: bool = True) -> Strategy:
    """Make a strategy for a web, quick to learn."""
    assert kind.make is not None
    quick = {parameter.name: QUICK[parameter.name] for parameter in kind.parameters if parameter.name in QUICK}
    truth = web if truthful and kind.knows_truth else None
    return kind.make(briefing(dict.fromkeys(BIRDS, 0.8), truth=truth), quick)


def crawls() -> dict[str, list[str]]:
    """Return the pages that each kind fetches, in order."""
    return {kind.name: crawl(made_up_web(3), made(kind, made_up_web(3)), START) for kind in classes()}


if __name__ == "__main__":
    print(json.dumps(crawls()))
