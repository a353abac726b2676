"""An apprentice's knowledge of words: the outcomes of links and addresses with each, and of links with similar
words."""

from typing import Final

import numpy as np

from scenthound.apprentice.memory.blocks import Block
from scenthound.apprentice.memory.ground import Floats, Ground, Ints
from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.model import State
from scenthound.apprentice.words.meanings import Meanings
from scenthound.apprentice.words.word_vectors import word_vectors
from scenthound.apprentice.words.word_yields import WordYields, distinct

BITS: Final = 18  # of a word's number: a million different words would share a quarter million places
TELLING: Final = 5  # links to a page, the latest, whose own words show what words mean
# Links to a page, the latest, whose surroundings show where words lead: in a menu they are the same each time.
ASKED: Final = 20
NEAR_WORDS: Final = 8  # of the words around a link, on each side, that are next to it


class Lexicon:
    """`links` are the words around links that were followed, `addresses` those of URLs, `meanings` links' own.

    `contexts` are meanings too, of a link's own words and those next to them.
    """

    def __init__(self) -> None:
        self.links = WordYields(bits=BITS, doubt=2.0)
        self.addresses = WordYields(bits=BITS, doubt=2.0)
        self.meanings = Meanings(word_vectors(BITS))
        self.contexts = Meanings(word_vectors(BITS))

    def learn(self, ground: Ground, block: Block) -> None:
        """Learn from pages and all links between them and others."""
        self._learn_addresses(ground, block)
        self._learn_citing(ground, block)
        self.meanings.turn(len(block.urls))
        self.contexts.turn(len(block.urls))

    def learn_links(self, ground: Ground, links: Ints, relevance: float) -> None:
        """Learn from links that led to the same thing, of that relevance, the latest first."""
        if len(links):
            came, latest = np.array([relevance]), links[:ASKED]
            self._learn_around(ground, latest, np.zeros(len(latest), dtype=np.int64), came)
            self._learn_meanings(ground, links[:TELLING], came.repeat(len(links[:TELLING])))

    def state(self) -> State:
        parts = self._parts()
        return {f"{name}.{key}": array for name, part in parts.items() for key, array in part.state().items()}

    def restore(self, state: State) -> None:
        for name, part in self._parts().items():
            part.restore({key: state[f"{name}.{key}"] for key in part.state()})

    def _learn_addresses(self, ground: Ground, block: Block) -> None:
        """Learn from the words of addresses. For a page without links to it, as most examples, they also stand for its
        topic."""
        own = ground.words_of_addresses(block.urls)
        words = ground.address_words.values.take(own.places)
        self._learn_each(self.addresses, np.arange(len(block.urls)).repeat(own.sizes), words, block.relevance)
        alone = np.flatnonzero(np.bincount(block.pages, minlength=len(block.urls)) == 0)
        if len(alone):
            own = ground.words_of_addresses(block.urls[alone])
            self.meanings.learn(ground.address_words.values.take(own.places), own, block.relevance[alone])

    def _learn_citing(self, ground: Ground, block: Block) -> None:
        """Learn from the words around links: together for links to one page, one by one for links to known pages."""
        asked, telling = block.latest(ASKED), block.latest(TELLING)
        cited, groups = np.unique(block.pages[asked], return_inverse=True)
        links = np.concatenate((block.citing[asked], block.known))
        groups = np.concatenate((groups, len(cited) + np.arange(len(block.known))))
        self._learn_around(ground, links, groups, np.concatenate((block.relevance[cited], block.came)))
        links = np.concatenate((block.citing[telling], block.known))
        self._learn_meanings(ground, links, np.concatenate((block.relevance[block.pages[telling]], block.came)))

    def _learn_around(self, ground: Ground, links: Ints, groups: Ints, relevance: Floats) -> None:
        """Learn from the words around links; each word counts once for all links of a group."""
        rows, words = _around(ground, links)
        self._learn_each(self.links, groups[rows], words, relevance)

    def _learn_each(self, yields: WordYields, groups: Ints, words: Ints, relevance: Floats) -> None:
        pairs = distinct((groups << BITS) | words)
        yields.learn(pairs >> BITS, pairs & ((1 << BITS) - 1), relevance)

    def _learn_meanings(self, ground: Ground, links: Ints, relevance: Floats) -> None:
        for meanings, texts in (
            (self.meanings, ground.own_words(links)),
            (self.contexts, ground.words_near(links, most=NEAR_WORDS)),
        ):
            meanings.learn(ground.words.values.take(texts.places), texts, relevance)

    def _parts(self) -> dict[str, WordYields | Meanings]:
        return {
            "link words": self.links,
            "address words": self.addresses,
            "meanings": self.meanings,
            "contexts": self.contexts,
        }


def _around(ground: Ground, links: Ints) -> tuple[Ints, Ints]:
    """Return for each word around links, their own left out, the place of its link among these, and the word."""
    table = ground.links
    begin = np.concatenate((table.around_from.values[links], table.own_to.values[links]))
    end = np.concatenate((table.own_from.values[links], table.around_to.values[links]))
    ranges = Ranges.of(begin, end)
    places = np.arange(len(links))
    return np.concatenate((places, places)).repeat(ranges.sizes), ground.words.values.take(ranges.places)
