"""What of a URL can be smelt before it is fetched, as numbers: who cites it, with which words, and what came of its like.

Each number is a share, a log-odds or the logarithm of a count, so that weights learnt with one topic mean something for
another. Where several pages cite a URL, all have their say, up to a number.
"""

from typing import Final

import numpy as np
from scipy.special import logit

from scenthound.apprentice.ground import Citations, Floats, Ground, Ints
from scenthound.apprentice.lexicon import Lexicon
from scenthound.apprentice.link_words import look_up

NAMES: Final = (
    "start",  # always 1
    "citing",  # how many links lead there, log
    "page",  # the relevance of the pages that cite it
    "best page",  # of the best of them
    "meaning",  # what links led to whose own words mean the same
    "near",  # what links with the same words next to them led to
    "around",  # the same of all words around
    "address",  # what addresses with the same words led to
    "neighbours",  # what the links next to it led to
    "host",  # what other pages of the host were like
    "hub",  # how good a hub the best of the pages is that cite it
)
DOUBT: Final = 2.0  # pages that each host is taken to have had before
# The chance that a fresh host is worth a try, whatever is expected of the link: what is behind a link is worth something too, and
# a crawl that stays where it is never finds out. In the odds of links, as a factor of up to seven, this was worth .110 on WebKB
# (courses, faculty, projects, from three universities), and .139 as a chance; on the demo web .678 and .688. A chance of .5 did as
# well there; but then a poor link to a new host would come before one of which .4 is expected, and junk hosts have no end.
FRESH: Final = 0.25
SPREAD: Final = 3.0  # natural logarithm of the part of all that came to nothing, beyond which a host is not fresher
# Of the links to a URL, the latest that have their say: what stands on every page of a site says the same on each, and would
# cost more with each. The mean harvest on the development topics of the schools web was .474 with twenty, .470 with all links;
# ten, together with fewer links thought over again, did no worse than twenty (.501 against .496, two draws).
HEARD: Final = 10


def smell(ground: Ground, lexicon: Lexicon, urls: Ints) -> Floats:
    """Return a row of numbers for each URL, which is known and not fetched yet."""
    return smell_by(ground, lexicon, urls, ground.citations(urls, most=HEARD))


def smell_by(ground: Ground, lexicon: Lexicon, urls: Ints, citations: Citations) -> Floats:
    """Return the rows that URLs have as far as these citations tell; a row is the same whatever others are asked for."""
    links, gather = citations.links, Gather(citations.places, len(urls))
    words = look_up(ground, lexicon, links)
    sources = ground.links.source.values[links]
    merits = ground.pages.relevance.values[sources]
    share = lexicon.links.share
    near_yielded, near_tried = ground.links.near_yielded.values[links], ground.links.near_tried.values[links]
    columns = (
        np.ones(len(urls)),
        np.log1p(citations.counts),
        gather.mean(merits),
        gather.greatest(merits),
        gather.mean(words.meaning),
        gather.mean(words.near),
        gather.mean(words.around),
        _addresses(ground, lexicon, urls),
        logit((gather.sum(near_yielded) + share) / (gather.sum(near_tried) + 1.0)) - logit(share),
        _lead(ground, ground.urls.host.values[urls], share),
        gather.greatest(ground.pages.hub.values[sources]),
    )
    return np.array(columns).T


def relief(ground: Ground, urls: Ints) -> Floats:
    """Return the chance that the host of each URL is worth a try: the greater, the fewer of all fruitless fetches it has had.

    0 on a web of one host, FRESH for a host that has had no more than a twentieth of them. Where the user has said that pages are not
    good it is less, the more so the more pages.
    """
    hosts = ground.urls.host.values[urls]
    wasted = ground.hosts.tried.values[hosts] - ground.hosts.yielded.values[hosts]
    spread = np.log1p(ground.wasted.values[0]) - np.log1p(wasted)
    chances: Floats = FRESH / SPREAD * np.clip(spread, 0.0, SPREAD) / (1.0 + ground.hosts.disowned.values[hosts])
    return chances


class Gather:
    """Brings together what is said of the links to each of some URLs."""

    def __init__(self, places: Ints, many: int) -> None:
        self._places = places
        self._many = many
        self._counts = np.bincount(places, minlength=many)
        self._divisors = np.maximum(self._counts, 1)

    def sum(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self._places, weights=values, minlength=self._many), dtype=np.float64)

    def mean(self, values: Floats) -> Floats:
        return self.sum(values) / self._divisors

    def greatest(self, values: Floats) -> Floats:
        """Return the greatest value for each URL, 0 for one that no link leads to."""
        greatest = np.full(self._many, -np.inf)
        np.maximum.at(greatest, self._places, values)
        return np.where(self._counts > 0, greatest, 0.0)


def _addresses(ground: Ground, lexicon: Lexicon, urls: Ints) -> Floats:
    own = ground.words_of_addresses(urls)
    return own.means(lexicon.addresses.speak(ground.address_words.values.take(own.places)))


def _lead(ground: Ground, hosts: Ints, share: float) -> Floats:
    """Return by how much hosts are better than the average, in log-odds."""
    yielded, tried = ground.hosts.yielded.values[hosts], ground.hosts.tried.values[hosts]
    lead: Floats = logit((yielded + DOUBT * share) / (tried + DOUBT)) - logit(share)
    return lead
