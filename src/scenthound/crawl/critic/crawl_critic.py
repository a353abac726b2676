"""The critic at work in one crawl: it learns when its examples have been fetched, judges each batch, follows the
topics.

Judging joins the flow in one place, between reading and concluding (`lane`). While there is no critic yet, only
examples are claimed. An edit of topics.toml takes effect in the running crawl: other marks at once, other examples when
they are fetched. Then everything stored is judged again and the frontier follows.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np

from scenthound.archive.place import ArchivePlace
from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.critic.critic_versions import CriticVersions, learns_other_stage, learns_same
from scenthound.crawl.critic.example_set import Gathered, as_page, example_urls, gather, teaching
from scenthound.crawl.critic.page_context import Surroundings
from scenthound.crawl.critic.stages import Stages
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.steps import Finished, Rulebook, Verdict, example_discovery, seed_discovery
from scenthound.crawl.learning.archetype_choice import Choice, choose
from scenthound.crawl.learning.self_taught import SelfTaught, Wish
from scenthound.crawl.order.priority_moves import Promises, move_waiting
from scenthound.crawl.readers.stored_pages import page_of_archive
from scenthound.errors import ScenthoundError, UntaughtError
from scenthound.events import Listener, Notice
from scenthound.frontier.focus import EVERYTHING, NOTHING, Focus
from scenthound.frontier.orders import Order
from scenthound.judge.critic import Critic, Learner, Page, want_context
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.quality.succession import Succession, Turned, succession, why_worse
from scenthound.judge.quality.tried import Tried
from scenthound.judge.relevance import judgements
from scenthound.parse.words.terms import unpack
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.taxonomy import Topics
from scenthound.types import Claim, CriticRecord, HeldPage, Judgement, Standing

BATCH = 500  # stored pages judged again in one transaction
APPLIED, FOCUSED = "critic applied", "focus applied"  # notes: which version the frontier follows, and under which focus
PUBLISHED = "critic published"  # a note: the version that all engines judge by
STRAGGLING = 30.0  # seconds after which no engine records judgements of the critic before
_NOBODY = -1  # a version that no critic has: then all pages are to be judged
PATIENCE = 60.0  # seconds that learning waits for an example whose host asks for a pause


class Commission(Wish, Protocol):
    """The purpose of a crawl, as far as judging needs it: a crawl directory, or a task of the lab."""

    @property
    def path(self) -> Path: ...

    @property
    def archive_place(self) -> ArchivePlace: ...

    def topics_stamp(self) -> object:
        """Return something that changes when the topics do."""
        ...

    def topics(self) -> Topics: ...

    def seeds(self) -> list[str]: ...


class Judging(Hook):
    """Judge the pages of one crawl. `begin` comes first; all calls are made from the lane's thread."""

    def __init__(
        self,
        *,
        directory: Commission,
        settings: Settings,
        store: Store,
        clock: Clock,
        listener: Listener,
        learner: Learner | None = None,
        choice: Choice = choose,
        fellows: Fellows = ALONE,
    ) -> None:
        self._fellows = fellows
        self._missed = 0  # the version of a critic that could not be read
        self._taught_others = 0.0  # when this engine last judged what others recorded late
        self._directory = directory
        self._settings = settings
        self._store = store
        self._clock = clock
        self._listener = listener
        self._learner = learner
        self._topics = Topics(topics=())
        self._seeds: frozenset[str] = frozenset()
        self._focus = Focus(settings=settings.crawl, topics=self._topics)
        self._critic: Critic | None = None
        self._version = 0
        self._disowned: Mapping[str, int] = {}
        self._by_promise = self._blend = True
        self._stamp: object = None
        self._restless = True
        self._stages = Stages(settings.critic, store)
        self._taught = SelfTaught(settings.crawl, store=store, stages=self._stages, listener=listener, choice=choice)
        self.phase = self._taught.phase
        self._surroundings = Surroundings(store, directory.archive_place)
        self._versions = CriticVersions(
            directory.path, kind=settings.critic.kind, store=store, clock=clock, fellows=fellows
        )

    def begin(self, book: Rulebook) -> None:
        """Read the topics and put examples that were never asked for at the head of the frontier."""
        # A kind that does not exist is refused before anything is asked for.
        if self._learner is None:
            learner_of(self._settings.critic)
        self._stamp = self._directory.topics_stamp()
        topics = self._directory.topics()
        self._stages.recount(topics)
        self._taught.begin(topics)
        self._adopt(topics, book)
        self._order_by(self.phase.order(book.order))
        left = self._store.examples_due(now=self._clock.now())
        if left is not None:
            self._listener(Notice(text="fetching the examples first"))

    @property
    def learns(self) -> bool:
        """Whether pages are judged at all, now or when the examples are in."""
        return True

    @property
    def ready(self) -> bool:
        """Whether there is a critic; without one, nothing but examples may be claimed."""
        return self._critic is not None

    @property
    def version(self) -> int:
        """Which critic is at work; 0 before there is one."""
        return self._version

    @property
    def disowned(self) -> Mapping[str, int]:
        """How many more pages of domains the user has said not to be good than to be good, where there are any."""
        return self._disowned

    def wants(self, claim: Claim) -> bool:
        """Tell of an example, before any page is judged, whether it is one of a good topic, or leads on from one."""
        return self._carried(claim.url, claim.example, claim.via).promise is not None

    @property
    def topics(self) -> Topics:
        """The topics as they are now."""
        return self._topics

    @property
    def seeds(self) -> Collection[str]:
        """The addresses that the crawl starts from, as the topics are now."""
        return self._seeds

    @property
    def wants_text(self) -> bool:
        return self._critic is not None and self._critic.wants_text

    def after_turn(self, batch: Batch) -> None:
        """Notice edited topics, and learn once the examples are there. A new `version` has judged all pages again."""
        if not self._fellows.teaches:
            self._order_by(batch.rules.book.order)
            self._look_at_topics(batch.rules.book)
            self._follow_teacher()
            return
        if self.ready and self._taught.ends_phase(batch.outcomes, self._topics, self._directory):
            # All pages are judged again, so that links come back that were refused.
            self._focus = Focus(settings=self.phase.settings, topics=self._topics)
            self._restless = True
        book = batch.rules.book
        self._order_by(book.order)
        self._look_at_topics(book)
        if want_context(self._critic):
            self._judge_again(self._surroundings.due(batch.outcomes))
        due = self._restless or (self.ready and self._stages.has_next(self._topics))
        if due and self._examples_are_in():
            self._restless = False
            self._learn_if_possible()
        elif (
            self._critic is not None
            and self._taught.is_due(self._topics)
            and self._taught.propose(self._critic, self._topics, self._gathered())
        ):
            self._learn_if_possible()

    def publish(self) -> None:
        """Let the other engines have the critic, once all stored pages and the frontier follow it."""
        if not self.ready or self._fellows.engines is None or not self._fellows.teaches:
            return
        if self._store.note(PUBLISHED) != str(self._version):
            self._versions.share_last()
            self._store.note(PUBLISHED, str(self._version))
            self._taught_others = self._clock.now()
        elif 0.0 < self._taught_others < self._clock.now() - STRAGGLING:
            # Others may have recorded pages with the judgement of the critic before.
            self._taught_others = 0.0
            succession(self._rejudged())

    def _follow_teacher(self) -> None:
        """Take over the critic that the teaching engine has published, if it is another one."""
        published = self._store.note(PUBLISHED)
        last = self._store.critic() if published else None
        if last is None or published != str(last.version) or last.version == self._version:
            return
        critic = self._versions.load_last()
        if critic is None:
            if self._missed != last.version:
                self._missed = last.version
                text = f"critic {last.version} of another engine cannot be read here; this engine goes on without it"
                self._listener(Notice(text=text))
            return
        self._critic, self._version = critic, last.version
        self._disowned = self._gathered().disowned()
        self._focus = Focus(settings=self.phase.settings, topics=self._topics)
        self._stages.recount(self._topics)

    def _look_at_topics(self, book: Rulebook) -> None:
        stamp = self._directory.topics_stamp()
        if stamp != self._stamp:
            self._stamp = stamp
            self._reread(book)

    def _order_by(self, order: Order) -> None:
        self._by_promise, self._blend = order.by_promise, order.blends

    def _gathered(self) -> Gathered:
        archetypes = self._taught.archetypes(self._topics)
        settings = self.phase.critic(self._settings.critic)
        return gather(self._store, self._topics, folder=self._directory.path, critic=settings, archetypes=archetypes)

    def _judge_again(self, held: Sequence[HeldPage]) -> None:
        """Judge pages of which the graph says more by now. What waits follows at the next critic."""
        if held:
            judged = self._judged([self._page(page) for page in held])
            self._store.rejudge(list(zip(held, judged, strict=True)), critic=self._version, stand=self._stand)

    def _learn_if_possible(self) -> None:
        """Learn; a crawl that has a critic keeps it when the new topics have no example that can be read."""
        try:
            found = self.learn(insist=False)
            if found is not None and found.worse:
                self._listener(Notice(text=f"the new critic is worse and was not taken: {found.worse}"))
        except UntaughtError as error:
            if self._critic is None:
                raise
            self._listener(Notice(text=f"{error}; the critic stays as it was"))

    def judge(self, finished: Sequence[Finished]) -> list[Verdict]:
        """Judge a batch; what is no page hands on what it got."""
        self._stages.add_pages(sum(one.is_page and not one.claim.example for one in finished))
        judged = iter(self._judged([_page(one) for one in finished if one.is_page]))
        return [self._verdict(one, next(judged, None) if one.is_page else None) for one in finished]

    def learn(self, *, insist: bool = True) -> Succession | None:
        """Train or load the critic that the topics and the stage of the crawl ask for, and let everything stored follow
        it.

        The same topics at the same stage give the same critic, so nothing changes where nothing has changed. Without
        `insist`, a critic that does worse than the present one on examples held back is not taken. Return the effect on
        the pages crawled so far, if it is another critic.
        """
        gathered = self._gathered()
        self._tell(gathered)
        self._disowned = gathered.disowned()
        last = self._store.critic()
        self._stages.enter(self._topics, gathered)
        good = tuple(topic.path for topic in self._topics.good)
        wanted = self._versions.next_record(lessons=f"{gathered.digest} {self._stages.reached}", good=good)
        if last is not None and learns_same(last, wanted) and (same := self._versions.load_last()) is not None:
            self._critic = same
            self._taught.settle("")
            focused = self._store.note(FOCUSED) == self._focused()
            return self._engage(last if focused else replace(last, version=last.version + 1))
        if last is not None and not learns_other_stage(last, wanted):
            pages = count(self._store.census(now=self._clock.now()).pages, "stored page")
            text = "topics or settings have changed since the critic learnt; now it learns from them, judges"
            self._listener(Notice(text=f"{text} {pages} again and moves the frontier"))
        old = self._critic = self._critic or self._versions.load_last()
        critic, record = self._versions.load_equal(wanted) or self._train(gathered, wanted)
        worse = "" if insist or last is None else why_worse(_tried(old), _tried(critic))
        self._taught.settle(worse)
        if worse:
            self._critic = old
            self._version = last.version if last is not None else 0
            return replace(self._foreseen(critic), worse=worse)
        self._critic = critic
        return self._engage(record)

    def _train(self, gathered: Gathered, wanted: CriticRecord) -> tuple[Critic, CriticRecord]:
        taught = teaching(self._store, gathered, seed=self._settings.crawl.seed, stage=self._stages.reached)
        examples = count(len(gathered.examples), "example")
        self._listener(Notice(text=f"learning from {examples} of {_topics(gathered)}; {taught.said}"))
        learner = self._learner or learner_of(self.phase.critic(self._settings.critic))
        lessons = self._surroundings.lessons(taught.lessons) if want_context(learner) else taught.lessons
        critic = learner.fit(lessons, seed=self._settings.crawl.seed, before=self._critic)
        return critic, self._versions.save(critic, wanted, said=taught.said)

    def _engage(self, record: CriticRecord) -> Succession | None:
        """Put a critic in charge."""
        self._version = record.version
        if record != self._store.critic():
            self._store.engage(record)
            self._store.note(FOCUSED, self._focused())
        return self._apply()

    def _foreseen(self, critic: Critic) -> Succession:
        """Return what a critic would do to the pages crawled so far, without letting it."""
        return succession(self._turned(critic))

    def _turned(self, critic: Critic) -> Iterator[Turned]:
        after = 0
        while held := self._store.to_judge(critic=_NOBODY, after=after, limit=BATCH):
            after = held[-1].n
            pages = [page for page in held if not page.redirect and not page.example and page.relevance is not None]
            seen = self._in_context(critic, [self._page(page) for page in pages])
            rows = critic.judge(seen) if pages else np.zeros((0, len(critic.classes)))
            judged = judgements(rows, critic.classes, self._topics)
            for page, judgement in zip(pages, judged, strict=True):
                yield Turned(url=page.url, title=page.title, before=page.relevance or 0.0, after=judgement.relevance)

    def _apply(self) -> Succession | None:
        """Judge again what other critics have judged, and order the frontier by it."""
        applied = self._store.note(APPLIED)
        found = succession(self._rejudged())
        if applied == str(self._version):
            return None
        nofollow = self._settings.crawl.nofollow == "obey"
        promises = Promises(by_promise=self._by_promise, blend=self._blend, nofollow=nofollow)
        changed = move_waiting(self._store, promises, now=self._clock.now())
        self._store.note(APPLIED, str(self._version))
        if applied is None:
            return None
        pages, moved = count(found.pages, "page"), count(changed, "URL")
        self._listener(Notice(text=f"{pages} judged again, {moved} of the frontier moved; {found.said}"))
        return found

    def _rejudged(self) -> Iterator[Turned]:
        """Judge again what other critics have judged, and yield what that does to each page."""
        after = 0
        while held := self._store.to_judge(critic=self._version, after=after, limit=BATCH):
            after = held[-1].n
            judged = iter(self._judged([self._page(page) for page in held if not page.redirect]))
            verdicts = [(page, None if page.redirect else next(judged)) for page in held]
            self._store.rejudge(verdicts, critic=self._version, stand=self._stand)
            for page, verdict in verdicts:
                if verdict is not None and not page.example:
                    yield _turned(page, verdict)

    def _focused(self) -> str:
        """Return what the standing of pages depends on besides their judgements."""
        crawl = self.phase.settings
        parts = (crawl.focus, crawl.tunnel, crawl.tunnel_decay, crawl.accept, crawl.sharp, crawl.nofollow)
        leads = (crawl.lead_weight, *(topic.path for topic in self._topics.leads)) if self._topics.leads else ()
        return " ".join(map(str, (*parts, *leads)))

    def _page(self, held: HeldPage) -> Page:
        """Return a stored page to be judged; one without terms, or whose text is wanted, is read from the archive."""
        if held.spot is not None and (not held.terms or self.wants_text):
            return page_of_archive(self._directory.archive_place, held) or as_page(held)
        return as_page(held)

    def _judged(self, pages: Sequence[Page]) -> list[Judgement]:
        if self._critic is None or not pages:
            return []
        weight, pages = self._settings.crawl.lead_weight, self._in_context(self._critic, pages)
        found = judgements(self._critic.judge(pages), self._critic.classes, self._topics, lead_weight=weight)
        return [replace(one, critic=self._version) for one in found]

    def _in_context(self, critic: Critic, pages: Sequence[Page]) -> Sequence[Page]:
        return self._surroundings.around(pages) if want_context(critic) else pages

    def _verdict(self, one: Finished, judgement: Judgement | None) -> Verdict:
        claim = one.claim
        if judgement is None:
            unjudged = one.is_page  # an example, before there is a critic: its links wait for the judgement
            return Verdict(standing=NOTHING if unjudged else self._carried(claim.url, claim.example, claim.via))
        return Verdict(judgement=judgement, standing=self._place(claim.url, claim.example, judgement, claim.via))

    def _stand(self, held: HeldPage, judgement: Judgement | None, via: Standing | None) -> Standing:
        if judgement is None:
            return self._carried(held.url, held.example, via)
        return self._place(held.url, held.example, judgement, via)

    def _place(self, url: str, example: bool, judgement: Judgement, via: Standing | None) -> Standing:
        """Return the standing of a page: that of an example follows from its topic, which the user has named."""
        if not example:
            return self._focus.stand(judgement, via)
        wanted = self._carried(url, example, via).promise is not None
        return self._focus.stand(judgement, None) if wanted else NOTHING

    def _carried(self, url: str, example: bool, via: Standing | None) -> Standing:
        """Return what a redirect hands on: what it got, or what a seed has from the user."""
        if via is not None:
            return via
        return EVERYTHING if url in self._seeds or not example else NOTHING

    # -- topics

    def _reread(self, book: Rulebook) -> None:
        try:
            topics = self._directory.topics()
        except ScenthoundError as error:
            self._listener(Notice(text=f"{error}; the crawl goes on with the topics as they were"))
            return
        self._listener(Notice(text="the topics have changed; the crawl follows"))
        self._adopt(topics, book)

    def _adopt(self, topics: Topics, book: Rulebook) -> None:
        self._topics = topics
        self._seeds = frozenset(self._directory.seeds())
        self.phase.settle_near(self._seeds)
        self._focus = Focus(settings=self.phase.settings, topics=topics)
        examples = example_urls(topics)
        links = [url for url in sorted(self._seeds) if url not in examples]  # of example files: a way, not an example
        wanted = [example_discovery(url, book) for url in examples] + [seed_discovery(url, book) for url in links]
        self._store.add(wanted, now=self._clock.now())
        self._restless = True

    def _examples_are_in(self) -> bool:
        now = self._clock.now()
        due = self._store.examples_due(now=now)
        return due is None or due > now + PATIENCE

    def _tell(self, gathered: Gathered) -> None:
        for dead in gathered.dead:
            self._listener(Notice(text=f'example {dead.name} of "{dead.topic}" gave no page: {dead.why}'))
        alive = {example.topic for example in gathered.examples}
        if not any(self._topics.is_good(topic) for topic in alive):
            raise UntaughtError(
                "no example of a good topic could be read, so that nothing can be learnt; "
                f"add others with: scenthound topics {self._directory.path} example add TOPIC URL"
            )


def _tried(critic: Critic | None) -> Tried:
    found: Tried = getattr(critic, "tried", None) or Tried()
    return found


def _turned(page: HeldPage, verdict: Judgement) -> Turned:
    return Turned(url=page.url, title=page.title, before=page.relevance or 0.0, after=verdict.relevance)


def _page(one: Finished) -> Page:
    reading = one.reading
    return Page(
        url=one.claim.url,
        title=reading.title,
        language=reading.language,
        terms=unpack(reading.terms),
        text="\n".join(leaf for leaf in reading.leaves if leaf),
    )


def _topics(gathered: Gathered) -> str:
    return count(len({example.topic for example in gathered.examples}), "topic")
