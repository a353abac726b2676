"""A sum of text, relevance and authority: the ten best are those of all pages, though few lists are asked for."""

import random

import pytest

from scenthound.search.engine import CANDIDATES
from scenthound.search.index import SearchReader
from scenthound.search.types import Filters, Weights
from tests.search.made_pages import MadeFacts, ask, index, page

PAGES = 2 * CANDIDATES + 150  # so that no list holds all of them


@pytest.fixture(scope="module")
def facts() -> MadeFacts:
    draw = random.Random(4)
    pages = [
        page(
            id,
            " ".join(["chain"] * draw.randrange(1, 9) + ["oil"] * draw.randrange(3) + ["road"] * draw.randrange(90)),
            topic="Sport/Cycling" if id % 3 else "Home",
            relevance=draw.random() ** 3,
            fetched_at=1.7e9 + draw.randrange(10**6),
        )
        for id in range(1, PAGES + 1)
    ]
    return MadeFacts(pages, authorities={id: draw.random() ** 6 for id in draw.sample(range(1, PAGES + 1), 400)})


@pytest.fixture(scope="module")
def reader(facts: MadeFacts, tmp_path_factory: pytest.TempPathFactory) -> SearchReader:
    return index(tmp_path_factory.mktemp("index") / "search", list(facts.pages.values()))


@pytest.mark.parametrize("words", ["chain", "chain (oil OR road)"])
@pytest.mark.parametrize("topic", ["", "Sport"])
@pytest.mark.parametrize(
    "weights",
    [
        Weights(text=1, meaning=0, relevance=0.5, authority=0.3),
        Weights(text=1, meaning=0, relevance=5),
        Weights(text=1, meaning=0, authority=4),
        Weights(text=0, meaning=0, relevance=1, authority=1),
        Weights(text=1, meaning=0, relevance=0.01),
    ],
)
def test_the_best_are_those_of_a_ranking_of_all_pages(
    reader: SearchReader, facts: MadeFacts, words: str, topic: str, weights: Weights
) -> None:
    filters = Filters(topic=topic)
    best = ask(reader, facts, words, weights=weights, filters=filters, limit=10).hits
    everything = ask(reader, facts, words, weights=weights, filters=filters, limit=PAGES).hits
    assert [round(hit.score, 6) for hit in best] == [round(hit.score, 6) for hit in everything[:10]]
