"""Trimming a page: only the blocks of its text that a reader chooses become an example (BINGO §2.6).

The chosen blocks are written to a file among the examples. The topics file names it, so that a trim goes through the
history like any edit and can be undone.
"""

from collections.abc import Sequence
from html import escape
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, TopicsError, UsageError
from scenthound.parse.urls import canonical
from scenthound.services.results.page_text import PageText, text_of_page
from scenthound.services.topics.page_feedback import change, good_topic, topic_of_example
from scenthound.services.topics.topic_edits import Edited
from scenthound.taxonomy import Topics
from scenthound.topics import edits
from scenthound.topics.decided_pages import trimmed_name
from scenthound.topics.edits import Edit
from scenthound.topics.url_topics import checked_urls
from scenthound.whole_file import write_whole

_BLOCK: Final = 400  # characters from which on a block is closed
_MOST: Final = 20  # blocks of a page that are offered; a long page has longer ones


def blocks_of(directory: CrawlDirectory, url: str) -> tuple[str, ...]:
    """Return the text of a crawled page in blocks, each of a few paragraphs."""
    return blocks_in(text_of_page(directory, url).text)


def blocks_in(text: str) -> tuple[str, ...]:
    """Join short paragraphs.

    >>> [len(block) for block in blocks_in("a" * 300 + "\\n" + "b" * 200 + "\\n" + "c")]
    [501, 1]
    """
    least = max(_BLOCK, len(text) // _MOST)
    blocks, open_block = list[str](), ""
    for line in filter(None, map(str.strip, text.split("\n"))):
        open_block = f"{open_block}\n{line}" if open_block else line
        if len(open_block) >= least:
            blocks.append(open_block)
            open_block = ""
    return (*blocks, open_block) if open_block else tuple(blocks)


def trim(directory: CrawlDirectory, url: str, wanted: Sequence[int], *, topic: str = "") -> Edited:
    """Make some blocks of a page, counted from 1, an example of a good topic: the likeliest, or `topic`."""
    [address] = checked_urls([url])
    page = text_of_page(directory, address)
    address, blocks = canonical(page.source.url) or address, blocks_in(page.text)
    chosen = sorted(set(wanted))
    if not chosen:
        raise UsageError("choose at least one block of the page")
    if chosen[0] < 1 or chosen[-1] > len(blocks):
        raise UsageError(f"the page has the blocks 1 to {len(blocks)}; choose among these")

    def edit(topics: Topics) -> Edit:
        if (now := topic_of_example(topics, address)) is not None:
            raise TopicsError(f'{address} is an example of "{now}" already; take it back first')
        to = good_topic(directory, topics, address, topic)
        name = trimmed_name(to, address)
        _write(directory, name, page, [blocks[number - 1] for number in chosen])
        return edits.add_examples(topics, to, [name])

    return change(directory, edit)


def _write(directory: CrawlDirectory, name: str, page: PageText, blocks: Sequence[str]) -> None:
    paragraphs = "".join(f"<p>{escape(block)}</p>\n" for block in blocks)
    source = escape(page.source.url, quote=True)
    head = f'<meta charset="utf-8"><title>{escape(page.source.title)}</title><link rel="canonical" href="{source}">'
    file = directory.path / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, f"<!doctype html>\n<html><head>{head}</head><body>\n{paragraphs}</body></html>\n")
    except OSError as error:
        raise DirectoryError(f"{file} cannot be written: {error.strerror}") from None
