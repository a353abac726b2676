"""What `scenthound search` prints for people: as plain lines, or on a terminal with colours and wrapped lines."""

import sys
from collections.abc import Iterator
from typing import Final

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from scenthound.search.types import Answer, Hit, Snippet
from scenthound.services.search.crawl_search import Found
from scenthound.terminal import say, shown

_INDENT: Final = 5
_FACET_VALUES: Final = 5  # shown of each facet


def print_answer(found: Found) -> None:
    """Print an answer to stdout."""
    if sys.stdout.isatty():
        console = Console(file=sys.stdout, highlight=False)
        for part in answer_view(found):
            console.print(part)
    else:
        say("\n".join(answer_lines(found)))


def answer_lines(found: Found) -> Iterator[str]:
    """Yield an answer as lines; words that were asked for stand in brackets."""
    yield from _head(found)
    indent = " " * _INDENT
    for number, hit in enumerate(found.answer.hits, 1):
        yield ""
        yield f"{number:3}. {_title(hit)}{_how(hit)}"
        yield f"{indent}{hit.page.url}"
        yield f"{indent}{_facts(hit)}"
        if hit.snippet.text:
            yield f"{indent}{hit.snippet.marked('[', ']')}"
    yield from _facets(found.answer)


def answer_view(found: Found) -> Iterator[RenderableType]:
    """Yield an answer for a terminal; words that were asked for are bold."""
    for line in _head(found):
        yield Text(shown(line))
    for number, hit in enumerate(found.answer.hits, 1):
        yield ""
        yield Text.assemble(f"{number:3}. ", (shown(_title(hit)), "bold"), (_how(hit), "dim"))
        yield _indented(Text(shown(hit.page.url), style="cyan", overflow="fold"))
        yield _indented(Text(shown(_facts(hit)), style="dim"))
        if hit.snippet.text:
            yield _indented(_marked(hit.snippet))
    for line in _facets(found.answer):
        name, colon, values = line.partition(": ")
        yield Text.assemble((name + colon, "dim"), shown(values))


def _head(found: Found) -> Iterator[str]:
    answer = found.answer
    with_words = sum(hit.by_words for hit in answer.hits)
    few = f", the best {with_words:,} of them" if 0 < with_words < answer.matches else ""
    match = "matches" if answer.matches == 1 else "match"
    yield f"{answer.matches:,} of {answer.pages:,} pages {match}{few} ({1000 * found.seconds:.0f} ms)"
    if found.behind:
        yield f"{found.behind:,} pages are not indexed yet: ask again in a moment"
    if answer.did_you_mean:
        yield f"Did you mean: {answer.did_you_mean}"


def _facets(answer: Answer) -> Iterator[str]:
    """Yield the facets that can narrow the answer down; one whose pages are all alike cannot."""
    facets = {name: counts for name, counts in answer.facets.items() if len(counts) > 1}
    if facets:
        yield ""
    for name, counts in facets.items():
        values = ", ".join(f"{one.value} {one.pages:,}" for one in counts[:_FACET_VALUES])
        yield f"{name}: {values}{', …' if len(counts) > _FACET_VALUES else ''}"


def _title(hit: Hit) -> str:
    return hit.page.title or hit.page.url


def _how(hit: Hit) -> str:
    return "" if hit.by_words else "  (near in meaning)"


def _facts(hit: Hit) -> str:
    relevance = "" if hit.page.relevance is None else f", relevance {hit.page.relevance:.2f}"
    return f"score {hit.score:.3f}{relevance}{', ' + hit.page.topic if hit.page.topic else ''}"


def _marked(snippet: Snippet) -> Text:
    text, at = Text(), 0
    for start, end in snippet.marks:
        text.append(shown(snippet.text[at:start]))
        text.append(shown(snippet.text[start:end]), style="bold yellow")
        at = end
    return text.append(shown(snippet.text[at:]))


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, _INDENT), expand=False)
