"""The experiments about the apprentice: what is measured of links and crawls, and that the words about it follow the
numbers.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from papers.apprentice import extras, idioms, information, offline, online, paths, plain_text, reevaluation, window
from papers.apprentice.by_offset import OFFSETS, information_gain, leaf_kinds, sawtooth, word_mass
from papers.apprentice.chart import chart
from papers.apprentice.findings import Held, LinkFindings, findings
from papers.apprentice.frontier import estimated
from papers.apprentice.guided import Guidance, for_run, guided_by
from papers.apprentice.lessons import Known, LinkLessons, lessons_of
from papers.apprentice.losses import loss, loss_along
from papers.apprentice.page_links import Pages
from papers.crawls import STRATEGIES, TaskCrawls, Way, WorldCrawls
from papers.reproduce import reproduce
from papers.study import Point
from scenthound.apprentice.bayes.offsets import Features
from scenthound.lab.experiment.values import Outside, Trace, WorldNote
from scenthound.lab.metrics.world_facts import Ground
from scenthound.lab.world.world import World
from tests.lab.made_up_links import frontier_of, links_of, rising
from tests.lab.small_traces import task_for, trace_of
from tests.lab.small_worlds import TOPICS, page, small_world
from tests.papers.test_papers import small_experiment

pytestmark = pytest.mark.slow

SIZE = 24
SEVEN = tuple("abcdefg")
OFFLINE, ONLINE, OWN, RECALL = Guidance.OFFLINE, Guidance.ONLINE, Guidance.OWN, Guidance.RECALL


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return small_world(tmp_path_factory.mktemp("links"), pages=SIZE)


@pytest.fixture(scope="module")
def birds(world: World) -> Trace:
    """A crawl that fetches the pages about birds from 4 on, in order, and then fish; birds are relevant."""
    numbers = [world.number[page("birds", n)] for n in range(4, SIZE)] + [
        world.number[page("fish", n)] for n in range(SIZE)
    ]
    return trace_of(numbers, relevance=[0.9] * (SIZE - 4) + [0.1] * SIZE)


@pytest.fixture(scope="module")
def pages(world: World) -> Pages:
    return Pages(world)


def lessons(world: World, pages: Pages, trace: Trace, fetches: int) -> LinkLessons:
    known = Known(trace, pages=len(world.urls), fetches=fetches)
    return lessons_of(pages, known, [world.number[page("birds", 0)]], ((),) * len(world.urls))


def test_links_of_a_page_lead_to_pages_and_redirects_are_followed(world: World, pages: Pages) -> None:
    first = pages[world.number[page("birds", 0)]]
    targets = [world.urls[number] for number in first.targets]
    # What is gone or outside is no page; the redirect leads to page 3.
    assert targets == ["http://hub.test/", page("birds", 1), page("birds", 2), page("birds", 3)]
    assert (first.first <= first.last).all()
    assert first.linked[first.first].all()
    assert len(first.filled) == len(first.linked) == len(first.stream.starts) - 1


def test_lessons_are_links_between_what_was_fetched(world: World, pages: Pages, birds: Trace) -> None:
    found = lessons(world, pages, birds, 6)  # birds 4 to 9
    pairs = {
        (world.urls[source], world.urls[target]) for source, target in zip(found.sources, found.targets, strict=True)
    }
    assert pairs == {
        (page("birds", n), page("birds", n + step)) for n in range(4, 9) for step in (1, 2) if n + step < 10
    }
    assert found.high.all()
    assert found.words.links == found.cited.links == len(pairs)
    everything = lessons(world, pages, birds, len(birds))
    assert 0 < everything.high.sum() < len(everything.high)


def test_a_page_fetched_twice_counts_as_it_came_first() -> None:
    known = Known(trace_of([3, 1, 3, -1], relevance=[0.5, 0.25, 0.75, float("nan")]), pages=5, fetches=4)
    assert known.pages.tolist() == [3, 1]
    assert known.relevance[[3, 1]].tolist() == [0.5, 0.25]
    assert np.isnan(known.relevance[0])


def test_a_link_knows_only_what_was_fetched_before_its_target(world: World, pages: Pages, birds: Trace) -> None:
    found = lessons(world, pages, birds, 6)
    # On page n, n + 1 was fetched before n + 2 and stands before it: of the two, the later knows of the earlier.
    knowing = {(int(found.sources[row]), int(found.targets[row])) for row in found.cited.rows}
    assert knowing == {(number, number + 2) for number in range(4, 8)}
    assert set(found.cited.offsets.tolist()) == {-2}


def test_the_whole_taxonomy_is_charted(world: World) -> None:
    found = chart(world, seed=7)
    right = [topics[0] in labels for topics, labels in zip(found, world.labels, strict=True) if labels]
    assert sum(right) > 0.9 * len(right)
    assert {topic for topics in found for topic in topics} == set(TOPICS.values())


def features(rows: list[int], tokens: list[int], offsets: list[int], *, links: int) -> Features:
    return Features(
        links=links,
        rows=np.array(rows, dtype=np.int64),
        tokens=np.array(tokens, dtype=np.uint32),
        offsets=np.array(offsets, dtype=np.int16),
    )


def test_information_is_gained_where_a_word_tells_the_buckets_apart() -> None:
    high = np.array([True, True, False, False])
    # Word 5 at -1 is in both HIGH links, twice in one of them; word 6 at 2 is in one of either.
    words = features([0, 0, 1, 0, 2], [5, 5, 5, 6, 6], [-1, -1, -1, 2, 2], links=4)
    gain = dict(zip(OFFSETS, information_gain(words, high), strict=True))
    assert gain[-1] == pytest.approx(1.0)
    assert gain[2] == pytest.approx(0.0)
    assert dict(zip(OFFSETS, word_mass(words), strict=True))[-1] == pytest.approx(3 / 5)


def test_saws_are_seen() -> None:
    assert sawtooth([1.0 if offset % 2 else 3.0 for offset in OFFSETS]) == pytest.approx(2.0)
    assert sawtooth([float(offset == 0) for offset in OFFSETS]) == 0.0


def test_kinds_of_leaves_are_those_of_the_list_that_links_stand_in(world: World, pages: Pages, birds: Trace) -> None:
    filled, linked = leaf_kinds(lessons(world, pages, birds, len(birds)), pages)
    at = {offset: place for place, offset in enumerate(OFFSETS)}
    # <li>See <a>…</a></li>: before each link stands text, and before that another link, or the last paragraph.
    assert filled[at[0]] == filled[at[-1]] == 1.0
    assert linked[at[0]] == linked[at[-1]] == 0.0
    assert linked[at[-2]] > 0.4


def test_a_frontier_is_estimated_twice(world: World, pages: Pages, birds: Trace) -> None:
    half = Known(birds, pages=len(world.urls), fetches=20)  # all birds from 4 on
    start = [world.number[page("birds", 0)]]
    hub, wanted = world.number["http://hub.test/"], world.about("Nature/Birds")
    found = estimated(pages, half, start, lessons(world, pages, birds, 20), wanted=wanted, shut={hub})
    assert found is not None
    # Birds 1 to 3 wait, and the ten fish that odd birds link to.
    assert found.size == 3 + 10
    assert found.wanted == pytest.approx(3 / 13)
    assert found.citing_hopes == pytest.approx((2 * 1.0 + 11 * 0.9) / 13, abs=0.02)
    assert sum(found.by_apprentice) == pytest.approx(1.0)
    nothing = Known(trace_of([]), pages=len(world.urls), fetches=0)
    assert estimated(pages, nothing, [], lessons(world, pages, birds, 20), wanted=wanted, shut=set()) is None


def test_findings_of_a_crawl(world: World, pages: Pages, birds: Trace) -> None:
    task = replace(task_for(sorted(world.about("Nature/Birds"))), topic="Nature/Birds", start=(page("birds", 0),))
    none: tuple[tuple[str, ...], ...] = ((),) * len(world.urls)
    found = findings(task, birds, fetches=len(birds), pages=pages, world=world, chart=none, shut=set())
    assert found is not None
    # The words around links are those of their page, and pages link to their own kind: text tells more than the anchor.
    anchor, *_, widest = found.by_text[Held.TO]
    assert widest.auc > 0.8
    assert widest.balanced > anchor.balanced - 0.1
    few = findings(task, birds, fetches=10, pages=pages, world=world, chart=none, shut=set())
    assert few is None  # ten birds, and no fish


# Words follow numbers: seven topics with the same findings.

GROUND = Ground(host=np.zeros(1000, dtype=np.int32), hops=np.ones(1000, dtype=np.int32), reachable=150)
NOTE = WorldNote(
    name="made-up",
    digest="5f",
    pages=1000,
    hosts=1,
    links=9000,
    said="a web that never was",
    outside=Outside.INVISIBLE,
    locked=(),
    truth="labels",
)


def told(study: object, links: Callable[[str], LinkFindings]) -> list[Point]:
    found = tuple(map(links, SEVEN))
    crawls = WorldCrawls(note=NOTE, seed=7, locality={}, tasks=(), links=lambda: found)
    told = study.STUDY.found(crawls)  # type: ignore[attr-defined]
    assert told is not None
    assert all(point.guess for point in told.points)
    return list(told.points)


def verdicts(study: object, links: Callable[[str], LinkFindings]) -> list[bool | None]:
    return [point.agrees for point in told(study, links)]


def test_the_words_about_windows_follow_their_numbers() -> None:
    points = told(window, links_of)
    assert [point.agrees for point in points] == [True, True, True, True]
    assert "changes by +7.5 % (+7.5 to +7.5) on links to unknown pages, from 68 % (68 to 68)" in points[0].ours
    assert "would choose 5 in the median, from 5 to 5" in points[3].ours
    falling = told(window, lambda topic: links_of(topic, by_offset=rising(0.8, 0.7, 0.5, 0.55), d_max=1))
    assert [point.agrees for point in falling] == [False, True, False, False]
    late = rising(0.5, 0.5, 0.5, 0.5)[:6] + rising(0.5, 0.9, 0.5, 0.9)[5:8]
    assert verdicts(window, lambda topic: links_of(topic, by_offset=late))[1] is False


def test_the_words_about_offsets_follow_their_numbers() -> None:
    points = told(plain_text, links_of)
    assert [point.agrees for point in points] == [True, True]
    assert "offsets change it by +15.0 %" in points[0].ours
    assert "changes by −7.5 %" in points[1].ours
    better = rising(0.6, 0.9, 0.7, 0.9)
    assert verdicts(plain_text, lambda topic: links_of(topic, by_text=better)) == [False, False]


def test_the_words_about_information_follow_it() -> None:
    points = told(information, lambda topic: links_of(topic, gain=[1 / (4 + abs(d) + 2 * (d % 2)) for d in OFFSETS]))
    assert [point.agrees for point in points] == [True, True, False]
    flat = told(information, lambda topic: links_of(topic, gain=[0.001] * len(OFFSETS)))
    assert [point.agrees for point in flat] == [False, False, True]
    assert "between 1.00 and 1.00" in flat[2].ours


def test_the_words_about_idioms_follow_them() -> None:
    assert verdicts(idioms, links_of) == [True, True, True]
    points = told(idioms, lambda topic: links_of(topic, mass=[1 / 21] * 21, filled=[0.9] * 21))
    assert [point.agrees for point in points] == [False, False, False]
    assert "10 % (10 to 10) of the leaves at odd offsets have no text" in points[2].ours


def test_the_words_about_extras_follow_them() -> None:
    points = told(extras, links_of)
    assert [point.agrees for point in points] == [True, True, True]
    assert "by +1.0 % (+1.0 to +1.0) on links to unknown pages" in points[0].ours
    assert "by another +1.0 % (+1.0 to +1.0)" in points[1].ours
    assert verdicts(extras, lambda topic: links_of(topic, extras=(-0.01, -0.02, 0.05))) == [False, False, False]


def test_the_words_about_a_frontier_follow_it() -> None:
    points = told(reevaluation, links_of)
    assert [point.agrees for point in points] == [True, True, True]
    assert "puts 80 % of the pages into the lowest tenth, where the baseline has 40 %" in points[1].ours
    modest = frontier_of(hoped=0.1, expected=0.7, wanted=0.2)
    points = told(reevaluation, lambda topic: links_of(topic, frontier=modest))
    assert [point.agrees for point in points] == [False, False, False]
    assert ".40 further from what is truly wanted" in points[2].ours


def test_without_links_there_is_nothing_to_tell() -> None:
    nothing = WorldCrawls(note=NOTE, seed=7, locality={}, tasks=())
    for study in (window, plain_text, information, idioms, extras, reevaluation, offline, paths, online):
        assert study.STUDY.found(nothing) is None


# Crawls that are guided: 300 fetches of 1,000 pages, of which the first 150 are wanted.


def crawl(first: int, good: float) -> Trace:
    """Return a crawl that fetches page after page, of which this share is relevant, evenly."""
    relevance = np.diff(np.floor(np.arange(301) * good))
    return trace_of([(first + step) % 1000 for step in range(300)], relevance=relevance.tolist())


def guided(baseline: Trace, **by: Trace) -> WorldCrawls:
    traces = {Guidance[name]: trace for name, trace in by.items()}
    tasks = [
        TaskCrawls(
            task=replace(task_for(range(150)), topic=topic),
            fetches=300,
            ground=GROUND,
            whole={Way.SOFT: baseline},
            pairs={},
            guided=traces,
        )
        for topic in SEVEN
    ]
    return WorldCrawls(note=NOTE, seed=7, locality={}, tasks=tuple(tasks))


def points_of(study: object, crawls: WorldCrawls) -> list[Point]:
    found = study.STUDY.found(crawls)  # type: ignore[attr-defined]
    assert found is not None
    assert all(point.guess for point in found.points)
    return list(found.points)


def test_what_is_not_relevant_or_not_fetched_is_lost() -> None:
    trace = trace_of([1, 2, 3], relevance=[1.0, 0.5, float("nan")])
    assert loss_along(trace, fetches=4)[9::10] == pytest.approx([0.0, 0.25, 0.5, 0.625])
    assert loss(trace, fetches=4, begin=0.5, end=1.0) == 1.0


def test_the_words_about_offline_crawls_follow_their_numbers() -> None:
    half, most = crawl(0, 0.5), crawl(500, 0.8)
    points = points_of(offline, guided(half, OFFLINE=most, RECALL=crawl(0, 0.6)))
    assert [point.agrees for point in points] == [True, True, True]
    assert "lowers it by 60 % (60 to 60)" in points[0].ours
    assert "lower on 7 of 7 topics" in points[1].ours
    points = points_of(offline, guided(most, OFFLINE=half, RECALL=crawl(0, 0.1)))
    assert [point.agrees for point in points] == [False, False, False]
    assert "lower on 0 of 7 topics" in points[1].ours
    assert points_of(offline, guided(crawl(0, 1.0), OFFLINE=most, RECALL=half))[0].agrees is False


def test_the_words_about_paths_follow_their_numbers() -> None:
    (point,) = points_of(paths, guided(crawl(0, 0.5), OFFLINE=crawl(270, 0.5)))
    assert point.agrees
    assert "10 % (10 to 10)" in point.ours
    (point,) = points_of(paths, guided(crawl(0, 0.5), OFFLINE=crawl(30, 0.5)))
    assert point.agrees is False


def test_the_words_about_online_crawls_follow_their_numbers() -> None:
    steep = trace_of(range(300), relevance=[0.5] * 150 + [0.95] * 150)
    points = points_of(online, guided(crawl(0, 0.5), ONLINE=steep, OWN=crawl(0, 0.9)))
    assert [point.agrees for point in points] == [True, True]
    assert "its advantage grows by +45.0 %" in points[0].ours
    worse = points_of(online, guided(crawl(0, 0.5), ONLINE=crawl(0, 0.3)))  # ours need not be there
    assert [point.agrees for point in worse] == [False, False]


def test_kinds_that_the_lab_does_not_have_guide_nothing() -> None:
    assert guided_by("focus-soft", bayes="no-such", own="nor-this") == {}
    some = guided_by("focus-soft", bayes="no-such", own="best-first")
    assert list(some) == [OWN]
    every = guided_by("focus-soft", bayes="shark", own="best-first", offline={"gamma": 0.5})
    assert list(every) == [OFFLINE, RECALL, ONLINE, OWN]
    assert every[RECALL].parameters == {"of": "focus-soft", "by": "shark", "gamma": 0.5}
    untaught = guided_by("focus-soft", bayes="shark", own="best-first", offline={"no-such": True})
    assert list(untaught) == [ONLINE, OWN]
    assert for_run(ONLINE, every[ONLINE], 400) == every[ONLINE]  # it takes over nothing


def test_guided_crawls_are_made_when_a_study_wants_them(tmp_path: Path) -> None:
    """Until the lab has apprentices, and as a test of the studies alone, classic strategies stand in for them."""
    stand_ins = guided_by(STRATEGIES[Way.SOFT], bayes="shark", own="best-first", offline={"gamma": 0.5})
    made = reproduce(
        ["apprentice-offline", "apprentice-paths", "apprentice-online", "apprentice-window"],
        experiment=small_experiment(tmp_path),
        folder=tmp_path / "out",
        guided=stand_ins,
        processes=1,
        cache=tmp_path / "cache",
    )
    told = {chapter.about.name: found for chapter in made.chapters for _, found in chapter.found}
    assert list(told) == ["apprentice-window", "apprentice-offline", "apprentice-paths", "apprentice-online"]
    assert all(told.values())
