"""A harvest that nobody can check: from words alone, or from one topic, with nothing to tell it from, on one site.

The pages of a site resemble each other, and with them the examples. From one topic the critic cannot know where that
topic ends. In such crawls of an encyclopedia it showed a harvest of .33 too much on average, at worst .86 in place of
.30 (docs/explanation/judging.md). From words alone it ranks pages, and knows no level at all.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from scenthound.counted import count
from scenthound.crawl.diagnosis.cures import feedback_command, finding
from scenthound.crawl.diagnosis.reader_answers import ASK, Answers, contradiction, is_fresh
from scenthound.events import Finding, FindingKind
from scenthound.parse.urls import domain_of
from scenthound.taxonomy import Topics
from scenthound.types import Census, RecentPage

WINDOW: Final = 100  # judged pages, those fetched last
ONE_SITE: Final = 0.9  # of them from one registered domain
HIGH: Final = 0.5  # mean relevance, from which on a harvest invites trust
BEGUN: Final = 30  # judged pages of a crawl from words, among which the reader will find some good ones
CONFIRM: Final = 5  # pages to confirm, which then take the place of the words
FEWEST_AGAINST: Final = 5  # pages said not to be wanted, which show the critic where the topic ends


def unchecked(
    path: str, pages: Sequence[RecentPage], topics: Topics, answers: Answers | None, census: Census
) -> Finding | None:
    """Say that nothing but the critic's own opinion stands behind a high harvest."""
    window = [page for page in pages if page.relevance is not None][-WINDOW:]
    if words := _words_alone(topics):
        return _from_words(path, words, len(window))
    against = sum(len(topic.examples) for topic in topics.topics if not topics.is_good(topic.path))
    if len(window) < WINDOW or against >= FEWEST_AGAINST or is_fresh(answers, census):
        return None
    mean = fmean(page.relevance or 0.0 for page in window)
    [(domain, own)] = Counter(domain_of(page.host) for page in window).most_common(1)
    if mean < HIGH or own < ONE_SITE * len(window):
        return None
    return finding(
        FindingKind.UNCHECKED,
        "nobody knows how many of these pages are on topic: the harvest shown is the critic's own opinion, "
        "and on one site, from one topic, it is often far too high",
        (
            f"the critic gives the last {len(window)} pages a relevance of {mean:.2f} on average",
            f"{own} of them are from {domain}",
            f"{count(against, 'page')} of other topics, or not wanted, to tell them from",
        ),
        feedback_command(path, ASK),
    )


def _words_alone(topics: Topics) -> str:
    """Return the words of a good topic that has no example; "" if all have some."""
    return next((topic.query for topic in topics.good if topic.query and not topic.examples), "")


def _from_words(path: str, words: str, judged: int) -> Finding | None:
    """Offer some pages to confirm."""
    if judged < BEGUN:
        return None
    return finding(
        FindingKind.UNCHECKED,
        "the critic knows your words and no page that you like; confirm a few, and it learns from them instead",
        (f'until then the relevance of a page is its rank among those crawled, by "{words}"',),
        feedback_command(path, CONFIRM),
    )


def with_answers(
    findings: Sequence[Finding], path: Path, answers: Answers | None, census: Census
) -> tuple[Finding, ...]:
    """Return findings with those about answers as they are now: a crawl need not run for answers to be given."""
    stale = {FindingKind.CONTRADICTED} | ({FindingKind.UNCHECKED} if is_fresh(answers, census) else set())
    others = tuple(one for one in findings if one.kind not in stale)
    new = contradiction(str(path), answers, census)
    return others if new is None else (new, *others)
