"""The loss when a command is killed: crawl, revisit, retrain, edits of topics, feedback, export and hubs.

One crawl of the demo web with critic, apprentice and distiller, and with archive files of one megabyte. Each command is
started and killed, with all its processes, at a moment drawn from the time that it takes. Before the kill a reader
looks at what the database says: pages, visits. After it all of that must still be there, the database whole, every edit
that a command has confirmed in the topics, the last export complete, and the record of each page where the database
says that it is, with the right address and digest.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from bench.crawling import exported
from bench.figures import Figure, Report, at_least, at_most, markdown_table, number
from bench.running import ROOT, ProgramFailedError, measured, scenthound
from bench.wreckage import count_archive, look_at
from scenthound.cli.work.demo_run import TOPIC, demo_settings, demo_topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.store.sqlite.connection import open_reader

KILLS: Final = 100
SEED: Final = 18
TRIES: Final = 3  # of a kill: the command may have ended before it
FIRST: Final = 150  # pages before the first kill
MORE: Final = 80  # pages that each crawl would fetch
AGAIN: Final = 60  # pages that each revisit would ask for
LIMIT: Final = 600.0  # seconds that any command may take
SHOWN: Final = 20
SMALL: Final = "archive.file_size=1000000"  # the least
_PAGES = "SELECT url_id, n FROM pages"
_VISITS = "SELECT url_id, max(number) FROM visits GROUP BY url_id"
_SPOTS = """
SELECT f.url, p.payload, p.archive_file, p.archive_offset, p.archive_length
FROM pages p JOIN finds f ON f.id = p.url_id WHERE p.archive_file IS NOT NULL"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader saw in the database: the number of each page, and of the last visit to each."""

    pages: dict[int, int]
    visits: dict[int, int]

    def missing_in(self, later: "Seen") -> int:
        """Count what was there and is no longer; a page that was visited again has a greater number."""
        return sum(
            after.get(key, -1) < value
            for before, after in ((self.pages, later.pages), (self.visits, later.visits))
            for key, value in before.items()
        )


@dataclass(kw_only=True)
class Victim:
    """A crawl directory whose commands are killed, and what these have confirmed so far."""

    path: Path
    settings: Sequence[str]
    draw: random.Random
    wanted: Callable[
        [str], bool
    ]  # whether a page is truly about the topic: a critic may refuse to learn what is not so
    edits: set[str] = field(default_factory=set)  # topics that a command has said to have added
    judged: dict[str, bool] = field(default_factory=dict)  # pages that a command has said to be good, or not
    rows: int = 0  # of the last export that came to its end
    kills: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    lost: int = 0
    spots: int = 0

    @property
    def out(self) -> Path:
        return self.path.with_suffix(".jsonl")

    def command(self, errand: str) -> list[str]:
        """Return what to type for an errand, another one each time."""
        at, turn, quiet = str(self.path), sum(self.kills.values()), ("--quiet", *self._set())
        good = self.draw.random() < 0.5
        return scenthound(
            *{
                "crawl": ("crawl", at, "--pages", str(len(self.seen().pages) + MORE), *quiet),
                "revisit": ("crawl", at, "--revisit-all", "--pages", str(AGAIN), *quiet),
                "retrain": ("topics", at, "--retrain"),
                "topics": ("topics", at, "add", f"Other/Extra_{turn}", self._some_page(good=False)),
                "feedback": ("feedback", at, self._some_page(good=good), "--good" if good else "--not-good"),
                "export": ("export", at, "--format", "jsonl", "--out", str(self.out)),
                "hubs": ("hubs", at),
            }[errand]
        )

    def _set(self) -> list[str]:
        return [word for setting in self.settings for word in ("--set", setting)]

    def _some_page(self, *, good: bool) -> str:
        with closing(open_reader(self.path / "crawl.db")) as con:
            urls = con.execute(
                "SELECT f.url FROM pages p JOIN finds f ON f.id = p.url_id WHERE p.ending = 'page' ORDER BY f.url"
            ).fetchall()
        return str(self.draw.choice([url for (url,) in urls if self.wanted(url) is good]))

    def seen(self) -> Seen:
        """Look at the database as a reader beside the crawl."""
        with closing(open_reader(self.path / "crawl.db")) as con:
            con.execute("BEGIN")
            return Seen(dict(con.execute(_PAGES).fetchall()), dict(con.execute(_VISITS).fetchall()))

    def confirm(self, errand: str, command: Sequence[str]) -> None:
        """Remember what a command that came to its end has promised."""
        if errand == "topics":
            self.edits.add(command[-2])
        elif errand == "feedback":
            self.judged[command[-2]] = command[-1] == "--good"
        elif errand == "export":
            self.rows = len(self.out.read_text(encoding="utf-8").splitlines())


