"""One run of a crawl: its settings and tools, and the work before the first fetch and after the last."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from scenthound.archive.files import files_of, repair
from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import in_seconds
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.crawl.engine.loop import PAUSED, StopSwitch
from scenthound.crawl.order.note import in_columns, note_reconsidered
from scenthound.crawl.revisit.calendar import Calendar, Revisit, put_back
from scenthound.crawl.revisit.forgiveness import Forgiving
from scenthound.crawl.revisit.second_thoughts import reconsider
from scenthound.events import Listener, Notice
from scenthound.frontier.outage import UNREACHED
from scenthound.settings.order_columns import is_combination
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.types import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRun:
    """A run of the crawl in a directory, which is locked meanwhile. `given` names settings that edits do not change."""

    directory: CrawlDirectory
    settings: Settings
    store: Store
    clock: Clock
    listener: Listener
    stop: StopSwitch
    again: bool = False
    examples_only: bool = False
    given: Collection[str] = ()
    fellows: Fellows = ALONE

    @property
    def is_first(self) -> bool:
        """Whether no other engine is at work: what is done once before a crawl goes on may be done now."""
        return not self.fellows.standing.others

    def recover(self) -> None:
        """Bring database and archive together after a crash: claims in flight return, unrecorded bytes are cut off.

        The directory's lock is held. On a server, the claims of other engines stay.
        """
        if self.is_first:
            self.store.note(PAUSED, "")
        returned = self.store.release(owner=None, now=self.clock.now())
        if returned:
            self.listener(Notice(text=f"{count(returned, 'claim')} of an interrupted run returned to the frontier"))
        if self.is_first:
            self._wind_back()
        elsewhere = not isinstance(self.directory.store, Path)  # other engines may have files of their own
        recorded, uploaded = self.store.archived(), self.store.uploaded()
        if uploaded:  # they need not be here any more
            here = {path.name for path in files_of(self.directory.archive)}
            recorded = {name: length for name, length in recorded.items() if name in here or name not in uploaded}
        for sentence in repair(self.directory.archive, recorded, elsewhere=elsewhere):
            self.listener(Notice(text=sentence))
        again = reconsider(self.store, self.settings, now=self.clock.now())
        if again:
            note_reconsidered(self.store)
            self.listener(
                Notice(text=f"the settings have changed: {count(again, 'URL')} given up before to be considered again")
            )

    def _wind_back(self) -> None:
        put_off = self.store.wind_back(now=self.clock.now())
        if put_off.hosts or put_off.robots:
            self.listener(
                Notice(
                    text=f"the clock of this machine was once {in_seconds(put_off.ahead)} ahead: "
                    f"{count(put_off.hosts, 'host')} may be asked "
                    f"sooner than it says, and {count(put_off.robots, 'robots.txt file')} will be asked for again"
                )
            )

    def forgive(self, *, wanted: bool) -> None:
        """Give failed hosts another chance, if this run wants it or the last one was asked for it and had ended."""
        asked = self.forgiving().follow()
        if wanted and not asked:
            self.forgiving().forgive()

    def try_all_again(self) -> None:
        """Forgive URLs and hosts that failed while no server could be reached: the next start asks for them."""
        now = self.clock.now()
        self.store.forgive(now=now)
        self.store.reconsider([*UNREACHED, Reason.ROBOTS_UNREACHABLE], now=now)

    def forgiving(self, then: Callable[[], None] = lambda: None) -> Forgiving:
        """Set up what forgives hosts when the user asks for it."""
        return Forgiving(self.directory, store=self.store, clock=self.clock, listener=self.listener, then=then)

    def revisit(self, wish: Revisit) -> None:
        now = self.clock.now()
        left = self.store.next_due(now=now, again=True) is not None
        calendar = Calendar(self.store, self.settings.revisit, now=now)
        ranked = not is_combination(self.settings.crawl.order)  # one may name columns such as last_visited
        again = put_back(self.store, calendar, wish, now=now, ranked=ranked)
        if in_columns(self.store):  # pages asked again have columns that they had not
            note_reconsidered(self.store)
        more = ", besides those that an earlier run has left" if left else ""
        self.listener(Notice(text=f"{count(again, 'page')} to be asked for again{more}"))

    def leave_alone(self) -> None:
        """Ask for no page again that an earlier run has left: no budget of this run would bound that."""
        if not self.is_first:
            return
        if left := self.store.leave_alone(now=self.clock.now()):
            more = "that an earlier run was to ask for again stay as they are; crawl --revisit asks for what is due"
            self.listener(Notice(text=f"{count(left, 'page')} {more}"))
