"""Some topics of one labelled web, for a bench that takes hours: `python -m bench.NAME WEB --first 1 --every 4`."""

import argparse
from collections.abc import Callable, Sequence

from bench.figures import Report
from bench.labelled import LabelledWeb, labelled_web
from bench.serving import missing

Topics = Callable[[str, LabelledWeb], list[str]]
Measure = Callable[[str, LabelledWeb, list[str]], Report]


def run_part(
    name: str, about: str, *, webs: Sequence[str], topics: Topics, measure: Measure, arguments: Sequence[str] | None
) -> int:
    """Measure the topics that the arguments ask for, and print the figures and tables; nothing is kept."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.{name}", description=about.splitlines()[0])
    parser.add_argument("web", choices=webs)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first topic, from 0 on")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every so many topics")
    asked = parser.parse_args(arguments)
    web = labelled_web(asked.web)
    if web is None:
        print(missing(f"{asked.web}.warc.gz, with its labels,"))
        return 2
    chosen = topics(asked.web, web)[asked.first :: asked.every]
    if not chosen:
        parser.error(f"{asked.web} has no topic number {asked.first}")
    found = measure(asked.web, web, chosen)
    print(*(f"{figure.name}: {figure.value:.2f}" for figure in found.figures), *found.text, sep="\n")
    return 0
