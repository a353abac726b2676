from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import LabError
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.strategies.best_n_first import BestNFirst
from scenthound.lab.strategies.kinds import Kind, catalogue, kind_of
from scenthound.settings.file import settings_from
from scenthound.settings.schema import Settings
from tests.lab.strategies.small_pages import briefing, seen


def choice(kind: str, parameters: Mapping[str, Any] | None = None, **rest: Any) -> StrategyChoice:
    return StrategyChoice(name="mine", kind=kind, parameters=parameters or {}, tune={}, **{"settings": {}, **rest})


def refusal(chosen: StrategyChoice) -> str:
    with pytest.raises(LabError) as told:
        kind_of(chosen)
    assert "\n" not in str(told.value)
    return str(told.value)


# -- what there is


def test_all_strategies_that_the_lab_promises_are_there() -> None:
    orders = ["breadth", "depth", "random", "best-first", "best-first-max"]
    classes = ["in-degree", "pagerank", "best-n-first", "shark", "context-graph", "ache"]
    apprentices = ["apprentice", "apprentice-bayes"]
    assert [kind.name for kind in catalogue()] == [*apprentices, *orders, *classes, "recall", "oracle", "greedy-oracle"]


@pytest.mark.parametrize("kind", catalogue(), ids=lambda kind: kind.name)
def test_every_kind_tells_about_itself(kind: Kind) -> None:
    assert len(kind.summary) > 20
    assert kind.summary[-1] in ".?"
    for parameter in kind.parameters:
        assert parameter.help.endswith("."), parameter.name
        assert parameter.accepts(parameter.default)
        assert not parameter.required
        assert parameter.takes != "a value"


@pytest.mark.parametrize("kind", catalogue(), ids=lambda kind: kind.name)
def test_settings_of_kinds_are_settings_of_the_crawl(kind: Kind) -> None:
    settings = kind.settings_for(choice(kind.name))
    table: dict[str, dict[str, Any]] = {}
    for key, value in settings.items():
        section, name = key.split(".")
        table.setdefault(section, {})[name] = value
    assert isinstance(settings_from(dict(table), where="test"), Settings)


# -- orders of the crawl


def test_a_parameter_of_an_order_is_a_setting() -> None:
    chosen = choice("best-first", {"tunnel": 0, "focus": "hard"}, settings={"crawl.tunnel_decay": 0.25})
    assert kind_of(chosen).settings_for(chosen) == {
        "crawl.order": "best-first",
        "crawl.focus": "hard",
        "crawl.tunnel": 0,
        "crawl.tunnel_decay": 0.25,
    }
    assert kind_of(chosen).make is None


def test_orders_that_read_no_page_have_no_focus() -> None:
    for name in ("breadth", "depth", "random"):
        assert kind_of(choice(name)).settings_for(choice(name)) == {"crawl.order": name, "crawl.focus": "none"}


# -- classes


def test_a_class_gets_its_parameters_and_defaults() -> None:
    chosen = choice("best-n-first", {"n": 1})
    kind = kind_of(chosen)
    assert kind.parameters_for(chosen) == {"n": 1}
    assert kind.parameters_for(choice("best-n-first")) == {"n": 256}
    assert kind.make is not None
    strategy = kind.make(briefing(), kind.parameters_for(chosen))
    assert isinstance(strategy, BestNFirst)
    assert strategy.see(seen("a", ["x", "y"], relevance=0.5)) == {"x": 2.0, "y": 0.5}


def test_a_whole_number_will_do_for_a_number() -> None:
    chosen = choice("shark", {"gamma": 1})
    value = kind_of(chosen).parameters_for(chosen)["gamma"]
    assert (value, type(value)) == (1.0, float)


def test_what_kinds_want_and_know() -> None:
    assert {kind.name for kind in catalogue() if kind.wants_text} == {"shark", "ache"}
    assert {kind.name for kind in catalogue() if kind.knows_truth} == {"oracle", "greedy-oracle"}


# -- what is refused


def test_an_unknown_kind_names_the_nearest() -> None:
    told = refusal(choice("sharkk"))
    assert told.startswith('strategy "mine": there is no kind "sharkk"; did you mean "shark"?')
    assert "FILE.py:CLASS" in told


@pytest.mark.parametrize(
    ("kind", "parameters", "said"),
    [
        ("shark", {"gama": 0.5}, '"gama" is no parameter of shark; did you mean "gamma"?'),
        ("oracle", {"gamma": 0.5}, '"gamma" is no parameter of oracle, which takes none'),
        ("shark", {"gamma": 1.5}, "gamma = 1.5 cannot be; it takes a number from 0 to 1"),
        ("shark", {"gamma": float("nan")}, "gamma = nan cannot be; it takes a number from 0 to 1"),
        ("shark", {"gamma": "much"}, "gamma = 'much' cannot be; it takes a number from 0 to 1"),
        ("best-n-first", {"n": 0}, "n = 0 cannot be; it takes a whole number of at least 1"),
        ("best-n-first", {"n": 2.5}, "n = 2.5 cannot be; it takes a whole number of at least 1"),
        ("best-n-first", {"n": True}, "n = True cannot be; it takes a whole number of at least 1"),
        ("best-first", {"focus": "sharp"}, 'focus = \'sharp\' cannot be; it takes "soft" or "hard" or "none"'),
        ("recall", {"of": 3}, "of = 3 cannot be; it takes a text"),
    ],
)
def test_a_wrong_parameter_is_told_in_one_line(kind: str, parameters: dict[str, Any], said: str) -> None:
    assert refusal(choice(kind, parameters)) == f'strategy "mine": {said}'


