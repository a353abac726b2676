"""The log of lessons: one for each page and redirect, in the order of recording, saying what the critic at work says."""

from dataclasses import replace

from msgspec.structs import replace as but

from scenthound.store.base import Store
from scenthound.types import ArchiveSpot, Discovery, HeldPage, Judgement, Lesson, LessonLink, LinkKind, Reason, Standing
from tests.store.small_world import (
    back,
    claim,
    failed,
    found,
    later,
    moved,
    page,
    put,
    taught,
)

A, B, C, D = "http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/"


def crawled(store: Store, *addresses: str) -> None:
    """Let a store fetch pages that nobody learns from."""
    store.add([found(address) for address in addresses], now=0.0)
    for taken in claim(store, now=0.0):
        put(store, page(taken, at=1.0), now=1.0)


def numbered(store: Store) -> list[tuple[int, str]]:
    return [(lesson.n, lesson.url) for lesson in store.lessons(limit=99)]


def at_leaf(found: Discovery, leaf: int) -> Discovery:
    return but(found, link=but(found.link, first_leaf=leaf, last_leaf=leaf + 1))


def nothing(_: HeldPage, __: Judgement | None, ___: Standing | None) -> Standing:
    return Standing()


def test_lessons_are_kept_in_the_order_of_recording_as_they_were_given(store: Store) -> None:
    store.add([found(A, 0.9), found(B, 0.5)], now=0.0)
    one, two = claim(store, now=0.0)
    first = Lesson(url=B, redirect=True, links=(LessonLink(C),))
    second = Lesson(
        url=A,
        relevance=0.25,
        topics=("Birds/Größer", "Fish"),
        followed=False,
        links=(LessonLink(C, 3, 7), LessonLink(D)),
        stream=b"\x00words",
        fingerprint=-(1 << 63),
        score=0.125,
        reasons=b"\xff\x00",
    )
    outcomes = [replace(moved(two, C, at=1.0), lesson=first), replace(page(one, at=1.0), lesson=second)]
    store.record(outcomes, now=1.0, archived={})
    assert store.lessons(limit=9) == [but(first, n=1), but(second, n=2)]
    assert store.lessons(after=1, limit=9) == [but(second, n=2)]
    assert store.lessons(limit=1) == [but(first, n=1)]
    assert store.lesson(A) == but(second, n=2)
    assert store.last_lesson() == 2


def test_without_lessons_the_log_is_empty(store: Store) -> None:
    store.add([found(A)], now=0.0)
    assert (store.lessons(limit=9), store.last_lesson(), store.untaught(limit=9)) == ([], 0, [])
    assert [store.lesson(address) for address in (A, B, "no address")] == [None, None, None]


def test_an_outcome_that_is_dropped_teaches_nothing(store: Store) -> None:
    store.add([found(A)], now=0.0)
    [late] = claim(store, now=0.0, lease=5.0)
    [again] = claim(store, now=10.0)
    put(store, taught(page(again, at=11.0), score=0.5), now=11.0)
    put(store, taught(page(late, at=12.0), score=0.75), now=12.0)
    assert [lesson.score for lesson in store.lessons(limit=9)] == [0.5]


def test_what_is_not_over_teaches_nothing(store: Store) -> None:
    store.add([found(address) for address in (A, B, C, D)], now=0.0)
    one, two, three, four = claim(store, now=0.0)
    fail, retry = failed(one, Reason.HTTP_ERROR, at=1.0, status=404), later(two, Reason.OVERLOADED, at=1.0)
    put(store, taught(fail), taught(retry), taught(back(three, at=1.0)), taught(moved(four, A, at=1.0)), now=1.0)
    assert numbered(store) == [(1, A), (2, D)]


def test_what_failed_for_good_can_be_taught_later(store: Store) -> None:
    store.add([found(address) for address in (A, B, C)], now=0.0)
    store.add([found(D, kind=LinkKind.SEED, example=True)], now=0.0)
    reasons = {A: Reason.UNSUPPORTED_TYPE, B: Reason.DNS, C: Reason.LOCKED, D: Reason.HTTP_ERROR}
    fails = [failed(taken, reasons[taken.url], at=1.0) for taken in claim(store, now=0.0)]
    put(store, *(replace(fail, counts=fail.claim.url != D) for fail in fails), now=1.0)
    assert store.untaught(limit=9) == [(Lesson(url=A, relevance=0.0, failed=True), None)]
    store.teach([Lesson(url=url, relevance=0.0, failed=True) for url in reasons])
    assert numbered(store) == [(1, A)]
    assert store.lessons(limit=9)[0].failed


def test_a_page_visited_again_gives_no_second_lesson(store: Store) -> None:
    store.add([found(A)], now=0.0)
    put(store, taught(page(*claim(store, now=0.0), at=1.0), score=0.5), now=1.0)
    store.revisit({A: 0}, now=9.0)
    put(store, taught(page(*claim(store, now=9.0), at=9.0), score=0.75), now=9.0)
    assert [lesson.score for lesson in store.lessons(limit=9)] == [0.5]
    assert store.untaught(limit=9) == []


def test_pages_recorded_without_lessons_can_be_taught_later(store: Store) -> None:
    crawled(store, A, B, C)
    store.teach([Lesson(url=C, score=0.5)])
    store.teach([Lesson(url=A), Lesson(url=C, score=0.75), Lesson(url="http://never.test/"), Lesson(url=A)])
    assert numbered(store) == [(1, C), (2, A)]
    assert [lesson.score for lesson in store.lessons(limit=9)] == [0.5, None]
    assert [lesson.url for lesson, _ in store.untaught(limit=9)] == [B]


