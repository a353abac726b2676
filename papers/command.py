"""The work of `python -m papers`: run the papers' experiments, print the results, and write the page."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from papers import classic
from papers.page import VERDICTS, write_page
from papers.reproduce import Reproduction, declared, reproduce
from papers.study import Point
from scenthound.cli.lab.progress_view import lab_view
from scenthound.cli.lab.run_experiment import INTERRUPTED, ending_by_signal
from scenthound.lab.report import PLOTS_MISSING, can_plot
from scenthound.terminal import say

PAGE = "papers.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersWish:
    """What was typed."""

    names: tuple[str, ...] = ()
    out: Path | None = None
    write: Path | None = None
    processes: int = 0
    quick: bool = False
    quiet: bool = False


def run_papers(wish: PapersWish) -> int:
    """Run the papers' experiments, say what they find, and write the page."""
    experiment = declared(quick=wish.quick)
    folder = wish.out or Path("lab-papers-quick" if wish.quick else "lab-papers")
    try:
        with ending_by_signal(), lab_view(quiet=wish.quiet) as listener:
            made = reproduce(
                wish.names,
                experiment=experiment,
                folder=folder,
                quick=wish.quick,
                processes=wish.processes,
                listener=listener,
            )
    except KeyboardInterrupt:
        say(f"Interrupted. What is done is kept in {folder}; the same command goes on from there.", file=sys.stderr)
        return INTERRUPTED
    say("\n".join(lines(made)))
    for path in (folder / PAGE, *([wish.write] if wish.write else [])):
        say(f"The page: {write_page(made, path)}")
    if not can_plot():
        say(f"scenthound: {PLOTS_MISSING}", file=sys.stderr)
    return 0


def lines(made: Reproduction) -> Iterator[str]:
    """Yield what was found, experiment by experiment."""
    for chapter in made.chapters:
        for world, found in chapter.found:
            yield f"{chapter.about.name} on {world}"
            yield from _indented([found.said, *_verdicts(found.points)] if found else ["nothing to be measured"])
    for part in classic.parts(made.classic) if made.classic else ():
        yield f"{classic.NAME} on {part.heading}"
        yield from _indented([part.plain])


def _verdicts(points: Sequence[Point]) -> Iterator[str]:
    for point in points:
        yield f"{VERDICTS[point.agrees].strip('*')}: {point.paper}"


def _indented(texts: Sequence[str]) -> Iterator[str]:
    yield from (f"  {text}" for text in texts)
