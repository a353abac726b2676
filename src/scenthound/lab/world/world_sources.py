"""The source of a world: WARC files, an earlier crawl, or the generated demo web.

An experiment names a source. `origin_of` turns it into an origin: the addresses of a web, and the answer of each, as
the fetcher of a crawl would return it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.errors import LabError
from scenthound.lab.world.demo_origin import Generated
from scenthound.lab.world.labels import Label, labels_of_examples
from scenthound.lab.world.warc_origin import Archived, ArchiveFile
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSource:
    """Exactly one of WARC files, a crawl directory and the seed of a demo web; `labels` is a file of topics."""

    name: str
    warc: tuple[Path, ...] = ()
    crawl: Path | None = None
    demo: int | None = None
    labels: Path | None = None

    @property
    def title(self) -> str:
        """The source without the folders of this machine."""
        if self.crawl is not None:
            return f"the crawl {self.crawl.name}"
        if self.demo is not None:
            return f"the demo web of seed {self.demo}"
        return " and ".join(path.name for path in self.warc)


class Origin(Protocol):
    """A web that can list everything it has. All addresses are canonical."""

    def addresses(self) -> Sequence[str]:
        """Return the known addresses of the web, each once, in a fixed order."""
        ...

    def beyond(self, linked: Iterable[str]) -> Sequence[str]:
        """Return the further addresses of the web, given all links of its pages."""
        ...

    def fetch(self, url: str) -> Fetch:
        """Return the answer of an address, with its body; times are 0."""
        ...

    def labels(self) -> Sequence[Label]:
        """Return the origin's own labels of its pages."""
        ...


def check_source(source: WorldSource) -> None:
    """Raise an error for a source without a web, with more than one, or with missing files."""
    given = (bool(source.warc), source.crawl is not None, source.demo is not None)
    if sum(given) != 1:
        raise LabError(f'world "{source.name}": give exactly one of warc, crawl and demo')
    for path in (*source.warc, *([source.labels] if source.labels else [])):
        if not path.is_file():
            raise LabError(f'world "{source.name}": there is no file {path}; correct the path, or fetch the file')
    if source.crawl is not None:
        CrawlDirectory.open(source.crawl)


def archive_files(source: WorldSource) -> tuple[ArchiveFile, ...]:
    """Return the WARC files of a source; for a crawl, as far as its database has recorded them."""
    if source.crawl is None:
        return tuple(ArchiveFile(path=path) for path in source.warc)
    directory = CrawlDirectory.open(source.crawl)
    recorded = {}
    if directory.begun:
        with open_store(directory, read_only=True) as store:
            recorded = store.archived()
    if not recorded:
        raise LabError(f"{source.crawl} has no archived page; crawl there first, with archive.keep = true")
    return tuple(ArchiveFile(path=directory.archive / name, end=recorded[name]) for name in sorted(recorded))


def origin_of(source: WorldSource, settings: FetchSettings) -> Origin:
    """Return the web of a source, as a crawl with these settings would meet it."""
    if source.demo is not None:
        return Generated(source.demo, settings)
    return Archived(archive_files(source), settings)


def labels_besides(source: WorldSource) -> tuple[Label, ...]:
    """Return the examples of a crawl as labels, from its present topics file: an edit needs no new reading."""
    if source.crawl is None:
        return ()
    return labels_of_examples(CrawlDirectory.open(source.crawl).topics())
