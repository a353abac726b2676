"""From a class with `see` to a kind of strategy: parameters and help come from its constructor and docstring."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from scenthound.lab.strategies.kind import Kind, Parameter
from scenthound.lab.strategies.strategy import Briefing, Strategy

# What a class says of a URL replaces the priority that the order gives it, and there is no focus besides. Breadth-first
# underneath, because its numbers are negative: a page that cites a URL once more must not raise it above what was said.
GUIDED: Final = {"crawl.order": "breadth", "crawl.focus": "none"}


def class_kind(name: str, made_by: type, *, reference: str = "", told: Mapping[str, Parameter] | None = None) -> Kind:
    """Return the kind of a class. `told` adds help and bounds; names and defaults are the constructor's."""

    def make(briefing: Briefing, values: Mapping[str, Any]) -> Strategy:
        strategy: Strategy = made_by(briefing, **values)
        return strategy

    return Kind(
        name=name,
        summary=inspect.cleandoc(made_by.__doc__ or "").partition("\n")[0],
        reference=reference,
        parameters=tuple(_complete_parameters(parameter, told or {}) for parameter in parameters_of(made_by)),
        settings=GUIDED,
        make=make,
        made_by=made_by,
        wants_text=bool(getattr(made_by, "wants_text", False)),
        knows_truth=bool(getattr(made_by, "knows_truth", False)),
    )


def parameters_of(made_by: type) -> Iterator[Parameter]:
    """Yield what a constructor takes besides the briefing."""
    taken = list(inspect.signature(made_by).parameters.values())
    for one in taken[1:]:
        if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD):
            required = one.default is one.empty
            yield Parameter(name=one.name, default=None if required else one.default, required=required)


def _complete_parameters(parameter: Parameter, told: Mapping[str, Parameter]) -> Parameter:
    if parameter.name not in told:
        return parameter
    return replace(told[parameter.name], default=parameter.default, required=parameter.required)
