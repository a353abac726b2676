"""News of a crawl: a row of an answer, and what becomes of it when nobody has seen it before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """A row that a question answers with. `key` is by what it is known again; `values` are its columns."""

    key: str
    url: str = ""
    title: str = ""
    summary: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


Told = Callable[[Sequence[AnswerRow]], list[AnswerRow]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsItem:
    """A row that is new. `id` is the same for the same row of the same question, whenever and wherever it is sent.

    `n` counts all news of a crawl; `at` is when the row was first seen.
    """

    n: int
    id: str
    question: str
    at: float
    url: str
    title: str
    summary: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRun:
    """The last run of a question: how many rows came, how many were new, what failed.

    `digest` stands for what was asked when it was last answered; it is empty if it never was.
    """

    at: float
    digest: str
    rows: int
    new: int
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelState:
    """How far a channel is: the last item that arrived, failed tries since, when the next is due, what went wrong."""

    sent: int
    tries: int = 0
    due: float = 0.0
    said: str = ""
