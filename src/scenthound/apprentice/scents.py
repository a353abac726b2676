"""What of a URL can be smelt before it is fetched, as numbers: who cites it, with which words, and what came of its like.

Each number is a share, a log-odds or the logarithm of a count, so that weights learnt with one topic mean something for
another. Where several pages cite a URL, all have their say.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import logit

from scenthound.apprentice.ground import NEAR_WORDS, Floats, Ground, Ints
from scenthound.apprentice.lexicon import Lexicon
from scenthound.apprentice.ranges import Ranges

NAMES: Final = (
    "start",  # always 1
    "citing",  # how many links lead there, log
    "page",  # the relevance of the pages that cite it
    "best page",  # of the best of them
    "own",  # what pages with the link's own words were like
    "own strongest",  # of the word that says most
    "critic own",  # what the critic thinks of the link's own words
    "critic around",  # and of those around it
    "near",  # what links with the same words next to them led to
    "around",  # the same of all words around
    "address",  # what addresses with the same words led to
    "yield",  # what the other links of the citing pages led to
    "neighbours",  # what the links next to it led to
    "host",  # what other pages of the host were like
)
DOUBT: Final = 2.0  # pages that each page and host is taken to have led to before: a page to one as good as itself
MANY: Final = 500  # URLs from which on running sums over all words are faster


def smell(ground: Ground, lexicon: Lexicon, urls: Ints) -> Floats:
    """Return a row of numbers for each URL, which is known and not fetched yet."""
    many = len(urls) >= MANY
    links = ground.leading_to(urls) if many else ground.citing_any(urls)
    gather = _Gather(ground, links, urls)
    words = _words_of_many(ground, lexicon, links) if many else _words(ground, lexicon, links)
    sources = ground.links.source.values[links]
    merits = ground.pages.relevance.values[sources]
    yields = (ground.pages.yielded.values[sources] + merits) / (ground.pages.tried.values[sources] + DOUBT)
    share = lexicon.links.share
    near_yielded, near_tried = ground.links.near_yielded.values[links], ground.links.near_tried.values[links]
    columns = (
        np.ones(len(urls)),
        np.log1p(gather.counts),
        gather.mean(merits),
        gather.greatest(merits),
        gather.mean(words.own),
        gather.mean(words.strongest),
        gather.mean(words.critic_own),
        gather.mean(words.critic_around),
        gather.mean(words.near),
        gather.mean(words.around),
        _addresses(ground, lexicon, urls),
        gather.mean(yields),
        logit((gather.sum(near_yielded) + share) / (gather.sum(near_tried) + 1.0)) - logit(share),
        _lead(ground, ground.urls.host.values[urls], share),
    )
    return np.stack(columns, axis=1)


def relief(ground: Ground, urls: Ints) -> Floats:
    """Return how much rarer fetches came to nothing on the host of each URL than on all hosts together, as a log.

    0 on a web of one host; the greater, the less a host was troubled in vain.
    """
    hosts = ground.urls.host.values[urls]
    wasted = ground.hosts.tried.values[hosts] - ground.hosts.yielded.values[hosts]
    spread: Floats = np.log1p(ground.wasted.values[0]) - np.log1p(wasted)
    return spread


class _Gather:
    """Brings together what is said of the links to each of some URLs."""

    def __init__(self, ground: Ground, links: Ints, urls: Ints) -> None:
        places = np.full(len(ground.names), -1)
        places[urls] = np.arange(len(urls))
        self._place = places[ground.links.target.values[links]]
        self._many = len(urls)
        self.counts = self.sum(np.ones(len(links)))

    def sum(self, values: Floats) -> Floats:
        return np.bincount(self._place, weights=values, minlength=self._many).astype(np.float64)

    def mean(self, values: Floats) -> Floats:
        return self.sum(values) / np.maximum(self.counts, 1)

    def greatest(self, values: Floats) -> Floats:
        """Return the greatest value for each URL, 0 for one that no link leads to."""
        greatest = np.full(self._many, -np.inf)
        np.maximum.at(greatest, self._place, values)
        return np.where(self.counts > 0, greatest, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What the words of each link say."""

    own: Floats
    strongest: Floats
    critic_own: Floats
    critic_around: Floats
    near: Floats
    around: Floats


