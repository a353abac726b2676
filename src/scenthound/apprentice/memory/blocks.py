"""Blocks of pages whose lessons are learnt together: the links to each page, and the outcomes of the links on it.

Every link between two fetched pages is evidence once: it led to a page that came later, or it stands on the later page
and leads to a known one. Only the order of the log decides which, not the size of a block.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.memory.ground import FETCHED, Floats, Ground, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """`citing` are links to the pages of the block, for each the latest first; `pages` their places among `urls`."""

    urls: Ints
    relevance: Floats
    citing: Ints
    pages: Ints
    ranks: Ints  # 0 for the latest link to a page, 1 for the one before it, and so on
    known: Ints  # links on the pages of the block that lead to what had been fetched by then
    came: Floats  # the relevance of what each of these leads to

    def latest(self, most: int) -> NDArray[np.bool_]:
        """Tell of each link of `citing` whether it is one of the latest to its page."""
        return self.ranks < most


def block_of(ground: Ground, many: int) -> Block:
    """Return the block of the last so many pages."""
    pages = slice(len(ground.pages.url) - many, None)
    urls, firsts = ground.pages.url.values[pages].astype(np.int64), ground.pages.first_link.values[pages]
    citing = ground.citing_pages(pages)
    known = _known(ground, urls, firsts)
    return Block(
        urls=urls,
        relevance=ground.pages.relevance.values[pages],
        citing=np.array([link for links in citing for link in links], dtype=np.int64),
        pages=np.arange(many).repeat([len(links) for links in citing]),
        ranks=np.array([rank for links in citing for rank in range(len(links))], dtype=np.int64),
        known=known,
        came=ground.urls.relevance.values[ground.links.target.values[known]],
    )


def _known(ground: Ground, urls: Ints, firsts: Ints) -> Ints:
    """Return the links on some pages, from their first links on, whose targets had been fetched when they were seen."""
    links = np.arange(firsts[0], len(ground.links.source)) if len(firsts) else firsts
    targets = ground.links.target.values[links]
    fetched = ground.urls.state.values[targets] == FETCHED
    links, targets = links[fetched], targets[fetched]
    order = np.argsort(urls)
    place = order[np.searchsorted(urls, targets, sorter=order).clip(max=len(urls) - 1)]
    known: Ints = links[(urls[place] != targets) | (links >= firsts[place])]
    return known
