"""What a crawl notices about itself, from pages made up by hand: each trouble is found, and a crawl that does well is
left in peace.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from scenthound.crawl.diagnosis.diagnose import Sight, diagnose
from scenthound.crawl.diagnosis.topic_findings import less_by_chance
from scenthound.crawl.order.forecasts import Forecast
from scenthound.events import Finding, FindingKind
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Awaited, Census, HostView, RecentPage

FUNDS, BONDS, BANKS, NEWS = "Money/Funds", "Money/Bonds", "Money/Banks", "News"
UNWANTED = tuple(f"http://bonds.test/{number}" for number in range(5))
TREE = Topics(
    topics=(Topic(path=FUNDS, good=True), Topic(path=BONDS, examples=UNWANTED), Topic(path=BANKS), Topic(path=NEWS))
)
SLOW = Awaited(host="slow.test", due=200.0, delay=29.0, priority=0.93, held=68)
MUCH = Census(pages=1000, waiting=5000, known=9000, hosts=50)


def page(
    relevance: float | None, topic: str = NEWS, *, host: str = "", repeats: bool = False, n: int = 0
) -> RecentPage:
    url = f"http://{host or f'h{n}.test'}/{n}"
    return RecentPage(
        n=n, url=url, host=host or f"h{n}.test", fetched_at=float(n), relevance=relevance, topic=topic, repeats=repeats
    )


def mixed(*parts: tuple[int, float, str]) -> list[RecentPage]:
    """Make pages of each kind (how many, relevance, topic), well mixed."""
    pages = [(relevance, topic) for many, relevance, topic in parts for _ in range(many)]
    Random(7).shuffle(pages)
    return [page(relevance, topic, n=n) for n, (relevance, topic) in enumerate(pages)]


def found(pages: Sequence[RecentPage], census: Census = MUCH, topics: Topics = TREE, **more: Any) -> list[Finding]:
    return diagnose(
        Sight(path="money", pages=pages, census=census, topics=topics, **{"now": 1e6, "accept": 0.5} | more)
    )


def test_a_crawl_that_does_well_is_left_in_peace() -> None:
    assert found(mixed((160, 0.95, FUNDS), (240, 0.02, BONDS))) == []
    assert found(mixed((20, 0.95, FUNDS), (380, 0.02, BONDS))) == []  # one in twenty is little, and not nothing
    assert found(mixed((190, 0.0, BONDS))) == []  # too early to tell
    assert found([]) == []


def test_pages_of_one_neighbour_ask_whether_it_is_good() -> None:
    [one] = found(mixed((160, 0.01, BONDS), (40, 0.0, NEWS)))
    assert one.kind is FindingKind.STAGNATION
    assert f'most pages around "{FUNDS}" are about "{BONDS}": mark that good?' in one.sentence
    assert "160 of the last 200 pages" in one.evidence[-1]
    assert one.command == "scenthound topics money mark Money/Bonds"
    assert one.undo == "scenthound topics money undo"


def test_pages_all_over_the_parent_ask_whether_that_is_good() -> None:
    [one] = found(mixed((70, 0.01, BONDS), (70, 0.01, BANKS), (60, 0.0, NEWS)))
    assert f'most pages around "{FUNDS}" are about "Money": mark its parent good?' in one.sentence
    assert one.evidence[-1] == '140 of the last 200 pages are about "Money" or what is below it'
    assert one.command == "scenthound topics money mark Money --widen"


def test_another_topic_altogether_is_named_too() -> None:
    [one] = found(mixed((120, 0.0, NEWS), (40, 0.0, BONDS), (40, 0.0, "")))
    assert one.command == "scenthound topics money mark News"


def test_where_no_topic_stands_out_other_examples_are_asked_for() -> None:
    [one] = found(mixed((60, 0.0, NEWS), (40, 0.0, BONDS), (100, 0.0, "")))
    assert one.command == "scenthound topics money example add Money/Funds URL"
    assert "100 about no topic of the tree" in one.evidence[-1]


def test_stagnation_needs_a_frontier() -> None:
    assert found(mixed((200, 0.0, BONDS)), Census(pages=1000, waiting=20)) == []


def test_a_fall_is_told_when_chance_does_not_explain_it() -> None:
    rich, poor = mixed((120, 0.9, FUNDS), (80, 0.05, BONDS)), mixed((40, 0.9, FUNDS), (160, 0.05, BONDS))
    [one] = found(rich + poor)
    assert one.kind is FindingKind.FALLING_RELEVANCE
    assert one.command == "scenthound topics money mark Money/Bonds"
    assert found(poor + rich) == []
    assert found(rich + rich) == []


@pytest.mark.slow
def test_chance_alone_seldom_speaks() -> None:
    """Relevances drawn from one urn: of a thousand looks at them, at most a few may see a fall."""
    draw = Random(1)
    pages = [page(draw.random() ** 3, n=n) for n in range(20_400)]
    spoken = sum(bool(found(pages[at : at + 400])) for at in range(0, 20_000, 20))
    assert spoken <= 3


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_the_test_of_ranks_gives_the_chances_that_it_says(shift: float) -> None:
    draw = Random(2)
    chances = [
        less_by_chance([draw.random() + shift for _ in range(10)], [draw.random() for _ in range(10)])
        for _ in range(1000)
    ]
    below = sum(chance < 0.05 for chance in chances)
    assert 30 <= below <= 70 if not shift else below > 500


def test_a_critic_that_cannot_tell_is_named_with_a_page_that_it_doubts() -> None:
    [one] = found(mixed((70, 0.45, FUNDS), (30, 0.02, BONDS)))
    assert one.kind is FindingKind.UNDECIDED
    assert one.command.startswith("scenthound topics money example add Money/Funds http://h")


def hosts(*waiting: int) -> list[HostView]:
    return [
        HostView(host=f"w{n}.test", state="ready", waiting=many, pages=10, failures=0, due=0.0, delay=1.0)
        for n, many in enumerate(waiting)
    ]


def test_a_domain_that_takes_everything_and_repeats_itself_is_to_be_locked() -> None:
    trap = [page(0.7, FUNDS, host=f"{n % 4}.trap.test", repeats=n % 3 > 0, n=n) for n in range(90)]
    pages = trap + [page(0.7, FUNDS, n=n) for n in range(10)]
    [one] = found(pages, hosts=hosts(10, 10, 10), locked=["ads.test"])
    assert one.kind is FindingKind.ONE_DOMAIN
    assert one.evidence[0] == "90 of the last 100 pages are from trap.test"
    assert one.command == """scenthound crawl money --set 'fetch.locked=["ads.test", "trap.test"]'"""
    assert one.undo == """scenthound crawl money --set 'fetch.locked=["ads.test"]'"""
    assert found(pages, hosts=hosts(10)) == []  # there is nowhere else to go


def test_a_domain_that_takes_everything_because_it_is_good_is_left_alone() -> None:
    pages = [page(0.7, FUNDS, n=n) for n in range(100)] + [page(0.9, FUNDS, host="a.test", n=n) for n in range(100)]
    assert found(pages, hosts=hosts(10, 10, 10)) == []


def farmed(farm: int, others: int) -> list[RecentPage]:
    """Make pages of a farm on many hosts, which look good, among those of as many domains."""
    pages = [(0.9, f"h{n % 30}.farm.test") for n in range(farm)] + [(0.7, "") for _ in range(others)]
    Random(5).shuffle(pages)
    return [page(relevance, FUNDS, host=host, n=n) for n, (relevance, host) in enumerate(pages)]


def test_a_domain_with_more_than_its_share_is_told_however_good_it_looks() -> None:
    [one] = found(farmed(264, 136), hosts=hosts(10, 10, 10, 10, 10), share=0.2)
    assert one.kind is FindingKind.ONE_DOMAIN
    assert one.sentence.startswith("66 of 100 fetches go to farm.test; ")
    assert one.evidence == (
        "264 of the last 400 pages are from 30 hosts of farm.test",
        "their mean relevance is 0.900, that of other domains' pages 0.700",
        "5 other domains have 50 waiting URLs",
    )
    assert one.command == """scenthound crawl money --set 'fetch.locked=["farm.test"]'"""
    assert one.undo == "scenthound crawl money --set 'fetch.locked=[]'"


@pytest.mark.parametrize(
    ("pages", "more"),
    [
        (farmed(100, 300), {}),  # no more than its share and some leeway
        (farmed(60, 30), {}),  # too early to tell
        (farmed(264, 136), {"hosts": hosts(100, 100, 100, 100)}),  # few other domains
        (farmed(264, 136), {"hosts": hosts(9, 9, 9, 9, 9)}),  # with little to give
        (farmed(264, 136), {"share": 1.0}),  # no limit
        (farmed(264, 136), {"accept": None}),  # no focus
    ],
)
def test_a_share_that_may_be_is_not_told(pages: list[RecentPage], more: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"hosts": hosts(10, 10, 10, 10, 10), "share": 0.2}
    assert found(pages, **usual | more) == []


@pytest.mark.parametrize(("own", "other", "told"), [(1, 1, False), (1, 2, True), (2, 3, False)])
def test_a_domain_that_the_user_gave_may_have_more(own: int, other: int, told: bool) -> None:
    """Half of the examples are silence; two of five are a share of 0.4, which is more than what the pages take."""
    examples = [
        *(f"http://www.farm.test/{n}" for n in range(own)),
        *(f"http://{n}.other{n}.test/" for n in range(other)),
    ]
    topics = Topics(topics=(Topic(path=FUNDS, good=True, examples=tuple(examples)), Topic(path=BONDS)))
    pages = farmed(176, 224)  # 44 of 100
    assert bool(found(pages, topics=topics, hosts=hosts(10, 10, 10, 10, 10), share=0.2)) is told


def forecasts(*parts: tuple[int, float, float]) -> list[Forecast]:
    """Make so many forecasts each, with what was expected and what came."""
    return [Forecast(expected=expected, came=came) for many, expected, came in parts for _ in range(many)]


def test_an_apprentice_that_is_wrong_is_told_with_both_numbers_and_who_leads() -> None:
    [one] = found([], forecasts=forecasts((28, 1.0, 1.0), (172, 1.0, 0.0)), lead=0.93)
    assert one.kind is FindingKind.POOR_FORECASTS
    assert "of the last 200 links 1.00 was expected and 0.14 came" in one.sentence
    assert one.evidence == (
        "calibration error 0.860 over the last 200 links that it chose",
        "it is furthest off with 200 links of which it expected 1.00: 0.14 came",
        "the apprentice leads (0.93 to 0.07)",
    )
    assert one.command == "scenthound crawl money --set crawl.order=best-first"
    assert one.undo == "scenthound crawl money --set crawl.order=apprentice"


def test_who_leads_is_left_out_where_it_is_not_known_and_the_order_of_the_crawl_is_kept() -> None:
    [one] = found([], forecasts=forecasts((100, 0.9, 0.1)), order="tries, -expected")
    assert len(one.evidence) == 2
    assert one.undo == "scenthound crawl money --set 'crawl.order=tries, -expected'"


@pytest.mark.parametrize(
    "some",
    [
        forecasts((99, 1.0, 0.0)),  # too few
        forecasts((200, 0.55, 0.41)),  # not far off
        forecasts((100, 0.55, 1.0), (100, 0.55, 0.1)),  # one by one wrong, and right together
    ],
)
def test_an_apprentice_that_is_right_enough_is_left_in_peace(some: list[Forecast]) -> None:
    assert found([], forecasts=some) == []


@pytest.mark.slow
@pytest.mark.parametrize("many", [100, 200])
def test_an_apprentice_that_is_right_is_seldom_found_wrong_by_chance(many: int) -> None:
    """Pages that are on topic as often as expected: of a thousand looks, at most a few may see a fault."""
    draw = Random(3)
    expected = [[draw.random() for _ in range(many)] for _ in range(1000)]
    looks = [[Forecast(expected=one, came=float(draw.random() < one)) for one in some] for some in expected]
    assert sum(bool(found([], forecasts=look)) for look in looks) <= 3


def ticks(speeds: Sequence[float]) -> list[tuple[float, int]]:
    """Make looks at ten seconds' distance at a crawl of these speeds."""
    at, pages, seen = 0.0, 0.0, [(0.0, 0)]
    for speed in speeds:
        at, pages = at + 10.0, pages + 10 * speed
        seen.append((at, int(pages)))
    return seen


