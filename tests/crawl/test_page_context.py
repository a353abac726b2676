"""A critic that reads the graph: pages are judged again as links to them are found, and it says where it is torn."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.crawl.critic.page_context import Surroundings
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.crawl.engine.assemble import open_store
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.judge.spaces.estimates import estimate_lines, estimates_of
from scenthound.services.topics.space_votes import torn_pages
from scenthound.store.base import Store
from scenthound.store.memory.store import MemoryStore
from scenthound.types import Outcome
from tests.crawl.scene import Crawled, resume
from tests.crawl.topical_web import TOPICS, Served, new, topics, url
from tests.crawl.topical_web import answer as served_answer
from tests.store.small_world import claim, found, page, put

A, B, C, D, E = (f"http://{name}.test/" for name in "abcde")


def fetched(store: Store, links: dict[str, str], *, now: float) -> Outcome:
    """Fetch one page, which links to others with these words."""
    [taken] = claim(store, now=now, limit=1)
    outcome = page(taken, at=now, links=[found(to, text=text) for to, text in links.items()], relevance=0.5, terms=b"")
    put(store, outcome, now=now)
    return outcome


def test_a_page_is_due_again_each_time_twice_as_many_pages_cite_it() -> None:
    store = MemoryStore()
    store.add([found(one) for one in (A, B, C, D, E)], now=0.0)
    around = Surroundings(store, Path())
    fetched(store, {}, now=1.0)  # A
    due = [
        [held.url for held in around.due([fetched(store, {A: words}, now=float(n))])]
        for n, words in enumerate(("first words", "", "more words", "last words"), start=2)
    ]
    assert due == [[A], [], [], [A]]  # cited once; without words; three times; four times
    story = store.story(A, now=9.0)
    assert story is not None
    assert story.citing_count == 4


MIXED = 14  # pages with words of birds and of rocks, which page 3 about birds cites


def answer(host: str, path: str) -> Answer:
    """Serve the topical web, and a host with pages that are about two topics."""
    number = path.removeprefix("/")
    if host == "mixed.test" and number.isdigit():
        draw = random.Random(int(number))
        words = draw.choices(TOPICS["birds"], k=30 + int(number)) + draw.choices(TOPICS["rocks"], k=42 - int(number))
        draw.shuffle(words)
        body = f"<html lang=en><title>Mixed {number}</title><p>{' '.join(words)}.</p></html>"
        return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=body.encode())
    plain = served_answer(host, path)
    if (host, path) != ("birds.test", "/page3.html"):
        return plain
    links = "".join(f'<a href="http://mixed.test/{n}">robin {n}</a> ' for n in range(MIXED))
    return replace(plain, body=plain.body + links.encode())


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    with ServedWeb(answer) as web:
        settings = Served(web=web).settings("crawl.pages=45", "critic.kind=meta", "critic.decision=unanimous")
        return resume(new(tmp_path_factory.mktemp("meta") / "crawl", topics()), settings)


@pytest.mark.slow
def test_a_crawl_with_a_meta_critic_finds_its_topic_and_says_how_it_judged(crawled: Crawled) -> None:
    assert crawled.trouble() == []
    judged = {row.host: row.relevance for row in crawled.pages(everything=True) if row.relevance is not None}
    assert judged["birds.test"] > 0.5 > judged["fish.test"]
    said = crawled.why(url("birds", 9))
    assert "terms: nature/birds, +" in said
    assert "precision by ξα" in said


@pytest.mark.slow
def test_what_was_foretold_of_each_space_is_there(crawled: Crawled) -> None:
    with open_store(crawled.directory, read_only=True) as store:
        record = store.critic()
    assert record is not None
    lines = list(estimate_lines(estimates_of(saved_critic(crawled.directory.path, record.model))))
    assert any(line.startswith("  vectors    nature/birds: precision ") for line in lines)


@pytest.mark.slow
def test_pages_on_which_the_spaces_disagree_are_there_to_be_asked_about(crawled: Crawled) -> None:
    found = torn_pages(crawled.directory, count=2)
    assert found
    for one in found:
        assert "mixed.test" in one.url
        assert one.relevance < 0.5
        assert one.votes.decided is None
        assert len({vote.topic for vote in one.votes.votes if vote.topic is not None}) > 1
    assert "together (unanimous): undecided" in crawled.why(found[0].url)
