"""Critics, and what new judgements change."""

from dataclasses import replace

from scenthound.store.base import Store
from scenthound.store.walk import rescore
from scenthound.types import CriticRecord, HeldPage, Judgement, LinkKind, Reason, Standing, TopicCount
from tests.store.small_world import claim, found, moved, page, put, taught

A, B, C, D, GOOD = (
    "http://a.test/",
    "http://b.test/",
    "http://c.test/",
    "http://d.test/",
    Standing(promise=0.9, topic="birds"),
)


def as_judged(_: HeldPage, judgement: Judgement | None, via: Standing | None) -> Standing:
    """Hand on a page's own relevance, nothing below a half."""
    if judgement is None:
        return via or Standing(promise=1.0)
    return Standing(promise=judgement.relevance if judgement.relevance >= 0.5 else None, topic=judgement.topic)


def test_the_critic_engaged_last_is_remembered(store: Store) -> None:
    assert store.critic() is None
    old = CriticRecord(version=1, kind="bayes", model="models/1", lessons="x", good=("Birds",), trained_at=5.0)
    new = replace(old, version=2, good=("Fish", "Birds/Größer"))
    store.engage(old)
    store.engage(new)
    assert store.critic() == new
    assert store.critics() == [old, new]


def test_examples_are_counted_under_no_topic(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED), found(B, kind=LinkKind.SEED)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0, relevance=0.9, critic=1, counts=False), now=1.0)
    put(store, page(two, at=1.0, relevance=0.5, critic=1), now=1.0)
    assert store.topic_counts() == {"birds": TopicCount(pages=1, relevance=0.5)}
    assert store.census(now=1.0).judged == 1


def test_other_judgements_move_the_frontier(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED), found(B, kind=LinkKind.SEED)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0, links=[found(C, 0.9)], relevance=0.9, standing=GOOD, terms=b"x", critic=1), now=1.0)
    off = found(D, refusal=Reason.OFF_TOPIC)
    put(store, page(two, at=1.0, links=[off], relevance=0.1, standing=Standing(), terms=b"x", critic=1), now=1.0)
    held = store.to_judge(critic=2, limit=10)
    relevances = {A: 0.25, B: 0.75}
    verdicts = [(page, Judgement(relevance=relevances[page.url], topic="fish", critic=2)) for page in held]
    store.rejudge(verdicts, critic=2, stand=as_judged)
    assert store.to_judge(critic=2, limit=10) == []
    assert rescore(store, by_promise=True, blend=False, nofollow=True, now=2.0) == 2
    assert [(taken.url, taken.priority) for taken in claim(store, now=2.0)] == [(D, 0.75)]
    refused = store.story(C, now=2.0)
    assert refused is not None
    assert refused.reason is Reason.OFF_TOPIC
    assert store.topic_counts() == {"fish": TopicCount(pages=2, relevance=1.0)}
    assert store.census(now=2.0).relevance_sum == 1.0


def test_a_redirect_hands_on_what_it_got(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, page(first, at=1.0, links=[found(B, 0.9)], relevance=0.9, standing=GOOD), now=1.0)
    [second] = claim(store, now=1.0)
    put(store, moved(second, C, at=2.0, standing=second.via), now=2.0)
    verdicts = [
        (page, None if page.redirect else Judgement(relevance=0.5, topic="fish"))
        for page in store.to_judge(critic=3, limit=9)
    ]
    store.rejudge(verdicts, critic=3, stand=as_judged)
    rescore(store, by_promise=True, blend=False, nofollow=True, now=3.0)
    [third] = claim(store, now=3.0)
    assert (third.url, third.priority, third.via) == (C, 0.5, Standing(promise=0.5, topic="fish"))


def test_a_page_keeps_all_topics_that_it_belongs_to(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED), found(B, kind=LinkKind.SEED)], now=0.0)
    for taken, topics in zip(claim(store, now=0.0), (("birds", "fish", "rocks"), ("birds",)), strict=True):
        said = Judgement(relevance=0.5, topic=topics[0], topics=topics, critic=1)
        put(store, replace(page(taken, at=1.0, relevance=0.5), judgement=said), now=1.0)
    assert [row.topics for row in store.pages()] == [("birds", "fish", "rocks"), ("birds",)]
    again = {A: ("fish", ""), B: ("", "rocks")}
    verdicts = [
        (held, Judgement(relevance=0.5, topic=again[held.url][0], topics=again[held.url], critic=2))
        for held in store.to_judge(critic=2, limit=9)
    ]
    store.rejudge(verdicts, critic=2, stand=as_judged)
    assert [row.topics for row in store.pages()] == [("fish",), ("rocks",)]  # pages of no topic are no topic


def test_a_lesson_counts_leads_and_the_page_does_not(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED)], now=0.0)
    [taken] = claim(store, now=0.0)
    put(store, taught(page(taken, at=1.0, relevance=0.5, critic=1)), now=1.0)
    [held] = store.to_judge(critic=2, limit=9)
    said = Judgement(relevance=0.25, topic="birds", with_leads=0.75, critic=2)
    store.rejudge([(held, said)], critic=2, stand=as_judged)
    assert [row.relevance for row in store.pages()] == [0.25]
    assert [lesson.relevance for lesson in store.lessons(limit=9)] == [0.75]
