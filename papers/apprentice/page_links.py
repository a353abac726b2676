"""The pages of a world as an apprentice reads them: targets of links, their leaves, and all words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.world.world import World
from scenthound.parse.words.word_stream import WordStream, unpack

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageLinks:
    """The links of a page to other pages of its world, each of these once, where it stands first.

    Leaves as `Link` has them.

    `filled` tells which leaves have text, `linked` which are inside any link.
    """

    targets: Ints
    first: Ints
    last: Ints
    stream: WordStream
    filled: Flags
    linked: Flags


class Pages:
    """Reads the pages of a world, each once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._read: dict[int, PageLinks] = {}

    def __getitem__(self, number: int) -> PageLinks:
        if number not in self._read:
            self._read[number] = self._page(number)
        return self._read[number]

    def _page(self, number: int) -> PageLinks:
        url = self._world.urls[number]
        exchange = self._world.exchange(url)
        assert exchange is not None, f"{url} is a page of the world"
        reading, leaves = exchange.reading, self._world.leaves(url)
        found: dict[int, tuple[int, int]] = {}
        linked = np.zeros(len(leaves), dtype=np.bool_)
        for link in reading.links:
            linked[max(link.first_leaf, 0) : link.last_leaf + 1] = True
            if not (link.nofollow or reading.nofollow) and link.first_leaf >= 0:
                found.setdefault(self._leads(link.url), (link.first_leaf, link.last_leaf))
        kept = {target: place for target, place in found.items() if target not in (_NOWHERE, number)}
        places = np.array(list(kept.values()), dtype=np.int64).reshape(-1, 2)
        return PageLinks(
            targets=np.array(list(kept), dtype=np.int64),
            first=places[:, 0],
            last=places[:, 1],
            stream=unpack(reading.stream),
            filled=np.array([bool(leaf.strip()) for leaf in leaves], dtype=np.bool_),
            linked=linked,
        )

    def _leads(self, url: str) -> int:
        number = self._world.number.get(url)  # links carry the addresses of captures: no need to look at redirects
        return number if number is not None else self._redirected(url)

    def _redirected(self, url: str) -> int:
        found = self._world.find(url) if url in self._world.addresses else None
        return _NOWHERE if found is None else found


_NOWHERE = -1
