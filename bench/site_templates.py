"""What leaving out repeated text is worth where topics compete: `python -m bench.site_templates [WEB] [--known N]`.

Every leaf topic of a labelled web has ten examples, and one critic learns all of them. It judges other pages of each
site twice: as they are, which is what ships, and without what their sites repeat, learnt from the examples and a few
known pages of each site. Printed is the area under the curve of pages on and off a topic: across all hosts, and within
hosts that have both, where no template helps to tell them apart. Means are over topics.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from bench.labelled import LabelledWeb, labelled_web
from bench.one_topic import FEWEST, NO_TOPICS
from bench.serving import missing
from scenthound.judge.adaptation.templates import NO_TEMPLATES, Templates, learn_templates
from scenthound.judge.critic import Critic, Example, Lessons, Page
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.taxonomy import Topic, Topics

EXAMPLES, KNOWN, TESTED = 10, 10, 12  # pages of a topic, and of a site
BOTH = 3  # pages on and off a topic that a host must have to count
SEED = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The pages of a web by their numbers: examples of each topic, known pages without labels, and pages to judge."""

    examples: Mapping[str, tuple[int, ...]]
    known: tuple[int, ...]
    tested: tuple[int, ...]


def split(web: LabelledWeb, *, known: int) -> Split:
    """Draw examples of each leaf topic that is large enough, then other pages of each site."""
    chance = random.Random(SEED)
    topics = [path for path in web.holders if path not in NO_TOPICS and len(web.holders[path]) >= FEWEST]
    examples = {path: tuple(chance.sample(web.holders[path], EXAMPLES)) for path in topics}
    taken = {number for numbers in examples.values() for number in numbers}
    by_site: defaultdict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(web.pages):
        if number not in taken:
            by_site[page.site].append(number)
    drawn = [chance.sample(numbers, len(numbers)) for _, numbers in sorted(by_site.items())]
    # a web of one site has as many pages to judge as one of many
    tested = max(TESTED, 2_000 // len(drawn))
    return Split(
        examples=examples,
        known=tuple(number for numbers in drawn for number in numbers[:known]),
        tested=tuple(number for numbers in drawn for number in numbers[known : known + tested]),
    )


def learn(web: LabelledWeb, parts: Split, templates: Templates) -> Critic:
    """Train a critic on pages without what their sites repeat."""
    topics = Topics(topics=tuple(Topic(path=path, good=False) for path in parts.examples))
    pairs = [(path, web.pages[number]) for path, numbers in parts.examples.items() for number in numbers]
    cleaned = templates.clean([page for _, page in pairs])
    examples = tuple(
        Example(topic=path, name=page.url, page=page) for (path, _), page in zip(pairs, cleaned, strict=True)
    )
    return LogisticLearner().fit(Lessons(topics=topics, examples=examples), seed=1)


def area(on: NDArray[np.float64], off: NDArray[np.float64]) -> float:
    """Return the chance that a page on topic scores above one off topic; ties count half.

    >>> area(np.array([0.9, 0.4]), np.array([0.4, 0.1]))
    0.875
    """
    below = (on[:, None] > off[None, :]).mean() + 0.5 * (on[:, None] == off[None, :]).mean()
    return float(below)


def areas(web: LabelledWeb, parts: Split, critic: Critic, templates: Templates) -> Iterable[tuple[float, float]]:
    """Yield for each topic the area across hosts, and the mean of those within hosts (NaN if no host has both)."""
    pages: Sequence[Page] = [web.pages[number] for number in parts.tested]
    likely = critic.judge(templates.clean(pages))
    sites = np.array([page.site for page in pages])
    for column, path in enumerate(critic.classes):
        scores, true = likely[:, column], np.array([number in web.about(path) for number in parts.tested])
        if not BOTH <= int(true.sum()) <= len(true) - BOTH:
            continue
        within = []
        for site in np.unique(sites[true]):
            on, off = scores[true & (sites == site)], scores[~true & (sites == site)]
            if len(on) >= BOTH and len(off) >= BOTH:
                within.append(area(on, off))
        yield area(scores[true], scores[~true]), mean(within) if within else float("nan")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and judge twice, and print both areas."""
    parser = argparse.ArgumentParser(prog="python -m bench.site_templates", description=str(__doc__).splitlines()[0])
    parser.add_argument("web", nargs="?", default="modern")
    parser.add_argument("--known", type=int, default=KNOWN, help="pages of each site that show what it repeats")
    asked = parser.parse_args(arguments)
    web = labelled_web(asked.web)
    if web is None:
        print(missing(f"{asked.web}.warc.gz, with its labels,"))
        return 2
    parts = split(web, known=asked.known)
    shown = [web.pages[number] for numbers in (*parts.examples.values(), parts.known) for number in numbers]
    for name, templates in (("as shipped", NO_TEMPLATES), ("without templates", learn_templates(shown))):
        found = np.array(list(areas(web, parts, learn(web, parts, templates), templates)))
        inside = found[:, 1][~np.isnan(found[:, 1])]
        print(
            f"{asked.web}, {name}: area across hosts {found[:, 0].mean():.3f} over {len(found)} topics,"
            f" within hosts {inside.mean():.3f} over {len(inside)}; {len(parts.tested):,} pages",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
