"""What the words of links say, the links' own and those around them: each word is looked up in the lexicon."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from scenthound.apprentice.ground import NEAR_WORDS, Floats, Ground, Ints
from scenthound.apprentice.lexicon import Lexicon
from scenthound.apprentice.ranges import Ranges, running
from scenthound.apprentice.word_yields import Singles

AT_ONCE: Final = 4_096  # links whose words are laid out at once: those of a million would take gigabytes
MANY: Final = 20_000  # links from which on it is faster to ask once what each word of the lexicon says


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWords:
    """What is said about each link, a mean over words but for `strongest`."""

    own: Floats  # what pages with its own words were like
    strongest: Floats  # the same of the word that says most
    near: Floats  # what links led to that had the words next to it around them
    around: Floats  # the same of all words around it
    meaning: Floats  # what links led to whose own words mean the same


def look_up(ground: Ground, lexicon: Lexicon, links: Ints) -> LinkWords:
    """Look the words of links up."""
    ask = _table(lexicon) if len(links) >= MANY else lexicon.links.speak
    blocks = [
        _looked_up(ground, lexicon, ask, links[at : at + AT_ONCE]) for at in range(0, max(1, len(links)), AT_ONCE)
    ]
    own, strongest, near, around, meaning = np.concatenate(blocks, axis=1) if len(blocks) > 1 else blocks[0]
    return LinkWords(own=own, strongest=strongest, near=near, around=around, meaning=meaning)


def ask_critic(ground: Ground, lexicon: Lexicon, links: Ints) -> None:
    """Remember what the critic thinks of the words of new links: that does not change."""
    own, laid = ground.own_words(links), _Around.of(ground, links)
    ground.links.critic_own.values[links] = own.means(lexicon.critic.take(ground.words.values.take(own.places)))
    ground.links.critic_around.values[links] = laid.means(running(lexicon.critic.take(laid.words)))


def _table(lexicon: Lexicon) -> Callable[[Ints], Singles]:
    table = lexicon.links.table()
    return table.take


def _looked_up(ground: Ground, lexicon: Lexicon, ask: Callable[[Ints], Singles], links: Ints) -> Floats:
    own, laid = ground.own_words(links), _Around.of(ground, links)
    words = ground.words.values.take(own.places)
    of_pages = lexicon.pages.speak(words)
    of_links = running(ask(laid.words))
    near = laid.within(NEAR_WORDS)
    # The sum of vectors that have little to do with each other is as long as the root of their number.
    meaning = own.means(lexicon.meanings.speak(words)) * np.sqrt(own.sizes)
    return np.array((own.means(of_pages), own.strongest(of_pages), near.means(of_links), laid.means(of_links), meaning))


@dataclass(frozen=True, slots=True)
class _Around:
    """The words around links and their own, laid out link by link, and where among them those of each begin and end."""

    words: Ints
    begin: Ints
    own_begin: Ints
    own_end: Ints
    end: Ints

    @classmethod
    def of(cls, ground: Ground, links: Ints) -> "_Around":
        table = ground.links
        begin = table.around_from.values[links]
        laid = Ranges.of(begin, table.around_to.values[links])
        shift = laid.starts - begin
        own_begin, own_end = table.own_from.values[links] + shift, table.own_to.values[links] + shift
        words = ground.words.values.take(laid.places).astype(np.int64)
        return cls(words, laid.starts, own_begin, own_end, laid.ends)

    def within(self, words: int) -> "_Around":
        """Return the same with no more than so many words on each side."""
        begin, end = np.maximum(self.begin, self.own_begin - words), np.minimum(self.end, self.own_end + words)
        return _Around(self.words, begin, self.own_begin, self.own_end, end)

    def means(self, sums: Floats) -> Floats:
        """Return from running sums over all words the mean of those before each link and behind it, its own left out."""
        said = sums[self.own_begin] - sums[self.begin] + sums[self.end] - sums[self.own_end]
        mean: Floats = said / np.maximum(self.own_begin - self.begin + self.end - self.own_end, 1)
        return mean
