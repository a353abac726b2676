"""The scents of a URL before it is fetched, as numbers: who cites it, with which words, and the outcomes of similar
URLs.

Each number is a share, a log-odds or the logarithm of a count, so weights learnt with one topic mean something for
another. If several pages cite a URL, all count, up to a number.
"""

from typing import Final

import numpy as np
from scipy.special import logit

from scenthound.apprentice.memory.ground import Citations, Floats, Ground, Ints
from scenthound.apprentice.memory.tables import Yields
from scenthound.apprentice.words.lexicon import Lexicon
from scenthound.apprentice.words.link_words import look_up

DOUBT: Final = 2.0  # pages that each host and folder is taken to have had before
ORIGINAL: Final = 10.0  # pages that each host and folder is taken to have had before, none of them a repeat
TRUST: Final = 2.0  # hosts that are taken to have answered before the first was asked
MOST_WORDS: Final = 6  # of a link that count
GRACE: Final = (
    50.0  # URLs that are taken to have been asked for elsewhere, so that the first domain of a crawl is no monopoly
)
FULL: Final = 0.9  # of its share, at which a domain has had it: some requests are always under way, or drawn by chance
# The worth of a URL whose domain has had its share: something, because there may be nothing else. It is more if the
# user gave examples of the domain: with .01 there, harvest of neuroscience on the modern web was .52 instead of .67,
# because the topic is on four hosts. With .3 the crawl left two hosts of music for a personal wiki of another topic
# (harvest .63, with .6 it is .73); with 1.0 six topics had 3.5 relevant hosts instead of 4.5.
LEAST_WORTH: Final = 0.01
LEAST_GIVEN: Final = 0.6
# The latest links to a URL that count. Links on every page of a site say the same on each, and would cost more with
# each. The mean harvest on the development topics of the schools web was .474 with twenty, .470 with all links; ten,
# together with fewer links thought over again, did no worse than twenty (.501 against .496, two draws).
HEARD: Final = 10


def smell(ground: Ground, lexicon: Lexicon, urls: Ints) -> Floats:
    """Return a row of numbers for each URL, which is known and not fetched yet."""
    return smell_by(ground, lexicon, urls, ground.citations(urls, most=HEARD))


def smell_by(ground: Ground, lexicon: Lexicon, urls: Ints, citations: Citations) -> Floats:
    """Return the rows of URLs as far as these citations tell; a row does not depend on the other URLs in the call."""
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
        np.log1p(gather.sum(merits)),
        gather.mean(words.meaning),
        gather.mean(words.context),
        gather.mean(words.near),
        gather.mean(words.around),
        _addresses(ground, lexicon, urls),
        logit((gather.sum(near_yielded) + share) / (gather.sum(near_tried) + 1.0)) - logit(share),
        _lead(ground.hosts, ground.urls.host.values[urls], share),
        _lead(ground.folders, ground.urls.folder.values[urls], share),
        gather.mean(np.minimum(words.length, MOST_WORDS)),
        gather.mean(np.log1p(ground.links.place.values[links])),
        gather.greatest(ground.pages.hub.values[sources]),
    )
    return np.array(columns).T


def alive(ground: Ground, urls: Ints) -> Floats:
    """Return the chance that there is a page at each URL, by the answers of its host and folder.

    This is separate from the relevance expected of the page. A dead link says nothing against its words. Where many
    hosts are gone, as behind old pages, lessons of failures taught an apprentice that the topic itself is worth
    nothing: students' pages on WebKB, harvest .22 where best-first had .41.
    """
    asked, answered = ground.strangers.values
    chances = np.full(len(urls), (answered + TRUST) / (asked + TRUST))
    for table, rows in (
        (ground.hosts, ground.urls.host.values[urls]),
        (ground.folders, ground.urls.folder.values[urls]),
    ):
        chances = (table.answered.values[rows] + DOUBT * chances) / (table.asked.values[rows] + DOUBT)
    return chances


def novelty(ground: Ground, urls: Ints) -> Floats:
    """Return the chance that the page at each URL is new: that it is not nearly one that was fetched before.

    It follows from the share of repeats among the pages of its host and of its folder. A few are no proof: an honest
    site has copies too.
    """
    chances = np.ones(len(urls))
    if not ground.hosts.repeated.values.any():
        return chances
    for table, rows in (
        (ground.hosts, ground.urls.host.values[urls]),
        (ground.folders, ground.urls.folder.values[urls]),
    ):
        compared, repeated = table.compared.values[rows], table.repeated.values[rows]
        chances = (compared - repeated + ORIGINAL * chances) / (compared + ORIGINAL)
    return chances


def returns(ground: Ground, urls: Ints, *, share: float) -> Floats:
    """Return what is left of the worth of URLs, because so much is known from their registered domains already.

    Pages of a domain that the user has said not to be good count against it besides.
    """
    hosts = ground.urls.host.values[urls]
    left = worth_of(ground, ground.hosts.domain.values[hosts], share=share)
    worth: Floats = left / (1.0 + np.maximum(ground.hosts.disowned.values[hosts], 0.0))
    return worth


def worth_of(ground: Ground, domains: Ints, *, share: float) -> Floats:
    """Return the part that is left of a URL's worth, by its registered domain.

    A domain may have `share` of all requests, or its part of the user's own examples if that is more. On the way there
    its URLs are worth less and less, and beyond it little while others wait. With an example of the user's, they are
    worth less only near the end of the way (at half of it 1 - .5 ** 6, otherwise 1 - .5 ** 2). If all examples are of
    one domain, nothing changes. The robots.txt of each further host counts as a URL: with endless subdomains, every
    page costs one.
    """
    asked, given = ground.totals.values
    own = ground.domains.given.values[domains]
    most = np.maximum(share, own / max(given, 1.0))
    had = (requests_of(ground, domains) / (asked + GRACE) / (FULL * most)) ** 2
    others, givens = np.maximum(1.0 - had, LEAST_WORTH), np.maximum(1.0 - had * had * had, LEAST_GIVEN)
    left: Floats = np.where(most < 1.0, np.where(own > 0.0, givens, others), 1.0)
    return left


def requests_of(ground: Ground, domains: Ints) -> Floats:
    """Return what was asked of registered domains: URLs, and the robots.txt of each host but one."""
    urls, hosts = ground.domains.asked.values[domains], ground.domains.hosts.values[domains]
    requests: Floats = urls + np.maximum(hosts - 1.0, 0.0)
    return requests


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


def _lead(table: Yields, rows: Ints, share: float) -> Floats:
    """Return by how much hosts or folders are better than the average, in log-odds."""
    yielded, tried = table.yielded.values[rows], table.tried.values[rows]
    lead: Floats = logit((yielded + DOUBT * share) / (tried + DOUBT)) - logit(share)
    return lead
