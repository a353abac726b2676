"""A store: every role joined. `memory.store.MemoryStore` is the specification; every other store gives the same
answers.

A store is synchronous and used from one thread at a time; the crawl gives it a thread of its own. Every call is one
transaction. Readers in other processes may read the same data at any time. Ask for the narrowest role that you need:
each is a protocol in `store/roles`.
"""

from typing import Protocol

from scenthound.store.roles.frontier import Frontier
from scenthound.store.roles.hosts import Hosts
from scenthound.store.roles.hubs import Hubs
from scenthound.store.roles.judgements import Judgements, Stand
from scenthound.store.roles.lessons import Lessons
from scenthound.store.roles.notes import Notes
from scenthound.store.roles.pages import Pages
from scenthound.store.roles.priorities import Priorities
from scenthound.store.roles.uploads import Uploads
from scenthound.store.roles.views import Views
from scenthound.store.roles.visits import Visits

__all__ = [
    "Frontier",
    "Hosts",
    "Hubs",
    "Judgements",
    "Lessons",
    "Notes",
    "Pages",
    "Priorities",
    "Stand",
    "Store",
    "Uploads",
    "Views",
    "Visits",
]


class Store(Frontier, Priorities, Pages, Judgements, Lessons, Hubs, Visits, Hosts, Views, Notes, Uploads, Protocol):
    """All roles of one crawl."""

    def close(self) -> None: ...
