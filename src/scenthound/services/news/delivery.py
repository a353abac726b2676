"""Sends news to webhooks and commands: at least once, in order, and never twice on purpose.

The place of a channel moves only when its receiver has taken a parcel. A kill between the two sends that parcel again
at the next start, with the same ids; a receiver that keeps the ids it has seen loses nothing and takes nothing twice.
A channel that fails rests, twice as long each time, and holds up no other.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import msgspec

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.named_code import thing_of
from scenthound.services.news.channels import send
from scenthound.settings.question_book import Channel
from scenthound.store.news.news_store import NewsStore
from scenthound.trust import is_trusted
from scenthound.types.news import ChannelState, NewsItem

PARCEL: Final = 100  # items sent at once
_FIRST_REST: Final = 60.0  # seconds after the first failure
_LONGEST_REST: Final = 6 * 3600.0

Send = Callable[[Channel, bytes, Path], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What a channel took, and what went wrong."""

    channel: str
    sent: int
    trouble: str = ""

    @property
    def says(self) -> str:
        took = f"{count(self.sent, 'item')} sent to {self.channel}"
        return f"{self.channel}: {self.trouble}; news is kept and sent later" if self.trouble else took


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """The news of a crawl on its way. `sending` replaces the network and the user's programs in tests of the order."""

    directory: CrawlDirectory
    store: NewsStore
    now: Callable[[], float]
    sending: Send = send

    def deliver(self, channels: Sequence[Channel], *, insist: bool = False) -> list[Delivery]:
        """Send what waits; with `insist`, also over channels that rest after a failure.

        If another process delivers now, it does that for all, and there is nothing to do here.
        """
        with _alone(self.directory.path) as alone:
            found = [self._over(channel, insist=insist) for channel in channels] if alone else []
        return [one for one in found if one is not None]

    def _over(self, channel: Channel, *, insist: bool) -> Delivery | None:
        state, sent = self.store.channel(channel.name), 0
        if state.due > self.now() and not insist:
            return None
        while items := self.store.news_after(state.sent, PARCEL):
            trouble = self._sent(channel, items)
            if trouble:
                self._rest(channel, state, trouble)
                return Delivery(channel=channel.name, sent=sent, trouble=trouble)
            state = ChannelState(sent=items[-1].n)
            self.store.set_channel(channel.name, state)
            sent += len(items)
        return Delivery(channel=channel.name, sent=sent) if sent else None

    def _sent(self, channel: Channel, items: Sequence[NewsItem]) -> str:
        if not is_trusted(self.directory.path, thing_of(channel)):
            return "you have not trusted it: add --trust once to questions, watch or crawl"
        return self.sending(channel, parcel_of(self.directory.path.resolve().name, items), self.directory.path)

    def _rest(self, channel: Channel, state: ChannelState, trouble: str) -> None:
        rest = min(_LONGEST_REST, _FIRST_REST * 2 ** min(state.tries, 20))
        due = self.now() + rest
        self.store.set_channel(
            channel.name, ChannelState(sent=state.sent, tries=state.tries + 1, due=due, said=trouble)
        )


def next_try(store: NewsStore, channels: Sequence[Channel]) -> float | None:
    """Return when a channel that failed is due again; None if none waits."""
    states = [store.channel(channel.name) for channel in channels]
    return min((state.due for state in states if state.tries and state.sent < store.last()), default=None)


def parcel_of(crawl: str, items: Sequence[NewsItem]) -> bytes:
    """Return news as webhooks and commands get it."""
    return msgspec.json.encode({"crawl": crawl, "news": [asdict(item) for item in items]})


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Tell whether this process delivers; the lock ends with it, however it ends."""
    descriptor = os.open(folder / "questions.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)
