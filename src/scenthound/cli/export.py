"""`scenthound export`: write the fetched pages to a file, a folder or stdout."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scenthound.cli.shared.options import Dir
from scenthound.services.results.export_format import ExportFormat
from scenthound.terminal import say

if TYPE_CHECKING:
    from scenthound.services.corpus.corpus_export import Export, Progress


def export(
    path: Dir,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            metavar="|".join(ExportFormat),
            help="The output format. markdown, text, parquet and warc make a folder; cdxj is an index of the archive.",
        ),
    ],
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="Only pages of this topic and those below it.")
    ] = "",
    min_relevance: Annotated[
        float | None,
        typer.Option("--min-relevance", min=0, max=1, metavar="X", help="Only pages with at least this relevance."),
    ] = None,
    language: Annotated[str, typer.Option("--language", metavar="L", help="Only pages in this language: en.")] = "",
    since: Annotated[
        str,
        typer.Option("--since", metavar="WHEN", help="Only pages fetched since: 2026-11-01, or a time span: 7d, 12h."),
    ] = "",
    unique: Annotated[bool, typer.Option("--unique", help="Of pages with the same content, only the first.")] = False,
    text: Annotated[
        bool | None,
        typer.Option(
            "--text/--no-text",
            help="Add the main text, declared licences and opt-outs of each page (jsonl, csv, parquet, sqlite). "
            "Default: for parquet and sqlite.",
        ),
    ] = None,
    sheet: Annotated[
        bool | None,
        typer.Option(
            "--sheet/--no-sheet", help="Write a data sheet beside --out. Default: if the export holds texts or pages."
        ),
    ] = None,
    partition: Annotated[
        str, typer.Option("--partition", metavar="topic|language|month|none", help="How parquet is split into folders.")
    ] = "topic",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="PATH", help="Write to this file or folder, completely or not at all. Default: stdout."
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include redirects and URLs without a page, with the reason.")
    ] = False,
) -> int:
    """Write the fetched pages, in fetch order."""
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.errors import UsageError
    from scenthound.services.corpus.corpus_export import Export
    from scenthound.services.corpus.wish import ExportWish, Partition, query_of
    from scenthound.services.crawls.reader_store import reading

    directory = CrawlDirectory.open(path)
    if partition not in set(Partition):
        raise UsageError(f"--partition {partition}: choose one of {', '.join(Partition)}")
    query = query_of(
        directory, topic=topic, min_relevance=min_relevance, language=language, since=since, now=time.time()
    )
    wish = ExportWish(
        form=form,
        query=query,
        unique=unique,
        everything=everything,
        text=text,
        sheet=sheet,
        partition=Partition(partition),
    )
    work = Export(directory, wish, heard=_Meter())
    with reading(directory):  # fail before a file is begun
        pass
    _write(work, out)
    if work.matches == 0 and wish.is_filtered:
        say("No page matches the filters; see: scenthound status", path, file=sys.stderr)
    if work.without_copy:
        say(f"{work.without_copy:,} pages have no copy in the archive (archive.keep)", file=sys.stderr)
    if work.missing_in_words:
        say(work.missing_in_words, file=sys.stderr)
    return 0


def _write(work: "Export", out: Path | None) -> None:
    from scenthound.cli.work.output_file import output_file

    if out is None or (out.exists() and not out.is_file() and not out.is_dir()):
        with output_file(out) as file:
            work.to_stream(file)
    else:
        work.to_path(out)


class _Meter:
    """Shows how far a long export is: on a terminal all the time, elsewhere a line now and then."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._every = 0.2 if self._live else 30.0
        self._shown = time.monotonic()
        self._said = False

    def __call__(self, progress: "Progress") -> None:
        now, last = time.monotonic(), progress.done == progress.pages
        if now - self._shown < self._every and not (last and self._said):
            return
        self._shown, self._said = now, True
        end = "\n" if last or not self._live else "\r"
        say(f"{progress.done:,} of {progress.pages:,} pages", end=end, file=sys.stderr, flush=True)
