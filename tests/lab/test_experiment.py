"""An experiment file is read as it is meant, and every mistake in one is answered in one line that says what to do."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment, WorldChoice, budget_size, quick
from scenthound.lab.experiment.experiment_file import checked, load_experiment
from scenthound.lab.experiment.experiment_help import experiment_page
from scenthound.lab.experiment.values import Outside, StrategyChoice
from scenthound.lab.runs.results_file import told
from scenthound.lab.runs.run import Conditions

WORLD = """
[[world]]
name = "demo"
demo = 7
"""
STRATEGY = """
[[strategy]]
name = "best-first"
"""
SMALL = WORLD + STRATEGY

WHOLE = """
title = "Does tunnelling help?"
about = "A trial."
seed = 3
draws = 2
budgets = ["n", "2n", 500]
examples = 5
negatives = 40
outside = "wasted"
host_caps = [0, 10]
baseline = "breadth"
topics = "all"
settings = { "critic.kind" = "bayes" }

[[world]]
name = "schools"
warc = ["webs/schools.warc.gz"]
labels = "webs/schools.labels.tsv"
locked = ["*/wp/index/*"]
topics = ["Science*"]
development = ["Science/Physics*"]
levels = "leaves"

[[strategy]]
name = "breadth"

[[strategy]]
name = "no tunnel"
kind = "best-first"
crawl.tunnel = 0
tune = { "crawl.accept" = [0.3, 0.5] }
"""


def load(folder: Path, text: str, *overrides: str) -> Experiment:
    file = folder / "trial.toml"
    file.write_text(text, encoding="utf-8")
    return load_experiment(file, overrides=overrides)


def test_a_whole_file(tmp_path: Path) -> None:
    experiment = load(tmp_path, WHOLE)
    assert (experiment.seed, experiment.draws, experiment.budgets) == (3, 2, ("n", "2n", 500))
    assert (experiment.outside, experiment.host_caps, experiment.baseline) == (Outside.WASTED, (0, 10), "breadth")
    assert experiment.settings == {"critic.kind": "bayes"}
    [world] = experiment.worlds
    assert experiment.place(world.warc[0]) == tmp_path / "webs" / "schools.warc.gz"
    assert experiment.strategies[1] == StrategyChoice(
        name="no tunnel",
        kind="best-first",
        parameters={},
        settings={"crawl.tunnel": 0},
        tune={"crawl.accept": (0.3, 0.5)},
    )


def test_a_crawl_and_an_experiment_agree_on_what_lies_outside() -> None:
    assert Conditions(fetches=1).outside is Experiment().outside is Outside.WASTED


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    experiment = load(tmp_path, SMALL)
    assert (experiment.seed, experiment.draws, experiment.budgets, experiment.examples) == (7, 3, ("n",), 10)
    assert (experiment.negatives, experiment.outside, experiment.topics) == (150, Outside.WASTED, "test")


@pytest.mark.parametrize(
    ("names", "baseline"), [(("breadth", "best-first"), "best-first"), (("shark", "breadth"), "shark")]
)
def test_the_baseline_is_best_first_or_else_the_first(tmp_path: Path, names: tuple[str, ...], baseline: str) -> None:
    strategies = "".join(f'[[strategy]]\nname = "{name}"\n' for name in names)
    assert load(tmp_path, WORLD + strategies).baseline == baseline


def test_settings_may_be_written_as_dotted_keys_or_as_tables(tmp_path: Path) -> None:
    dotted = load(tmp_path, 'settings = { "critic.kind" = "svm", "crawl.tunnel" = 1 }' + SMALL)
    tables = load(tmp_path, "settings = { critic = { kind = 'svm' }, crawl = { tunnel = 1 } }" + SMALL)
    assert dotted.settings == tables.settings == {"critic.kind": "svm", "crawl.tunnel": 1}


def test_single_keys_are_replaced_from_the_command_line(tmp_path: Path) -> None:
    overrides = ("draws=1", "critic.kind=bayes", 'budgets=["2n"]', "title=Two words", "topics=all")
    experiment = load(tmp_path, SMALL, *overrides)
    assert (experiment.draws, experiment.budgets, experiment.title) == (1, ("2n",), "Two words")
    assert (experiment.settings, experiment.topics) == ({"critic.kind": "bayes"}, "all")


def test_a_class_of_ones_own_is_looked_for_beside_the_file(tmp_path: Path) -> None:
    experiment = load(tmp_path, SMALL + '[[strategy]]\nname = "mine"\nkind = "own/strategy.py:Mine"\ngamma = 0.5\n')
    mine = experiment.strategies[1]
    assert (mine.kind, mine.parameters) == ("own/strategy.py:Mine", {"gamma": 0.5})
    assert Path(mine.source) == tmp_path / "own" / "strategy.py"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sed = 3" + SMALL, "sed does not exist; did you mean seed?"),
        ('seed = "a"' + SMALL, 'seed = "a" cannot be used: it takes a whole number'),
        ("draws = 0" + SMALL, "draws = 0 cannot be used: it takes a whole number, 1 or more"),
        ('budgets = ["m"]' + SMALL, 'budgets: "m" is neither a number of fetches nor a multiple of n'),
        ("budgets = [0]" + SMALL, 'budgets: "0" would fetch nothing'),
        ("budgets = []" + SMALL, "budgets is empty"),
        ('budgets = ["n", "n"]' + SMALL, 'budgets "n" stands here twice'),
        ("host_caps = [-1]" + SMALL, "host_caps = [-1] cannot be used"),
        ("other_topics = -1" + SMALL, "other_topics = -1 cannot be used: it takes a whole number, 0 or more"),
        (
            WORLD + "most_fetches = -1" + STRATEGY,
            "most_fetches = -1 cannot be used: it takes a whole number, 0 or more",
        ),
        ('outside = "gone"' + SMALL, 'outside = "gone" cannot be used: it takes "wasted" or "invisible"'),
        (
            'baseline = "best-frist"' + SMALL,
            'baseline = "best-frist" is none of the strategies; did you mean best-first?',
        ),
        (
            'settings = { "critic.knd" = "svm" }' + SMALL,
            "settings: critic.knd does not exist; did you mean critic.kind?",
        ),
        ('settings = { "crawl.pages" = 9 }' + SMALL, "crawl.pages is ruled by the experiment; use budgets"),
        ('settings = "svm"' + SMALL, "settings are a table"),
        (STRATEGY, "there is no world to crawl"),
        (WORLD, "there is no strategy"),
        (WORLD + SMALL, 'world "demo" stands here twice'),
        (SMALL + STRATEGY, 'strategy "best-first" stands here twice'),
        (SMALL + "crawl.tunnel = -1", 'strategy "best-first": crawl.tunnel = -1 cannot be used'),
        (SMALL + "tune = { gamma = 3 }", 'strategy "best-first": tune = { "gamma" = 3 } cannot be used'),
        (SMALL + "tune = { gamma = [] }", 'strategy "best-first": tune: gamma has no values to try'),
        (SMALL + '[[strategy]]\nkind = "shark"', "strategy 2: it has no name"),
        ("world = 3" + STRATEGY, "world: each begins with a line [[world]]"),
        (WORLD + 'wrac = ["a"]' + STRATEGY, 'world "demo": wrac does not exist; did you mean warc?'),
        (WORLD + 'warc = ["a.warc"]' + STRATEGY, 'world "demo": give one of warc, crawl and demo, not warc and demo'),
        ('[[world]]\nname = "w"' + STRATEGY, 'world "w": give one of warc, crawl and demo, not none'),
        ('[[world]]\nname = "w"\nwarc = ["a"]' + STRATEGY, "WARC files say nothing about topics; give labels"),
        (WORLD + 'labels = "l.tsv"' + STRATEGY, "the demo web brings its own labels"),
        (WORLD + 'test = ["A"]\ndevelopment = ["A"]' + STRATEGY, '"A" is both in development and in test'),
        ("seed = ", "line 1 is not TOML"),
    ],
)
def test_a_mistake_is_said_in_one_line_with_file_and_key(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(LabError) as caught:
        load(tmp_path, text)
    assert words in str(caught.value)
    assert str(caught.value).startswith("trial.toml: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "words"),
    [("draws", "write it as key=value"), ("drws=1", "did you mean draws?"), ("world=3", "write it into the file")],
)
def test_a_mistyped_override_is_refused(tmp_path: Path, override: str, words: str) -> None:
    with pytest.raises(LabError, match=words.replace("?", r"\?")):
        load(tmp_path, SMALL, override)


def test_the_same_checks_hold_for_an_experiment_made_in_python() -> None:
    world = WorldChoice(name="demo", demo=7)
    with pytest.raises(LabError, match="there is no strategy"):
        checked(Experiment(worlds=(world,)))


def test_a_quick_look_is_the_same_experiment_made_small(tmp_path: Path) -> None:
    small = quick(load(tmp_path, WHOLE))
    assert (small.draws, small.most_topics, small.budgets, small.host_caps) == (1, 4, ("n",), (0,))


def test_results_tell_the_experiment_without_the_folders_of_this_machine(tmp_path: Path) -> None:
    text = WHOLE.replace("webs/schools.warc.gz", f"{tmp_path}/schools.warc.gz")
    assert str(tmp_path) not in str(told(load(tmp_path, text)))
    assert told(load(tmp_path, text))["world"][0]["warc"] == ["schools.warc.gz"]


@given(times=st.decimals(min_value="0.01", max_value=20, places=2), wanted=st.integers(1, 5000))
def test_a_multiple_of_n_is_rounded_up_to_whole_fetches(times: object, wanted: int) -> None:
    size = budget_size(f"{times}n", wanted)
    assert size - 1 < float(str(times)) * wanted <= size + 1e-9
    assert size >= 1


def test_no_budget_is_larger_than_its_world_allows(tmp_path: Path) -> None:
    (world,) = load(tmp_path, WORLD + "most_fetches = 400" + STRATEGY).worlds
    assert world.most_fetches == 400
    sizes = [budget_size(budget, 300, most=world.most_fetches) for budget in ("0.5n", "n", "2n", 500)]
    assert sizes == [150, 300, 400, 400]
    assert budget_size("2n", 300, most=WorldChoice(name="w", demo=7).most_fetches) == 600


def test_every_key_is_documented_with_words() -> None:
    page = "\n".join(experiment_page())
    for kind in (Experiment, WorldChoice):
        for name in kind.__struct_fields__:
            assert name in ("worlds", "strategies") or f"| `{name}` | " in page
    assert "|  |\n" not in page
