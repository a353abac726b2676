"""Moving what a crawl knows to a PostgreSQL server, to another server, or back into its folder.

The copy is made and compared first. Then crawl.toml names the new place, in one step, and only then the old one is put
aside. A move that is killed at any moment goes on when it is started again.
"""

import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tomlkit.exceptions import TOMLKitError

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, SettingError, UsageError
from scenthound.services.crawls.settings_edit import with_setting
from scenthound.settings.file import settings_from
from scenthound.settings.server_url import ServerUrl, is_server_url
from scenthound.store.store_place import Place, shown_place
from scenthound.store.transfer.copy_store import Copied, Say, copy_store
from scenthound.store.transfer.target import give_up
from scenthound.trust import remember, server
from scenthound.whole_file import write_whole

SQLITE = "sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Where a crawl is now, and what is left of it at its old place."""

    place: str
    left: str
    copied: Copied


def move_store(directory: CrawlDirectory, to: str, *, say: Say) -> Moved:
    """Move a crawl to the address of a server, or to SQLite. No crawl may run meanwhile."""
    target = _target(directory, to)
    with directory.lock():
        source = directory.store
        if source == (target.without_password() if isinstance(target, ServerUrl) else target):
            raise UsageError(f"{directory.path}: the crawl is in {shown_place(source)} already")
        if not directory.begun:
            path = directory.path
            raise DirectoryError(f"{path} has not been crawled yet; write store.url into {path}/crawl.toml")
        text = _settings_text(directory, target)
        copied = copy_store(source, target, say=say)
        with suppress(OSError):  # then it is asked about when it is opened
            remember(directory.path, [] if isinstance(target, Path) else [server(target.shown)])
        write_whole(directory.settings_file, text)
        return Moved(place=shown_place(target), left=_put_aside(source, target), copied=copied)


def _target(directory: CrawlDirectory, to: str) -> Place:
    if to == SQLITE:
        return directory.database
    if not is_server_url(to):
        raise UsageError(f'--to {to}: write "{SQLITE}", or postgresql://USER@HOST/DATABASE?crawl=NAME')
    return ServerUrl.read(to)


def _settings_text(directory: CrawlDirectory, target: Place) -> str:
    """Return crawl.toml with the new place. A password stays out of it."""
    url = "" if isinstance(target, Path) else target.without_password().shown
    before = directory.settings_file.read_text(encoding="utf-8-sig")
    try:
        text = with_setting(before, "store.url", url)
    except TOMLKitError:
        text = before
    if settings_from(tomllib.loads(text), where="crawl.toml").store.url != url:
        raise SettingError(f'crawl.toml has an unusual layout; write url = "{url}" under [store] yourself')
    return text


def _put_aside(source: Place, target: Place) -> str:
    """Keep the old store where nobody takes it for the crawl; return what it is called now."""
    if not isinstance(source, Path):
        give_up(source, to=shown_place(target))
        return f"schema {source.schema} of {source.shown}"
    aside = source.with_name(f"{source.name}.moved")
    number = 1
    while aside.exists():
        aside, number = source.with_name(f"{source.name}.moved-{number}"), number + 1
    source.rename(aside)
    for end in ("-wal", "-shm"):
        source.with_name(source.name + end).unlink(missing_ok=True)
    return str(aside)
