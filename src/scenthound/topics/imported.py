"""What an import of topics gives, wherever they came from: the tree, files to copy, and what is to be said about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.taxonomy import Topics

Progress = Callable[[float], None]  # is told the share that is done, from 0 to 1


def silent(_share: float) -> None:
    """Take note of progress and tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleFile:
    """A file that is an example: how the topics file calls it, below its own folder, and where it lies now."""

    name: str
    source: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Topics from somewhere.

    `notes` are sentences for the user. `text` is the topics file as its author wrote it, whose comments are kept.
    `folded` tells of topics that were too small where their examples went.
    """

    topics: Topics
    files: tuple[ExampleFile, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""
    folded: Mapping[str, str] = field(default_factory=dict)