ERRANDS: Final = ("crawl", "revisit", "retrain", "topics", "feedback", "export", "hubs")
# The first two write most, so that half of the kills are theirs.
ROUND: Final = ("crawl", "revisit", "retrain", "crawl", "topics", "revisit", "feedback", "crawl", "export", "hubs")


def run(*, quick: bool = False) -> Report:
    """Kill commands again and again, and look at what is left each time."""
    web = DemoWeb(7)
    with tempfile.TemporaryDirectory() as folder, ServedApart(web.answer) as served:
        settings = demo_settings(web, served.port, pages=0)
        path = Path(folder) / "crawl"
        CrawlDirectory.create(path, topics=demo_topics(web), settings=settings)
        victim = Victim(
            path=path,
            settings=(SMALL, "distill.least=200"),
            draw=random.Random(SEED),
            wanted=lambda url: f"{web.truth.get(url, '')}/".startswith(f"{TOPIC}/"),
        )
        kill_all(victim, kills=8 if quick else KILLS)
        return report(victim, kills=8 if quick else KILLS)


def kill_all(victim: Victim, *, kills: int) -> None:
    """Have every command run once to its end, kill commands in turns, and let all of them come to their end at last."""
    measured(scenthound("crawl", str(victim.path), "--pages", str(FIRST), "--quiet", *victim._set()), limit=LIMIT)
    seconds = {errand: _to_its_end(victim, errand) for errand in ERRANDS}
    for turn in range(kills):
        errand = ROUND[turn % len(ROUND)]
        for _ in range(TRIES):
            took = _killed(victim, errand, victim.draw.uniform(0.0, seconds[errand]))
            if took is None:
                break
            seconds[errand] = took  # it came to its end: the machine is less busy than it was
        print(f"  kill {turn + 1:>3}: {errand:<8} {_in_words(victim)}", flush=True)
    for errand in ERRANDS:
        _to_its_end(victim, errand)
    _look(victim, victim.seen(), every_spot=True)


def _to_its_end(victim: Victim, errand: str) -> float:
    command = victim.command(errand)
    ran = measured(command, limit=LIMIT)
    victim.confirm(errand, command)
    return ran.seconds


def _killed(victim: Victim, errand: str, after: float) -> float | None:
    """Start a command and kill it so many seconds later; if it ends before, return how long it took."""
    command, began = victim.command(errand), monotonic()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    sleep(after)
    before = victim.seen()
    ended = process.poll()
    if ended is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if ended is None:
        victim.kills[errand] += 1
    elif ended == 0:
        victim.confirm(errand, command)
    else:
        raise ProgramFailedError(f"{' '.join(command)}\nended with {ended} before it could be killed")
    _look(victim, before)
    return None if ended is None else monotonic() - began


