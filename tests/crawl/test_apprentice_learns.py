"""Learning is real: on a web where only the word beside a link tells what it leads to, the apprentice finds out.

Lists of links, all alike, lead to pages about birds and to pages about rocks; each link stands behind one of a few
invented words, the same for all birds. A critic of pages knows none of these words. Who goes by the citing page must
take what
comes.
"""

import random
from pathlib import Path

import pytest

from scenthound.demo.served_answer import Answer
from tests.crawl.birds_wanted import asked_for
from tests.crawl.topical_web import sentence

LISTS, ON_EACH = 30, 20
EXAMPLES = 8
PAGES = 150
BIRDS, ROCKS = ("quorl",), ("zemblit", "vunter", "drasp", "opplim")  # as many kinds of bad links as make good ones rare


def is_bird(number: int) -> bool:
    return random.Random(f"kind {number}").random() < 0.25


def answer(host: str, path: str) -> Answer:
    kind, _, number = path.strip("/").partition("/")
    if kind == "list":
        body = a_list(int(number))
    elif kind in ("item", "bird", "rock"):
        is_good = kind == "bird" or (kind == "item" and is_bird(int(number)))
        body = an_item(f"{kind}{number}", "birds" if is_good else "rocks", lists=kind == "bird")
    else:
        return Answer(status=404)
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=body.encode())


def an_item(name: str, topic: str, *, lists: bool) -> str:
    """A page about a topic; the examples of what is wanted lead to all lists."""
    draw = random.Random(name)
    links = "".join(f'<p><a href="/list/{n}">{n}</a></p>' for n in range(LISTS)) if lists else ""
    text = "".join(f"<p>{sentence(topic, draw)}</p>" for _ in range(6))
    return f"<html lang=en><title>{name}</title>{text}{links}</html>"


def a_list(number: int) -> str:
    """Links far enough from each other that none has the words of another around it."""
    rows = []
    for item in range(number * ON_EACH, (number + 1) * ON_EACH):
        word = random.Random(f"word {item}").choice(BIRDS if is_bird(item) else ROCKS)
        rows.append(f'<p>{word}</p><p><a href="/item/{item}">{item}</a></p>' + "<p>and</p>" * 8)
    return f"<html lang=en><title>List {number}</title>{''.join(rows)}</html>"


def harvest(path: Path, order: str) -> float:
    """Crawl, and return the share of items about birds among the items that the server was asked for."""
    asked = asked_for(path, answer, order=order, pages=PAGES, examples=EXAMPLES)
    items = [int(asked_path.removeprefix("/item/")) for asked_path in asked if asked_path.startswith("/item/")]
    assert len(items) > PAGES // 2
    return sum(map(is_bird, items)) / len(items)


@pytest.mark.slow
def test_the_apprentice_finds_out_what_best_first_cannot_know(tmp_path: Path) -> None:
    taught, untaught = harvest(tmp_path / "apprentice", "apprentice"), harvest(tmp_path / "best-first", "best-first")
    assert untaught < 0.4
    assert taught > 1.6 * untaught
