"""`scenthound search`: words, phrases and meanings over the full text of everything that a crawl has fetched."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scenthound.cli.shared.options import Dir, Json
from scenthound.errors import UsageError
from scenthound.terminal import say, say_json

if TYPE_CHECKING:
    from scenthound.services.search.catch_up import Progress


def search(
    path: Dir,
    words: Annotated[
        str,
        typer.Argument(
            metavar="WORDS",
            help='Words, "phrases", title:, site:, anchor:, AND, OR, NOT, brackets, and word* for all that begin so.',
        ),
    ] = "",
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="Only pages of this topic and those below it.")
    ] = "",
    exact: Annotated[
        bool, typer.Option("--exact", help="With --topic: only pages whose class is this topic. This is the default.")
    ] = False,
    vague: Annotated[
        bool, typer.Option("--vague", help="With --topic: all pages, weighted by the probability of the topic.")
    ] = False,
    weights: Annotated[
        str,
        typer.Option(
            "--weights",
            metavar="W",
            help="What counts: text, meaning, relevance, authority, date; such as text=1,relevance=.5,authority=.3",
        ),
    ] = "text=1,meaning=2",
    like: Annotated[
        list[str] | None,
        typer.Option("--like", metavar="URL", help="Pages similar to this page of the crawl. Can be repeated."),
    ] = None,
    like_text: Annotated[
        Path | None, typer.Option("--like-text", metavar="F", help="Pages similar to the text in a file; - is stdin.")
    ] = None,
    site: Annotated[str, typer.Option("--site", metavar="SITE", help="Only pages of this host or domain.")] = "",
    language: Annotated[str, typer.Option("--language", metavar="L", help="Only pages in this language: en.")] = "",
    mime: Annotated[str, typer.Option("--type", metavar="T", help="Only pages of this type: application/pdf.")] = "",
    month: Annotated[str, typer.Option("--month", metavar="M", help="Only pages fetched in a month: 2026-11.")] = "",
    most: Annotated[int, typer.Option("--most", min=1, max=1000, metavar="N", help="Show at most N.")] = 10,
    urls: Annotated[
        bool,
        typer.Option("--urls", help="Print only URLs, one per line, for `scenthound feedback DIR --good -`."),
    ] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build the index again from the crawl first.")] = False,
    as_json: Json = False,
) -> int:
    """Search the text of everything fetched.

    The best pages come first, by words and by meaning, with the words marked. The index is built at the first search,
    and brought up to date at each; also while the crawl runs.
    """
    if exact and vague:
        raise UsageError("--exact or --vague, not both")
    if exact and not topic:
        raise UsageError("an exact filter needs a topic; name one with --topic")
    if urls and as_json:
        raise UsageError("--urls or --json, not both")
    if not (words.strip() or like or like_text or topic or site or language or mime or month or rebuild):
        raise UsageError('say what to search for, such as: scenthound search DIR "hub gears"')
    return show_search(
        Typed(
            path=path,
            words=words,
            topic=topic,
            vague=vague,
            weights=weights,
            like=tuple(like or ()),
            like_text=_text(like_text) if like_text is not None else "",
            site=site,
            language=language,
            mime=mime,
            month=month,
            most=most,
            urls=urls,
            rebuild=rebuild,
            as_json=as_json,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What was typed."""

    path: Path
    words: str
    topic: str
    vague: bool
    weights: str
    like: tuple[str, ...]
    like_text: str
    site: str
    language: str
    mime: str
    month: str
    most: int
    urls: bool
    rebuild: bool
    as_json: bool


def show_search(typed: Typed) -> int:
    """Print the best pages."""
    from scenthound.cli.work.search_lines import print_answer
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.search.query_language import parse_query
    from scenthound.search.types import Weights
    from scenthound.services.search.answer_rows import as_table
    from scenthound.services.search.crawl_search import SearchWish, search_crawl

    directory = CrawlDirectory.open(typed.path)
    parse_query(typed.words)  # what cannot be read is said before an index is built
    wish = SearchWish(
        words=typed.words,
        like=typed.like,
        like_text=typed.like_text,
        topic=typed.topic,
        vague=typed.vague,
        site=typed.site,
        language=typed.language,
        mime=typed.mime,
        month=typed.month,
        weights=Weights.parse(typed.weights),
        limit=typed.most,
        rebuild=typed.rebuild,
        heard=Meter(),
    )
    found = search_crawl(directory, wish)
    if typed.as_json:
        say_json(as_table(found))
    elif typed.urls:
        for hit in found.answer.hits:
            say(hit.page.url)
    else:
        print_answer(found)
    return 0


class Meter:
    """Shows on a terminal how far the index is; without one, says nothing."""

    def __init__(self) -> None:
        self._shown = 0.0

    def __call__(self, progress: "Progress") -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or (now - self._shown < 0.2 and progress.done < progress.pages):
            return
        self._shown = now
        end = "\n" if progress.done >= progress.pages else "\r"
        say(f"{progress.step}: {progress.done:,} of {progress.pages:,} pages", end=end, file=sys.stderr, flush=True)


def _text(path: Path) -> str:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    if not text.strip():
        raise UsageError(f"{path} has no text to compare pages with")
    return text
