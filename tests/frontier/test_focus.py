"""What a page hands on to its links, under each focus rule."""

import pytest

from scenthound.frontier.focus import Focus
from scenthound.settings.schema import CrawlSettings
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Judgement, Standing

TOPICS = Topics(topics=(Topic(path="Sport/Cycling", good=True), Topic(path="Sport/Golf"), Topic(path="Arts")))
CYCLING = Judgement(relevance=0.8, topic="Sport/Cycling/Touring")
GOLF = Judgement(relevance=0.3, topic="Sport/Golf")
ARTS = Judgement(relevance=0.02, topic="Arts")


def focus(**settings: object) -> Focus:
    return Focus(settings=CrawlSettings(**settings), topics=TOPICS)  # type: ignore[arg-type]


def way(rule: Focus, *judgements: Judgement) -> list[float | None]:
    """Return what each page on a way from a seed promises."""
    promises, standing = [], None
    for judgement in judgements:
        standing = rule.stand(judgement, standing)
        promises.append(standing.promise)
    return promises


def test_soft_focus_gives_every_link_the_relevance_of_its_page() -> None:
    assert way(focus(focus="soft", tunnel=0), CYCLING, GOLF, ARTS, CYCLING) == [0.8, 0.3, 0.02, 0.8]


def test_hard_focus_ends_where_the_best_topic_is_not_good() -> None:
    assert way(focus(focus="hard", tunnel=0), CYCLING, GOLF) == [0.8, None]
    nearly = Judgement(relevance=0.45, topic="Sport/Cycling")
    assert way(focus(focus="hard", tunnel=0), CYCLING, nearly) == [0.8, 0.45]  # the best class counts, not a threshold


def test_a_tunnel_keeps_half_of_the_hope_through_two_pages_off_topic() -> None:
    assert way(focus(focus="hard"), CYCLING, ARTS, ARTS, ARTS) == [0.8, 0.4, 0.2, None]
    assert way(focus(focus="soft"), CYCLING, ARTS, ARTS, ARTS) == [0.8, 0.4, 0.2, 0.02]
    assert way(focus(focus="soft"), CYCLING, ARTS, CYCLING, ARTS) == [0.8, 0.4, 0.8, 0.4]  # it begins again


def test_a_seed_is_on_topic_because_the_user_says_so() -> None:
    assert way(focus(focus="hard", tunnel=0), ARTS) == [0.02]


def test_sharp_focus_keeps_to_the_topic_of_the_page_before() -> None:
    touring, racing = (
        Standing(promise=0.9, topic="Sport/Cycling/Touring"),
        Standing(promise=0.9, topic="Sport/Cycling/Racing"),
    )
    rule = focus(focus="soft", sharp=True)
    assert rule.on_topic(CYCLING, touring)
    assert not rule.on_topic(CYCLING, racing)
    assert rule.on_topic(CYCLING, Standing(promise=0.4, tunnel=1, topic="Arts"))  # behind a tunnel


@pytest.mark.parametrize("judgement", [CYCLING, GOLF, ARTS])
def test_without_focus_all_links_are_alike(judgement: Judgement) -> None:
    assert way(focus(focus="none"), judgement, judgement) == [1.0, 1.0]


def test_a_lead_is_followed_by_its_worth_also_under_hard_focus() -> None:
    """FOCUS §2.2: the relevance that orders the crawl is not the one that is shown."""
    topics = Topics(topics=(Topic(path="Sport/Cycling", good=True), Topic(path="Sport", lead=True)))
    golf = Judgement(relevance=0.1, topic="Sport/Golf", with_leads=0.45)
    hard = Focus(settings=CrawlSettings(focus="hard", tunnel=0), topics=topics)
    assert way(hard, CYCLING, golf, ARTS) == [0.8, 0.45, None]
    soft = Focus(settings=CrawlSettings(focus="soft", tunnel=0), topics=topics)
    assert way(soft, CYCLING, golf, ARTS) == [0.8, 0.45, 0.02]
