"""A few crawled pages to ask a reader about: the answers say how right the critic is, and teach it.

Half of them are drawn by chance from the pages that it calls on topic, half from the others, so that what the answers
say goes for all pages of the crawl. Intervals are exact ones for a share (Clopper and Pearson 1934).
"""

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.critic.example_set import example_urls
from scenthound.crawl.diagnosis.reader_answers import STALE, Answers, Share, keep_answers, share_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError, UsageError
from scenthound.parse.markup.status_pages import is_status_page
from scenthound.parse.words.terms import unpack
from scenthound.services.crawls.reader_store import reading
from scenthound.services.topics.page_feedback import Saying, say

TO_CHECK: Final = 10  # pages that are proposed
_BATCH: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledPage:
    """A crawled page and what the critic says of it."""

    url: str
    title: str
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Pages to ask about, in an order that tells nothing; `on` of `pages` are called on topic, and `harvest` is the
    mean relevance.
    """

    asked: tuple[SampledPage, ...]
    accept: float
    pages: int
    on: int
    harvest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader said of one page."""

    page: SampledPage
    good: bool


def draw_sample(directory: CrawlDirectory, *, count: int) -> Sample:
    """Draw pages that nothing was said of so far; the same ones as long as nothing changes."""
    settings = directory.settings()
    known, accept = set(example_urls(directory.topics())), settings.crawl.accept
    pages = [page for page in _judged(directory) if page.url not in known]
    if not pages:
        raise UsageError(f"{directory.path} has no judged page to ask about; crawl a little first")
    chance = random.Random(f"{settings.crawl.seed} {len(pages)} {len(known)}")
    on = [page for page in pages if page.relevance >= accept]
    off = [page for page in pages if page.relevance < accept]
    wanted = min(len(on), max(count - count // 2, count - len(off)))
    asked = [*chance.sample(on, wanted), *chance.sample(off, min(len(off), count - wanted))]
    chance.shuffle(asked)
    harvest = sum(page.relevance for page in pages) / len(pages)
    return Sample(asked=tuple(asked), accept=accept, pages=len(pages), on=len(on), harvest=harvest)


def pages_to_check(directory: CrawlDirectory, answers: Answers | None) -> tuple[SampledPage, ...]:
    """Return some crawled pages that nobody has checked; none where the last answers still describe the crawl."""
    if not directory.begun:
        return ()
    try:
        sample = draw_sample(directory, count=TO_CHECK)
    except UsageError:  # no page is judged yet
        return ()
    return () if answers is not None and sample.pages <= STALE * answers.pages else sample.asked


def _judged(directory: CrawlDirectory) -> Iterator[SampledPage]:
    after = 0
    with reading(directory) as store:
        while held := store.to_judge(critic=-1, after=after, limit=_BATCH):
            after = held[-1].n
            for page in held:
                if page.redirect or page.example or page.relevance is None:
                    continue
                if not is_status_page(page.title, len(unpack(page.terms))):
                    yield SampledPage(url=page.url, title=page.title, relevance=page.relevance)


def in_words(sample: Sample, answers: Sequence[Answer]) -> Iterator[str]:
    """Say what the answers mean for all pages, beside what the critic expects."""
    on = [answer for answer in answers if answer.page.relevance >= sample.accept]
    off = [answer for answer in answers if answer.page.relevance < sample.accept]
    for called, part in (("on topic", on), ("off topic", off)):
        if part:
            expected = sum(answer.page.relevance for answer in part) / len(part)
            yield f"Of {len(part)} called {called}, {_share(part)}; the critic expects {100 * expected:.0f} %."
    if on and (off or sample.on == sample.pages):
        share = sample.on / sample.pages
        harvest = share * _rate(on) + (1 - share) * (_rate(off) if off else 0.0)
        yield (
            f"So about {100 * harvest:.0f} % of the {sample.pages:,} pages crawled are good;"
            f" the harvest shown is {100 * sample.harvest:.0f} %."
        )


def summary_of(sample: Sample, answers: Sequence[Answer], *, at: float) -> Answers:
    """Return what the answers say about the critic, to be kept with the crawl."""
    on = [answer for answer in answers if answer.page.relevance >= sample.accept]
    off = [answer for answer in answers if answer.page.relevance < sample.accept]
    precision = share_of(sum(one.good for one in on), len(on)) if on else None
    rest = share_of(sum(one.good for one in off), len(off)) if off else None
    return Answers(
        at=at,
        pages=sample.pages,
        called=len(on),
        good=sum(one.good for one in on),
        precision=precision,
        harvest=_harvest(sample.on / sample.pages, precision, rest),
        told=sample.harvest,
        told_called=sum(one.page.relevance for one in on) / len(on) if on else None,
    )


def take_answers(directory: CrawlDirectory, sample: Sample, answers: Sequence[Answer]) -> list[str]:
    """Keep the answers beside the crawl, make each page an example, and say what the answers mean.

    All answers are there before the first is learnt from: they measure the critic that judged these pages.
    """
    said = list(in_words(sample, answers))
    keep_answers(directory.path, summary_of(sample, answers, at=time.time()))
    for answer in answers:
        with suppress(TopicsError):  # an example already, by another hand
            say(directory, answer.page.url, Saying.GOOD if answer.good else Saying.NOT_GOOD)
    return said


def _harvest(on: float, precision: Share | None, rest: Share | None) -> Share | None:
    """Weigh both kinds of pages by how many there are; the interval is at least as wide as it must be."""
    if (precision is None and on > 0) or (rest is None and on < 1):
        return None
    nothing = Share(value=0.0, low=0.0, high=0.0)
    a, b = precision or nothing, rest or nothing
    value, low, high = (on * x + (1 - on) * y for x, y in ((a.value, b.value), (a.low, b.low), (a.high, b.high)))
    return Share(value=value, low=low, high=high)


def _rate(answers: Sequence[Answer]) -> float:
    return sum(answer.good for answer in answers) / len(answers)


def _share(answers: Sequence[Answer]) -> str:
    """Say how many are good, and between what bounds that share lies.

    >>> pages = [SampledPage(url="", title="", relevance=0.9)] * 5
    >>> _share([Answer(page=page, good=number > 0) for number, page in enumerate(pages)])
    '4 are good (80 %, most likely between 34 and 99 %)'
    """
    good = sum(answer.good for answer in answers)
    bounds = share_of(good, len(answers))
    return (
        f"{good} {'is' if good == 1 else 'are'} good ({100 * _rate(answers):.0f} %,"
        f" most likely between {100 * bounds.low:.0f} and {100 * bounds.high:.0f} %)"
    )
