"""A kind of strategy: its name, its parameters, its settings of the crawl, and how to make one.

Some kinds are orders of the crawl and consist of settings only; the others are classes with `see`. Parameters are
checked here, so that an experiment with a mistake fails before anything is crawled.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from typing import Any

from scenthound.errors import LabError
from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.strategies.strategy import Briefing, Strategy

Make = Callable[[Briefing, Mapping[str, Any]], Strategy]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a strategy. `setting` is its key of crawl.toml, if it is a setting.

    The type of its default decides which values it takes; one without a default (`required`) takes anything.
    """

    name: str
    default: Any = None
    help: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    setting: str = ""
    required: bool = False

    @property
    def takes(self) -> str:
        """Say which values it takes.

        >>> gamma = Parameter(name="gamma", default=0.5, least=0, most=1)
        >>> gamma.takes, Parameter(name="every", default=25, least=1).takes
        ('a number from 0 to 1', 'a whole number of at least 1')
        """
        if self.choices:
            return " or ".join(f'"{choice}"' for choice in self.choices)
        kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        return f"{kinds.get(type(self.default), 'a value')}{self._range()}"

    def _range(self) -> str:
        if self.least is not None and self.most is not None:
            return f" from {self.least:g} to {self.most:g}"
        if self.least is not None:
            return f" of at least {self.least:g}"
        return f" of at most {self.most:g}" if self.most is not None else ""

    def accepts(self, value: Any) -> bool:
        """Tell whether it can have a value."""
        if self.choices:
            return value in self.choices
        wanted = type(self.default)
        if wanted is float or wanted is int:
            return _is_number(value, whole=wanted is int) and self._holds(value)
        return wanted not in (bool, str) or type(value) is wanted

    def _holds(self, value: float) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def _is_number(value: Any, *, whole: bool) -> bool:
    """Tell whether a value is a number: in Python, true is a whole number too."""
    kinds = int if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and isfinite(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of strategy. `make` and `made_by`, the class of its result, are None for one that consists of settings.

    `wants_text` asks for the text of pages, `knows_truth` for the truth about them: a reference and no rival.
    """

    name: str
    summary: str
    reference: str = ""
    parameters: tuple[Parameter, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    make: Make | None = None
    made_by: type | None = None
    wants_text: bool = False
    knows_truth: bool = False

    def parameters_for(self, choice: StrategyChoice) -> dict[str, Any]:
        """Return the value of every parameter, from the choice or by default; raise an error for a wrong one."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in choice.parameters:
            if name not in known:
                raise LabError(f'strategy "{choice.name}": {self._unknown(name, known)}')
        return {name: _value(parameter, choice) for name, parameter in known.items()}

    def settings_for(self, choice: StrategyChoice) -> dict[str, Any]:
        """Return the settings for the crawl: those of the kind, of its parameters, and of the choice, in this order."""
        values = self.parameters_for(choice)
        own = {parameter.setting: values[parameter.name] for parameter in self.parameters if parameter.setting}
        return {**self.settings, **own, **choice.settings}

    def _unknown(self, name: str, known: Mapping[str, Parameter]) -> str:
        if not known:
            return f'"{name}" is no parameter of {self.name}, which takes none'
        return f'"{name}" is no parameter of {self.name}; did you mean "{nearest(name, known)}"?'


def _value(parameter: Parameter, choice: StrategyChoice) -> Any:
    if parameter.name not in choice.parameters:
        if parameter.required:
            raise LabError(f'strategy "{choice.name}": the parameter {parameter.name} has no default; give it a value')
        return parameter.default
    value = choice.parameters[parameter.name]
    if not parameter.accepts(value):
        raise LabError(f'strategy "{choice.name}": {parameter.name} = {value!r} cannot be; it takes {parameter.takes}')
    return float(value) if isinstance(parameter.default, float) else value


def nearest(name: str, names: Mapping[str, Any]) -> str:
    """Return the name that is most like another.

    >>> nearest("gama", {"delta": 1, "gamma": 2})
    'gamma'
    """
    folded = {known.casefold(): known for known in names}
    return folded[get_close_matches(name.casefold(), folded, n=1, cutoff=0.0)[0]]
