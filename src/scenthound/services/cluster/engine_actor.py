"""One engine of a shared crawl, as Ray runs it: in a process of its own, on whichever machine has room.

The class knows nothing of Ray. Ray calls `run` once, and again in a new process if that one dies; meanwhile it calls
`where` and `stop` from other threads.
"""

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawl.directory.trust_check import trust
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.errors import ScenthoundError
from scenthound.events import ignore
from scenthound.services.crawls.joined_crawl import joined_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class EnginePlan:
    """What an engine needs to begin: the crawl's address, its own folder, and settings for it alone."""

    address: str
    folder: Path
    overrides: Sequence[str] = ()
    trust: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an engine ended: why it stopped and the pages it fetched, or what was wrong."""

    cause: str = ""
    pages: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an engine runs."""

    machine: str
    process: int

    def __str__(self) -> str:
        return f"{self.machine}, process {self.process}"


class EngineActor:
    """An engine in this process."""

    def __init__(self, plan: EnginePlan) -> None:
        self._plan = plan
        self._stop = StopSwitch()

    def where(self) -> Place:
        return Place(machine=socket.gethostname(), process=os.getpid())

    def run(self) -> Ending:
        """Crawl until the crawl ends or `stop` is called. Errors of the crawl are returned, not raised."""
        plan = self._plan
        try:
            directory = joined_folder(plan.address, plan.folder, listener=ignore)
            if plan.trust:
                trust(directory)
            settings = directory.settings(list(plan.overrides))
            given = [override.partition("=")[0].strip() for override in plan.overrides]
            summary = run_crawl(directory, settings, stop=self._stop, given=given)
        except ScenthoundError as error:
            return Ending(error=str(error))
        return Ending(cause=str(summary.cause), pages=summary.pages_this_run)

    def stop(self) -> None:
        """Finish what is in flight, and end."""
        self._stop.ask()
