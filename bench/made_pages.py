"""Pages of two kinds, made up of the words of each: what an endless web is made of, served or not."""

import os
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final

from scenthound.taxonomy import Topic, Topics

WANTED, OTHER = KINDS = ("wanted", "other")
_WORDS: Final = {
    WANTED: "wheel chain saddle tyre pedal gear spoke brake frame ride hub rim fork crank lever valve",
    OTHER: "budget market invoice meeting tax office bank profit stock share audit claim policy fund asset loan",
}


def words(kind: str, many: int, draw: Random) -> str:
    """Draw words of a kind."""
    return " ".join(draw.choices(_WORDS[kind].split(), k=many))


def link(url: str, kind: str, draw: Random) -> str:
    """Make an item of a list: words, and a link with words of its own."""
    return f'<li>{words(kind, 4, draw)} <a href="{url}">{words(kind, 2, draw)}</a></li>'


def page(title: str, kind: str, links: Iterable[str], draw: Random) -> str:
    """Make a page with some text and a list of links."""
    text = "".join(f"<p>{words(kind, 60, draw)}</p>" for _ in range(4))
    return f"<html><title>{title}</title>{text}<ul>{''.join(links)}</ul></html>"


def topics(examples: dict[str, list[str]]) -> Topics:
    """Return a topic of each kind, with these examples."""
    return Topics(topics=tuple(Topic(path=kind, good=kind == WANTED, examples=tuple(examples[kind])) for kind in KINDS))


def memory_of(pid: int | str = "self") -> float:
    """Return the megabytes of a process that are not shared with files."""
    fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE") / 1e6
