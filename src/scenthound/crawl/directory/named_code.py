"""Which code that is not ours a crawl names: functions and commands of its settings, and where it sends its news."""

import os
import shlex
from contextlib import suppress
from pathlib import Path

from scenthound.crawl.backlinks.sources import OWN_LINKS
from scenthound.settings.question_book import Channel, NewsCommand, QuestionBook
from scenthound.settings.schema import Settings
from scenthound.trust import command, function


def code_of(settings: Settings, folder: Path) -> dict[str, str]:
    """Return what settings would run, by their names.

    >>> from scenthound.settings.schema import CrawlSettings
    >>> code_of(Settings(crawl=CrawlSettings(order="my_module:rank")), Path())
    {'crawl.order': 'the function my_module:rank'}
    """
    named = {"crawl.order": settings.crawl.order, "critic.kind": settings.critic.kind}
    found = {key: function(value) for key, value in named.items() if ":" in value}
    source = settings.backlinks.source
    if source not in ("", OWN_LINKS) and not _is_own_file(folder, source):
        found["backlinks.source"] = command(source)
    return found


def channels_of(book: QuestionBook) -> list[str]:
    """Return the programs that news would run, and the addresses that it would be sent to."""
    return [thing_of(channel) for channel in book.channels]


def thing_of(channel: Channel) -> str:
    """Describe a way out that needs trust: results of a crawl are private, even if somebody else wrote the file."""
    if isinstance(channel, NewsCommand):
        return command(shlex.join(channel.run))
    return f"{channel.name}{' in a private network' if channel.private else ''}"


def _is_own_file(folder: Path, name: str) -> bool:
    """Tell whether this is a file of the directory that is read and not run."""
    path = folder / name
    with suppress(OSError, ValueError):
        return path.is_file() and not os.access(path, os.X_OK) and path.resolve().is_relative_to(folder.resolve())
    return False
