"""What a reader said about sampled pages (`scenthound feedback --ask`), kept in the crawl directory beside the crawl.

Harvest is the critic's own opinion. These answers are the only independent measure of it: they give the precision of
the critic and the share of good pages, each with its exact interval (Clopper and Pearson 1934).
"""

from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Final

import msgspec

from scenthound.counted import count
from scenthound.crawl.diagnosis.cures import feedback_command, finding
from scenthound.crawl.diagnosis.speed import harvest
from scenthound.events import Finding, FindingKind
from scenthound.types import Census

ANSWERS_FILE: Final = "answers.jsonl"
CONFIDENCE: Final = 0.9
GAP: Final = 0.1  # between the interval and the harvest shown, from which on they contradict each other
STALE: Final = 2.0  # times as many judged pages as then: the answers no longer describe the crawl
ASK: Final = 20  # pages that the finding proposes to ask about


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """A share with the interval that it lies in with 90 % confidence."""

    value: float
    low: float
    high: float


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """The answers of one round. `pages` is how many pages had been judged when the sample was drawn.

    `good` of `called` pages that the critic called on topic are good: `precision`. `harvest` is the share of good pages
    among all, None if only one kind of page was asked about. `told` is what the critic said of both then: the harvest,
    and the mean relevance of the pages called on topic.
    """

    at: float
    pages: int
    called: int
    good: int
    precision: Share | None
    harvest: Share | None
    told: float | None = None
    told_called: float | None = None


def share_of(good: int, asked: int) -> Share:
    """Return a share with its exact interval.

    >>> found = share_of(4, 5)
    >>> found.value, round(found.low, 2), round(found.high, 2)
    (0.8, 0.34, 0.99)
    """
    tail = (1 - CONFIDENCE) / 2
    low = 0.0 if good == 0 else _solve(lambda p: 1 - _at_most(good - 1, asked, p), tail)
    high = 1.0 if good == asked else 1 - _solve(lambda q: _at_most(good, asked, 1 - q), tail)
    return Share(value=good / asked, low=low, high=high)


def keep_answers(folder: Path, answers: Answers) -> None:
    """Append a round of answers to the crawl directory."""
    with (folder / ANSWERS_FILE).open("ab") as file:
        file.write(msgspec.json.encode(answers) + b"\n")


def latest_answers(folder: Path) -> Answers | None:
    """Return the answers of the last round, if there was one and it can be read."""
    try:
        lines = (folder / ANSWERS_FILE).read_bytes().splitlines()
        return msgspec.json.decode(lines[-1], type=Answers) if lines else None
    except (OSError, msgspec.MsgspecError):
        return None


def precision_words(answers: Answers) -> str:
    """Say how many of the pages called on topic are good.

    >>> answers = Answers(at=0, pages=90, called=5, good=4, precision=share_of(4, 5), harvest=None)
    >>> precision_words(answers)
    'you found 4 of 5 pages called on topic good (80 %, between 34 and 99 %)'
    """
    if answers.precision is None:
        return ""
    one = answers.precision
    return (
        f"you found {answers.good} of {count(answers.called, 'page')} called on topic good "
        f"({100 * one.value:.0f} %, between {100 * one.low:.0f} and {100 * one.high:.0f} %)"
    )


def answer_lines(answers: Answers) -> tuple[str, ...]:
    """Return sentences on what the last answers show about the critic and the crawl.

    >>> found = Answers(
    ...     at=0, pages=90, called=5, good=4, precision=share_of(4, 5), harvest=share_of(3, 10),
    ...     told=0.8, told_called=0.9,
    ... )
    >>> for line in answer_lines(found):
    ...     print(line)
    When 90 pages were judged, you found 4 of 5 pages called on topic good (80 %, between 34 and 99 %).
    The critic expected 90 % of them to be good: your answers agree.
    By your answers about 30 % of all crawled pages are good (between 9 and 61 %).
    The critic showed a harvest of 80 %: that is too high.
    """
    lines = []
    if said := precision_words(answers):
        lines.append(f"When {count(answers.pages, 'page')} {'was' if answers.pages == 1 else 'were'} judged, {said}.")
    if answers.precision is not None and answers.told_called is not None:
        told = answers.told_called
        lines.append(f"The critic expected {100 * told:.0f} % of them to be good: {_verdict(told, answers.precision)}.")
    if (share := answers.harvest) is not None:
        bounds = f"between {100 * share.low:.0f} and {100 * share.high:.0f} %"
        lines.append(f"By your answers about {100 * share.value:.0f} % of all crawled pages are good ({bounds}).")
        if answers.told is not None:
            lines.append(f"The critic showed a harvest of {100 * answers.told:.0f} %: {_verdict(answers.told, share)}.")
    return tuple(lines)


def tested_line(precision: float, answers: Answers) -> str:
    """Compare what the test on examples expected of pages called on topic with what a reader found.

    >>> answers = Answers(at=0, pages=90, called=5, good=1, precision=share_of(1, 5), harvest=None)
    >>> tested_line(0.97, answers)
    'The test on your examples expects 97 % of the pages called on topic to be good: that is too high.'
    """
    if answers.precision is None:
        return ""
    return (
        f"The test on your examples expects {100 * precision:.0f} % of the pages called on topic to be good: "
        f"{_verdict(precision, answers.precision)}."
    )


def _verdict(told: float, found: Share) -> str:
    side = _side(told, found)
    return f"that is too {side}" if side else "your answers agree"


def _side(told: float, found: Share) -> str:
    """Tell on which side of a reader's answers a figure lies, if it is clearly outside their interval."""
    if found.low - GAP <= told <= found.high + GAP:
        return ""
    return "high" if told > found.high else "low"


def is_fresh(answers: Answers | None, census: Census) -> bool:
    """Tell whether answers describe the crawl as it is now."""
    return answers is not None and census.judged <= STALE * answers.pages


def contradiction(path: str, answers: Answers | None, census: Census) -> Finding | None:
    """Say that a reader's answers contradict the harvest that the critic claims."""
    shown = harvest(census)
    if answers is None or answers.harvest is None or shown is None or not is_fresh(answers, census):
        return None
    found = answers.harvest
    if not (side := _side(shown, found)):
        return None
    evidence = [
        f"the critic shows a harvest of {shown:.2f}",
        f"by your answers it is about {found.value:.2f}, between {found.low:.2f} and {found.high:.2f}",
    ]
    return finding(
        FindingKind.CONTRADICTED,
        f"your answers contradict the critic: the harvest it shows is too {side}; more answers teach it",
        [*evidence, precision_words(answers)] if answers.precision else evidence,
        feedback_command(path, ASK),
    )


def _at_most(good: int, asked: int, p: float) -> float:
    """Return the probability of at most so many good pages, if each is good with probability p."""
    return sum(comb(asked, k) * p**k * (1 - p) ** (asked - k) for k in range(good + 1))


def _solve(rising: Callable[[float], float], target: float) -> float:
    """Return where a rising function of a probability reaches a value, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < target else (low, middle)
    return (low + high) / 2
