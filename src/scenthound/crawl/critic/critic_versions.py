"""The critics that a crawl has had: a record of each in the store, its model in the folder `models`."""

from dataclasses import replace
from pathlib import Path

from scenthound.clock import Clock
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.errors import ScenthoundError
from scenthound.judge.critic import Critic
from scenthound.store.base import Store
from scenthound.types import CriticRecord


class CriticVersions:
    """Find, load and save the critics of the crawl in a folder. All are of one kind."""

    def __init__(self, folder: Path, *, kind: str, store: Store, clock: Clock) -> None:
        self._folder = folder
        self._kind = kind
        self._store = store
        self._clock = clock

    def next_record(self, *, lessons: str, good: tuple[str, ...]) -> CriticRecord:
        """Return a record for the next version, without a model: what it learns from, and the good topics."""
        last = self._store.critic()
        return CriticRecord(
            version=(last.version if last else 0) + 1,
            kind=self._kind,
            model="",
            lessons=lessons,
            good=good,
            trained_at=self._clock.now(),
        )

    def load_last(self) -> Critic | None:
        """Return the critic at work last, unless it is of another kind or cannot be read."""
        last = self._store.critic()
        return self._load(last) if last is not None and last.kind == self._kind else None

    def load_equal(self, wanted: CriticRecord) -> tuple[Critic, CriticRecord] | None:
        """Return a critic of before that learnt the same, with its new record: an edit that is undone undoes all."""
        for record in reversed(self._store.critics()):
            if learns_same(record, wanted) and (critic := self._load(record)) is not None:
                return critic, replace(wanted, model=record.model, said=record.said, trained_at=record.trained_at)
        return None

    def save(self, critic: Critic, wanted: CriticRecord, *, said: str) -> CriticRecord:
        """Save a new critic, and return its record."""
        model = self._new_folder(wanted.version)
        critic.save(self._folder / model)
        return replace(wanted, model=str(model), said=said)

    def _load(self, record: CriticRecord) -> Critic | None:
        try:
            return saved_critic(self._folder, record.model)
        except (ScenthoundError, OSError):  # removed, damaged or of another version
            return None

    def _new_folder(self, version: int) -> Path:
        """Return a folder for a model; one that exists already belongs to a critic that was rejected, or is damaged."""
        name = Path("models") / f"critic-{version:04d}"
        tries = 1
        while (self._folder / name).exists():
            tries += 1
            name = Path("models") / f"critic-{version:04d}-{tries}"
        return name


def learns_same(one: CriticRecord, other: CriticRecord) -> bool:
    """Tell whether two critics have learnt the same: kind, lessons and good topics."""
    return (one.kind, one.lessons, one.good) == (other.kind, other.lessons, other.good)