@pytest.mark.parametrize(
    ("census", "more", "said"),
    [
        (Census(waiting=500, hosts_ready=5), {}, "this machine is the limit"),
        (Census(waiting=500, hosts_resting=1, hosts_ready=68), {"awaited": SLOW}, "choosy and waits for slow.test"),
        (Census(waiting=500, hosts_resting=5), {}, "5 hosts must rest"),
        (Census(waiting=500, hosts_resting=5), {"offline": True}, "no server can be reached"),
        (Census(waiting=500, reasons={"dns": 90}), {"earlier": {"dns": 20}}, "most requests fail (dns)"),
        (Census(waiting=100, hosts_resting=1), {"hosts": hosts(90)}, "most of what waits is on w0.test"),
    ],
)
def test_a_crawl_that_has_become_slow_says_why(census: Census, more: dict[str, Any], said: str) -> None:
    slowed = ticks([5.0] * 12 + [0.5] * 6)
    [one] = found([], census, ticks=slowed, now=slowed[-1][0], **more)
    assert one.kind is FindingKind.FALLING_SPEED
    assert said in one.sentence
    assert "0.5 pages a second over the last minute, 5 before" in one.evidence[0]


@pytest.mark.parametrize("speeds", [[5.0] * 18, [5.0] * 12 + [3.0] * 6, [0.1] * 12 + [0.0] * 6, [5.0] * 3 + [0.5] * 6])
def test_a_steady_or_young_crawl_is_not_called_slow(speeds: list[float]) -> None:
    seen = ticks(speeds)
    assert found([], Census(waiting=500, hosts_ready=5), ticks=seen, now=seen[-1][0]) == []


def test_a_frontier_that_will_not_last_for_the_budget_is_told() -> None:
    [one] = found([], Census(pages=300, waiting=40), left=700)
    assert one.kind is FindingKind.NEARLY_DRY
    assert one.evidence == ("40 URLs left after 300 pages", "the budget has room for 700 more")
    assert found([], Census(pages=300, waiting=40), left=30) == []
    assert found([], Census(pages=300, waiting=40)) == []  # a crawl of everything comes to an end


def test_a_frontier_that_dries_up_because_links_are_refused_names_the_setting() -> None:
    [one] = found([], Census(pages=300, waiting=40, reasons={"off-topic": 900, "robots": 2000}))
    assert one.command == "scenthound crawl money --set crawl.focus=soft"
