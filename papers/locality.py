"""How much the pages about a topic keep to themselves: the share of their links that lead to pages about it."""

from collections.abc import Set as AbstractSet

import numpy as np

from scenthound.lab.world.world import World


def locality(world: World, about: AbstractSet[int], *, locked: AbstractSet[int] = frozenset()) -> float:
    """Return the share of links that lead from pages of a topic to pages of it, of all that they have.

    0 if there are none.

    Locked pages are left out on both ends.
    """
    inside = np.zeros(len(world.urls), dtype=np.bool_)
    inside[sorted(about - locked)] = True
    shut = np.zeros(len(world.urls), dtype=np.bool_)
    shut[sorted(locked)] = True
    ways = [world.links(page) for page in sorted(about - locked)]
    targets = np.concatenate(ways) if ways else np.empty(0, dtype=np.int32)
    open_ = targets[~shut[targets]]
    return int(inside[open_].sum()) / max(1, len(open_))
