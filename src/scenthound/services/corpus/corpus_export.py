"""An export from a crawl to its files: pages are chosen, their texts made, counted and written, one after another.

A file or folder appears whole or not at all, its data sheet with it. Memory does not grow with the corpus, except for
the numbers of its pages.
"""

import errno
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scenthound.archive.files import CdxRow, write_cdxj
from scenthound.archive.warc_subset import SubsetWriter
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, DiskFullError, UsageError
from scenthound.services.corpus.corpus_page import COLUMNS, MORE_COLUMNS, TEXT_COLUMNS, CorpusPage
from scenthound.services.corpus.data_sheet import Tally, sheet_of
from scenthound.services.corpus.page_texts import TextJob, TextWorkers
from scenthound.services.corpus.parquet_files import ParquetFiles, check_parquet, parquet_columns
from scenthound.services.corpus.sheet_text import sheet_markdown
from scenthound.services.corpus.text_files import write_text_files
from scenthound.services.corpus.wish import ExportWish, Partition
from scenthound.services.results.export_format import ExportFormat
from scenthound.services.results.export_pages import write_lines
from scenthound.services.sql.answer_text import Written
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.corpus_file import write_corpus_file, write_corpus_notes
from scenthound.store.sqlite.queries.corpus_rows import CorpusRow, chosen_numbers, corpus_rows, redirects_to
from scenthound.whole_file import replacing, replacing_folder

SHEET: Final = "datasheet.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an export is."""

    done: int
    pages: int


Heard = Callable[[Progress], object]


