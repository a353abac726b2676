"""Whether any document can harm the reader: 1,000 that are damaged or hostile, read by the worker processes of a crawl.

Each is made from the seed and its number (hostile_documents.py) and given to the reader pool with the settings that a
crawl has by default. Every one must end as a document or with a reason; how many of which, the slowest and the memory
are shown.
"""

import asyncio
import gzip
import resource
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.hostile_documents import WAYS, Hostile, hostile, made
from bench.running import ROOT
from scenthound.crawl.readers.pool import ReaderPool, reader_options
from scenthound.settings.schema import Settings
from scenthound.types import Fetch, Reading, Reason

DOCUMENTS = 1_000
QUICK_DOCUMENTS = 2 * len(WAYS)
SEED = 1
AT_ONCE = 4  # in memory besides those with the readers
WORKERS = 2
REAL = ROOT / "tests" / "parse" / "documents" / "files"  # as office programs wrote them


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What became of one document."""

    number: int
    way: str
    reason: Reason | None
    seconds: float

    @property
    def word(self) -> str:
        return str(self.reason or "read")


def run(*, quick: bool = False) -> Report:
    """Have all documents read, and tell what became of them."""
    settings = Settings()
    wanted = QUICK_DOCUMENTS if quick else DOCUMENTS
    endings, restarts = asyncio.run(read_all(wanted, SEED, settings))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    return report(endings, wanted, restarts, memory, settings)


async def read_all(count: int, seed: int, settings: Settings) -> tuple[list[Ending], int]:
    """Read so many hostile documents in a pool, and return what became of each, and how many readers were replaced."""
    sources = {**made(), **{path.name: whole(path) for path in sorted(REAL.iterdir())}}
    pool = ReaderPool(reader_options(settings), workers=WORKERS, timeout=settings.read.timeout)
    async with pool:
        endings: list[Ending] = []
        for batch in batches(count, seed, sources):
            readings = await asyncio.gather(*(pool.read(fetched(document)) for document in batch))
            endings += [ending_of(document, reading) for document, reading in zip(batch, readings, strict=True)]
        return endings, pool.restarts


def whole(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def batches(count: int, seed: int, sources: Mapping[str, bytes]) -> Iterator[list[Hostile]]:
    for start in range(0, count, AT_ONCE):
        yield [hostile(number, seed, sources) for number in range(start, min(count, start + AT_ONCE))]


def fetched(document: Hostile) -> Fetch:
    url = f"http://hostile.example/{document.number}"
    return Fetch(url=url, started=0.0, finished=0.0, status=200, mime=document.mime, body=document.body)


def ending_of(document: Hostile, reading: Reading) -> Ending:
    return Ending(number=document.number, way=document.way, reason=reading.reason, seconds=reading.seconds)


def report(endings: Sequence[Ending], wanted: int, restarts: int, memory: float, settings: Settings) -> Report:
    slowest = max(endings, key=lambda ending: ending.seconds)
    return Report(
        figures=(
            Figure(name="documents that ended with text or a reason", value=len(endings), goal=at_least(wanted)),
            Figure(name="of which read", value=sum(ending.reason is None for ending in endings)),
            Figure(name="readers that had to be replaced", value=restarts, goal=at_most(0)),
            Figure(name="slowest", value=slowest.seconds, unit="s", goal=at_most(settings.read.timeout)),
            Figure(name="most memory of a reader", value=memory, unit="MB", goal=at_most(settings.read.memory)),
        ),
        text=(
            f"The slowest was number {slowest.number} ({slowest.way}). What became of them, by what is wrong with "
            "them:",
            table(endings),
        ),
    )


def table(endings: Sequence[Ending]) -> str:
    """Count endings by the way in which documents are hostile."""
    words = [word for word, _ in Counter(ending.word for ending in endings).most_common()]
    rows = []
    for way in dict.fromkeys(ending.way for ending in endings):
        counts = Counter(ending.word for ending in endings if ending.way == way)
        slowest = max(ending.seconds for ending in endings if ending.way == way)
        rows.append([way, *(str(counts[word] or "") for word in words), f"{slowest:.2f}"])
    return markdown_table(["way", *words, "slowest, s"], rows, right=range(1, len(words) + 2))