def test_what_was_not_fetched_cannot_be_taught(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    [taken] = claim(store, now=0.0, limit=1)
    put(store, failed(taken, Reason.CONNECT, at=1.0), now=1.0)
    store.teach([Lesson(url=A), Lesson(url=B)])
    assert store.last_lesson() == 0


def test_untaught_pages_come_in_fetch_order_and_in_pieces(store: Store) -> None:
    addresses = [f"{A}{i}" for i in range(5)]
    crawled(store, *addresses)
    store.teach([Lesson(url=addresses[1])])
    seen = []
    while some := store.untaught(limit=2):
        seen += [lesson.url for lesson, _ in some]
        store.teach([lesson for lesson, _ in some])
    assert seen == [addresses[i] for i in (0, 2, 3, 4)]
    crawled(store, D)
    assert [lesson.url for lesson, _ in store.untaught(limit=9)] == [D]


def test_an_untaught_page_is_told_by_what_the_store_knows(store: Store) -> None:
    spot = ArchiveSpot(file="a.warc.gz", offset=7, length=9)
    store.add([found(A)], now=0.0)
    [taken] = claim(store, now=0.0)
    links = [at_leaf(found(B), 1), at_leaf(found(C), 2), at_leaf(found(B), 5)]
    put(store, replace(page(taken, at=1.0, links=links, relevance=0.75, fingerprint=-5), spot=spot), now=1.0)
    followed = (LessonLink(B, 1, 2), LessonLink(C, 2, 3))
    lesson = Lesson(url=A, relevance=0.75, topics=("birds",), links=followed, fingerprint=-5)
    assert store.untaught(limit=9) == [(lesson, spot)]


def test_of_an_untaught_page_the_links_count_that_may_be_followed(store: Store) -> None:
    store.add([found(A)], now=0.0)
    links = [
        found(B, refusal=Reason.LOCKED),
        found(C, refusal=Reason.OFF_TOPIC),
        found(D, nofollow=True),
        found(D + "2", nofollow=True),
        found(D + "2"),
    ]
    put(store, page(*claim(store, now=0.0), at=1.0, links=links), now=1.0)
    [(obeying, _)], [(ignoring, _)] = (store.untaught(limit=9, nofollow=obeys) for obeys in (True, False))
    assert [link.url for link in obeying.links] == [C, D + "2"]
    assert [link.url for link in ignoring.links] == [C, D, D + "2"]


def test_the_links_of_an_example_are_followed_if_it_promises_something(store: Store) -> None:
    store.add([found(address, demoted=-100, kind=LinkKind.SEED, example=True) for address in (A, B)], now=0.0)
    store.add([found(C)], now=0.0)
    wanted, unwanted, other = claim(store, now=0.0)
    put(
        store,
        page(wanted, at=1.0, standing=Standing(promise=1.0)),
        page(unwanted, at=1.0, standing=Standing()),
        now=1.0,
    )
    put(store, page(other, at=1.0, standing=Standing()), now=1.0)
    followed = {lesson.url: lesson.followed for lesson, _ in store.untaught(limit=9)}
    assert followed == {A: True, B: False, C: True}


def test_a_redirect_is_told_with_its_target_and_without_a_topic(store: Store) -> None:
    store.add([found(A)], now=0.0)
    [taken] = claim(store, now=0.0)
    put(store, moved(taken, B, at=1.0, standing=Standing(promise=0.5, topic="birds")), now=1.0)
    assert store.untaught(limit=9) == [(Lesson(url=A, redirect=True, links=(LessonLink(B),)), None)]


def test_a_lesson_says_what_the_critic_at_work_says(store: Store) -> None:
    store.add([found(A, 0.9), found(B, 0.5), found(C, 0.1)], now=0.0)
    one, two, three = claim(store, now=0.0)
    put(store, taught(page(one, at=1.0, relevance=0.25), relevance=0.25, topics=("birds",), score=0.5), now=1.0)
    put(store, taught(page(two, at=1.0), stream=b"words"), taught(moved(three, D, at=1.0), redirect=True), now=1.0)
    verdicts = [
        (
            held,
            None
            if held.redirect
            else Judgement(relevance=0.75, topic="fish", topics=("fish", "birds") if held.url == A else (), critic=2),
        )
        for held in store.to_judge(critic=2, limit=9)
    ]
    store.rejudge(verdicts, critic=2, stand=nothing)
    assert store.lessons(limit=9) == [
        Lesson(n=1, url=A, relevance=0.75, topics=("fish", "birds"), score=0.5),
        Lesson(n=2, url=B, relevance=0.75, topics=("fish",), stream=b"words"),
        Lesson(n=3, url=C, redirect=True),
    ]


def test_a_new_judgement_of_a_page_without_a_lesson_makes_none(store: Store) -> None:
    crawled(store, A)
    store.rejudge(
        [(held, Judgement(relevance=0.5)) for held in store.to_judge(critic=1, limit=9)], critic=1, stand=nothing
    )
    assert store.last_lesson() == 0
    [(lesson, _)] = store.untaught(limit=9)
    assert (lesson.relevance, lesson.topics) == (0.5, ())
