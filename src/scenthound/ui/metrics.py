"""Numbers of all crawls for Prometheus, in its text format, version 0.0.4."""

from collections.abc import Iterator
from typing import Final

from scenthound.errors import ScenthoundError
from scenthound.types import Census
from scenthound.ui.actions import census_of
from scenthound.ui.window import Window

TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_GAUGES: Final = {
    "pages": "Pages fetched.",
    "waiting": "URLs that wait in the frontier.",
    "claimed": "URLs being fetched now.",
    "known": "URLs known in all.",
    "judged": "Pages judged.",
    "relevance_sum": "Sum of the relevance of all judged pages; by judged it is the harvest rate.",
    "hosts": "Hosts known.",
    "hosts_resting": "Hosts that must rest before they are asked again.",
    "hosts_bad": "Hosts given up.",
}


def metrics_text(window: Window) -> str:
    """Return everything as text."""
    return "\n".join(_lines(window)) + "\n"


def _lines(window: Window) -> Iterator[str]:
    found = dict(_censuses(window))
    for name, text in _GAUGES.items():
        yield from _head(name, text)
        for crawl, (census, _) in found.items():
            yield f'scenthound_{name}{{crawl="{_escaped(crawl)}"}} {getattr(census, name):.10g}'
    yield from _head("running", "1 while a process crawls.")
    for crawl, (_, running) in found.items():
        yield f'scenthound_running{{crawl="{_escaped(crawl)}"}} {int(running)}'
    yield from _head("without_page", "URLs without a page, by reason.")
    for crawl, (census, _) in found.items():
        for reason, number in sorted(census.reasons.items()):
            yield f'scenthound_without_page{{crawl="{_escaped(crawl)}",reason="{reason}"}} {number}'


def _censuses(window: Window) -> Iterator[tuple[str, tuple[Census, bool]]]:
    for name in window.crawls.names():
        directory = window.open(name)
        try:
            yield name, (census_of(directory), directory.is_running())
        except ScenthoundError:  # damaged: the list of crawls says so
            continue


def _head(name: str, text: str) -> Iterator[str]:
    yield f"# HELP scenthound_{name} {text}"
    yield f"# TYPE scenthound_{name} gauge"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
