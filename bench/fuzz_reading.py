"""Read mutilated pages until something breaks: `python bench/fuzz_reading.py --mutations 50000 --seed 1 [--workers 2]`.

Pages of the messy and schools webs get flipped bits, doubled tags, cuts, pieces of each other and NULs, and are read in
child processes. A child that dies or takes longer than the limit on one mutation is replaced and the mutation counted;
each is made from the seed and its number alone, so that `--only N` makes it again.
"""

import argparse
import multiprocessing
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, perf_counter

from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.parse.page import read
from scenthound.types import Fetch

TYPES = ["text/html", "application/xhtml+xml", "text/plain"]
BATCH = 50
LARGEST = 300_000  # bytes; larger pages are mutilated no differently and only take longer
TAG = re.compile(rb"<[a-zA-Z!/][^<>]{0,300}>")


@dataclass
class Tally:
    """What came of all mutations."""

    endings: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: tuple[float, int] = (0.0, -1)
    growth: dict[int, tuple[int, int]] = field(default_factory=dict)  # of each child: memory early on and at last

    def add(self, child: int, number: int, ending: str, seconds: float, memory: int) -> None:
        self.endings[ending] += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, (seconds, number))
        early, _ = self.growth.get(child, (memory, memory))
        self.growth[child] = (early, memory)


def flip_bits(rng: random.Random, page: bytes, _other: bytes) -> bytes:
    damaged = bytearray(page)
    for _ in range(rng.randint(1, 200)):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def double_tags(rng: random.Random, page: bytes, _other: bytes) -> bytes:
    tags = list(TAG.finditer(page))
    if not tags:
        return page
    tag = rng.choice(tags)
    return page[: tag.start()] + tag[0] * rng.choice([2, 50, 2_000, 20_000]) + page[tag.end() :]


def drop_tags(rng: random.Random, page: bytes, _other: bytes) -> bytes:
    share = rng.random()
    return TAG.sub(lambda tag: b"" if rng.random() < share else tag[0], page)


def truncate(rng: random.Random, page: bytes, _other: bytes) -> bytes:
    return page[: rng.randrange(len(page))]


def splice(rng: random.Random, page: bytes, other: bytes) -> bytes:
    start = rng.randrange(len(other))
    at = rng.randrange(len(page))
    return page[:at] + other[start : start + rng.randrange(50_000)] + page[at:]


def sow_nulls(rng: random.Random, page: bytes, _other: bytes) -> bytes:
    share = rng.choice([1_000, 100, 3])
    return b"\0".join(page[at : at + share] for at in range(0, len(page), share))


MUTATIONS: list[Callable[[random.Random, bytes, bytes], bytes]] = [
    flip_bits,
    double_tags,
    drop_tags,
    truncate,
    splice,
    sow_nulls,
]


def mutation(seed: int, number: int, pages: list[bytes]) -> bytes:
    """Make one mutation: up to three kinds of damage, one after another."""
    rng = random.Random(f"{seed}/{number}")
    page = rng.choice(pages)
    for damage in rng.choices(MUTATIONS, k=rng.choice([1, 1, 2, 3])):
        page = damage(rng, page or b"<", rng.choice(pages))[: 2 * LARGEST]
    return page


def work(pipe: Connection, seed: int, pages: list[bytes]) -> None:
    """Read one mutation after another in a child: announce it, do it, report it."""
    while numbers := pipe.recv():
        for number in numbers:
            body = mutation(seed, number, pages)
            pipe.send(("begun", number))
            started = perf_counter()
            ending = try_reading(body)
            pipe.send(("done", number, ending, perf_counter() - started, memory()))


def try_reading(body: bytes) -> str:
    fetch = Fetch(url="http://fuzz.example/a/b", started=0.0, finished=0.0, status=200, mime="text/html", body=body)
    try:
        reading = read(fetch, types=TYPES, max_unpacked=20_000_000, product="scenthound")
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"
    if any(not 0 <= link.first_leaf <= link.last_leaf < len(reading.leaves) for link in reading.links):
        return "link outside the leaves"
    return reading.reason.value if reading.reason else "read"