def _words(ground: Ground, lexicon: Lexicon, links: Ints) -> _Words:
    """Look every word of some links up."""
    own_from, own_to, around_from, around_to = _places(ground, links)
    own, before, after = (Ranges.of(own_from, own_to), Ranges.of(around_from, own_from), Ranges.of(own_to, around_to))
    words = ground.words.values
    of_own, of_before, of_after = words[own.places], words[before.places], words[after.places]
    in_pages = lexicon.pages.speak(of_own)
    from_before, from_after = lexicon.links.speak(of_before), lexicon.links.speak(of_after)
    sizes = before.sizes + after.sizes
    near_before = Ranges.of(np.maximum(before.starts, before.ends - NEAR_WORDS), before.ends)
    near_after = Ranges.of(after.starts, np.minimum(after.ends, after.starts + NEAR_WORDS))
    return _Words(
        own=own.means(in_pages),
        strongest=own.strongest(in_pages),
        critic_own=own.means(lexicon.critic[of_own]),
        critic_around=(before.sums(lexicon.critic[of_before]) + after.sums(lexicon.critic[of_after]))
        / np.maximum(sizes, 1),
        near=(near_before.sums(from_before[near_before.places]) + near_after.sums(from_after[near_after.places]))
        / np.maximum(near_before.sizes + near_after.sizes, 1),
        around=(before.sums(from_before) + after.sums(from_after)) / np.maximum(sizes, 1),
    )


def _words_of_many(ground: Ground, lexicon: Lexicon, links: Ints) -> _Words:
    """Do the same by running sums over all words, which are fewer than those around each link taken together."""
    own_from, own_to, around_from, around_to = _places(ground, links)
    near_from, near_to = np.maximum(around_from, own_from - NEAR_WORDS), np.minimum(around_to, own_to + NEAR_WORDS)
    words = ground.words.values
    own = Ranges.of(own_from, own_to)
    of_own = words[own.places]
    in_pages = lexicon.pages.speak(of_own)
    critic, from_links = _running(lexicon.critic[words]), _running(lexicon.links.speak(slice(None))[words])

    def mean(sums: Floats, begin: Ints, end: Ints) -> Floats:
        said = sums[end] - sums[own_to] + sums[own_from] - sums[begin]
        average: Floats = said / np.maximum(end - own_to + own_from - begin, 1)
        return average

    return _Words(
        own=own.means(in_pages),
        strongest=own.strongest(in_pages),
        critic_own=own.means(lexicon.critic[of_own]),
        critic_around=mean(critic, around_from, around_to),
        near=mean(from_links, near_from, near_to),
        around=mean(from_links, around_from, around_to),
    )


def _places(ground: Ground, links: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    table = ground.links
    columns = (table.own_from, table.own_to, table.around_from, table.around_to)
    own_from, own_to, around_from, around_to = (column.values[links] for column in columns)
    return own_from, own_to, around_from, around_to


def _running(values: Floats) -> Floats:
    sums = np.zeros(len(values) + 1)
    np.cumsum(values, out=sums[1:])
    return sums


def _addresses(ground: Ground, lexicon: Lexicon, urls: Ints) -> Floats:
    own = Ranges.of(ground.urls.words_from.values[urls], ground.urls.words_to.values[urls])
    return own.means(lexicon.addresses.speak(ground.address_words.values[own.places]))


def _lead(ground: Ground, hosts: Ints, share: float) -> Floats:
    """Return by how much hosts are better than the average, in log-odds."""
    yielded, tried = ground.hosts.yielded.values[hosts], ground.hosts.tried.values[hosts]
    lead: Floats = logit((yielded + DOUBT * share) / (tried + DOUBT)) - logit(share)
    return lead
