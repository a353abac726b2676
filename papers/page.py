"""The page about the papers, in Markdown: for each experiment the paper's result, ours, and the difference.

Pictures are SVG files in a folder named after the page. Without matplotlib there are none, and the page is all the
same.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from papers import classic
from papers.markdown import picture, table
from papers.reproduce import Chapter, Reproduction, unnamed
from papers.sketch import Sketch
from papers.study import Found, Point
from scenthound.counted import count
from scenthound.lab.experiment.experiment import Experiment
from scenthound.lab.experiment.values import Outside, WorldNote
from scenthound.lab.report.numbers import DASH
from scenthound.lab.report.report_page import can_plot

COMMAND = "python -m papers"
VERDICTS = {True: "the same", False: "**differs**", None: "too little to tell"}
_OUTSIDE = {Outside.INVISIBLE: "invisible", Outside.WASTED: "a wasted fetch each"}
_PAPERS = (
    "FOCUS is Chakrabarti, van den Berg and Dom, *Focused crawling* (1999); RELATIONAL the same authors' *Distributed "
    "hypertext "
    "resource discovery through examples* (1999); APPRENTICE Chakrabarti, Punera and Subramanyam, *Accelerated "
    "focused crawling "
    "through online relevance feedback* (2002)."
)


def write_page(made: Reproduction, path: Path) -> Path:
    """Write the page, and its pictures into a folder beside it; return where it is."""
    folder = path.with_suffix("")
    plots = {sketch.name: sketch for sketch in sketches(made)} if can_plot() else {}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(made, name=path.name, pictures=folder.name if plots else ""), encoding="utf-8")
    for name, sketch in plots.items():
        from papers.drawing import draw

        folder.mkdir(exist_ok=True)
        (folder / f"{name}.svg").write_bytes(draw(sketch))
    return path


def sketches(made: Reproduction) -> Iterator[Sketch]:
    """Yield every picture of the page."""
    for chapter in made.chapters:
        for _, found in chapter.found:
            yield from found.sketches if found else ()
    if made.classic:
        yield from (part.sketch for part in classic.parts(made.classic))


def page(made: Reproduction, *, name: str = "papers.md", pictures: str = "") -> str:
    """Return the page of this name; `pictures` is the folder of its pictures as the page names it, empty for none."""
    parts = [*_opening(made, name), *_overview(made)]
    for chapter in made.chapters:
        parts += _chapter(chapter, pictures)
    parts += _classic(made, pictures)
    return "\n".join(parts).rstrip() + "\n"


def _opening(made: Reproduction, name: str) -> Iterator[str]:
    yield "# The papers' experiments, and what we find\n"
    yield (
        "The papers that scenthound follows crawled the web of their time, which is gone. Here their experiments are "
        "made again, by the "
        "lab, on webs that stay as they are; what the papers found stands beside what we find. This page is written "
        "by one command, "
        f"numbers, words and pictures:\n\n```\n{_command(made, name)}\n```\n"
    )
    yield (
        "The unit is the topic: first the mean over draws of examples is taken, then over topics, with 95 % bootstrap "
        "intervals over "
        "topics in brackets. In the papers' experiments a run is twice as long as there are wanted pages that can be "
        "reached. Whether "
        "a finding is the same as the paper's is decided by a rule in the code of each study. The length of a run, "
        "what counts as "
        "lost, which findings about the best pages are listed, and that links to unknown pages decide about the "
        "apprentice were "
        "settled after a first look at these very worlds. Reasons for differences are guesses, and marked so: nobody "
        "has tested "
        "them.\n"
    )
    yield _PAPERS + "\n"
    if not made.worlds:
        return
    yield _circumstances(made.experiment)
    yield table(
        ["world", "what it is", "links between pages", "links outside", "locked", "digest"],
        [_world(note) for note in made.worlds],
        numbers=[2],
    )


def _command(made: Reproduction, name: str) -> str:
    """Return what writes this page again: with the names of its experiments, unless they are those that run without."""
    told = [chapter.about.name for chapter in made.chapters] + [classic.NAME] * (made.classic is not None)
    names = [] if sorted(told) == sorted(unnamed()) else told
    return " ".join((COMMAND, *names, "--write", name))


def _circumstances(experiment: Experiment) -> str:
    drawn = f"{count(experiment.draws, 'draw')} of {count(experiment.examples, 'example')}"
    others = f"up to {count(experiment.negatives, 'page')} of other topics"
    if experiment.other_topics:
        others = f"as many of each of up to {count(experiment.other_topics, 'other topic')}"
    return f"scenthound {version('scenthound')}, seed {experiment.seed}; for each topic {drawn} and {others}. The worlds:\n"


def _world(note: WorldNote) -> list[str]:
    locked = ", ".join(f"`{pattern}`" for pattern in note.locked) or "nothing"
    return [note.name, note.said, f"{note.links:,}", _OUTSIDE[note.outside], locked, f"`{note.digest}`"]


def _overview(made: Reproduction) -> Iterator[str]:
    if not made.chapters:
        return
    worlds = list(dict.fromkeys(world for chapter in made.chapters for world, _ in chapter.found))
    rows = [
        [
            f"[{chapter.about.name}](#{chapter.about.name})",
            chapter.about.figures,
            *(_score(dict(chapter.found).get(world)) for world in worlds),
        ]
        for chapter in made.chapters
    ]
    yield "How many of the papers' findings we find as well:\n"
    yield table(["experiment", "after", *worlds], rows)


def _score(found: Found | None) -> str:
    told = [point.agrees for point in found.points if point.agrees is not None] if found else []
    return f"{sum(told)} of {len(told)}" if told else DASH


def _chapter(chapter: Chapter, pictures: str) -> Iterator[str]:
    about = chapter.about
    yield f"## {about.name}\n"
    yield f"**{about.title}** ({about.figures}). {about.asks}\n"
    yield about.how + "\n"
    for world, found in chapter.found:
        yield f"### {about.name} on {world}\n"
        yield from _found(found, pictures) if found else ["Nothing here is large enough to be measured.\n"]


def _found(found: Found, pictures: str) -> Iterator[str]:
    yield found.said + "\n"
    rows = [[point.paper, point.ours, VERDICTS[point.agrees]] for point in found.points]
    yield table(["the papers", "we find", ""], rows)
    yield from _guesses(found.points)
    yield from _pictures(found.sketches, pictures)


def _guesses(points: Sequence[Point]) -> Iterator[str]:
    guesses = list(dict.fromkeys(point.guess for point in points if point.agrees is False and point.guess))
    if guesses:
        yield "Why it differs, as a conjecture:\n"
        yield "\n".join(f"- {guess}" for guess in guesses) + "\n"


def _pictures(shown: Sequence[Sketch], pictures: str) -> Iterator[str]:
    for sketch in shown if pictures else ():
        yield picture(f"{pictures}/{sketch.name}.svg", alt=sketch.alt, caption=sketch.caption)


def _classic(made: Reproduction, pictures: str) -> Iterator[str]:
    if made.classic is None:
        return
    yield f"## {classic.NAME}\n"
    yield f"**{classic.TITLE}.** {classic.ASKS}\n"
    yield " ".join(made.classic.about.split()) + f" The same, with more figures: `scenthound lab run {classic.NAME}`.\n"
    for part in classic.parts(made.classic):
        yield f"### {part.heading}\n"
        yield part.text + "\n"
        yield from _pictures([part.sketch], pictures)
        yield part.tables
