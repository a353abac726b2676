"""The evidence of links' words, their own and those around them: each word is looked up in the lexicon."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from scenthound.apprentice.memory.ground import Floats, Ground, Ints
from scenthound.apprentice.memory.ranges import Ranges, running
from scenthound.apprentice.words.lexicon import NEAR_WORDS, Lexicon
from scenthound.apprentice.words.word_yields import Singles

AT_ONCE: Final = 4_096  # links whose words are laid out at once: those of a million would take gigabytes
MANY: Final = 20_000  # links above which it is faster to ask the lexicon once for every word


@dataclass(frozen=True, slots=True)
class LinkWords:
    """The evidence about each link, a mean over words."""

    near: Floats  # what links led to that had the words next to it around them
    around: Floats  # the same of all words around it
    meaning: Floats  # what links led to whose own words mean the same
    context: Floats  # the same of these and the words next to them
    length: Floats  # how many words it has


def look_up(ground: Ground, lexicon: Lexicon, links: Ints) -> LinkWords:
    """Look the words of links up; `links` are ascending."""
    ask = _table(lexicon) if len(links) >= MANY else lexicon.links.speak
    blocks = [
        _looked_up(ground, lexicon, ask, links[at : at + AT_ONCE]) for at in range(0, max(1, len(links)), AT_ONCE)
    ]
    return LinkWords(*(np.concatenate(blocks, axis=1) if len(blocks) > 1 else blocks[0]))


def _table(lexicon: Lexicon) -> Callable[[Ints], Singles]:
    table = lexicon.links.table()
    return table.take


def _looked_up(ground: Ground, lexicon: Lexicon, ask: Callable[[Ints], Singles], links: Ints) -> Floats:
    own, around = ground.own_words(links), _Around.of(ground, links)
    said = running(ask(around.words))
    near = around.within(NEAR_WORDS)
    meaning = own.means(lexicon.meanings.speak(ground.words.values.take(own.places))) * np.sqrt(own.sizes)
    context = near.whole(running(lexicon.contexts.speak(around.words)))
    return np.array((near.means(said), around.means(said), meaning, context, own.sizes))


@dataclass(frozen=True, slots=True)
class _Around:
    """The words around links and their own, laid out, and where among them those of each begin and end.

    Those of links that stand close to each other are laid out once: that is less than half of them all.
    """

    words: Ints
    begin: Ints
    own_begin: Ints
    own_end: Ints
    end: Ints

    @classmethod
    def of(cls, ground: Ground, links: Ints) -> "_Around":
        table = ground.links
        begin, end = table.around_from.values[links], table.around_to.values[links]
        is_first = np.ones(len(links), dtype=np.bool_)
        is_first[1:] = (begin[1:] > end[:-1]) | (begin[1:] < begin[:-1])
        firsts = np.flatnonzero(is_first)
        laid = Ranges.of(begin[firsts], np.maximum.reduceat(end, firsts) if len(firsts) else end)
        shift = (laid.starts - begin[firsts])[np.cumsum(is_first) - 1]
        own_begin, own_end = table.own_from.values[links] + shift, table.own_to.values[links] + shift
        return cls(ground.words.values.take(laid.places), begin + shift, own_begin, own_end, end + shift)

    def within(self, words: int) -> "_Around":
        """Return the same with no more than so many words on each side."""
        begin, end = np.maximum(self.begin, self.own_begin - words), np.minimum(self.end, self.own_end + words)
        return _Around(self.words, begin, self.own_begin, self.own_end, end)

    def means(self, sums: Floats) -> Floats:
        """Return the mean over the words before each link and behind it, without its own, from running sums over all
        words."""
        said = sums[self.own_begin] - sums[self.begin] + sums[self.end] - sums[self.own_end]
        mean: Floats = said / np.maximum(self.own_begin - self.begin + self.end - self.own_end, 1)
        return mean

    def whole(self, sums: Floats) -> Floats:
        """Return from running sums the sum over each link and the words around it, over the root of their number."""
        whole: Floats = (sums[self.end] - sums[self.begin]) / np.sqrt(np.maximum(self.end - self.begin, 1))
        return whole
