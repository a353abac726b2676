"""Where the canonical topic tree puts pages of the schools web: the first answer for five pages of each category.

    python -m bench.canon_places                  # the list, with the size of the tree's file and how long it takes to
    load python -m bench.canon_places --share .5       # only the answers that are no surer than that

The web is looked for in $SCENTHOUND_WEBS. Whether an answer is sensible is for a reader to say: the categories of the
web are not those of the tree. `canon_read.tsv` has those that a reader found doubtful or wrong, out of all that were
listed then; if any answer has changed since, the count says so. None of the pages is among those that were counted for
the tree.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import process_time
from typing import Final

from bench.canon import FILE
from bench.labelled import LabelledWeb, labelled_web
from bench.serving import missing
from scenthound.judge.canonical.canon import CanonPlace, canon

WEB: Final = "schools"
OF_EACH: Final = 5
SEED: Final = 17
READ: Final = Path(__file__).with_name("canon_read.tsv")
READ_DIGEST: Final = "ba169cae9fb11132"  # of all answers that were listed when they were read
SURE: Final = 0.5
LOCKED: Final = "/index/"  # pages that list others; the comparisons of crawls lock them too


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A page of a category and the leaf that the tree gives first; none where it cannot read the page."""

    category: str
    title: str
    place: CanonPlace | None


def answers(web: LabelledWeb) -> Iterator[Answer]:
    """Draw pages of each category and place them; a page of several categories may come several times."""
    for category, holders in web.holders.items():
        able = [number for number in holders if LOCKED not in web.pages[number].url]
        drawn = sorted(random.Random(f"{SEED} {category}").sample(able, min(OF_EACH, len(able))))
        found = canon().places([web.pages[number] for number in drawn], most=1)
        for number, best in zip(drawn, found, strict=True):
            yield Answer(category=category, title=web.pages[number].title, place=best[0] if best else None)


def lines(found: Sequence[Answer], *, share: float = 1.0) -> Iterator[str]:
    """Write the answers that are at most so sure, below their categories."""
    before = ""
    for one in found:
        if one.place is not None and one.place.share > share:
            continue
        if one.category != before:
            yield one.category
            before = one.category
        said = f"{one.place.leaf}  {one.place.share:.2f}" if one.place else "cannot be read"
        yield f"    {one.title:<40}  {said}"


def digest_of(found: Sequence[Answer]) -> str:
    """Return a digest of the answers, without how sure they are."""
    said = "\n".join(f"{one.category}\t{one.title}\t{one.place.leaf if one.place else ''}" for one in found)
    return blake2b(said.encode(), digest_size=8).hexdigest()


def reading(found: Sequence[Answer], read: str) -> Iterator[str]:
    """Say how many answers a reader found sensible, given the table of those that were not."""
    faults = {(title, leaf): fault for title, leaf, fault in (line.split("\t") for line in read.splitlines()[1:])}
    kinds = [(faults.get((one.title, one.place.leaf), "sensible"), one.place.share) for one in found if one.place]
    counts = Counter(kind for kind, _ in kinds)
    sure = sum(kind == "wrong" and share >= SURE for kind, share in kinds)
    share = counts["sensible"] / max(1, len(found))
    yield (
        f"read: {counts['sensible']} of {len(found)} sensible ({share:.0%}), {counts['doubtful']} doubtful, "
        f"{counts['wrong']} "
        f"wrong, of which {sure} with a share of {SURE} or more"
    )
    if digest_of(found) != READ_DIGEST:
        yield "  but some answers have changed since they were read: read the list again"


def seconds_to_load() -> float:
    """Return the processor seconds that loading takes, the best of three; what it imports is imported before."""
    canon()
    taken = []
    for _ in range(3):
        canon.cache_clear()
        began = process_time()
        canon().pages()
        taken.append(process_time() - began)
    return min(taken)


def size_of(file: Path) -> str:
    return f"{file.stat().st_size / 1e6:.2f} MB"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the list."""
    parser = argparse.ArgumentParser(prog="python -m bench.canon_places", description=str(__doc__).splitlines()[0])
    parser.add_argument("--share", type=float, default=1.0, help="only answers with at most this share")
    chosen = parser.parse_args(arguments)
    web = labelled_web(WEB)
    if web is None:
        print(missing(f"{WEB}.warc.gz"))
        return 1
    found = list(answers(web))
    print("\n".join(lines(found, share=chosen.share)))
    print(f"{len(found)} pages of {len(web.holders)} categories")
    print("\n".join(reading(found, READ.read_text(encoding="utf-8"))))
    print(f"canon.npz: {size_of(FILE)}; loaded with its pages in {seconds_to_load():.3f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
