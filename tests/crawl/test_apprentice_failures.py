"""A web where every page shows pictures behind links like those to other pages: nothing but their addresses tells them
apart.
"""

import random
from pathlib import Path

import pytest

from scenthound.demo.served_answer import Answer
from tests.crawl.birds_wanted import asked_for
from tests.crawl.topical_web import sentence

PAGES, PICTURES = 8, 8  # links on a page
EXAMPLES = 5
MANY = 10_000  # pages of the web, and pictures
BUDGET = 120


def answer(host: str, path: str) -> Answer:
    if path.endswith(".jpg"):
        return Answer(headers=(("Content-Type", "image/jpeg"),), body=b"\xff\xd8\xff\xe0 a picture")
    kind, _, number = path.strip("/").partition("/")
    topic = "rocks" if kind == "rock" else "birds"
    draw = random.Random(path)
    links = [f"/bird/{draw.randrange(MANY)}" for _ in range(PAGES)]
    links += [f"/shots/{draw.randrange(MANY)}.jpg" for _ in range(PICTURES)]
    draw.shuffle(links)
    rows = "".join(f'<p>{sentence(topic, draw)} <a href="{link}">seen</a></p>' for link in links)
    body = f"<html lang=en><title>{kind} {number}</title>{rows}</html>"
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=body.encode())


def pictures(path: Path, order: str) -> float:
    """Crawl, and return the share of pictures among what the server was asked for in the second half."""
    asked = asked_for(path, answer, order=order, pages=BUDGET, examples=EXAMPLES)
    half = asked[len(asked) // 2 :]
    return sum(one.endswith(".jpg") for one in half) / len(half)


@pytest.mark.slow
def test_links_to_pictures_are_soon_left_alone(tmp_path: Path) -> None:
    assert pictures(tmp_path / "best-first", "best-first") > 0.3
    assert pictures(tmp_path / "apprentice", "apprentice") < 0.1
