"""What `why` says of an apprentice: what it expected of a URL, what came, and what spoke for and against, in words with
weights.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.order.note import UNFINISHED, order_of
from scenthound.errors import ScenthoundError
from scenthound.frontier.orders import APPRENTICE
from scenthound.settings.order_columns import is_combination
from scenthound.store.base import Store
from scenthound.types import Ending, Lesson, Story

if TYPE_CHECKING:
    from scenthound.crawl.order.explanation import Expectation

_IN_FRONTIER: Final = ("waiting", "claimed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """The order that the frontier has, and what the apprentice has to say of one URL; `remark` is what else is to be
    said.
    """

    order: str | None
    apprentice: "Expectation | None" = None
    remark: str = ""


def opinion_of(directory: CrawlDirectory, store: Store, story: Story) -> Opinion:
    """Find out what there is to say."""
    order, lesson = order_of(store), store.lesson(story.url)
    try:
        found = _expectation(directory, store, story, order, lesson)
    except ScenthoundError as error:  # the topics cannot be read
        return Opinion(order=order, remark=f"What the apprentice expects of it is unknown: {error}.")
    return Opinion(order=order, apprentice=found, remark="" if found else _remark(story, order, lesson))


def _expectation(
    directory: CrawlDirectory, store: Store, story: Story, order: str | None, lesson: Lesson | None
) -> "Expectation | None":
    waits = lesson is None and story.state in _IN_FRONTIER and _guided(order)
    if lesson is None and not waits:
        return None
    from scenthound.crawl.order.explanation import expected_now, expected_then

    texts = list(dict.fromkeys(citation.text for citation in story.citations if citation.text))
    if lesson is not None:
        return expected_then(directory, store, lesson, texts=texts)
    return expected_now(directory, store, story.url, texts=texts)


def _remark(story: Story, order: str | None, lesson: Lesson | None) -> str:
    if story.state in _IN_FRONTIER:
        return _remark_on_waiting(order)
    if story.page is None or story.page.ending is not Ending.PAGE or order is None:
        return ""
    if lesson is None:
        return "No apprentice was asked before it was fetched."
    return "The apprentice expected nothing of it: it knew no link to it, or was not yet at work."


def _remark_on_waiting(order: str | None) -> str:
    if order is None:
        return ""
    if order == UNFINISHED:
        return "The frontier is being put into another order."
    name = order.partition(" ")[0]
    return "" if is_combination(name) else f"The order is {name}: no apprentice has a say in it."


def _guided(order: str | None) -> bool:
    name, _, brand = (order or "").partition(" ")
    return name == APPRENTICE or (is_combination(name) and brand != "")


def opinion_lines(opinion: Opinion) -> Iterator[str]:
    """Yield the opinion line by line."""
    if opinion.remark:
        yield f"  {opinion.remark}"
    if (found := opinion.apprentice) is None:
        return
    yield f"  {_expected(found)}."
    for part in found.parts:
        yield f"    {part.said} {part.weight:+.1f}"
    if found.alive is not None:
        yield f"    the chance that there is a page at all is {found.alive:.2f}: that is counted in"
    for factor in found.factors:
        yield f"    for its place in the frontier also: {factor.said}: worth {factor.worth:.2f} of that"
    if found.drawn:
        yield "    drawn by chance to check the apprentice"


def _expected(found: "Expectation") -> str:
    behind = f", as of lesson {found.lessons:,} of {found.log:,}" if found.lessons < found.log else ""
    if found.expected is None:
        return f"The apprentice knows of no link to it{behind}"
    if found.came is None:
        return f"The apprentice expects a relevance of {found.expected:.2f} of it{behind}"
    return f"The apprentice expected a relevance of {found.expected:.2f} of it; it came to {found.came:.2f}"
