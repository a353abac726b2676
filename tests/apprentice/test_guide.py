"""The apprentice as a guide: outcomes become lessons in the log and priorities in the frontier of a real store."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.crawl_guide import CHOSEN, DRAWN
from scenthound.apprentice.priorities import TOLERANCE
from scenthound.crawl.order.priority_moves import move_in_pieces
from scenthound.parse.urls import domain_of, host_of
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import HeldPage, Judgement, LessonLink, Reason, Standing
from tests.apprentice.crawl_by_hand import BAD, GOOD, OWN, SEED, A, B, C, CrawlByHand, D
from tests.apprentice.made_lessons import same
from tests.often import THOROUGH
from tests.store.small_world import failed, found, moved

SEEDS = (0, 1) if THOROUGH else (0,)
STORES: dict[str, Callable[[Path], AbstractContextManager[Store]]] = {
    "indexed": lambda _: IndexedStore(),
    "sqlite": lambda folder: SqliteStore(folder / "crawl.db"),
}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with STORES[request.param](tmp_path) as store:
        yield store


@pytest.fixture
def crawl(store: Store) -> CrawlByHand:
    return CrawlByHand(store).begin()


def test_a_page_becomes_a_lesson_and_its_links_get_priorities(crawl: CrawlByHand) -> None:
    crawl.fetch(A, B, relevance=0.75, words=(GOOD, BAD))
    (lesson,) = crawl.log()
    assert (lesson.url, lesson.relevance, lesson.followed) == (SEED, 0.75, True)
    assert lesson.links == (LessonLink(A, 1, 1), LessonLink(B, 11, 11))
    assert lesson.stream
    assert crawl.priorities() == pytest.approx(crawl.expected())
    assert all(priority > 0.0 for priority in crawl.priorities().values())


@pytest.mark.slow
def test_what_stands_beside_links_to_good_pages_is_fetched_first(crawl: CrawlByHand) -> None:
    first = [f"http://first.test/{n}" for n in range(20)]
    later = [f"http://later.test/{n}" for n in range(20)]
    words = (BAD, BAD, BAD, GOOD) * 5
    crawl.fetch(*first, words=words)
    for _ in first:
        claim = crawl.claim()
        crawl.record(crawl.read(claim, relevance=float(words[first.index(claim.url)] == GOOD)))
    crawl.store.add([found("http://index.test/", 1.0)], now=crawl.now)
    crawl.fetch(*later, words=words)
    fetched = [crawl.fetch() for _ in range(5)]
    assert sorted(fetched) == sorted(later[3::4])


def test_a_lesson_says_what_was_expected_and_why(crawl: CrawlByHand) -> None:
    crawl.fetch(A, words=(GOOD,))
    (expected,) = crawl.model.scores(crawl.model.ground.waiting())
    crawl.fetch()
    seed, cited = crawl.log()
    assert (seed.score, seed.reasons) == (None, b"")
    assert cited.score == pytest.approx(expected)
    assert cited.reasons[:1] == CHOSEN
    assert crawl.model.explain(cited.reasons[1:])


@pytest.mark.slow
def test_some_are_drawn_by_chance_and_their_lessons_say_so(store: Store) -> None:
    crawl = CrawlByHand(store, sample=0.5).begin()
    crawl.fetch(*(f"http://h{n % 5}.test/{n}" for n in range(60)), words=(GOOD, BAD) * 30)
    for n in range(40):
        crawl.fetch(relevance=n % 2)
    marks = [lesson.reasons[:1] for lesson in crawl.log()[1:]]
    assert set(marks) == {CHOSEN, DRAWN}
    assert 8 <= marks.count(DRAWN) <= 32


def test_before_there_is_a_critic_lessons_are_kept_and_nothing_is_moved(store: Store) -> None:
    crawl = CrawlByHand(store)
    claim = crawl.claim()
    (outcome,) = crawl.record(crawl.read(claim, A, relevance=None))
    assert crawl.models == []
    assert dict(outcome.moves) == {}
    assert [(lesson.url, lesson.relevance) for lesson in crawl.log()] == [(SEED, None)]


@pytest.mark.slow
def test_what_failed_speaks_against_links_like_those_to_it(crawl: CrawlByHand) -> None:
    """Like them in host, first folder and ending; their words are no worse for it."""
    crawl.fetch(*(f"http://h.test/{kind}{n}" for n in range(20) for kind in ("page", "shot.jpg?")), words=(OWN,) * 40)
    for _ in range(20):
        claim = crawl.claim()
        is_picture = "jpg" in claim.url
        answer = (
            failed(claim, Reason.UNSUPPORTED_TYPE, at=crawl.now) if is_picture else crawl.read(claim, relevance=0.9)
        )
        crawl.record(answer)
    lesson = next(lesson for lesson in crawl.log() if lesson.failed)
    assert (lesson.relevance, lesson.links, lesson.topics) == (0.0, (), ())
    assert lesson.score is not None
    expected = crawl.expected()
    pages, pictures = ([expected[url] for url in expected if ("jpg" in url) is wanted] for wanted in (False, True))
    assert min(pages) > 1.5 * max(pictures)
    assert same(crawl.model.state(), crawl.replayed().state())


@pytest.mark.parametrize("reason", [Reason.DNS, Reason.SERVER_ERROR, Reason.ROBOTS])
def test_a_server_that_says_nothing_teaches_nothing(crawl: CrawlByHand, reason: Reason) -> None:
    crawl.fetch(A, B)
    crawl.record(failed(crawl.claim(), reason, at=crawl.now))
    assert [lesson.url for lesson in crawl.log()] == [SEED]
    assert len(crawl.models) == 1


def test_what_failed_and_is_there_after_all_has_its_one_lesson_and_its_links_are_kept(crawl: CrawlByHand) -> None:
    crawl.fetch(A, B, words=(GOOD, GOOD))
    claim = crawl.claim()
    crawl.record(failed(claim, Reason.UNSUPPORTED_TYPE, at=crawl.now))
    crawl.store.reconsider([Reason.UNSUPPORTED_TYPE], now=crawl.now)
    while (again := crawl.claim()).url != claim.url:
        crawl.record(crawl.read(again))
    crawl.record(crawl.read(again, C, A, B, relevance=0.9))
    assert [lesson.url for lesson in crawl.log()].count(claim.url) == 1
    assert len(crawl.models) == 1  # nothing had to be learnt again
    assert crawl.priorities()[C] > 0.0


def test_a_redirect_hands_on_the_words_of_the_links_to_it(crawl: CrawlByHand) -> None:
    crawl.fetch(A, words=(GOOD,))
    crawl.record(moved(crawl.claim(), B, at=crawl.now))
    lesson = crawl.log()[-1]
    assert (lesson.url, lesson.redirect, lesson.links) == (A, True, (LessonLink(B),))
    assert crawl.priorities() == pytest.approx(crawl.expected())
    (link,) = crawl.model.ground.citing(crawl.model.ground.number(B))
    words = crawl.model.ground.words.values
    assert words[crawl.model.ground.links.around_from.values[link]] == GOOD
    assert crawl.fetch() == B
    assert crawl.log()[-1].score is not None


def test_a_page_that_is_visited_again_teaches_nothing(crawl: CrawlByHand) -> None:
    crawl.fetch(A)
    crawl.fetch()
    before = crawl.model.state()
    assert crawl.store.revisit({one.url: 0 for one in crawl.store.visited(limit=9)}, now=crawl.now + 1) == 2
    claim = crawl.claim()
    assert claim.fetched_before
    (outcome,) = crawl.record(crawl.read(claim, C, relevance=1.0))
    assert outcome.lesson is None
    assert len(crawl.log()) == 2
    assert same(crawl.model.state(), before)


def test_a_dropped_outcome_is_not_remembered(crawl: CrawlByHand) -> None:
    """Somebody else has recorded what became of a URL, after the lease had run out."""
    crawl.fetch(A, B, words=(GOOD, BAD))
    late = crawl.claim(lease=0.5)
    crawl.now += 10
    other = crawl.claim(owner="other")
    assert other.url == late.url
    crawl.store.record([failed(other, Reason.HTTP_ERROR, at=crawl.now)], now=crawl.now, archived={})
    crawl.record(crawl.read(late, C, D, relevance=1.0))
    assert [lesson.url for lesson in crawl.log()] == [SEED]
    assert len(crawl.models) == 1
    crawl.fetch()
    assert len(crawl.models) == 2
    assert crawl.model.ground.known(C) is None
    assert same(crawl.model.state(), crawl.replayed().state())


@pytest.mark.slow
def test_the_frontier_follows_when_everything_is_judged_anew(crawl: CrawlByHand) -> None:
    crawl.fetch(*(f"http://h{n}.test/" for n in range(24)), words=(GOOD, BAD) * 12)
    for _ in range(14):
        crawl.fetch(relevance=0.1)
    before = crawl.priorities()
    crawl.critic.version = 2
    held = crawl.store.to_judge(critic=2, limit=99)
    verdicts: list[tuple[HeldPage, Judgement | None]] = [(one, Judgement(relevance=0.9, critic=2)) for one in held]
    crawl.store.rejudge(verdicts, critic=2, stand=lambda *_: Standing(promise=0.9))
    move_in_pieces(crawl.store, crawl.guide.revise(crawl.store), now=crawl.now)
    assert same(crawl.model.state(), crawl.replayed().state())
    assert crawl.priorities() == pytest.approx(crawl.expected())
    assert all(crawl.priorities()[url] > before[url] for url in before)


@pytest.mark.slow
def test_a_site_that_is_said_not_to_be_good_is_no_longer_worth_a_try(store: Store, tmp_path: Path) -> None:
    crawl = CrawlByHand(store, checkpoints=Checkpoints(tmp_path)).begin()
    crawl.fetch(*(f"http://www.h{n}.test/" for n in range(24)), words=(OWN,) * 24)
    for _ in range(14):
        crawl.fetch(relevance=0.01)
    before = crawl.expected()
    site, *others = before
    crawl.critic.version, crawl.critic.disowned = 2, {domain_of(host_of(site)): 5}
    now = crawl.begin().priorities()
    assert now[site] < before[site] / 2
    assert {url: now[url] for url in others} == pytest.approx({url: before[url] for url in others})
    later = f"http://later.{domain_of(host_of(site))}/"
    crawl.fetch(later, words=(OWN,))
    assert crawl.priorities()[later] == pytest.approx(crawl.expected()[later])
    assert crawl.priorities()[later] < before[site] / 2
    again = CrawlByHand(store, checkpoints=Checkpoints(tmp_path))
    again.critic.version, again.critic.disowned = crawl.critic.version, crawl.critic.disowned
    assert same(again.begin().model.state(), crawl.model.state())


def test_another_guide_goes_on_where_one_ended(store: Store) -> None:
    first = CrawlByHand(store).begin()
    first.fetch(A, B, words=(GOOD, BAD))
    told = first.priorities()
    second = CrawlByHand(store)
    second.now = first.now
    second.begin()
    assert second.priorities() == told
    assert same(second.model.state(), first.model.state())
    second.fetch(C)
    assert same(second.model.state(), second.replayed().state())


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_it_knows_is_what_the_log_says_whatever_happens(store: Store, tmp_path: Path, seed: int) -> None:
    chance, crawl = Random(seed), CrawlByHand(store, sample=0.1, checkpoints=Checkpoints(tmp_path)).begin()
    for _ in range(60):
        crawl.step(chance)
        if chance.random() < 0.1:
            crawl.begin()
    assert len(crawl.log()) > 40
    assert len(crawl.models) > 3  # of outcomes that were dropped, and of new beginnings
    assert same(crawl.model.state(), crawl.replayed().state())
    crawl.begin()
    assert same(crawl.model.state(), crawl.replayed().state())


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_frontier_has_what_is_expected_of_its_head(store: Store, seed: int) -> None:
    """What is about to be fetched was thought over not long ago."""
    chance, crawl = Random(seed), CrawlByHand(store).begin()
    for _ in range(60):
        crawl.step(chance)
    priorities, expected = crawl.priorities(), crawl.expected()
    head = sorted(expected, key=lambda url: -priorities[url])[:20]
    off = [abs(priorities[url] - expected[url]) / max(priorities[url], expected[url]) for url in head]
    assert len(head) == 20
    assert sum(off) / len(off) < 5 * TOLERANCE


@pytest.mark.slow
def test_a_checkpoint_is_no_more_than_what_the_log_says(store: Store, tmp_path: Path) -> None:
    chance, crawl = Random(9), CrawlByHand(store).begin()
    for _ in range(30):
        crawl.step(chance)
    checkpoints = Checkpoints(tmp_path)
    checkpoints.keep(crawl.model, kind="scent", critic=1, lessons=crawl.store.last_lesson())
    for _ in range(10):
        crawl.step(chance)
    resumed = CrawlByHand(store, checkpoints=checkpoints).begin()
    assert same(resumed.model.state(), crawl.replayed().state())


def test_a_failure_leaves_nothing_that_the_log_does_not_say(crawl: CrawlByHand) -> None:
    crawl.fetch(A, B, words=(GOOD, BAD))
    crawl.record(failed(crawl.claim(), Reason.HTTP_ERROR, at=crawl.now))
    crawl.fetch()
    assert same(crawl.model.state(), crawl.replayed().state())


def test_a_redirect_to_what_may_not_be_fetched_can_be_taught_later(crawl: CrawlByHand) -> None:
    claim = crawl.claim()
    target = found("http://locked.test/", refusal=Reason.LOCKED)
    outcome = moved(claim, "http://locked.test/", at=crawl.now)
    crawl.store.record([replace(outcome, discoveries=(target,))], now=crawl.now, archived={})
    ((lesson, _),) = crawl.store.untaught(limit=9)
    crawl.store.teach([lesson])
    crawl.begin()
    assert [lesson.url for lesson in crawl.log()] == [SEED]


def test_a_link_that_was_refused_for_its_page_is_told_of_when_a_better_page_has_it(crawl: CrawlByHand) -> None:
    """What the store was told while the link was refused, it took no notice of."""
    crawl.fetch(B, C, refusal=Reason.OFF_TOPIC, relevance=0.5)
    crawl.store.add([found(A, 1.0)], now=crawl.now)
    crawl.fetch(B, relevance=0.5)
    assert crawl.priorities() == pytest.approx(crawl.expected(), rel=TOLERANCE)


def test_what_a_hub_cites_is_fetched_sooner(store: Store) -> None:
    crawl = CrawlByHand(store, lift=3.0).begin()
    crawl.fetch(A, B, words=(GOOD, BAD), relevance=0.9)
    hub = crawl.fetch(C, relevance=0.1)
    (rest,) = {A, B} - {hub}
    before = crawl.priorities()
    assert before[C] < before[rest]
    crawl.distil((hub, 0.5), (SEED, 0.1))
    after = crawl.priorities()
    assert after == pytest.approx(crawl.expected())
    assert after[C] > before[C]
    assert after[rest] > before[rest]
    assert after[C] > after[rest]
    crawl.distil()
    assert crawl.priorities() == pytest.approx(before)


def test_a_hub_that_is_told_of_before_its_page_is_known_counts_when_it_is(store: Store) -> None:
    crawl = CrawlByHand(store, lift=3.0).begin()
    crawl.distil((SEED, 0.5))
    crawl.fetch(A, relevance=0.5)
    lifted = crawl.priorities()[A]
    crawl.distil((B, 0.5))
    assert crawl.priorities()[A] < lifted


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_an_apprentice_that_goes_through_the_log_again_hears_of_hubs_where_they_were_found(
    store: Store, seed: int, tmp_path: Path
) -> None:
    """Also from a checkpoint, and when everything was judged again in between."""
    chance = Random(seed)
    checkpoints = Checkpoints(tmp_path / "models")
    crawl = CrawlByHand(store, lift=1.0, sample=0.1).begin()
    for turn in range(60):
        if turn % 7 == 3:
            known = [lesson.url for lesson in crawl.log()]
            crawl.distil(*((url, chance.random()) for url in chance.sample(known, min(5, len(known)))))
        if turn == 30:
            crawl.begin()
            checkpoints.keep(crawl.model, kind="scent", critic=1, lessons=store.last_lesson())
        crawl.step(chance)
    crawl.record()  # lest the last was dropped, and nobody has noticed yet
    for again in (CrawlByHand(store, lift=1.0), CrawlByHand(store, lift=1.0, checkpoints=checkpoints)):
        again.begin()
        assert same(again.model.state(), crawl.model.state())
    assert len(store.distillations()) == 9