def memory() -> int:
    """Return the resident bytes of this process (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Child:
    """A process that reads mutations, and which it is at since when."""

    def __init__(self, seed: int, pages: list[bytes]) -> None:
        self.pipe, far = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(far, seed, pages), daemon=True)
        self.process.start()
        far.close()
        self.left: list[int] = []
        self.current = -1
        self.begun = monotonic()

    def give(self, numbers: list[int]) -> bool:
        """Hand over the next mutations; none ends the child, and False is returned."""
        self.left = numbers
        self.begun = monotonic()
        self.pipe.send(numbers)
        if not numbers:
            self.process.join()
        return bool(numbers)


def fuzz(options: argparse.Namespace, pages: list[bytes]) -> Tally:
    """Keep all children busy until every number is done."""
    tally = Tally()
    numbers = iter(range(options.mutations))
    children = [Child(options.seed, pages) for _ in range(options.workers)]
    for child in children:
        child.give(list(islice(numbers, BATCH)))
    while children:
        ready = wait([child.pipe for child in children], timeout=0.5)
        for child in list(children):
            trouble = hear(child, tally) if child.pipe in ready else overdue(child, options.seconds)
            if trouble:
                tally.add(0, child.current, trouble, options.seconds, 0)
                print(f"mutation {child.current}: {trouble}", flush=True)
                children[children.index(child)] = successor(child, options, pages)
            elif not child.left and not child.give(list(islice(numbers, BATCH))):
                children.remove(child)
    return tally


def hear(child: Child, tally: Tally) -> str:
    """Take one message of a child; return in words if it is dead."""
    try:
        message = child.pipe.recv()
    except (EOFError, ConnectionError):
        return "killed its process"
    if message[0] == "begun":
        child.current, child.begun = message[1], monotonic()
        return ""
    child.left.remove(message[1])
    tally.add(child.process.pid or 0, *message[1:])
    if " " in message[2]:
        print(f"mutation {message[1]}: {message[2]}", flush=True)
    return ""


def overdue(child: Child, seconds: float) -> str:
    return "took too long" if monotonic() - child.begun > seconds else ""


def successor(child: Child, options: argparse.Namespace, pages: list[bytes]) -> Child:
    """Replace a child by one that goes on after the mutation that ended it."""
    child.process.kill()
    child.process.join()
    child.pipe.close()
    fresh = Child(options.seed, pages)
    child.left.remove(child.current)
    if child.left:
        fresh.give(child.left)
    return fresh


def originals(folder: Path) -> Iterator[bytes]:
    for name, every in (("messy", 4), ("schools", 40)):
        path = folder / f"{name}.warc.gz"
        if not path.exists():
            sys.exit(f"{path} is not there; set SCENTHOUND_WEBS to the folder that holds it")
        with path.open("rb") as stream:
            records = (record for record in ArchiveIterator(stream) if record.rec_type == "response")
            for record in islice(records, 0, None, every):
                yield record.content_stream().read()[:LARGEST]


def main() -> int:
    options = arguments()
    default = Path(__file__).resolve().parents[1].parent / "shared" / "webs"
    pages = list(originals(Path(os.environ.get("SCENTHOUND_WEBS", default))))
    if options.only is not None:
        print(try_reading(mutation(options.seed, options.only, pages)))
        return 0
    started = monotonic()
    tally = fuzz(options, pages)
    elapsed = monotonic() - started
    for ending, count in tally.endings.most_common():
        print(f"{count:8} {ending}")
    growth = max((late - early) / 1e6 for early, late in tally.growth.values())
    slowest, number = tally.slowest
    broken = sum(count for ending, count in tally.endings.items() if " " in ending)
    print(
        f"{tally.endings.total()} mutations of {len(pages)} pages in {elapsed:.0f} s with {options.workers} processes: "
        f"{broken} broken, {tally.seconds / tally.endings.total() * 1000:.1f} ms on average, "
        f"slowest {slowest:.2f} s (number {number}), memory grew by at most {growth:.0f} MB"
    )
    return 1 if broken else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="child processes")
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit for one mutation")
    parser.add_argument("--only", type=int, help="make and read one mutation here, by its number")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
