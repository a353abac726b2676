"""Taking what an apprentice has learnt from one crawl to another (APPRENTICE §3.5)."""

import math
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from msgspec import structs

from scenthound.apprentice.learnt_before import Knowledge, read_knowledge
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.scent import ScentModel, prior_weights
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.order.explanation import replayed
from scenthound.crawl.order.guides import learnt_file
from scenthound.errors import UsageError
from scenthound.services.crawls.reader_store import reading
from scenthound.services.crawls.settings_edit import change_settings
from scenthound.settings.help import toml_value
from scenthound.settings.schema import ApprenticeSettings
from scenthound.taxonomy import Topics

_SETTINGS: Final = ("kind", "before", "before_words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """Settings of an apprentice that has learnt before, and what that means in sentences."""

    settings: ApprenticeSettings
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What an apprentice knows, in numbers. `weights` has those of a scent apprentice now and as they ship."""

    kind: str
    lessons: int
    topics: tuple[str, ...]
    words: int
    weights: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def knowledge_of(directory: CrawlDirectory) -> Knowledge:
    """Return what the apprentice of a crawl knows now; it goes through the log of lessons since the last checkpoint."""
    with reading(directory) as store:
        if not store.last_lesson():
            raise UsageError(
                f"{directory.path}: its apprentice has learnt nothing yet; crawl first, in the order apprentice"
            )
        model, lessons = replayed(directory, store, patience=math.inf)
    state = model.knowledge()
    if not state:
        raise UsageError(
            f"{directory.path}: its apprentice is still collecting (apprentice.start); let it crawl more pages"
        )
    kind = "scent" if isinstance(model, ScentModel) else "bayes"
    topics = tuple(topic.path for topic in directory.topics().good)
    return Knowledge(kind=kind, lessons=lessons, topics=topics, state=state)


def known_of(knowledge: Knowledge) -> Known:
    """Return knowledge in numbers that people read."""
    state = knowledge.state
    scent = knowledge.kind == "scent"
    pairs = zip(NAMES, state["weights"].tolist(), prior_weights().tolist(), strict=True) if scent else ()
    return Known(
        kind=knowledge.kind,
        lessons=knowledge.lessons,
        topics=knowledge.topics,
        words=len(state["link words.known"]) if scent else len(state["slots"]),
        weights={name: (now, shipped) for name, now, shipped in pairs},
    )


def take(directory: CrawlDirectory, file: Path) -> list[str]:
    """Let the apprentice of a crawl begin with what another one has learnt; return sentences."""
    if directory.is_running():
        raise UsageError(f"{directory.path} is being crawled; stop it first, then take this along")
    begun = begun_with(directory.settings().apprentice, file, directory.topics())
    path = learnt_file(directory.path, begun.settings.before)
    path.parent.mkdir(exist_ok=True)
    shutil.copyfile(file, path)
    changes = {f"apprentice.{name}": toml_value(getattr(begun.settings, name)) for name in _SETTINGS}
    change_settings(directory, changes)
    back = f"scenthound crawl {directory.path} --set apprentice.before="
    return [*begun.says, f"It is in {directory.settings_file} as apprentice.before. To crawl without it: {back}"]


def begun_with(settings: ApprenticeSettings, file: Path, topics: Topics) -> Begun:
    """Return settings of an apprentice that begins with what a file holds: the words only if it is for the same topic.

    A file that is none is refused.
    """
    known = read_knowledge(file)
    same = sorted({topic.path for topic in topics.good} & set(known.topics))
    begun = structs.replace(settings, kind=known.kind, before=known.name, before_words=bool(same))
    about = f" for {', '.join(known.topics)}" if known.topics else ""
    says = [f"The apprentice begins with what it learnt from {count(known.lessons, 'lesson')}{about}."]
    if not same and known.kind == "scent":
        says.append(
            "No good topic here has the same name, so it takes the weights and not the words; "
            "apprentice.before_words = true takes both."
        )
    return Begun(settings=begun, says=tuple(says))
