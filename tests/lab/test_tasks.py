"""Tasks are drawn by names and numbers alone: what is an example, what is to be found, and who says so."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment, WorldChoice
from scenthound.lab.experiment.tasks import FEWEST_OTHERS, Drawing, Labels, draw_tasks
from scenthound.lab.experiment.topic_choice import choose_topics
from scenthound.lab.experiment.values import Role, Task
from scenthound.lab.world.world import World
from tests.lab.small_worlds import page, small_world
from tests.patience import PATIENCE

CHOICE = WorldChoice(name="small", warc=("small.warc.gz",), labels="small.labels.tsv", least_pages=8)
EXPERIMENT = Experiment(examples=3, negatives=5, draws=2)
SIZES = {"Arts": 90, "Arts/Music": 50, "Sport": 70, "Sport/Golf": 30, "Sport/Polo": 40}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with small_world(tmp_path_factory.mktemp("world"), pages=8) as opened:
        yield opened


def tasks(world: World, choice: WorldChoice = CHOICE, experiment: Experiment = EXPERIMENT) -> dict[str, Task]:
    drawn = draw_tasks(world, Labels(world=world, examples_from=choice.examples_from), choice, experiment)
    return {task.name: task for task in drawn}


def test_every_topic_is_drawn_for_several_times(world: World) -> None:
    assert list(tasks(world)) == [
        "small:Crafts#1",
        "small:Crafts#2",
        "small:Crafts/Pottery#1",
        "small:Crafts/Pottery#2",
        "small:Nature#1",
        "small:Nature#2",
        "small:Nature/Birds#1",
        "small:Nature/Birds#2",
        "small:Nature/Fish#1",
        "small:Nature/Fish#2",
    ]


def test_examples_are_about_the_topic_and_others_are_not(world: World) -> None:
    task = tasks(world)["small:Nature/Birds#1"]
    about = world.about("Nature/Birds")
    assert (len(task.examples), len(task.others)) == (3, 5)
    assert {world.number[url] for url in task.examples} <= about
    assert not {world.number[url] for url in task.others} & about
    assert all(world.labels[world.number[url]] for url in task.others)
    assert task.start == task.examples


def test_what_is_wanted_is_the_rest_of_the_topic(world: World) -> None:
    task = tasks(world)["small:Nature#2"]
    examples = {world.number[url] for url in task.examples}
    assert task.wanted == world.about("Nature") - examples
    assert len(task.wanted) == 13


def test_locked_pages_are_neither_drawn_nor_wanted(world: World) -> None:
    locked = WorldChoice(name="small", warc=("a",), locked=("birds.test/1.html", "fish.test"), least_pages=4)
    for task in tasks(world, locked).values():
        urls = {*task.examples, *task.others, *(world.urls[number] for number in task.wanted)}
        assert page("birds", 1) not in urls
        assert not any("fish.test" in url for url in urls)


def test_one_topic_more_changes_no_other_draw(world: World) -> None:
    every = tasks(world)
    one = tasks(world, WorldChoice(name="small", warc=("a",), topics=("Nature/Fish",)))
    assert one == {name: task for name, task in every.items() if task.topic == "Nature/Fish"}


def test_draws_differ_and_so_do_seeds(world: World) -> None:
    first, second = (tasks(world)[f"small:Nature#{draw}"] for draw in (1, 2))
    other = tasks(world, experiment=Experiment(examples=3, negatives=5, seed=8))["small:Nature#1"]
    assert len({frozenset(task.examples) for task in (first, second, other)}) == 3


def test_fewer_examples_are_the_first_of_many_and_leave_the_others_alone(world: World) -> None:
    truth = Labels(world=world)
    few, many = (
        Drawing(seed=7, examples=count, negatives=5).task(world, truth, "Nature", draw=1, role=Role.TEST)
        for count in (2, 6)
    )
    assert few.examples == many.examples[:2]
    assert few.others == many.others


DRAW = """
import json, sys
from pathlib import Path
from tests.lab.test_tasks import tasks
from tests.lab.small_worlds import small_world
with small_world(Path(sys.argv[1]), pages=8) as world:
    print(json.dumps([[name, task.examples, task.others, sorted(task.wanted)] for name, task in tasks(world).items()]))
