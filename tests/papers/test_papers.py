"""The papers' experiments: they run on any world, their words follow from their numbers, and the page says it all."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import msgspec.structs
import pytest

from papers import classic, harvest
from papers.crawls import STRATEGIES, Way, WorldCrawls, crawl_worlds
from papers.halves import halves
from papers.locality import locality
from papers.means import POINTS
from papers.page import page, sketches, write_page
from papers.reproduce import STUDIES, TIMED, Chapter, Reproduction, catalogue, declared, reproduce, unnamed
from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment, WorldChoice
from scenthound.lab.experiment.topic_choice import choose_topics
from scenthound.lab.experiment.values import Role, StrategyChoice
from scenthound.lab.experiments import named
from scenthound.lab.runs.progress import Event, Stride
from scenthound.lab.world.labels import read_labels
from tests.lab.made_up_crawls import crawls_of
from tests.lab.made_up_results import Plan, made_up
from tests.lab.small_traces import task_for
from tests.lab.small_worlds import page as address
from tests.lab.small_worlds import small_source, small_world
from tests.parse.webs import web

pytestmark = pytest.mark.slow

PAGES, EXAMPLES = 24, 4  # of each subject of the small world
HALF = POINTS // 2 - 1  # where half of a run is over
TOPICS = ("Crafts/Pottery", "Nature/Birds")


def small_experiment(folder: Path, *names: str) -> Experiment:
    """Declare an experiment on the small world: ours, and strategies of these names besides."""
    small_source(folder, pages=PAGES)
    kinds = {name: kind_of(name) for name in (*STRATEGIES.values(), *names)}
    return Experiment(
        base=str(folder),
        draws=2,
        examples=EXAMPLES,
        negatives=30,  # enough, so that none need be made up
        budgets=("n", "2n"),
        worlds=(WorldChoice(name="small", warc=("small.warc.gz",), labels="small.labels.tsv", topics=TOPICS),),
        settings={"critic.kind": "bayes"},  # the quickest to learn
        strategies=tuple(kinds.values()),
    )


def kind_of(name: str) -> StrategyChoice:
    declared_ = {choice.name: choice for choice in named()["classic"].load().strategies}
    return declared_[name]


@dataclass(frozen=True, kw_only=True)
class Small:
    """The folder of the small world, and what was crawled of it: the experiments share the crawls, as they do for
    users.
    """

    folder: Path
    crawls: WorldCrawls
    kept: list[int]

    def crawled(self) -> tuple[WorldCrawls, list[int]]:
        """Return the crawls of the small world, and how many of them were kept from before."""
        return crawled(self.folder)

    def reproduced(self, *chosen: str, strategies: tuple[str, ...] = ()) -> Reproduction:
        experiment = small_experiment(self.folder, *strategies)
        return reproduce(
            chosen, experiment=experiment, folder=self.folder / "out", processes=1, cache=self.folder / "cache"
        )


def crawled(folder: Path) -> tuple[WorldCrawls, list[int]]:
    heard: list[Event] = []
    (found,) = crawl_worlds(
        small_experiment(folder), folder=folder / "out", processes=1, cache=folder / "cache", listener=heard.append
    )
    return found, [event.kept for event in heard if isinstance(event, Stride) and event.done == event.total]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    folder = tmp_path_factory.mktemp("papers")
    found, kept = crawled(folder)
    return Small(folder=folder, crawls=found, kept=kept)


@pytest.fixture
def crawls(small: Small) -> WorldCrawls:
    """The crawls of the small world alone."""
    return small.crawls


@pytest.fixture(scope="module")
def made(small: Small) -> Reproduction:
    """All experiments, run on the small world."""
    return small.reproduced(strategies=("best-first", "breadth", "oracle"))


def test_every_experiment_runs_on_a_small_world(made: Reproduction) -> None:
    timed = {study.about.name for study in TIMED}  # these run only when they are named
    assert [chapter.about.name for chapter in made.chapters] + [classic.NAME] == [
        name for name in catalogue() if name not in timed
    ]
    measured = {chapter.about.name: found for chapter in made.chapters for _, found in chapter.found}
    # No crawl of the small world brings enough pages for a best hundred; and not every lab has apprentices.
    guided = {study.about.name for study in STUDIES if study.guided}
    nothing = {name for name, found in measured.items() if found is None}
    assert nothing - guided == {"focus-best", "focus-distance"}
    assert made.classic is not None
    assert {run.strategy for run in made.classic.runs} == {choice.name for choice in made.experiment.strategies}


def test_focus_finds_more_than_chance_on_a_small_world(crawls: WorldCrawls) -> None:
    found = harvest.measure(crawls)
    assert found.truly[Way.SOFT].mean[HALF] > found.truly[Way.UNFOCUSED].mean[HALF]
    assert found.first[Way.SOFT].low > found.first[Way.UNFOCUSED].high
    assert all(
        len(trace) <= one.fetches == 2 * one.ground.reachable for one in crawls.tasks for trace in one.whole.values()
    )
    assert found.base.mean == pytest.approx((PAGES - EXAMPLES) / (3 * PAGES + 1))


def test_what_was_crawled_is_not_crawled_again(small: Small) -> None:
    again, kept = small.crawled()
    # Of each task three crawls and a pair of soft ones, of its first draw a pair of unfocused ones as well.
    assert [small.kept[-1], kept[-1]] == [0, 2 * 5 + 2 * 7]
    for one, other in zip(small.crawls.tasks, again.tasks, strict=True):
        assert [trace.digest for trace in one.whole.values()] == [trace.digest for trace in other.whole.values()]
        assert one.pairs[Way.SOFT][0].digest == other.pairs[Way.SOFT][0].digest


def test_two_unfocused_crawls_draw_numbers_of_their_own(crawls: WorldCrawls) -> None:
    pairs = [one.pairs.get(Way.UNFOCUSED) for one in crawls.tasks]
    assert [pair is not None for pair in pairs] == [True, False, True, False]
    for pair in filter(None, pairs):
        assert pair[0].digest != pair[1].digest


def test_halves_are_disjoint_and_differ_in_nothing_else() -> None:
    task = task_for([7, 8, 9], start=[0, 1, 2, 3, 4])
    one, other = halves(task, seed=7)
    assert len(one.start) == len(other.start) == 2
    assert not {*one.start} & {*other.start}
    assert {*one.start, *other.start} < {*task.examples}
    assert replace(one, start=()) == replace(other, start=()) == replace(task, start=())
    assert halves(task, seed=7) == (one, other)
    assert {halves(task, seed=seed)[0].start for seed in range(9)} > {one.start}


def test_locality_is_the_share_of_links_that_stay(tmp_path: Path) -> None:
    with small_world(tmp_path) as world:
        birds = world.about("Nature/Birds")
        # Each of 8 pages links to the hub, to two birds, and every other to a fish; page 0 leads to page 3 by a
        # redirect.
        assert locality(world, birds) == pytest.approx((16 + 1) / (8 + 16 + 4 + 1))
        hub = world.number["http://hub.test/"]
        assert locality(world, birds, locked={hub}) == pytest.approx((16 + 1) / (16 + 4 + 1))
        assert locality(world, frozenset()) == 0
        assert world.number[address("birds", 0)] in birds


def test_the_two_topics_apart_are_chosen_by_locality_alone() -> None:
    assert harvest.apart({"a": 0.5, "b": 0.9, "c": 0.1}) == ("b", "c")
    assert harvest.apart({"a": 0.5}) == ("a",)


@pytest.fixture
def told() -> Reproduction:
    """Made-up findings on a page."""
    crawls = crawls_of()
    experiment = named()["classic"].load()
    made_up_results = made_up(
        Plan(topics=8, draws=1, development=2, skills={"best-first": 0.5, "random": 0.1, "oracle": 0.9})
    )
    chapters = tuple(Chapter(about=study.about, found=(("made-up", study.found(crawls)),)) for study in STUDIES)
    return Reproduction(experiment=experiment, worlds=(crawls.note,), chapters=chapters, classic=made_up_results)


def test_the_page_tells_what_the_papers_found_and_what_we_find(told: Reproduction) -> None:
    text = page(told)
    for chapter in told.chapters:
        assert f"## {chapter.about.name}\n" in text
        for _, found in chapter.found:
            assert found is not None
            for point in found.points:
                assert point.paper in text
                assert point.ours in text
                if point.agrees is False:
                    assert f"- {point.guess}\n" in text
    for guesses in re.findall(r"(.*)\n\n((?:- .*\n)+)", text):
        assert guesses[0] == "Why it differs, as a conjecture:"
    assert "schools, test topics" in text
    assert "schools, development topics" in text
    assert text.count("<details>") == text.count("</details>") == 4  # every topic, for two roles and two budgets
    assert "![" not in text


def test_every_picture_of_the_page_is_there_and_none_besides(told: Reproduction, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'scenthound[lab]'")
    text = write_page(told, tmp_path / "papers.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\((papers/[^)]+)\)", text)
    assert sorted(shown) == sorted(f"papers/{path.name}" for path in (tmp_path / "papers").iterdir())
    assert len(shown) == len(list(sketches(told))) == 18
    for path in (tmp_path / "papers").iterdir():
        assert path.stat().st_size < 100_000
    again = write_page(told, tmp_path / "again" / "papers.md")
    for path in (tmp_path / "papers").iterdir():
        assert (again.parent / "papers" / path.name).read_bytes() == path.read_bytes()
    assert again.read_text(encoding="utf-8") == text


def test_the_same_world_gives_the_same_page(made: Reproduction, tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, "best-first", "breadth", "oracle")
    other = reproduce(experiment=experiment, folder=tmp_path / "out", processes=2, cache=tmp_path / "cache")
    assert page(other) == page(made)
    assert str(tmp_path) not in page(other)


def test_experiments_are_chosen_by_name(small: Small) -> None:
    found = small.reproduced("focus-relevance")
    assert [chapter.about.name for chapter in found.chapters] == ["focus-relevance"]
    assert found.classic is None
    with pytest.raises(LabError, match=r"did you mean focus-harvest\?"):
        small.reproduced("focus-harvst")


def test_an_experiment_without_the_papers_strategies_is_refused(tmp_path: Path) -> None:
    experiment = msgspec.structs.replace(small_experiment(tmp_path), strategies=(kind_of("random"),))
    with pytest.raises(LabError, match='need a strategy "focus-hard"'):
        crawl_worlds(experiment, folder=tmp_path / "o", processes=1, cache=tmp_path / "c")


def test_the_demo_web_stands_in_where_the_webs_are_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENTHOUND_WEBS", str(tmp_path))
    assert [world.name for world in declared().worlds] == ["demo"]
    assert declared().draws == 3
    for name in ("webkb.warc.gz", "webkb.labels.tsv"):
        (tmp_path / name).touch()
    assert [world.name for world in declared().worlds] == ["webkb"]
    assert [world.name for world in declared(quick=True).worlds] == ["demo"]
    assert declared(quick=True).draws == 1


def is_for_development(topic: str) -> bool:
    """The rule of classic.toml."""
    return blake2b(topic.encode(), digest_size=8).digest()[0] % 2 == 0


def test_development_topics_are_those_of_the_rule() -> None:
    schools = named()["classic"].load().worlds[0]
    assert schools.development
    assert all(map(is_for_development, schools.development))


def test_development_topics_are_all_those_of_the_rule() -> None:
    labels = web("schools").with_name("schools.labels.tsv")
    sizes: dict[str, set[str]] = {}
    for line in labels.read_text(encoding="utf-8").splitlines()[1:]:
        url, _, path = line.partition("\t")
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            sizes.setdefault("/".join(parts[:end]), set()).add(url)
    large = [topic for topic, urls in sizes.items() if len(urls) >= 40]
    assert sorted(filter(is_for_development, large)) == sorted(named()["classic"].load().worlds[0].development)


def test_experiments_whose_figures_are_in_the_docs_say_that_links_out_were_invisible() -> None:
    ways = {name: experiment.load().outside.value for name, experiment in named().items()}
    assert ways == {
        "ablation": "invisible",
        "apprentice": "wasted",
        "classic": "invisible",
        "demo": "wasted",
        "hubs": "invisible",
    }


def test_the_apprentice_is_tried_on_sites_of_today_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    experiment = named()["apprentice"].load()
    modern = experiment.worlds[-1]
    assert ([world.name for world in experiment.worlds], modern.most_fetches) == (["schools", "webkb", "modern"], 400)
    monkeypatch.setenv("SCENTHOUND_WEBS", str(tmp_path))
    assert {"modern.warc.gz", "modern.labels.tsv"} <= set(named()["apprentice"].missing())


def test_the_topics_of_the_modern_web_are_there_and_all_are_test_topics() -> None:
    labels = web("modern").with_name("modern.labels.tsv")
    sizes = Counter(label.topic for label in read_labels(labels))
    modern = named()["apprentice"].load().worlds[-1]
    assert set(choose_topics(sizes, modern, examples=10).values()) == {Role.TEST}
    assert min(sizes[topic] for topic in modern.topics) > 200


DOCS = Path(__file__).parents[2] / "docs" / "explanation"


def test_the_pages_in_the_docs_are_whole() -> None:
    told = ""
    for page_name in ("papers", "papers-apprentice"):
        text = (DOCS / f"{page_name}.md").read_text(encoding="utf-8")
        shown = re.findall(rf"\]\(({page_name}/[^)]+)\)", text)
        assert sorted(shown) == sorted(f"{page_name}/{path.name}" for path in (DOCS / page_name).iterdir())
        told += text
    # What measures time is told in classifying-in-sql.md.
    for name in unnamed():
        assert f"## {name}\n" in told, name


def test_a_page_about_some_experiments_tells_the_command_with_their_names(told: Reproduction) -> None:
    first, second, *_ = told.chapters
    some = replace(told, chapters=(first, second), classic=None)
    names = f"{first.about.name} {second.about.name}"
    assert f"\npython -m papers {names} --write some.md\n" in page(some, name="some.md")
