"""The rounds in which a crawl looks for archetypes: when they come, what they propose, and what becomes of it.

    pages judged ─► a round is due ─► proposed (noted) ─► a critic learns from them ─► taken, or refused as worse

The note is written before the critic learns and after it is known what becomes of it. A crawl that is killed in between
learns from the proposal again and comes to the same end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from scenthound.crawl.critic.example_set import Gathered, as_page
from scenthound.crawl.learning.archetype_choice import Candidate, Choice, Search, choose
from scenthound.crawl.learning.crawl_phase import FEW
from scenthound.crawl.learning.learnt_note import Archetype, Learnt, learnt_of, note_learnt
from scenthound.judge.adaptation.templates import NO_TEMPLATES, Templates
from scenthound.judge.critic import Critic
from scenthound.settings.schema import CrawlSettings
from scenthound.store.base import Store
from scenthound.taxonomy import Topics
from scenthound.topics.decided_pages import decided_pages

FIRST_ROUND: Final = 100  # crawled pages; the critic has learnt from 50 of them what their sites repeat
STEP: Final = 3  # a round comes when the crawl has grown by this factor; while it learns, after `LEARNING_STEP` pages
LEARNING_STEP: Final = 50
SURE: Final = 0.9  # least confidence of an archetype, where the mean of few examples says little
# An archetype leaves when a critic that has not seen it is less than half as sure of it as of all examples. With the
# mean itself as the border, about half of the pages would leave in every round.
STAYS: Final = 0.5
_CITED: Final = 200  # authorities that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """What one round looks at."""

    number: int
    critic: Critic
    topics: Topics
    gathered: Gathered
    unseen: Mapping[str, float]  # relevance of examples and archetypes, by critics that had not seen them


class ArchetypeRounds:
    """The archetypes of one crawl. Use it from the lane's thread."""

    def __init__(self, settings: CrawlSettings, store: Store, *, choice: Choice = choose) -> None:
        # Without a learning phase, 2 of 8 archetypes were right in a crawl of the modern web, and 8 of 8 with it.
        self._most = settings.archetypes if settings.phases == "auto" else 0
        self._store = store
        self._choose = choice
        self._learnt: Learnt | None = None

    @property
    def learnt(self) -> Learnt:
        if self._learnt is None:
            self._learnt = learnt_of(self._store)
        return self._learnt

    def note(self, learnt: Learnt) -> None:
        """Write down what was learnt."""
        if learnt != self.learnt:
            note_learnt(self._store, learnt)
            self._learnt = learnt

    def in_force(self, topics: Topics) -> tuple[Archetype, ...]:
        """Return the archetypes that a critic learns from: those of which the user has said nothing."""
        return self.learnt.in_force(topics) if self._most else ()

    def is_due(self, pages: int) -> bool:
        """Tell whether it is time for a round; there is none in a crawl that never learnt close to its examples."""
        learnt = self.learnt
        return bool(self._most) and learnt.has_begun and pages >= (learnt.next_round or FIRST_ROUND)

    def propose(self, critic: Critic, topics: Topics, gathered: Gathered, *, pages: int) -> bool:
        """Look for archetypes and note what is proposed; tell whether it differs from what there is."""
        learnt = self.learnt
        step = pages + LEARNING_STEP if learnt.phase == "learning" else max(STEP * pages, FIRST_ROUND)
        unseen: Mapping[str, float] = getattr(critic, "unseen", {})
        this = _Round(number=learnt.rounds + 1, critic=critic, topics=topics, gathered=gathered, unseen=unseen)
        before = self.in_force(topics)
        stay = tuple(one for one in before if self._stays(one, this))
        found = (*stay, *self._found(this, stay))
        differs = found != before
        left = learnt.left + len(before) - len(stay)
        self.note(replace(learnt, rounds=this.number, next_round=step, left=left, proposed=found if differs else None))
        return differs

    def settle(self, worse: str) -> None:
        """Note what has become of a proposal: it was taken, or `worse` says why not."""
        learnt = self.learnt
        if learnt.proposed is not None:
            kept = learnt.archetypes if worse else learnt.proposed
            self.note(replace(learnt, archetypes=kept, proposed=None, refused=worse))

    def _stays(self, one: Archetype, this: _Round) -> bool:
        confidence = this.unseen.get(one.url)
        return confidence is None or confidence >= STAYS * _mean(this, one.topic)

    def _found(self, this: _Round, stay: Sequence[Archetype]) -> Iterator[Archetype]:
        candidates = self._candidates(this)
        known = [example.page for example in (*this.gathered.examples, *this.gathered.archetypes)]
        for topic, some in candidates.items():
            own = [example for example in this.gathered.examples if example.topic == topic]
            room = self._most - len(own) - sum(one.topic == topic for one in stay)
            if 0 < len(own) < FEW and room > 0:
                mean = max(SURE, _mean(this, topic))
                yield from self._choose(
                    Search(
                        topic=topic,
                        candidates=some,
                        own=own,
                        known=known,
                        mean=mean,
                        most=room,
                        round=this.number,
                    )
                )

    def _candidates(self, this: _Round) -> dict[str, list[Candidate]]:
        """Return pages of each good topic that are sure enough and repeat no other page."""
        decided = decided_pages(this.topics)
        rows = {
            row.final_url: row
            for row in self._store.pages(min_relevance=SURE)
            if not (row.duplicate_of or row.near_duplicate_of)
            and row.final_url not in decided
            and row.url not in decided
            and this.topics.is_good(row.topic)
        }
        cited = {score.url: score.authority for score in self._store.authorities(limit=_CITED)}
        templates: Templates = getattr(this.critic, "templates", NO_TEMPLATES)
        by_topic: dict[str, list[Candidate]] = {}
        held = self._store.held(list(rows))
        pages = templates.clean([as_page(held[url]) for url in rows if url in held])
        for page in pages:
            row = rows[page.url]
            by_topic.setdefault(row.topic, []).append(
                Candidate(page=page, confidence=row.relevance or 0.0, authority=cited.get(page.url, 0.0))
            )
        return by_topic


def _mean(this: _Round, topic: str) -> float:
    """Return the mean confidence of the examples and archetypes of a topic, each judged unseen; 0 if unknown."""
    names = [one.name for one in (*this.gathered.examples, *this.gathered.archetypes) if one.topic == topic]
    known = [this.unseen[name] for name in names if name in this.unseen]
    return sum(known) / len(known) if known else 0.0
