"""What a crawl has learnt by itself, as one note in the store: its phase and its archetypes.

It is one note, so that a kill leaves all of it as it was or all of it as it is. Archetypes are `proposed` until a
critic that has learnt from them is taken or refused; a crawl that was killed in between asks again.
"""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from scenthound.store.base import Notes
from scenthound.taxonomy import Topics
from scenthound.topics.decided_pages import decided_pages

LEARNT: Final = "learnt"  # the key of the note

Source = Literal["authority", "confidence", "both"]
_SOURCES: Final[dict[Source, str]] = {
    "authority": "one of the best authorities",
    "confidence": "one of the pages that the critic is surest of",
    "both": "one of the best authorities and of the pages that the critic is surest of",
}


class Archetype(Struct, frozen=True, kw_only=True):
    """A crawled page that the crawl has added to the examples of a topic.

    `confidence` is its relevance when it was chosen, `mean` that of the examples at that time.
    """

    topic: str
    url: str
    confidence: float
    mean: float
    source: Source
    round: int

    @property
    def reason(self) -> str:
        """Why it was chosen.

        >>> one = Archetype(topic="A", url="http://a.test/", confidence=0.97, mean=0.9, source="authority", round=2)
        >>> print(one.reason)
        one of the best authorities; relevance .97, above the mean of the examples (.90); round 2
        """
        figures = f"relevance {_share(self.confidence)}, above the mean of the examples ({_share(self.mean)})"
        return f"{_SOURCES[self.source]}; {figures}; round {self.round}"


class Learnt(Struct, frozen=True, kw_only=True):
    """The note. `next_round` is the number of pages at which archetypes are looked for again.

    `phase` is "" where no phase was ever begun; `why` says what has begun or ended it. `left` counts archetypes that
    are none any more, and `refused` says why the last round was not taken.
    """

    phase: Literal["", "learning", "harvesting"] = ""
    why: str = ""
    pages: int = 0  # crawled when the phase began
    rounds: int = 0
    next_round: int = 0
    archetypes: tuple[Archetype, ...] = ()
    proposed: tuple[Archetype, ...] | None = None
    left: int = 0
    refused: str = ""

    @property
    def has_begun(self) -> bool:
        """Whether the crawl learns, or has learnt: a crawl that harvests from its first page on has not."""
        return self.phase == "learning" or self.pages > 0

    def in_force(self, topics: Topics) -> tuple[Archetype, ...]:
        """Return what a critic is to learn from now: archetypes of good topics, of which the user has said nothing."""
        decided = decided_pages(topics)
        found = self.archetypes if self.proposed is None else self.proposed
        return tuple(one for one in found if one.url not in decided and topics.is_good(one.topic))


def learnt_of(store: Notes) -> Learnt:
    """Read the note; a crawl that has learnt nothing has an empty one."""
    noted = store.note(LEARNT)
    return msgspec.json.decode(noted, type=Learnt) if noted else Learnt()


def note_learnt(store: Notes, learnt: Learnt) -> None:
    """Write the note."""
    store.note(LEARNT, msgspec.json.encode(learnt).decode())


def _share(number: float) -> str:
    """Write a share with two digits.

    >>> _share(0.974), _share(0.999)
    ('.97', '1.00')
    """
    return f"{number:.2f}".removeprefix("0")
