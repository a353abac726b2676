"""The reference page about the strategies of the lab, made from their own descriptions."""

from collections.abc import Iterator

from scenthound.lab.strategies.kinds import Kind, catalogue
from scenthound.settings.help import toml_value


def strategies_page() -> Iterator[str]:
    """Write the page of the reference, line by line."""
    yield from ("# Strategies of the lab", "<!-- Made by `make docs` from the code; change it there. -->", "")
    yield (
        "What `kind` in `[[strategy]]` of an [experiment file](experiment-file.md) may be. Parameters stand beside it "
        "as keys, and "
        "settings of the crawl too, by their dotted names. A class of your own is `FILE.py:CLASS`; "
        "[how to compare strategies](../how-to/compare-strategies.md) shows one."
    )
    for kind in catalogue():
        yield from ("", f"## {kind.name}", "", _about(kind))
        if kind.parameters:
            yield from ("", "| parameter | takes | default | what it does |", "|---|---|---|---|")
            for one in kind.parameters:
                yield f"| `{one.name}` | {one.takes} | `{toml_value(one.default)}` | {one.help} |"


def _about(kind: Kind) -> str:
    truth = " It knows the truth: others are measured by it, and none competes with it." if kind.knows_truth else ""
    reference = f" Reference: {kind.reference}." if kind.reference else ""
    return f"{kind.summary}{truth}{reference}"