def _look(victim: Victim, before: Seen, *, every_spot: bool = False) -> None:
    """Hold what is left against what was there and what was promised."""
    victim.faults += look_at(victim.path).trouble
    victim.lost += before.missing_in(victim.seen())
    topics = CrawlDirectory.open(victim.path).topics()
    paths = {topic.path for topic in topics.topics}
    victim.faults += [f"the topic {path} was added, and is not there" for path in sorted(victim.edits - paths)]
    good = {example for topic in topics.good for example in topic.examples}
    victim.faults += [
        f"{url} was said {'' if said else 'not '}to be good, and that is forgotten"
        for url, said in victim.judged.items()
        if (url in good) is not said
    ]
    rows = victim.out.read_text(encoding="utf-8").splitlines() if victim.out.exists() else []
    if len(rows) < victim.rows or not all(line.endswith("}") for line in rows):
        victim.faults.append(f"the export has {len(rows)} rows, and had {victim.rows}")
    wrong, right = check_spots(victim.path, latest=None if every_spot else 100)
    victim.faults += wrong
    victim.spots = right


def check_spots(path: Path, *, latest: int | None = None) -> tuple[list[str], int]:
    """Read the record of each page, or of the latest, where the database says that it is.

    Return what is wrong, and how many are right.
    """
    order = f" ORDER BY p.n DESC LIMIT {latest}" if latest is not None else ""
    with closing(sqlite3.connect(path / "crawl.db")) as con:
        begun = con.execute("SELECT 1 FROM sqlite_master WHERE name = 'pages'").fetchone()
        rows = con.execute(_SPOTS + order).fetchall() if begun else []
    wrong = [said for row in rows if (said := _wrong_spot(path / "archive", *row))]
    return wrong, len(rows) - len(wrong)


def _wrong_spot(archive: Path, url: str, payload: str, file: str, offset: int, length: int) -> str:
    """Say what is wrong with the place of a record, by zlib and the header's own words."""
    try:
        with (archive / file).open("rb") as opened:
            opened.seek(offset)
            record = zlib.decompress(opened.read(length), wbits=31)
    except (OSError, zlib.error) as error:
        return f"{url}: no record at byte {offset} of {file} ({error})"
    header = record.partition(b"\r\n\r\n")[0].decode("utf-8", "replace").splitlines()[1:]
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in header)}
    if fields.get("warc-target-uri") != url:
        return f"{url}: the record at byte {offset} of {file} is of {fields.get('warc-target-uri')}"
    if payload and fields.get("warc-payload-digest", payload) != payload:
        return f"{url}: the record at byte {offset} of {file} has another digest"
    return ""


def report(victim: Victim, *, kills: int) -> Report:
    """Say what was killed, and what it cost."""
    archive = count_archive(victim.path / "archive")
    files = len(list((victim.path / "archive").glob("*.warc.gz")))
    rows = [[errand, str(victim.kills[errand])] for errand in ERRANDS]
    final = len({json.dumps(row["url"]) for row in exported(victim.path)})
    figures = (
        Figure(name="commands killed", value=victim.kills.total(), goal=at_least(kills)),
        Figure(name="faults found after kills", value=len(victim.faults), goal=at_most(0)),
        Figure(name="pages and visits lost that a reader had seen", value=victim.lost, goal=at_most(0)),
        Figure(
            name="archive spots that are right, of all",
            value=victim.spots / max(1, _with_spots(victim.path)),
            goal=at_least(1.0),
        ),
        Figure(name="archive records with a wrong digest", value=archive.bad_digests, goal=at_most(0)),
        Figure(name="pages at the end", value=final),
    )
    story = (
        f"{number(victim.spots)} archive spots in {files} files and {number(archive.records)} records were looked at "
        "in the end. "
        f"Commands had confirmed {len(victim.edits)} topics, judgements of {len(victim.judged)} pages and an export "
        f"of {number(victim.rows)} rows."
    )
    return Report(
        figures=figures,
        text=(
            markdown_table(["command", "kills"], rows, right=[1]),
            story,
            *(f"- fault: {line}" for line in victim.faults[:SHOWN]),
        ),
    )


def _with_spots(path: Path) -> int:
    with closing(sqlite3.connect(path / "crawl.db")) as con:
        return int(con.execute("SELECT count(*) FROM pages WHERE archive_file IS NOT NULL").fetchone()[0])


def _in_words(victim: Victim) -> str:
    return f"{victim.lost} lost, {len(victim.faults)} faults, {victim.spots} of the latest spots right"
