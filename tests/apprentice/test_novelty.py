"""Near-duplicates: URLs are worth less where pages like them nearly repeated what the crawl has seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.memory.repeats import MOST, Repeats
from scenthound.apprentice.scent import NOVELTY, RETURNS, ScentModel
from scenthound.apprentice.scents import ORIGINAL, novelty
from scenthound.parse.words.fingerprint import NEAR, distance
from scenthound.store.memory.store import MemoryStore
from scenthound.types import Lesson, LessonLink
from tests.apprentice.crawl_by_hand import CrawlByHand
from tests.apprentice.made_lessons import OFTEN, taught

SEED = "http://seed.test/"
COPY = 7  # the fingerprint of what is always the same
REFERENCE = [f"http://docs.test/reference/{n}" for n in range(40)]
GUIDES = [f"http://docs.test/guide/{n}" for n in range(40)]


def offered(*urls: str) -> Lesson:
    return Lesson(url=SEED, relevance=0.5, links=tuple(LessonLink(url) for url in urls))


def copies(*urls: str) -> list[Lesson]:
    return [Lesson(url=url, relevance=0.5, fingerprint=COPY) for url in urls]


def originals(*urls: str) -> list[Lesson]:
    return [Lesson(url=url, relevance=0.5, fingerprint=own(url)) for url in urls]


def own(url: str) -> int:
    """Return a fingerprint far from that of every other page."""
    return hash_of(url) if distance(hash_of(url), COPY) > NEAR else COPY + (1 << 30)


def hash_of(url: str) -> int:
    return int.from_bytes(np.random.default_rng(list(url.encode())).bytes(8), "big", signed=True)


def chances(model: ScentModel, *urls: str) -> list[float]:
    found: list[float] = novelty(model.ground, np.array([model.ground.number(url) for url in urls])).tolist()
    return found


def test_before_anything_was_compared_every_page_is_taken_to_be_new() -> None:
    assert chances(taught([offered(*GUIDES)]), *GUIDES[:2], "http://else.test/") == [1.0, 1.0, 1.0]


def test_one_repeat_changes_little() -> None:
    log = [offered(*REFERENCE), *copies(*REFERENCE[:2])]
    assert 0.8 < chances(taught(log), REFERENCE[-1])[0] < 1.0


def test_a_folder_of_near_duplicates_sinks_and_the_rest_of_its_host_less() -> None:
    log = [offered(*REFERENCE, *GUIDES), *copies(*REFERENCE[:30]), *originals(*GUIDES[:30])]
    reference, guide, elsewhere = chances(taught(log), REFERENCE[-1], GUIDES[-1], "http://else.test/")
    assert reference < 0.3
    assert 0.85 < guide < elsewhere == 1.0


def test_it_rises_again_when_new_pages_come() -> None:
    log = [offered(*REFERENCE), *copies(*REFERENCE[:10])]
    before, after = (chances(taught(one), REFERENCE[-1])[0] for one in (log, [*log, *originals(*REFERENCE[10:30])]))
    assert before < 0.5 < 0.7 < after


def test_pages_without_a_fingerprint_say_nothing() -> None:
    log = [offered(*REFERENCE), *(Lesson(url=url, relevance=0.5) for url in REFERENCE[:30])]
    assert chances(taught(log), REFERENCE[-1]) == [1.0]


def test_it_changes_the_place_in_the_frontier_and_not_what_is_expected() -> None:
    log = [offered(*REFERENCE, *GUIDES), *copies(*REFERENCE[:30])]
    found = {}
    for without in ((RETURNS,), (RETURNS, NOVELTY)):
        model = ScentModel(without=without)
        model.learn_all(log)
        last = np.array([model.ground.number(REFERENCE[-1])])
        found[NOVELTY in without] = (model.scores(last)[0], model.urgency(last)[0])
    (score, urgency), (plain_score, plain_urgency) = found[False], found[True]
    assert score == plain_score
    assert urgency == pytest.approx(plain_urgency * chances(model, REFERENCE[-1])[0])


def crawled(urls: list[str], *, similar: bool, without: tuple[str, ...] = ()) -> list[str]:
    """Crawl 40 pages of a web where all that is under /reference/ is nearly the same, or nothing is."""
    crawl = CrawlByHand(MemoryStore(), without=without).begin()
    crawl.record(crawl.read(crawl.claim(), *urls))
    fetched = list[str]()
    for _ in range(40):
        claim = crawl.claim()
        fingerprint = COPY if similar and "/reference/" in claim.url else own(claim.url)
        crawl.record(crawl.read(claim, relevance=0.9, fingerprint=fingerprint))
        fetched.append(claim.url)
    return fetched


def test_a_crawl_leaves_a_reference_of_near_identical_pages_for_real_ones() -> None:
    urls = [url for pair in zip(REFERENCE, GUIDES, strict=True) for url in pair]
    with_it, without = (crawled(urls, similar=True, without=one) for one in ((), (NOVELTY,)))
    assert sum("/guide/" in url for url in with_it) > 1.3 * sum("/guide/" in url for url in without)


def test_pages_that_share_a_template_and_have_texts_of_their_own_are_left_alone() -> None:
    urls = [url for pair in zip(REFERENCE, GUIDES, strict=True) for url in pair]
    with_it, without = (crawled(urls, similar=False, without=one) for one in ((), (NOVELTY,)))
    assert with_it == without


def test_the_oldest_fingerprints_are_forgotten() -> None:
    repeats, chance = Repeats(), np.random.default_rng(1)
    first = int(chance.integers(1 << 62))
    assert not repeats.note(first)
    for fingerprint in chance.integers(1 << 62, size=MOST).tolist():
        repeats.note(fingerprint)
    assert len(repeats.known) <= MOST
    assert not repeats.note(first)


@OFTEN
@given(seed=st.integers(0, 10**9), many=st.integers(1, 40))
def test_it_finds_what_comparing_each_with_each_finds(seed: int, many: int) -> None:
    chance, repeats, known = np.random.default_rng(seed), Repeats(), list[int]()
    for _ in range(many):
        fingerprint = -1
        if known and chance.random() < 0.7:
            fingerprint = known[int(chance.integers(len(known)))]
            for bit in chance.integers(63, size=int(chance.integers(6))).tolist():
                fingerprint ^= 1 << bit
        else:
            fingerprint = int(chance.integers(-(1 << 62), 1 << 62))
        near = any(distance(fingerprint, one) <= NEAR for one in known)
        assert repeats.note(fingerprint) is near
        known += [] if near else [fingerprint]


@OFTEN
@given(compared=st.integers(0, 60), repeated=st.integers(0, 60))
def test_the_chance_lies_between_the_prior_and_the_share(compared: int, repeated: int) -> None:
    repeated = min(compared, repeated)
    model = taught([offered(*REFERENCE)])
    url = model.ground.number(REFERENCE[0])
    for table, row in (
        (model.ground.hosts, model.ground.urls.host.values[url]),
        (model.ground.folders, model.ground.urls.folder.values[url]),
    ):
        table.compared.values[row], table.repeated.values[row] = compared, repeated
    (chance,) = chances(model, REFERENCE[1])
    share = repeated / (compared + ORIGINAL)
    assert 1.0 - 2.0 * share <= chance + 1e-12 <= 1.0 - share + 1e-9
    assert chance > 0.0
