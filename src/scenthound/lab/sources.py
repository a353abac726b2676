"""Where a world comes from: WARC files, an earlier crawl, or the generated demo web.

A source is a value that an experiment names. `origin_of` turns it into an origin: the addresses of a web, and what each of
them once answered, as the fetcher of a crawl would have told it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scenthound.config import FetchSettings
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.opening import open_store
from scenthound.errors import LabError
from scenthound.lab.world_archive import Archived, ArchiveFile
from scenthound.lab.world_demo import Generated
from scenthound.lab.world_labels import Label, labels_of_examples
from scenthound.types import Fetch


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSource:
    """Exactly one of WARC files, a crawl directory and the seed of a demo web; `labels` is a file of addresses and topics."""

    name: str
    warc: tuple[Path, ...] = ()
    crawl: Path | None = None
    demo: int | None = None
    labels: Path | None = None

    @property
    def title(self) -> str:
        """What the source is, without the folders of this machine."""
        if self.crawl is not None:
            return f"the crawl {self.crawl.name}"
        if self.demo is not None:
            return f"the demo web of seed {self.demo}"
        return " and ".join(path.name for path in self.warc)


class Origin(Protocol):
    """A web that can be asked for everything it has. All addresses are canonical."""

    def addresses(self) -> Sequence[str]:
        """Return what the web is known to have, each address once, in an order that never changes."""
        ...

    def beyond(self, linked: Iterable[str]) -> Sequence[str]:
        """Return what else belongs to the web, given all that its pages link to."""
        ...

    def fetch(self, url: str) -> Fetch:
        """Return what an address answers, with its body; times are 0."""
        ...

    def labels(self) -> Sequence[Label]:
        """Return what the origin itself knows about the topics of its pages."""
        ...


def check_source(source: WorldSource) -> None:
    """Refuse a source that names no web, more than one, or files that are not there."""
    given = (bool(source.warc), source.crawl is not None, source.demo is not None)
    if sum(given) != 1:
        raise LabError(f'world "{source.name}": give exactly one of warc, crawl and demo')
    for path in (*source.warc, *([source.labels] if source.labels else [])):
        if not path.is_file():
            raise LabError(f'world "{source.name}": there is no file {path}; correct the path, or fetch the file')
    if source.crawl is not None:
        CrawlDirectory.open(source.crawl)


def archive_files(source: WorldSource) -> tuple[ArchiveFile, ...]:
    """Return the WARC files of a source; of a crawl's, what its database has recorded."""
    if source.crawl is None:
        return tuple(ArchiveFile(path=path) for path in source.warc)
    directory = CrawlDirectory.open(source.crawl)
    recorded = {}
    if directory.database.exists():
        with open_store(directory, read_only=True) as store:
            recorded = store.archived()
    if not recorded:
        raise LabError(f"{source.crawl} has no archived page; crawl there first, with archive.keep = true")
    return tuple(ArchiveFile(path=directory.archive / name, end=recorded[name]) for name in sorted(recorded))


def origin_of(source: WorldSource, settings: FetchSettings) -> Origin:
    """Return the web behind a source, as a crawl with these settings would meet it."""
    if source.demo is not None:
        return Generated(source.demo, settings)
    return Archived(archive_files(source), settings)


def labels_besides(source: WorldSource) -> tuple[Label, ...]:
    """Return the examples of a crawl as labels, as its topics file has them now: an edit needs no page to be read again."""
    if source.crawl is None:
        return ()
    return labels_of_examples(CrawlDirectory.open(source.crawl).topics())