class Export:
    """One export. `workers` make texts: pass some that are open to export often. `now` is for the data sheet."""

    def __init__(
        self,
        directory: CrawlDirectory,
        wish: ExportWish,
        *,
        workers: TextWorkers | None = None,
        heard: Heard = lambda progress: None,
        now: Callable[[], float] = time.time,
    ) -> None:
        wish.check()
        self._directory = directory
        self._wish = wish
        self._workers = workers
        self._heard = heard
        self._now = now
        self.tally = Tally()
        self.matches = 0
        self.without_copy = 0  # pages of a WARC subset that the archive does not have
        self.missing: Counter[str] = Counter()  # pages by the file of the archive that should have them and is not here

    def to_stream(self, out: Written) -> None:
        """Write lines to an open file; this has no place for a data sheet."""
        if not self._wish.form.is_stream:
            what = "a folder" if self._wish.form.is_folder else "a file"
            raise UsageError(f"--format {self._wish.form} makes {what}; say which with --out")
        if self._wish.sheet:
            raise UsageError("--sheet writes beside a file; say which with --out")
        with self._pages(rights=False) as pages:
            self._write_lines(pages, out)

    def to_path(self, path: Path) -> None:
        """Write to a file or a folder, whole or not at all."""
        if not path.absolute().parent.is_dir():
            raise DirectoryError(f"{path} cannot be written: there is no folder {path.parent}; make it first")
        if self._wish.form is ExportFormat.PARQUET:
            check_parquet()
        try:
            self._to_folder(path) if self._makes_folder(path) else self._to_file(path)
        except OSError as error:
            said = f"{path} cannot be written: {error.strerror or error}"
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFullError(f"{said}; make room and export again") from None
            raise DirectoryError(said) from None

    def _makes_folder(self, path: Path) -> bool:
        form = self._wish.form
        return form.is_folder and not (form.one_file and path.name.endswith(form.one_file))

    # ── the files ──

    def _to_folder(self, path: Path) -> None:
        refuse_other_things(path)
        with replacing_folder(path) as part:
            with self._pages(rights=self._wish.with_sheet) as pages:
                self._fill(part, pages)
            if self._wish.with_sheet:
                self._write_sheets(
                    part / "README.md", part / SHEET, files=sum(f.is_file() for f in part.rglob("*")) + 2
                )

    def _fill(self, folder: Path, pages: Iterator[CorpusPage]) -> None:
        match self._wish.form:
            case ExportFormat.PARQUET:
                (folder / "data").mkdir()
                self._write_parquet(folder / "data", pages, self._wish.partition)
            case ExportFormat.WARC:
                with (folder / "index.cdxj").open("x", encoding="utf-8") as index:
                    write_cdxj(self._copied(folder, pages), index)
            case form:
                write_text_files(pages, folder, form)

    def _to_file(self, path: Path) -> None:
        if path.is_dir():
            raise DirectoryError(f"{path} cannot be written: Is a directory")
        beside = [path.with_name(f"{path.name}.datasheet.{end}") for end in ("md", "json")]
        is_warc = self._wish.form is ExportFormat.WARC
        with ExitStack() as stack:  # what is entered last gets its name first: the pages before their sheet
            sheets = [stack.enter_context(replacing(one)) for one in beside if self._wish.with_sheet]
            index = stack.enter_context(replacing(path.with_name(f"{path.name}.cdxj"))) if is_warc else None
            part = stack.enter_context(replacing(path))
            with self._pages(rights=self._wish.with_sheet) as pages:
                self._write_file(part, path, index, pages)
            if sheets:
                self._write_sheets(sheets[0], sheets[1], files=3 + is_warc)
                if self._wish.form is ExportFormat.SQLITE:
                    write_corpus_notes(part, {"datasheet": sheets[1].read_text(encoding="utf-8")})

    def _write_file(self, part: Path, path: Path, index: Path | None, pages: Iterator[CorpusPage]) -> None:
        match self._wish.form:
            case ExportFormat.PARQUET:
                self._write_parquet(part, pages, Partition.NONE)
            case ExportFormat.SQLITE:
                self._write_sqlite(part, pages)
            case ExportFormat.WARC:
                assert index is not None
                with index.open("x", encoding="utf-8") as out:
                    write_cdxj(self._copied(part.parent, pages, part=part.name, name=path.name), out)
            case _:
                with part.open("x", encoding="utf-8", newline="") as lines:
                    self._write_lines(pages, lines)

    def _write_lines(self, pages: Iterator[CorpusPage], out: Written) -> None:
        columns: tuple[str, ...] = MORE_COLUMNS if self._wish.everything else COLUMNS
        if self._wish.with_text:
            columns += TEXT_COLUMNS
        write_lines(pages, out, form=self._wish.form, columns=columns, archive=self._directory.archive_place)

    def _write_parquet(self, path: Path, pages: Iterator[CorpusPage], partition: Partition) -> None:
        columns = parquet_columns(text=self._wish.with_text)
        with ParquetFiles(path, columns=columns, partition=partition) as files:
            files.write(pages)

    def _write_sqlite(self, path: Path, pages: Iterator[CorpusPage]) -> None:
        kinds = {"n": int, "status": int, "relevance": float, "depth": int, "priority": float}
        columns = (*COLUMNS, *TEXT_COLUMNS) if self._wish.with_text else COLUMNS
        rows = (tuple(map(_in_table, page.as_row(columns).values())) for page in pages)
        write_corpus_file(path, {name: kinds.get(name, str) for name in columns}, rows)

    def _copied(self, folder: Path, pages: Iterator[CorpusPage], *, part: str = "", name: str = "") -> Iterator[CdxRow]:
        """Copy the records of pages and of the redirects that lead to them; yield the lines of their index."""
        from scenthound import __version__

        software = f"scenthound/{__version__} export"
        with (
            asking(self._directory) as con,
            SubsetWriter(
                self._directory.archive_place, folder, software=software, at=self._now(), only=name, part=part
            ) as out,
        ):
            for page in pages:
                spot = page.page.spot
                self.without_copy += spot is None
                for redirect in redirects_to(con, page.page.n):
                    yield from out.copy(redirect, mime="text/html")
                for one in (spot, *page.copies[:1]):  # its own record may be a pointer to the other
                    if one is not None:
                        yield from out.copy(one, mime=page.page.mime)

    def _write_sheets(self, markdown: Path, table: Path, *, files: int) -> None:
        sheet = sheet_of(
            self._directory, self._wish, self.tally, now=self._now(), matches=self.matches, missing=self.missing
        )
        markdown.write_text(sheet_markdown(sheet), encoding="utf-8")
        table.write_text(json.dumps(sheet | {"files": files}, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    # ── the pages ──

    @property
    def missing_in_words(self) -> str:
        """What the export lacks because files of the archive are not here, and what to do; nothing if all are."""
        if not self.missing:
            return ""
        first, *others = sorted(self.missing)
        files = first + (f" and {count(len(others), 'other file')}" if others else "")
        lack = "are not in it" if self._wish.form is ExportFormat.WARC else "come without what their copies say"
        return (
            f"{count(self.missing.total(), 'page')} {lack}: {self._directory.archive} has no {files}; "
            "copy the archives of all engines there, and export again"
        )

    @contextmanager
    def _pages(self, *, rights: bool) -> Iterator[Iterator[CorpusPage]]:
        """Open the pages that are wanted, with their texts or what they say about their use."""
        wish = self._wish
        by = "" if wish.form is not ExportFormat.PARQUET or wish.partition is Partition.NONE else str(wish.partition)
        with asking(self._directory) as con, ExitStack() as stack:
            numbers = chosen_numbers(con, wish.query, kind=wish.kind, unique=wish.unique, by=by)
            self.matches = len(numbers)
            rows = corpus_rows(con, numbers)
            if wish.with_text or rights or wish.form is ExportFormat.WARC:
                rows = self._looked_for(rows)
            if wish.with_text or rights:
                workers = self._workers or stack.enter_context(TextWorkers(self._directory.archive_place))
                pages = self._with_texts(workers, rows)
            else:
                pages = (CorpusPage(page=row.page, copies=row.copies) for row in rows)
            yield self._told(self.tally.count(pages))

    def _looked_for(self, rows: Iterator[CorpusRow]) -> Iterator[CorpusRow]:
        """Count the pages whose file of the archive is not here: it may lie on the machine of another engine."""
        has = cache(self._directory.archive_place.has)
        for row in rows:
            if row.page.spot is not None and not has(row.page.spot.file):
                self.missing[row.page.spot.file] += 1
            yield row

    def _with_texts(self, workers: TextWorkers, rows: Iterator[CorpusRow]) -> Iterator[CorpusPage]:
        for row, text in workers.texts((row, self._job(row)) for row in rows):
            yield CorpusPage(page=row.page, text=text, copies=row.copies)

    def _job(self, row: CorpusRow) -> TextJob | None:
        page = row.page
        if page.spot is None:
            return None
        return TextJob(
            url=page.final_url or page.url,
            spot=page.spot,
            copies=row.copies,
            text=self._wish.with_text,
            markdown=self._wish.form is ExportFormat.MARKDOWN,
        )

    def _told(self, pages: Iterator[CorpusPage]) -> Iterator[CorpusPage]:
        for done, page in enumerate(pages, 1):
            self._heard(Progress(done=done, pages=self.matches))
            yield page


def _in_table(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, tuple) else value


def refuse_other_things(folder: Path) -> None:
    """Refuse to replace a folder that is not an export as it was written, or empty."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise DirectoryError(f"{folder} is a file, and this format makes a folder; give another name")
    held = sum(path.is_file() or path.is_symlink() for path in folder.rglob("*"))
    try:
        written = json.loads((folder / SHEET).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        written = 0
    if held != written:
        raise DirectoryError(f"{folder} holds other things than an export; give a new folder, or remove it first")
