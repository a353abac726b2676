"""What leaving out repeated text is worth where topics compete: `python -m bench.site_templates [WEB] [--known N]`.

Every leaf topic of a labelled web has ten examples, and one critic learns all of them. It judges other pages of each
site twice: as they are, which is what ships, and without what their sites repeat, learnt from the examples and a few
known pages of each site. Two ways join both: their mean, and the level of each site by whole pages with the order of
its pages by the rest. Printed is the area under the curve of pages on and off a topic: across all hosts, and within
hosts that have both, where no template helps to tell them apart. Means are over topics.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from statistics import mean
from time import process_time

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from bench.labelled import LabelledWeb, labelled_web
from bench.one_topic import FEWEST, NO_TOPICS
from bench.serving import missing
from scenthound.judge.adaptation.templates import NO_TEMPLATES, Templates, learn_templates
from scenthound.judge.critic import Critic, Example, Lessons
from scenthound.judge.models.features import features_of
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.taxonomy import Topic, Topics

EXAMPLES, KNOWN, TESTED = 10, 10, 12  # pages of a topic, and of a site
BOTH = 3  # pages on and off a topic that a host must have to count
SEED = 11
_LEAST = 1e-9  # probability
_FOLDS, _STRENGTH = 5, 10.0

Floats = NDArray[np.float64]


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


def log_likely(web: LabelledWeb, numbers: Sequence[int], critic: Critic, templates: Templates) -> Floats:
    """Return the logarithms of Pr(topic | page)."""
    rows = critic.judge(templates.clean([web.pages[number] for number in numbers]))
    return np.asarray(np.log(np.clip(rows, _LEAST, 1.0)))


def with_levels(
    whole: Floats, bare: Floats, *, sites: Sequence[str], known: tuple[Floats, Floats], known_sites: Sequence[str]
) -> Floats:
    """Take the order of a site's pages from `bare`, and the level of the site from the `known` pages of `whole`.

    >>> row = np.array([[1.0]])
    >>> with_levels(row, 5 * row, sites=["a"], known=(3 * row, 4 * row), known_sites=["a"]).tolist()
    [[4.0]]
    """
    found = whole.copy()
    for site in sorted(set(known_sites)):
        here, there = np.array(sites) == site, np.array(known_sites) == site
        found[here] = bare[here] + (known[0][there] - known[1][there]).mean(axis=0)
    return found


def areas(web: LabelledWeb, parts: Split, classes: Sequence[str], found: Floats) -> Iterable[tuple[float, float]]:
    """Yield for each topic the area across hosts, and the mean of those within hosts (NaN if no host has both)."""
    sites = np.array([web.pages[number].site for number in parts.tested])
    for column, path in enumerate(classes):
        scores, true = found[:, column], np.array([number in web.about(path) for number in parts.tested])
        if not BOTH <= int(true.sum()) <= len(true) - BOTH:
            continue
        within = []
        for site in np.unique(sites[true]):
            on, off = scores[true & (sites == site)], scores[~true & (sites == site)]
            if len(on) >= BOTH and len(off) >= BOTH:
                within.append(area(on, off))
        yield area(scores[true], scores[~true]), mean(within) if within else float("nan")


def readings(web: LabelledWeb, parts: Split) -> Iterable[tuple[str, tuple[str, ...], Floats]]:
    """Yield the ways to read the pages: each with its name, its classes, and what it says of pages to judge."""
    shown = [web.pages[number] for numbers in (*parts.examples.values(), parts.known) for number in numbers]
    said, known = list[Floats](), list[Floats]()
    for name, templates in (("as shipped", NO_TEMPLATES), ("without templates", learn_templates(shown))):
        begun = process_time()
        critic = learn(web, parts, templates)
        learnt = process_time()
        said.append(log_likely(web, parts.tested, critic, templates))
        speed = len(parts.tested) / (process_time() - learnt)
        known.append(log_likely(web, parts.known, critic, templates))
        print(f"  {name}: learnt in {learnt - begun:.1f} s, {speed:,.0f} pages a second", flush=True)
        yield name, critic.classes, said[-1]
    yield "the mean of both", critic.classes, (said[0] + said[1]) / 2
    sites, known_sites = ([web.pages[number].site for number in numbers] for numbers in (parts.tested, parts.known))
    together = with_levels(*said, sites=sites, known=(known[0], known[1]), known_sites=known_sites)
    yield "the site's level by whole pages", critic.classes, together


def limit(web: LabelledWeb, parts: Split) -> float:
    """Return the mean area within hosts of a regression that learns from the labels of the host's other pages.

    No critic knows these labels: what is missing to 1 cannot be read off the words of the pages.
    """
    by_site: defaultdict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(web.pages):
        by_site[page.site].append(number)
    found = list[float]()
    for path in parts.examples:
        within = []
        for numbers in by_site.values():
            true = np.array([number in web.about(path) for number in numbers])
            if _FOLDS * BOTH <= int(true.sum()) <= len(true) - _FOLDS * BOTH:
                pages = [web.pages[number] for number in numbers]
                rows = features_of(pages).rows(pages)
                folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=SEED)
                model = LogisticRegression(C=_STRENGTH, class_weight="balanced")
                scores = cross_val_predict(model, rows, true, cv=folds, method="decision_function")
                within.append(area(scores[true], scores[~true]))
        if within:
            found.append(mean(within))
    return mean(found)


def half_of(web: LabelledWeb, numbers: Sequence[int], half: int) -> tuple[int, ...]:
    """Return the pages of one half of the sites: 0 to choose by, 1 to report."""
    return tuple(one for one in numbers if blake2b(web.pages[one].site.encode(), digest_size=8).digest()[0] % 2 == half)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and judge twice, and print the areas."""
    parser = argparse.ArgumentParser(prog="python -m bench.site_templates", description=str(__doc__).splitlines()[0])
    parser.add_argument("web", nargs="?", default="modern")
    parser.add_argument("--known", type=int, default=KNOWN, help="pages of each site that show what it repeats")
    parser.add_argument("--half", type=int, choices=(0, 1), help="pages to judge of one half of the sites only")
    parser.add_argument("--limit", action="store_true", help="print what labels of each site's own pages would give")
    asked = parser.parse_args(arguments)
    web = labelled_web(asked.web)
    if web is None:
        print(missing(f"{asked.web}.warc.gz, with its labels,"))
        return 2
    parts = split(web, known=asked.known)
    if asked.limit:
        print(f"{asked.web}, by labels of each site's own pages: area within hosts {limit(web, parts):.3f}")
        return 0
    if asked.half is not None:
        parts = replace(parts, tested=half_of(web, parts.tested, asked.half))
    for name, classes, scores in readings(web, parts):
        found = np.array(list(areas(web, parts, classes, scores)))
        inside = found[:, 1][~np.isnan(found[:, 1])]
        within = f"{inside.mean():.3f} over {len(inside)}" if len(inside) else "none"
        print(
            f"{asked.web}, {name}: area across hosts {found[:, 0].mean():.3f} over {len(found)} topics,"
            f" within hosts {within}; {len(parts.tested):,} pages",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
