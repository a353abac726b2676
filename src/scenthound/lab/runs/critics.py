"""The critics of an experiment: trained once for each task, with a cache of their judgements.

The same critic leads all strategies of a task, so they differ only in the strategy. The crawl itself trains it, from
the fetched examples. This learner only saves the second crawl with the same lessons from training and judging again.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scenthound.errors import LabError, ScenthoundError
from scenthound.judge.adaptation.templates import NO_TEMPLATES, Templates
from scenthound.judge.critic import Critic, Lessons, Page, Probabilities, Telling
from scenthound.judge.critic_kinds import learner_of, load_critic
from scenthound.judge.quality.tried import Tried
from scenthound.judge.relevance import judgements
from scenthound.lab.runs.code import code_digest
from scenthound.lab.world.world import World
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import unpack
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import Topics

BATCH = 500  # pages of a world judged at a time
KEPT = 2  # critics in memory: strategies of one task follow each other


class Critics:
    """Critics for one world; `folder` keeps them from one run to the next.

    Without `remember` each page is judged when it is fetched, and results stay in memory only.
    """

    def __init__(self, world: World, folder: Path, *, remember: bool = True) -> None:
        self._world = world
        self._folder = folder
        self._remember = remember
        self._known: dict[str, KnownCritic] = {}

    def learner(self, settings: CriticSettings) -> "TaskLearner":
        """Return the learner for the crawls of one task."""
        return TaskLearner(self, settings)

    def critic(self, lessons: Lessons, settings: CriticSettings, seed: int) -> "KnownCritic":
        """Return the critic for some lessons, trained before or now."""
        key = _key(self._world, lessons, settings, seed)
        known = self._known.get(key)
        if known is None:
            known = self._made(key, lessons, settings, seed)
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = known
        return known

    def _made(self, key: str, lessons: Lessons, settings: CriticSettings, seed: int) -> "KnownCritic":
        if not self._remember or lessons.at_hand:  # a critic that adapted to its own crawl is of no use to another
            return KnownCritic(self._world, learner_of(settings).fit(lessons, seed=seed))
        return self._stored(key) or self._trained(key, lessons, settings, seed)

    def _stored(self, key: str) -> "KnownCritic | None":
        folder = self._folder / key
        try:
            return KnownCritic(self._world, load_critic(folder / "model"), np.load(folder / "judged.npy"))
        except (ScenthoundError, OSError, ValueError, EOFError):  # missing or damaged
            return None

    def _trained(self, key: str, lessons: Lessons, settings: CriticSettings, seed: int) -> "KnownCritic":
        critic = learner_of(settings).fit(lessons, seed=seed)
        table = judged(self._world, critic)
        unfinished = self._folder / f"{key}.{os.getpid()}"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        critic.save(unfinished / "model")
        np.save(unfinished / "judged.npy", table)
        shutil.rmtree(self._folder / key, ignore_errors=True)
        try:
            unfinished.rename(self._folder / key)
        except OSError:  # another process was faster
            shutil.rmtree(unfinished, ignore_errors=True)
        return KnownCritic(self._world, critic, table)


def judged(world: World, critic: Critic) -> Probabilities:
    """Return a critic's judgement of every page of a world."""
    if critic.wants_text:
        raise LabError(
            "a critic that is a function of yours reads whole texts, which the lab does not keep; choose another"
        )
    rows = [
        critic.judge([_page(world, url) for url in world.urls[at : at + BATCH]])
        for at in range(0, len(world.urls), BATCH)
    ]
    return np.concatenate(rows) if rows else np.zeros((0, len(critic.classes)))


class KnownCritic:
    """A critic with a table of its judgements of its world, if there is one."""

    wants_text = False

    def __init__(self, world: World, critic: Critic, table: Probabilities | None = None) -> None:
        self._world = world
        self._critic = critic
        self._table = table

    @property
    def classes(self) -> tuple[str, ...]:
        return self._critic.classes

    @property
    def tried(self) -> Tried:
        """The result on unseen pages, by which a critic must earn its place in a live crawl too."""
        return getattr(self._critic, "tried", Tried())

    @property
    def unseen(self) -> Mapping[str, float]:
        return getattr(self._critic, "unseen", {})

    @property
    def templates(self) -> Templates:
        return getattr(self._critic, "templates", NO_TEMPLATES)

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        numbers = [self._world.number.get(page.url, -1) for page in pages]
        if self._table is None or -1 in numbers:
            return self._critic.judge(pages)
        rows: Probabilities = self._table[numbers]
        return rows

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        return self._critic.telling(topic, most=most)

    def save(self, folder: Path) -> None:
        """Do nothing: `Critics` has written it."""

    @classmethod
    def load(cls, folder: Path) -> "KnownCritic":
        raise LabError(f"{folder}: critics of the lab are kept by the lab")


class TaskLearner:
    """The learner of the crawls of one task, which also reads words for strategies."""

    def __init__(self, critics: Critics, settings: CriticSettings) -> None:
        self._critics = critics
        self._settings = settings
        self._critic: KnownCritic | None = None
        self._topics = Topics(topics=())
        self._read: dict[tuple[str, str], float] = {}

    def fit(self, lessons: Lessons, *, seed: int, before: Critic | None = None) -> Critic:
        self._critic = self._critics.critic(lessons, self._settings, seed)
        self._topics = lessons.topics
        self._read.clear()
        return self._critic

    def relevance(self, texts: Sequence[str], language: str = "") -> NDArray[np.float64]:
        """Return the relevance of a page with only these words; each text is read once."""
        keys = [(text, language) for text in texts]
        new = list(dict.fromkeys(key for key in keys if key not in self._read))
        if new and self._critic is not None:
            pages = [Page(terms=terms_of_text(text, language=language)) for text, language in new]
            found = judgements(self._critic.judge(pages), self._critic.classes, self._topics)
            self._read |= {key: judgement.relevance for key, judgement in zip(new, found, strict=True)}
        return np.array([self._read.get(key, 0.0) for key in keys])


def _page(world: World, url: str) -> Page:
    exchange = world.exchange(url)
    if exchange is None:
        return Page(url=url)
    reading = exchange.reading
    return Page(url=url, title=reading.title, language=reading.language, terms=unpack(reading.terms))


def _key(world: World, lessons: Lessons, settings: CriticSettings, seed: int) -> str:
    code = code_digest("judge", "parse")
    seen = blake2b(f"{world.digest} {settings!r} {seed} {code}".encode(), digest_size=16)
    for example in lessons.examples:
        mark = "\tarchetype" if example.assumed else ""
        seen.update(f"\n{example.topic}\t{example.name}\t{' '.join(example.page.terms.terms)}{mark}".encode())
    for page in (*lessons.others, *lessons.at_hand):
        seen.update(f"\n{page.url}\t{' '.join(page.terms.terms)}".encode())
    seen.update(repr([(topic.path, topic.good) for topic in lessons.topics.topics]).encode())
    return seen.hexdigest()
