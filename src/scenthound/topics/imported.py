"""The result of an import of topics, from any source: the tree, files to copy, and notes for the user."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.taxonomy import Topics

Progress = Callable[[float], None]  # called with the share that is done, from 0 to 1


def silent(_share: float) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleFile:
    """An example file: its name in the topics file, and where it is now."""

    name: str
    source: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Imported topics.

    `notes` are sentences for the user. `text` is the topics file as its author wrote it, whose comments are kept.
    `folded` maps topics that were too small to those that got their examples.
    """

    topics: Topics
    files: tuple[ExampleFile, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""
    folded: Mapping[str, str] = field(default_factory=dict)
