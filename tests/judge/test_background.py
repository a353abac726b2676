"""Pages of no topic, made up from a language's word frequencies: alike but for the topic, and the same for the same
seed.
"""

from collections import Counter

import numpy as np
import pytest

from scenthound.judge.canonical.made_up_pages import common_surroundings, describe, frequencies, others
from scenthound.judge.critic import Example, Page
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.stems import STEMMED
from scenthound.parse.words.terms import Counts, Terms
from scenthound.types import Link, Reading

ABOUT = {
    "Otters": "The otter swims along the river, and its den is near the water where it eats fish and crabs. ",
    "Planets": "The planet moves around the star, and its orbit is an ellipse that astronomers observe at night. ",
}


def example(topic: str, *, language: str = "en", menu: str = "Imprint") -> Example:
    menus = [menu, "", "Sitemap", ""]
    links = tuple(Link(url="http://a.example/", first_leaf=number, last_leaf=number) for number in (0, 2))
    reading = Reading(title=topic, language=language, leaves=(*menus, ABOUT[topic] * 10), links=links)
    return Example(topic=topic, name=topic, page=Page(title=topic, terms=terms_of(reading)))


def total(pages: tuple[Page, ...]) -> Counter[str]:
    """Add up how often each term stands on the pages."""
    counts: Counter[str] = Counter()
    for page in pages:
        both = page.terms.main.astype(int) + page.terms.rest
        counts.update(dict(zip(page.terms.terms, both.tolist(), strict=True)))
    return counts


@pytest.mark.slow
def test_topics_are_rare_on_made_up_pages_and_common_words_are_not() -> None:
    found = total(others([example("Otters")] * 5, seed=1, count=100))
    own = total((example("Otters").page,))
    share = {term: found[term] / found.total() / (own[term] / own.total()) for term in ("otter", "crab")}
    assert all(less < 0.2 for less in share.values())
    assert min(found[term] for term in ("time", "year", "work", "peopl")) > 0


@pytest.mark.slow
def test_made_up_pages_are_as_long_as_the_examples() -> None:
    model = example("Otters").page.terms
    for page in others([example("Otters")] * 3, seed=1, count=10):
        assert [int(zone.sum()) for zone in (page.terms.title, page.terms.main)] == [
            int(zone.sum()) for zone in (model.title, model.main)
        ]


def test_words_come_in_bursts() -> None:
    long = Example(topic="", name="", page=Page(terms=example("Otters").page.terms))
    pages = others([long] * 3, seed=1, count=30)
    repeated = [int(page.terms.main.max()) for page in pages]
    assert max(repeated) > 3  # of some hundred words; drawn without bursts, one in thirty thousand hardly comes twice


def test_common_navigation_stands_around_every_made_up_page() -> None:
    examples = [example(topic) for topic in ABOUT for _ in range(5)]
    assert common_surroundings(examples) == {"imprint", "sitemap"}
    for page in others(examples, seed=1, count=10):
        assert page.terms.rest[page.terms.terms.index("imprint")] == 1


def test_navigation_of_one_topic_only_is_not_common() -> None:
    examples = [*[example("Otters")] * 5, *[example("Planets", menu="Telescopes")] * 5]
    assert common_surroundings(examples) == {"sitemap"}


def test_the_same_seed_gives_the_same_pages() -> None:
    examples = [example("Otters"), example("Planets")]
    first, again, another = (total(others(examples, seed=seed, count=5)) for seed in (1, 1, 2))
    assert first == again != another


@pytest.mark.slow
@pytest.mark.parametrize("language", STEMMED)
def test_each_language_has_its_own_words(language: str) -> None:
    shares = frequencies(language)
    assert sum(shares.values()) == pytest.approx(1.0)
    assert len(shares) > 10_000
    assert all(term and " " not in term for term in shares)


def test_what_was_used_is_said() -> None:
    said = describe([example("Otters")] * 3, count=40)
    assert said.startswith("40 pages of no topic were made up from the word frequencies of en ")
    assert "2 terms that surround most examples" in said


def test_a_language_without_frequencies_is_said_too() -> None:
    short = Terms(language="yo", terms=("odò",), title=_one(), main=_one(), rest=_one())
    examples = [Example(topic="Odò", name="odò", page=Page(terms=short))]
    assert "There are no word frequencies of yo: en was used." in describe(examples)
    assert others(examples, seed=1, count=1)[0].language == "en"


def test_no_examples_no_pages() -> None:
    assert others([], seed=1) == ()


def _one() -> Counts:
    return np.ones(1, dtype=np.uint16)
