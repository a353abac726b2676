"""A crawl without labels as a world: its topics are looked for, and a judge of its own says what is relevant there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.demo.server import ServedWeb
from scenthound.demo.warc_web import WarcWeb
from scenthound.errors import LabError
from scenthound.events import ignore
from scenthound.lab.experiment.experiment import Experiment, WorldChoice
from scenthound.lab.experiment.tasks import draw_tasks
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.runs.runner import run_experiment
from scenthound.lab.world.second_opinion import SecondOpinion, second_opinion
from scenthound.lab.world.world import World
from scenthound.lab.world.world_sources import WorldSource
from scenthound.taxonomy import Topic, Topics
from tests.lab.small_worlds import opened, page, small_source

pytestmark = pytest.mark.slow

PAGES, EXAMPLES = 24, 12
BIRDS, FISH = "Nature/Birds", "Nature/Fish"
CHOICE = WorldChoice(name="earlier", crawl="crawl", least_pages=10)
EXPERIMENT = Experiment(examples=4, negatives=20, draws=2)


def topics(count: int = EXAMPLES) -> Topics:
    wanted = Topic(path=BIRDS, good=True, examples=tuple(page("birds", number) for number in range(count)))
    other = Topic(path=FISH, examples=tuple(page("fish", number) for number in range(EXAMPLES)))
    return Topics(topics=(wanted, other))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    """A crawl of the whole small web."""
    folder = tmp_path_factory.mktemp("crawled")
    source = small_source(folder, pages=PAGES)
    directory = CrawlDirectory.create(folder / "crawl", topics=topics())
    with ServedWeb(WarcWeb(source.warc).answer) as served:
        names = f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}'
        quickly = ("fetch.delay=0", "fetch.delay_factor=0", "critic.kind=none", "read.workers=1", "crawl.minutes=10")
        run_crawl(directory, directory.settings([*quickly, names]), listener=ignore, stop=StopSwitch())
    return directory


@pytest.fixture(scope="module")
def world(crawled: CrawlDirectory) -> Iterator[World]:
    with opened(WorldSource(name="earlier", crawl=crawled.path), crawled.path.parent) as found:
        yield found


@pytest.fixture(scope="module")
def opinion(world: World) -> SecondOpinion:
    return second_opinion(world, topics(), leading={"logistic"}, seed=7)


def test_the_judge_is_of_another_kind_than_those_who_lead(world: World, opinion: SecondOpinion) -> None:
    assert opinion.said.startswith('a second critic of kind "svm", taught with 12 examples that no crawl gets')
    other = second_opinion(world, topics(), leading={"logistic", "svm"}, seed=7)
    assert '"bayes"' in other.said
    with pytest.raises(LabError, match="none is left to be their judge"):
        second_opinion(world, topics(), leading={"logistic", "svm", "bayes"}, seed=7)


def test_judge_and_crawls_learn_from_different_halves(opinion: SecondOpinion) -> None:
    judge, crawl = opinion.halves.judge, opinion.halves.crawl
    assert (len(judge), len(crawl)) == (12, 12)
    assert not set(judge) & set(crawl)
    assert sorted(labels[0] for labels in judge.values()) == [BIRDS] * 6 + [FISH] * 6


def test_it_finds_what_is_truly_about_the_topic(world: World, opinion: SecondOpinion) -> None:
    birds = {world.number[page("birds", number)] for number in range(PAGES)}
    found = opinion.about(BIRDS)
    assert len(found & birds) >= 0.9 * PAGES
    assert len(found - birds) <= 0.1 * PAGES


def test_tasks_never_show_a_crawl_what_the_judge_was_taught_with(world: World, opinion: SecondOpinion) -> None:
    tasks = draw_tasks(world, opinion, CHOICE, EXPERIMENT)
    assert [task.name for task in tasks] == [f"earlier:{BIRDS}#1", f"earlier:{BIRDS}#2"]
    for task in tasks:
        shown = {world.number[url] for url in (*task.examples, *task.others)}
        assert shown <= set(opinion.halves.crawl)
        assert (len(task.examples), len(task.others)) == (4, 6)
        assert set(opinion.halves.judge) & opinion.about(BIRDS) <= task.wanted


def test_with_few_examples_there_can_be_no_judge(world: World) -> None:
    few = Topics(topics=(Topic(path="Few", good=True, examples=(page("birds", 1),)), *topics().topics[1:]))
    with pytest.raises(LabError, match='world "earlier": 0 examples of "Few" are pages of the crawl, and 6 are needed'):
        second_opinion(world, few, leading={"logistic"}, seed=7)


def test_an_experiment_on_an_earlier_crawl(crawled: CrawlDirectory, tmp_path: Path) -> None:
    experiment = Experiment(
        base=str(crawled.path.parent),
        worlds=(CHOICE,),
        strategies=(StrategyChoice(name="breadth", kind="breadth", parameters={}, settings={}, tune={}),),
        examples=4,
        draws=1,
    )
    results = run_experiment(experiment, folder=tmp_path, processes=1, cache=crawled.path.parent / "cache")
    assert results.worlds[0].truth.startswith('a second critic of kind "svm"')
    [run] = results.runs
    assert run.topic == BIRDS
    assert (run.scores["n"]["harvest"] or 0) > 0
