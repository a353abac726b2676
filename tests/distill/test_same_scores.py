"""In memory, in SQL and by the letter of the definition: whatever the crawl, the scores are the same to 1e-9."""

import random
import sqlite3
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.distill.distiller import distil_by
from scenthound.distill.scores import About, Distilled, Method, Rules
from scenthound.distill.site import Site
from tests.distill.obvious import obvious
from tests.distill.small_crawls import MadeCrawl, MadeLink, MadeUrl, database_of

HOSTS = ("www.a.test", "forum.a.test", "b.test", "c.test", "www.d.test:8080", "e.test")
TOPICS = ("Sport", "Sport/Cycling", "Sporting", "Arts", "")


def judged_by_number(ids: Sequence[int]) -> list[float]:
    """Judge pages somehow, but always alike."""
    return [(id * 37 % 11) / 11 for id in ids]


def crawl_of(seed: int, size: int) -> MadeCrawl:
    """Make a crawl by chance. Drawn value by value, nearly all crawls would have no hub at all."""
    chance = random.Random(seed)
    urls = [_url(chance, number, size) for number in range(size)]
    links = [
        MadeLink(
            source=chance.randrange(size),
            target=chance.randrange(size),
            kind=chance.choice(["anchor"] * 6 + ["area", "canonical", "redirect", "frame"]),
            nofollow=chance.random() < 0.1,
        )
        for _ in range(chance.randint(2 * size, 8 * size))
    ]
    return MadeCrawl(urls=urls, links=links)


def _url(chance: random.Random, number: int, size: int) -> MadeUrl:
    return MadeUrl(
        url=f"http://{chance.choice(HOSTS)}/{number}",
        ending=chance.choice(["page"] * 7 + ["redirect", "failed", "waiting"]),
        relevance=chance.choice([None, 0.0, 0.5, 0.5, *(chance.random() for _ in range(8))]),
        topic=chance.choice(TOPICS),
        same=chance.randrange(size) if chance.random() < 0.15 else None,
        near=chance.random() < 0.5,
    )


crawls = st.builds(crawl_of, seed=st.integers(0, 2**32), size=st.integers(12, 50))
rules = st.builds(
    Rules,
    site=st.sampled_from(Site),
    share=st.sampled_from([0.1, 0.15, 0.5, 1.0]),
    rounds=st.integers(1, 12),
    citing=st.integers(1, 4),
)
abouts = st.none() | st.sampled_from(["Sport", "Arts"]).map(lambda topic: About(topic=topic, judge=judged_by_number))


def scores(con: sqlite3.Connection, table: str) -> dict[int, float]:
    return dict(con.execute(f"SELECT oid, score FROM {table}").fetchall())


def counted(told: Distilled) -> tuple[float, ...]:
    return told.pages, told.links, told.hubs, told.authorities, told.threshold, told.rounds


@example(crawl=MadeCrawl(urls=[], links=[]), rules=Rules(), about=None)
@settings(deadline=None)  # the machine may be busy
@given(crawl=crawls, rules=rules, about=abouts)
def test_all_three_give_the_same_scores(crawl: MadeCrawl, rules: Rules, about: About | None) -> None:
    expected = obvious(crawl, rules, about)
    told = []
    with database_of(crawl) as con:
        for method in Method:
            told.append(counted(distil_by(method, con, rules, about)))
            assert scores(con, "HUBS") == pytest.approx(expected.hubs, abs=1e-9)
            assert scores(con, "AUTH") == pytest.approx(expected.authorities, abs=1e-9)
            assert dict(con.execute("SELECT * FROM MERGED").fetchall()) == expected.merged
    assert told[0] == told[1]
