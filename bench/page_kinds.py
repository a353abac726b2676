"""What parts of a page add to a critic with eight examples of one topic: `python -m bench.page_kinds [WEB] [--half 0|1]`.

A walk from the examples stands for a crawl, without HTTP: it takes 250 pages of an archived web, best first by the
critic that knows the examples alone. Then the critic adapts to the first 150 of them, without views of parts, with one
of headings, and with one of the beginning of the text as well, and judges all. Printed are average precision, precision and recall of a relevance of .5, and how far the harvest shown is
off. Constants were chosen on every other topic (half 0); half 1 shows what they are worth on others.
"""

import argparse
import heapq
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from bench.labelled import LabelledWeb, labelled_web
from bench.one_topic import EXAMPLES, PAGES, WANTED, sizeable
from bench.reading import fetches, read
from bench.serving import missing, webs_file
from scenthound.crawl.critic.example_set import background_for, stage_of
from scenthound.judge.adaptation.adapted import AdaptedLearner
from scenthound.judge.critic import Critic, Example, Lessons, Page
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.quality.hits import average_precision
from scenthound.taxonomy import Topic, Topics

SEED = 105
LEAST_CHANGE = 0.005  # of average precision, to count as better or worse
SHOWN = ("average precision", "precision", "recall", "told less true")
PARTS: Mapping[str, tuple[str, ...]] = {
    "no views": (),
    "headings": ("headings",),
    "headings, beginning": ("headings", "beginning"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The pages of one simulated crawl, with the truth about each, and the lessons that it gives."""

    topic: str
    pages: tuple[Page, ...]
    true: tuple[bool, ...]
    lessons: Lessons

    def scores(self, parts: tuple[str, ...]) -> tuple[float, ...]:
        """Adapt a critic to the walk and return what `SHOWN` names."""
        critic = AdaptedLearner(inner=LogisticLearner(), parts=parts).fit(self.lessons, seed=1)
        said, true = relevance(critic, self.pages), np.array(self.true)
        right = int(((said >= 0.5) & true).sum())
        precision, recall = right / max(1, int((said >= 0.5).sum())), right / max(1, int(true.sum()))
        return average_precision(true, said), precision, recall, float(said.mean() - true.mean())


def relevance(critic: Critic, pages: Sequence[Page]) -> NDArray[np.float64]:
    return np.asarray(critic.judge(pages)[:, critic.classes.index(WANTED)])


def links_of(name: str, web: LabelledWeb) -> dict[int, list[int]]:
    """Return the links of a web among its pages, by their numbers."""
    archive = webs_file(f"{name}.warc.gz")
    assert archive is not None
    number = {page.url: place for place, page in enumerate(web.pages)}
    found = {}
    for fetch in fetches(archive):
        if fetch.url in number:
            ends = (number.get(link.url) for link in read(fetch).links)
            found[number[fetch.url]] = sorted({end for end in ends if end is not None})
    return found


def walk(web: LabelledWeb, links: Mapping[int, Sequence[int]], topic: str) -> Walk:
    """Take pages from eight examples on, best first: by the greatest relevance of the pages that cite them."""
    relevant = web.about(topic)
    chosen = random.Random(SEED).sample(sorted(relevant), EXAMPLES)
    examples = tuple(Example(topic=WANTED, name=web.pages[n].url, page=web.pages[n]) for n in chosen)
    topics = Topics(topics=(Topic(path=WANTED, good=True),))
    lessons = Lessons(topics=topics, examples=examples, others=background_for(examples, seed=1)[0])
    critic = AdaptedLearner(inner=LogisticLearner()).fit(lessons, seed=1)
    seen, taken = set(chosen), list[int]()
    waiting = [(-1.0, end) for start in chosen for end in links.get(start, ())]
    heapq.heapify(waiting)
    while waiting and len(taken) < PAGES:
        _, page = heapq.heappop(waiting)
        if page not in seen:
            seen.add(page)
            taken.append(page)
            promise = float(relevance(critic, [web.pages[page]])[0])
            for end in links.get(page, ()):
                heapq.heappush(waiting, (-promise, end))
    pages = tuple(web.pages[n] for n in taken)
    known = Lessons(topics=topics, examples=examples, others=lessons.others, at_hand=pages[: stage_of(len(pages))])
    return Walk(topic=topic, pages=pages, true=tuple(n in relevant for n in taken), lessons=known)


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk for each topic of a half, and print both critics side by side."""
    parser = argparse.ArgumentParser(prog="python -m bench.page_kinds", description=str(__doc__).splitlines()[0])
    parser.add_argument("web", nargs="?", default="schools")
    parser.add_argument("--half", type=int, choices=(0, 1), default=1)
    parser.add_argument("--every", type=int, default=1, help="only every so many topics")
    asked = parser.parse_args(arguments)
    web = labelled_web(asked.web)
    if web is None:
        print(missing(f"{asked.web}.warc.gz, with its labels,"))
        return 2
    links, rows = links_of(asked.web, web), []
    for topic in sizeable(web)[asked.half :: 2][:: asked.every]:
        walked = walk(web, links, topic)
        if len(walked.pages) < PAGES or not 5 <= sum(walked.true) <= PAGES - 5:
            continue  # nothing to order
        rows.append([walked.scores(parts) for parts in PARTS.values()])
        print(
            f"{topic}: {'; '.join(f'{name} {shown(row)}' for name, row in zip(PARTS, rows[-1], strict=True))}",
            flush=True,
        )
    for place, name in enumerate(SHOWN if rows else ()):
        means = [mean(row[side][place] for row in rows) for side in range(len(PARTS))]
        said = ", ".join(f"{value:.3f} {parts}" for parts, value in zip(PARTS, means, strict=True))
        print(f"{name}: {said}; {len(rows)} topics")
    for side, parts in enumerate(PARTS):
        better, worse = (sum(sign * (row[side][0] - row[0][0]) > LEAST_CHANGE for row in rows) for sign in (1, -1))
        print(f"{parts}: average precision better on {better} topics than with no views, worse on {worse}")
    return 0


def shown(scores: Sequence[float]) -> str:
    return " ".join(f"{score:.2f}" for score in scores)


if __name__ == "__main__":
    raise SystemExit(main())
