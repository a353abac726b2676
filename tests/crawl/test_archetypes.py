"""Archetypes: pages that a crawl adds to the examples by itself, by a rule that keeps doubtful ones out.

The world is that of tests/lab/small_worlds, with sixty pages of each topic and two examples of birds.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scenthound.crawl.learning.archetype_choice import Candidate, Choice, Search, choose
from scenthound.crawl.learning.learnt_note import Archetype, Learnt, learnt_of
from scenthound.judge.critic import Example, Page
from scenthound.lab.experiment.values import Role, StrategyChoice, Task, Trace
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.world import World
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.store.base import Store
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.decided_pages import trimmed_name
from tests.lab.small_worlds import page, sentence, small_world

BIRDS = "Nature/Birds"


def bird(name: str, words: int = 90) -> Page:
    """Return a page about birds whose words depend on its name."""
    draw = random.Random(name)
    text = " ".join(sentence("birds", draw) for _ in range(words // 30 + 1))
    return Page(url=f"http://{name}.test/", title=name, language="en", terms=terms_of_text(text, language="en"))


def chosen(candidates: Sequence[Candidate], *, mean: float = 0.9, most: int = 3) -> list[str]:
    own = [Example(topic=BIRDS, name=f"http://{name}.test/", page=bird(name)) for name in ("own1", "own2")]
    known = [one.page for one in own]
    wanted = Search(topic=BIRDS, candidates=candidates, own=own, known=known, mean=mean, most=most, round=1)
    found = choose(wanted)
    return [one.url.removeprefix("http://").removesuffix(".test/") for one in found]


def test_only_pages_above_the_mean_of_the_examples_are_taken() -> None:
    some = [Candidate(page=bird(f"b{n}"), confidence=0.86 + n / 100) for n in range(8)]
    assert set(chosen(some, most=10)) == {"b5", "b6", "b7"}  # .91 to .93


def test_no_more_are_taken_than_asked_for_and_each_has_a_reason() -> None:
    some = [Candidate(page=bird(f"b{n}"), confidence=0.95, authority=n / 10) for n in range(8)]
    assert len(chosen(some)) == 3
    own = [Example(topic=BIRDS, name="own", page=bird("own1"))]
    known = [own[0].page]
    [one] = choose(Search(topic=BIRDS, candidates=some[7:], own=own, known=known, mean=0.9, most=3, round=2))
    assert one.reason == (
        "one of the best authorities and of the pages that the critic is surest of; relevance .95, above the mean of "
        "the examples (.90); round 2"
    )


def test_near_copies_menus_and_error_pages_are_never_taken() -> None:
    copy = Page(url="http://copy.test/", title="copy", terms=bird("own1").terms)
    twin = Page(url="http://twin.test/", title="twin", terms=bird("fresh").terms)
    menu = Page(url="http://menu.test/", title="Menu", terms=terms_of_text("wren robin nest", language="en"))
    error = Page(url="http://error.test/", title="404 Not Found", terms=terms_of_text("wren " * 60, language="en"))
    pages = (bird("fresh"), copy, twin, menu, error)
    [taken] = chosen([Candidate(page=one, confidence=0.99) for one in pages])
    assert taken in ("fresh", "twin")


def test_what_the_user_has_said_comes_before_what_the_crawl_thinks() -> None:
    """A page that is an example, of any topic, whole or trimmed, is no archetype; if that is undone, it is one again."""
    some = tuple(
        Archetype(topic=BIRDS, url=f"http://{name}.test/", confidence=0.95, mean=0.9, source="confidence", round=1)
        for name in ("a", "b", "c")
    )
    learnt = Learnt(archetypes=some)
    before = Topics(topics=(Topic(path=BIRDS, good=True, examples=("http://own.test/",)),))
    trimmed = trimmed_name(BIRDS, "http://b.test/")
    after = Topics(
        topics=(
            Topic(path=BIRDS, good=True, examples=("http://own.test/", "http://A.test", trimmed)),
            Topic(path="Not wanted", examples=("http://c.test/",)),
        )
    )
    assert learnt.in_force(after) == ()
    assert learnt.in_force(before) == some
    assert learnt.in_force(Topics(topics=(Topic(path=BIRDS, examples=("http://own.test/",)),))) == ()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with small_world(tmp_path_factory.mktemp("world"), pages=60) as opened:
        yield opened


def crawled(world: World, folder: Path, *, choice: Choice = choose, **settings: object) -> tuple[Trace, Learnt]:
    named = {f"crawl.{name}": value for name, value in ({"archetypes": 7, "phases": "auto"} | settings).items()}
    strategy = StrategyChoice(name="best-first", kind="best-first", parameters={}, settings=named, tune={})
    examples = (page("birds", 0), page("birds", 1))
    task = Task(
        world="small",
        topic=BIRDS,
        draw=1,
        role=Role.TEST,
        examples=examples,
        others=(),
        start=examples,
        wanted=frozenset(range(2, 60)),
    )
    left: list[Learnt] = []

    def look(store: Store) -> None:
        left.append(learnt_of(store))

    trace = crawl(
        world,
        task,
        strategy,
        kind_of(strategy),
        Conditions(fetches=140),
        Critics(world, folder / "critics"),
        choice_by=lambda _store: choice,
        watch=look,
    )
    return trace, left[0]


@pytest.mark.slow
def test_a_crawl_finds_archetypes_of_its_topic(world: World, tmp_path: Path) -> None:
    trace, learnt = crawled(world, tmp_path)
    assert 1 <= len(learnt.archetypes) <= 5
    assert {world.labels[world.number[one.url]] for one in learnt.archetypes} == {(BIRDS,)}
    assert learnt.proposed is None
    again, same = crawled(world, tmp_path)
    assert (again.digest, same) == (trace.digest, learnt)


def nobody(search: Search) -> tuple[Archetype, ...]:
    """Choose no archetype."""
    return ()


@pytest.mark.slow
def test_bad_archetypes_that_are_forced_in_do_not_lead_the_crawl_astray(world: World, tmp_path: Path) -> None:
    """Whoever chooses fish for birds gets a critic that is refused, because it does not know the user's examples."""

    def fish(search: Search) -> tuple[Archetype, ...]:
        forced = [page("fish", n) for n in range(30)]
        return tuple(
            Archetype(
                topic=search.topic,
                url=url,
                confidence=1.0,
                mean=search.mean,
                source="authority",
                round=search.round,
            )
            for url in forced
        )

    plain, _ = crawled(world, tmp_path, choice=nobody)
    led, learnt = crawled(world, tmp_path, choice=fish)
    assert learnt.archetypes == ()
    assert "good examples held back" in learnt.refused
    assert led.digest == plain.digest


@pytest.mark.slow
def test_a_crawl_that_learns_stays_near_its_examples_until_nothing_is_left_there(world: World, tmp_path: Path) -> None:
    trace, learnt = crawled(world, tmp_path)
    hosts = [world.urls[number].split("/")[2] for number in trace.numbers if number >= 0]
    near = next(place for place, host in enumerate(hosts) if host != "birds.test")
    assert near >= 8
    assert set(hosts[near:]) > {"fish.test"}
    assert (learnt.phase, learnt.why) == ("harvesting", "no link near the examples is left")
