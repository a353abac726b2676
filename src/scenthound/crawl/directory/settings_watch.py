"""Watch crawl.toml while a crawl runs: some settings take effect at once, and a notice says that the others must wait.

Settings that a run got besides the file (`--set`, `--pages`) stay, whatever the file says. A file that cannot be read
changes nothing.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from scenthound.clock import Clock
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError
from scenthound.events import Listener, Notice
from scenthound.settings.schema import Settings

# Seconds that a changed file must stay as it is. An editor may leave half a file for a moment, and half a file is often
# valid, with defaults for the rest.
SETTLED: Final = 0.1


class SettingsWatch:
    """Use `begin` once, then ask for `news` again and again. `given` names the settings that this run was given."""

    def __init__(
        self,
        directory: CrawlDirectory,
        running: Settings,
        *,
        given: Collection[str] = (),
        clock: Clock,
        listener: Listener,
    ) -> None:
        self._directory = directory
        self._running = running
        self._given = given
        self._clock = clock
        self._listener = listener
        self._held: dict[str, object] = {}
        self._filed = flat(running)
        self._stamp: object = None
        self._unsettled: tuple[object, float] = (None, 0.0)

    def begin(self) -> None:
        """Look at the file for the first time: what differs from it now was given to this run."""
        self._stamp = self._directory.settings_stamp()
        running = flat(self._running)
        with suppress(ScenthoundError):  # a crawl beside a broken file has all settings from elsewhere
            self._filed = flat(self._directory.settings())
        self._held = {key: value for key, value in running.items() if value != self._filed[key] or key in self._given}

    def chosen(self, key: str) -> bool:
        """Tell whether a setting was chosen, in the file or for this run, and is not just the default."""
        section, _, name = key.partition(".")
        try:
            filed = self._directory.settings_table().get(section)
        except ScenthoundError:
            filed = None
        return key in self._held or (isinstance(filed, dict) and name in filed)

    def news(self) -> Settings | None:
        """Return the settings with what has changed in the file since and may change now, if anything has."""
        if not self._file_settled():
            return None
        try:
            filed = flat(self._directory.settings())
        except ScenthoundError as error:
            self._listener(Notice(text=f"{error}; the crawl goes on with the settings as they were"))
            return None
        changed = [key for key, value in filed.items() if value != self._filed[key]]
        self._filed = filed
        running = flat(self._running)
        self._tell([key for key in changed if not self._may_change(key) and filed[key] != running[key]])
        return self._with(filed | self._held) if any(map(self._may_change, changed)) else None

    def _may_change(self, key: str) -> bool:
        return at_once(key) and key not in self._held

    def _file_settled(self) -> bool:
        """Return whether the file has changed since the last call, and nobody is writing it now."""
        stamp, now = self._directory.settings_stamp(), self._clock.now()
        if stamp == self._stamp:
            return False
        seen, since = self._unsettled
        if stamp != seen:
            self._unsettled = (stamp, now)
            return False
        if now - since < SETTLED:
            return False
        self._stamp = stamp
        return True

    def _with(self, table: Mapping[str, object]) -> Settings:
        """Return the settings of this run with those of a table that may change now."""
        running = self._running
        names = running.apprentice.__struct_fields__
        return replace(
            running,
            crawl=replace(running.crawl, order=table["crawl.order"]),
            apprentice=replace(running.apprentice, **{name: table[f"apprentice.{name}"] for name in names}),
        )

    def _tell(self, keys: list[str]) -> None:
        if keys:
            take = "takes" if len(keys) == 1 else "take"
            self._listener(
                Notice(text=f"crawl.toml has changed: {', '.join(keys)} {take} effect at the next start of the crawl")
            )


def at_once(key: str) -> bool:
    """Tell whether a setting may change while a crawl runs.

    >>> [key for key in flat(Settings()) if at_once(key)][:2]
    ['crawl.order', 'apprentice.kind']
    """
    return key == "crawl.order" or key.startswith("apprentice.")


def flat(settings: Settings) -> dict[str, object]:
    """Return all settings by their names.

    >>> flat(Settings())["fetch.per_host"]
    1
    """
    sections = ((name, getattr(settings, name)) for name in settings.__struct_fields__)
    return {f"{name}.{key}": getattr(section, key) for name, section in sections for key in section.__struct_fields__}
