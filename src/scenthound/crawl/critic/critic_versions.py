"""The critics that a crawl has had: a record of each in the store, its model in the folder `models`.

Where several engines share a crawl, the one that teaches puts models into the store, and the others get them there.
"""

import shutil
from dataclasses import replace
from pathlib import Path

from scenthound.clock import Clock
from scenthound.crawl.directory.trust_check import inside, saved_critic
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.errors import ScenthoundError
from scenthound.judge.critic import Critic
from scenthound.store.base import Store
from scenthound.types import CriticRecord


class CriticVersions:
    """Find, load and save the critics of the crawl in a folder. All are of one kind."""

    def __init__(self, folder: Path, *, kind: str, store: Store, clock: Clock, fellows: Fellows = ALONE) -> None:
        self._folder = folder
        self._fellows = fellows
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

    def share_last(self) -> None:
        """Upload the current critic for the other engines."""
        record, engines = self._store.critic(), self._fellows.engines
        if record is None or engines is None:
            return
        there = engines.shared_versions(under=f"{record.model}/")
        for path in sorted((self._folder / record.model).rglob("*")):
            name = path.relative_to(self._folder).as_posix()
            if path.is_file() and name not in there:
                engines.share_file(name, path.read_bytes(), after=0)

    def _fetch(self, model: str) -> None:
        """Get a model that another engine has trained."""
        engines = self._fellows.engines
        if engines is None or inside(self._folder, model).exists():
            return
        files = [engines.shared_file(name) for name in engines.shared_versions(under=f"{model}/")]
        aside = self._folder / f"{model}.part"
        shutil.rmtree(aside, ignore_errors=True)
        for file in filter(None, files):
            path = inside(aside, str(Path(file.name).relative_to(model)))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        if files:
            aside.rename(self._folder / model)

    def _load(self, record: CriticRecord) -> Critic | None:
        try:
            self._fetch(record.model)
            return saved_critic(self._folder, record.model)
        except (ScenthoundError, OSError):  # removed, damaged or of another version
            return None

    def _new_folder(self, version: int) -> Path:
        """Return a folder for a model; one that exists already belongs to a critic that was rejected, or is damaged."""
        # Another engine may have rejected a critic of its own under this version.
        mark = f"-e{self._fellows.number}" if self._fellows.engines is not None else ""
        name = Path("models") / f"critic-{version:04d}{mark}"
        tries = 1
        while (self._folder / name).exists():
            tries += 1
            name = Path("models") / f"critic-{version:04d}{mark}-{tries}"
        return name


def learns_same(one: CriticRecord, other: CriticRecord) -> bool:
    """Tell whether two critics have learnt the same: kind, lessons and good topics."""
    return (one.kind, one.lessons, one.good) == (other.kind, other.lessons, other.good)


def learns_other_stage(one: CriticRecord, other: CriticRecord) -> bool:
    """Tell whether two critics have learnt the same but for the number of crawled pages."""
    first, second = (record.lessons.partition(" ")[0] for record in (one, other))
    return (one.kind, first, one.good) == (other.kind, second, other.good)
