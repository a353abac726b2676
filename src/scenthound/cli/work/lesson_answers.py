"""The work of `scenthound teach`: ask about the pages that teach most, and trim pages to the blocks that count."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from scenthound.cli.work.feedback_answers import learn_from, read_key
from scenthound.counted import count as count_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.learning.learnt_note import learnt_of
from scenthound.errors import ScenthoundError, UsageError
from scenthound.services.crawls.reader_store import reading
from scenthound.services.topics.lesson_choice import LessonPage, lesson_pages
from scenthound.services.topics.page_feedback import Saying
from scenthound.services.topics.page_feedback import say as say_of
from scenthound.services.topics.page_trim import blocks_of, trim
from scenthound.terminal import say, say_json

_SHOWN = 160  # characters of a block


def ask_for_lessons(path: Path, count: int, *, as_json: bool) -> int:
    """Ask about some pages and train the critic on the answers."""
    directory = CrawlDirectory.open(path)
    asked = lesson_pages(directory, count=count)
    if as_json:
        say_json([asdict(one) for one in asked])
        return 0
    say(f"{count_of(len(asked), 'page')} to look at. Is each one what you want?")
    say("y: yes, n: no, t: only a part of it, s: skip, q: quit.")
    answered = 0
    for number, page in enumerate(asked, 1):
        said = _answer(directory, number, page)
        if said == "q":
            break
        answered += said != "s"
    if not answered:
        say("No answers, so nothing changes.")
        return 0
    say(f"To undo the last answer: {shlex.join(['scenthound', 'topics', str(path), 'undo'])}")
    return learn_from(directory)


def _answer(directory: CrawlDirectory, number: int, page: LessonPage) -> str:
    """Ask about one page until there is an answer that can be used; return its key."""
    say(f"\n{number}. {page.title or '(no title)'}\n   {page.url}\n   {page.why}; relevance {page.relevance:.2f}")
    while True:
        said = read_key("y/n/t/s/q", "yntsq")
        if said in "sq":
            return said
        try:
            if said == "t":
                if _trim_here(directory, page.url):
                    return said
                continue
            done = say_of(directory, page.url, Saying.GOOD if said == "y" else Saying.NOT_GOOD)
        except ScenthoundError as error:
            say(f"   {error}")
            continue
        say(f"   {done.says}")
        return said


def _trim_here(directory: CrawlDirectory, url: str) -> bool:
    """Ask which blocks count; tell whether there was an answer."""
    blocks = blocks_of(directory, url)
    _show(blocks)
    say("   Which count, such as 1,3-5? (empty: ask again) ", end="", flush=True)
    line = sys.stdin.readline().strip()
    if not line:
        say("")
        return False
    say(f"   {trim(directory, url, numbers_in(line)).says}")
    return True


def trim_page(path: Path, url: str, blocks: str, *, as_json: bool) -> int:
    """Make some blocks of a page an example, or show its blocks."""
    directory = CrawlDirectory.open(path)
    if not url:
        raise UsageError("--blocks needs --trim URL: the page whose blocks are meant")
    if not blocks:
        found = blocks_of(directory, url)
        if as_json:
            say_json([{"block": number, "text": text} for number, text in enumerate(found, 1)])
        else:
            _show(found)
            command = ["scenthound", "teach", str(path), "--trim", url, "--blocks", "1"]
            say(f"To use the first one: {shlex.join(command)}")
        return 0
    say(trim(directory, url, numbers_in(blocks)).says)
    say(f"To undo: {shlex.join(['scenthound', 'topics', str(path), 'undo'])}")
    return learn_from(directory)


def begin_harvest(path: Path) -> int:
    """Ask the crawl to end its learning phase."""
    directory = CrawlDirectory.open(path)
    phase = ""
    if directory.begun:
        with reading(directory) as store:
            phase = learnt_of(store).phase
    if directory.settings().crawl.phases != "auto" or phase == "harvesting":
        say("The crawl does not learn: it harvests already.")
        return 0
    directory.ask_to_harvest()
    say(f"The crawl harvests from {'its next page' if directory.is_running() else 'its next start'} on.")
    return 0


def numbers_in(text: str) -> list[int]:
    """Read numbers and ranges.

    >>> numbers_in("1,3-5")
    [1, 3, 4, 5]
    """
    found: list[int] = []
    for part in filter(None, text.replace(" ", ",").split(",")):
        first, _, last = part.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal() or len(part) > 9:
            raise UsageError(f'"{part}" is no number of a block; write numbers and ranges, such as 1,3-5')
        found += range(int(first), int(last or first) + 1)
    return found


def _show(blocks: Sequence[str]) -> None:
    for number, block in enumerate(blocks, 1):
        text = " ".join(block.split())
        say(f"   {number:>2}  {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}")