"""


@pytest.mark.slow
def test_draws_are_the_same_in_every_process_whatever_its_hash_seed(world: World, tmp_path: Path) -> None:
    here = [[name, list(t.examples), list(t.others), sorted(t.wanted)] for name, t in tasks(world).items()]
    # The hash seed of this process is drawn by chance.
    environment = {"PYTHONHASHSEED": "1", "PATH": "", "LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", DRAW, str(tmp_path)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert json.loads(ran.stdout) == here


def test_examples_may_be_drawn_from_some_of_the_pages_only(world: World) -> None:
    choice = WorldChoice(name="small", warc=("a",), topics=("Nature",), examples_from="{topic}/Fish")
    for task in tasks(world, choice).values():
        assert all("fish.test" in url for url in task.examples)
        assert {world.hosts[number] for number in task.wanted} == {"birds.test", "fish.test"}


def test_too_few_pages_to_draw_examples_from_are_an_error(world: World) -> None:
    choice = WorldChoice(name="small", warc=("a",), topics=("Nature",), examples_from="{topic}/Foxes")
    with pytest.raises(
        LabError, match=r'world "small": examples_from .*: 0 pages about "Nature" are labelled "Nature/Foxes"'
    ):
        tasks(world, choice)


# -- what is not wanted, as topics of a tree


def tree(world: World, topic: str, *, topics: int = 9, locked: frozenset[int] = frozenset(), examples: int = 4) -> Task:
    drawing = Drawing(seed=7, examples=examples, negatives=5, other_topics=topics, locked=locked)
    return drawing.task(world, Labels(world=world), topic, draw=1, role=Role.TEST)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with small_world(tmp_path_factory.mktemp("large"), pages=FEWEST_OTHERS) as opened:
        yield opened


def test_other_topics_are_those_neither_above_nor_below_with_examples_of_their_own(large: World) -> None:
    task = tree(large, "Nature/Birds")
    assert [(other.path, len(other.examples)) for other in task.other_topics] == [
        ("Crafts/Pottery", 4),
        ("Nature/Fish", 4),
    ]
    assert task.others == ()
    for other in task.other_topics:
        assert {large.number[url] for url in other.examples} <= large.about(other.path) - large.about("Nature/Birds")
    assert [other.path for other in tree(large, "Nature").other_topics] == ["Crafts/Pottery"]


def test_the_most_frequent_topics_are_taken_and_small_ones_never(large: World) -> None:
    a_pot = frozenset({large.number[page("pots", 0)]})
    assert [other.path for other in tree(large, "Nature/Birds", topics=1).other_topics] == ["Crafts/Pottery"]
    assert [other.path for other in tree(large, "Nature/Birds", locked=a_pot).other_topics] == ["Nature/Fish"]


def test_a_page_of_two_topics_stands_for_one_and_never_for_the_wanted(large: World) -> None:
    class Mixed(Labels):
        """Every fish is a pot too, and fish number 0 is a bird."""

        def about(self, topic: str) -> frozenset[int]:
            also = {self.world.number[page("fish", 0)]} if topic == "Nature/Birds" else set()
            return self.world.about(topic) | also

        def labels(self, number: int) -> tuple[str, ...]:
            given = self.world.labels[number]
            return (*given, "Crafts/Pottery") if "Nature/Fish" in given else given

    drawing = Drawing(seed=7, examples=14, negatives=5, other_topics=2)
    task = drawing.task(large, Mixed(world=large), "Nature/Birds", draw=1, role=Role.TEST)
    assert [other.path for other in task.other_topics] == ["Crafts/Pottery"]  # of 14 fish left, too few
    assert page("fish", 0) not in task.unwanted
    assert len(task.unwanted) == len(set(task.unwanted))


def test_other_topics_that_are_not_there_are_an_error(world: World) -> None:
    with pytest.raises(LabError, match=r'other_topics = 9: no topic beside "Nature/Birds" has 15 pages; leave it out'):
        tree(world, "Nature/Birds")


def test_an_experiment_says_how_many_other_topics_there_are(large: World) -> None:
    trial = Experiment(examples=3, negatives=5, draws=1, other_topics=1)
    assert {len(task.other_topics) for task in tasks(large, experiment=trial).values() if task.topic == "Nature"} == {1}
    assert {task.other_topics for task in tasks(large).values()} == {()}


# -- which topics


def roles(**keys: object) -> dict[str, str]:
    choice = WorldChoice(name="w", demo=7, **keys)  # type: ignore[arg-type]
    return {topic: role.value for topic, role in choose_topics(SIZES, choice, examples=10).items()}


def test_all_large_topics_are_test_topics_unless_somebody_says_otherwise() -> None:
    assert roles() == dict.fromkeys(("Arts", "Arts/Music", "Sport", "Sport/Polo"), "test")
    assert list(roles(least_pages=60)) == ["Arts", "Sport"]


def test_leaves_have_no_topic_below_them() -> None:
    assert list(roles(levels="leaves")) == ["Arts/Music", "Sport/Polo"]


def test_topics_that_are_named_need_only_be_large_enough_for_their_examples() -> None:
    assert list(roles(topics=("Sport/*",))) == ["Sport/Golf", "Sport/Polo"]


def test_development_and_test_topics() -> None:
    assert roles(development=("Arts*",)) == {
        "Arts": "development",
        "Arts/Music": "development",
        "Sport": "test",
        "Sport/Polo": "test",
    }
    assert roles(test=("Arts",))["Sport"] == "development"
    assert roles(test=("Arts",), development=("Sport",)) == {"Arts": "test", "Sport": "development"}


def test_at_most_so_many_topics_of_a_role_spread_evenly() -> None:
    sizes = {f"T{number}": 50 for number in range(9)}
    choice = WorldChoice(name="w", demo=7, development=("T[0-3]",))
    chosen = choose_topics(sizes, choice, examples=10, most=2)
    assert {topic: role.value for topic, role in chosen.items()} == {
        "T0": "development",
        "T2": "development",
        "T4": "test",
        "T6": "test",
    }


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"topics": ("Sprot",)}, 'no topic is called "Sprot"; did you mean "Sport"?'),
        ({"development": ("Xyz*",)}, "`scenthound lab world` lists the topics"),
        ({"test": ("Arts",), "development": ("A*",)}, 'topic "Arts" is both for development and for test'),
        ({"least_pages": 100}, "no topic is left to look for; the largest of those chosen have 90 pages"),
        ({"topics": ("Sport/Golf",), "least_pages": 31}, 'topic "Sport/Golf" has 30 pages'),
    ],
)
def test_topics_that_cannot_be_looked_for(keys: dict[str, object], words: str) -> None:
    with pytest.raises(LabError) as caught:
        roles(**keys)
    assert words in str(caught.value)