# -- the recall crawler


def test_the_recall_crawler_is_another_kind_behind_a_fence() -> None:
    chosen = choice("recall", {"of": "breadth", "by": "shark", "gamma": 0.25})
    kind, shark = kind_of(chosen), kind_of(choice("shark"))
    assert kind.name == "recall"
    assert kind.parameters_for(chosen) == {
        **shark.parameters_for(choice("shark")),
        "of": "breadth",
        "by": "shark",
        "gamma": 0.25,
    }
    assert (kind.wants_text, kind.settings) == (True, shark.settings)
    assert kind.make is not None
    kind.make(briefing(), kind.parameters_for(chosen))


def test_the_recall_crawler_is_best_first_by_default() -> None:
    chosen = choice("recall", {"of": "breadth", "tunnel": 0})
    assert kind_of(chosen).settings_for(chosen)["crawl.tunnel"] == 0
    assert kind_of(chosen).make is None


def test_a_recall_crawler_by_itself_is_refused() -> None:
    assert 'by = "recall" cannot be' in refusal(choice("recall", {"of": "breadth", "by": "recall"}))


# -- one of the user's own

OWN = '''
from dataclasses import dataclass

@dataclass(frozen=True)
class Note:
    url: str

class Alphabet:
    """Addresses in the order of the alphabet.

    For people who like order.
    """

    wants_text = True

    def __init__(self, briefing, *, backwards=False, weight=1.0):
        self.sign = 1 if backwards else -1
        self.weight = weight

    def see(self, page):
        return {link.url: self.weight * self.sign * ord(link.url[0]) for link in page.links}

class Needy:
    def __init__(self, briefing, letter):
        self.letter = letter

    def see(self, page):
        return {}

class Blind:
    def __init__(self, briefing):
        pass

class Empty:
    def see(self, page):
        return {}
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def test_a_class_in_a_file_is_a_kind(file: Path) -> None:
    chosen = choice(f"{file}:Alphabet", {"backwards": True})
    kind = kind_of(chosen)
    assert (kind.name, kind.summary) == ("own.py:Alphabet", "Addresses in the order of the alphabet.")
    assert (kind.wants_text, kind.knows_truth) == (True, False)
    assert kind.parameters_for(chosen) == {"backwards": True, "weight": 1.0}
    assert kind.make is not None
    assert kind.make(briefing(), kind.parameters_for(chosen)).see(seen("a", ["b", "c"])) == {"b": 98.0, "c": 99.0}


def test_the_file_may_lie_elsewhere_than_its_name_says(file: Path) -> None:
    for given in ("own.py:Alphabet", "Alphabet"):
        assert kind_of(choice(given, source=str(file))).name == "own.py:Alphabet"


def test_an_edited_file_is_read_again(file: Path) -> None:
    chosen = choice(f"{file}:Alphabet")
    kind_of(chosen)
    file.write_text(OWN.replace("wants_text = True", "knows_truth = True"))
    assert (kind_of(chosen).wants_text, kind_of(chosen).knows_truth) == (False, True)


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("Alphabet", {"wight": 2.0}, '"wight" is no parameter of own.py:Alphabet; did you mean "weight"?'),
        ("Alphabet", {"weight": "much"}, "weight = 'much' cannot be; it takes a number"),
        ("Alphabet", {"backwards": 1}, "backwards = 1 cannot be; it takes true or false"),
        ("Needy", {}, "the parameter letter has no default; give it a value"),
        ("Alfabet", {}, 'own.py has no class "Alfabet"; it has Alphabet, Blind, Empty, Needy, Note'),
        ("Blind", {}, "own.py has no method see(self, page), which returns the priorities of URLs"),
        ("Empty", {}, "own.py cannot be made: its constructor must take the briefing, as __init__(self, briefing)"),
    ],
)
def test_what_is_wrong_with_a_class_is_told_in_one_line(
    file: Path, name: str, parameters: dict[str, Any], said: str
) -> None:
    assert refusal(choice(f"{file}:{name}", parameters)).endswith(said)


def test_a_required_parameter_takes_what_it_is_given(file: Path) -> None:
    chosen = choice(f"{file}:Needy", {"letter": "x"})
    assert kind_of(chosen).parameters_for(chosen) == {"letter": "x"}


def test_what_is_wrong_with_a_file_is_told_in_one_line(file: Path, tmp_path: Path) -> None:
    assert "there is no such file" in refusal(choice(f"{tmp_path}/none.py:Alphabet"))
    file.write_text("class Alphabet\n")
    assert "cannot be loaded: SyntaxError: expected ':'" in refusal(choice(f"{file}:Alphabet"))
    file.write_text("import no_such_module_anywhere\n")
    told = refusal(replace(choice("Alphabet"), source=str(file)))
    assert "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module_anywhere'" in told
