"""The search index of a crawl, in its folder `search`: a tantivy index of the words, and the rows beside it (`rows`).

One process writes at a time, any number read. The order of a commit makes a kill harmless: rows are on the disk first,
then tantivy commits, then `state.json` acknowledges. What was not acknowledged is indexed again, in place of what is
there.
"""

import fcntl
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, Self

import numpy as np
import tantivy
from numpy.typing import NDArray

from scenthound.errors import DirectoryError
from scenthound.parse.words.terms import Terms
from scenthound.parse.words.tokens import tokens_of
from scenthound.search.index_rows import ROW, PageRows, RowFiles, State, read_state, write_state
from scenthound.search.meaning import MOST, Meaning, is_worth_learning, learn_meaning
from scenthound.search.text_spool import LONGEST, pack_text, unpack_text
from scenthound.search.types import Floats, IndexBusyError, IndexDamagedError, IndexedPage
from scenthound.search.words import common_pairs, forms_in, one_language, terms_in

Longs = NDArray[Any]

FACETS: Final = ("topic", "site", "language", "type", "month")
_HEAP: Final = 60_000_000  # bytes that tantivy gathers before it writes a segment; 15 million are its least
_KEPT: Final = 100_000  # characters of a page that are kept for snippets
ANCHORS: Final = 50  # distinct texts of links to a page
_AT_ONCE: Final = 500  # pages that get new vectors
_LOCK: Final = "lock"
_REBUILD: Final = "rebuild"  # locked by a process that wants to build the index again


def schema() -> tantivy.Schema:
    """Return the fields of a page. Stems stand in order; forms (words as written) and names only say on which pages."""
    builder = tantivy.SchemaBuilder()
    for name in ("id", "row"):
        builder.add_unsigned_field(name, indexed=name == "id", fast=True)
    for name in ("title", "anchor", "body"):
        builder.add_text_field(name, tokenizer_name="whitespace")
    for name in ("title_forms", "anchor_forms", "body_forms"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field("body_pairs", tokenizer_name="whitespace", index_option="freq")
    for name in ("hosts", "topics"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in FACETS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    for name in ("relevance", "date"):
        builder.add_float_field(name, fast=True)
    builder.add_bytes_field("text", stored=True)
    return builder.build()


class SearchReader:
    """The index as it was acknowledged at one moment. Vectors and rows are opened when they are first needed."""

    def __init__(self, folder: Path, state: State, *, meaning: Meaning | None = None) -> None:
        index = tantivy.Index.open(str(folder / "words"))
        index.config_reader("manual")
        index.reload()
        self.folder = folder
        self.state = state
        self.schema = index.schema
        self.searcher = index.searcher()
        self._rows: PageRows | None = None
        self._meaning = meaning

    @property
    def rows(self) -> PageRows:
        if self._rows is None:
            self._rows = PageRows.open(self.folder, self.state)
        return self._rows

    @property
    def meaning(self) -> Meaning | None:
        """How texts become vectors; None while there are too few pages to learn it from."""
        if self._meaning is None and self.state.model:
            with suppress(OSError):
                self._meaning = Meaning.load(model_file(self.folder, self.state.model))
        return self._meaning

    def text(self, address: tantivy.DocAddress) -> str:
        """Return what is kept of a page's text."""
        packed = self.searcher.doc(address).get_first("text")
        return unpack_text(packed) if packed else ""


def open_index(folder: Path, before: SearchReader | None = None) -> SearchReader | None:
    """Return the index as it is acknowledged now; `before`, if nothing has changed since. None if there is none."""
    state = read_state(folder)
    if state is None:
        return None
    if before is not None and before.state == state:
        return before
    same_model = before is not None and (before.state.made, before.state.model) == (state.made, state.model)
    try:
        with sound(folder):
            return SearchReader(folder, state, meaning=before.meaning if before is not None and same_model else None)
    except (IndexDamagedError, ValueError):  # tantivy's word for files that are gone: the next writer begins again
        return None


@contextmanager
def sound(folder: Path) -> Iterator[None]:
    """Turn what tantivy says of damaged files, sometimes by a panic, into an error with the cure."""
    try:
        yield
    except BaseException as error:  # a panic is no `Exception`
        damaged = isinstance(error, ValueError) and str(error).startswith(("An IO error", "Data corrupted"))
        if type(error).__name__ != "PanicException" and not damaged:
            raise
        raise IndexDamagedError(
            f"{folder} is damaged; make it again with: scenthound search {folder.parent} --rebuild"
        ) from None


def model_file(folder: Path, model: int) -> Path:
    return folder / f"meaning-{model}.npz"


def remove_index(folder: Path) -> None:
    """Take the index away; it is made from the crawl again. What readers have left for it stays."""
    (folder / "state.json").unlink(missing_ok=True)
    for path in list(folder.glob("*")) if folder.exists() else []:
        if path.name in (_LOCK, _REBUILD, "texts"):  # another process may hold the locks
            continue
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def write_lock(folder: Path, *, wait: float = 0.0, name: str = _LOCK) -> Iterator[None]:
    """Be the one who writes, or say that another process does. The lock ends with this process, however that ends."""
    try:
        folder.mkdir(exist_ok=True)
        file: IO[bytes] = (folder / name).open("ab")
    except OSError as error:
        raise DirectoryError.unwritable(folder.parent, error) from None
    with file:
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= end:
                    raise IndexBusyError(f"{folder} is being written by another process; try again later") from None
                time.sleep(0.05)
        yield


@contextmanager
def rebuilding(folder: Path) -> Iterator[None]:
    """Ask an indexer beside a crawl to let go of the index, as long as the `with` lasts."""
    with write_lock(folder, wait=5.0, name=_REBUILD):  # an indexer looks at it for a moment, now and then
        yield


def is_rebuilt(folder: Path) -> bool:
    """Tell whether another process builds the index again, or waits to do so."""
    try:
        with write_lock(folder, name=_REBUILD):
            return False
    except IndexBusyError:
        return True


class SearchWriter:
    """Adds pages; use it in a `with`, under `write_lock`. What is not committed when it ends is forgotten."""

    def __init__(self, folder: Path, *, heap: int = _HEAP) -> None:
        self._folder = folder
        self._heap = heap

    def __enter__(self) -> Self:
        state = read_state(self._folder)
        if state is None:
            remove_index(self._folder)
            state = State(made=time.time_ns())
        self.state = state
        try:
            self._index = _opened(self._folder)
        except (IndexDamagedError, ValueError):  # files are gone or damaged: all is indexed again
            remove_index(self._folder)
            self.state = state = State(made=time.time_ns())
            self._index = _opened(self._folder)
        self._writer = self._index.writer(self._heap, 1)
        self._files = RowFiles(self._folder, state)
        self._files.begin()
        self._old = PageRows.open(self._folder, state, write=True)
        # A mark that an earlier process left: it was killed, and tantivy may hold pages that were never acknowledged.
        # They come again, and the old ones are deleted first.
        self._mark = self._folder / "writing"
        self._torn = self._mark.exists()
        self._mark.touch()
        self._added: dict[int, int] = {}  # row of each page since this writer was opened
        self._topics = {path: number for number, path in enumerate(state.topics)}
        self._languages = Counter(state.languages)
        self._meaning = self._load()
        self._new: list[IndexedPage] = []
        self._dead: list[int] = []
        self._ranked: tuple[Longs, Longs] | None = None
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            self._writer.wait_merging_threads()
            if not self._new:
                self._mark.unlink(missing_ok=True)
        del self._writer

    def add(self, page: IndexedPage) -> None:
        """Add a page, in place of an earlier one with its id."""
        self.remove(page.id)
        row = self._files.count + len(self._new)
        self._writer.add_document(document(page, row))
        self._new.append(page)
        self._added[page.id] = row
        self._languages[one_language(page.terms.language or page.language)] += 1

    def remove(self, id: int) -> None:
        """Take a page out, if it is there."""
        place = self._place(id)
        if place >= 0:
            self._dead.append(place)
        if place >= 0 or self._torn:
            # Not by term: tantivy takes a Python number for a signed one there, and finds nothing.
            self._writer.delete_documents_by_query(tantivy.Query.term_query(self._index.schema, "id", id))
        self._added.pop(id, None)

    def commit(self, n: int) -> State:
        """Make everything added findable and safe, and acknowledge the crawl up to page `n`."""
        rows = np.zeros(len(self._new), dtype=ROW)
        for place, page in enumerate(self._new):
            relevance = np.nan if page.relevance is None else page.relevance
            anchors = min(len(page.anchors), ANCHORS)
            rows[place] = (page.id, page.n, anchors, self._topic(page.topic), relevance)
        first = self._files.count
        for place in self._dead:  # of a page that came twice in this batch
            if place >= first:
                rows["id"][place - first] = 0
        self._files.append(rows, self._vectors([page.terms for page in self._new]))
        self._writer.commit()
        self._bury(first)
        self._acknowledge(replace(self.state, n=max(n, self.state.n)))
        self._new.clear()
        return self.state

    def _bury(self, first: int) -> None:
        """Mark the old rows of pages that came again, or went."""
        rows = PageRows.open(self._folder, replace(self.state, rows=self._files.count), write=True).rows
        for place in self._dead:
            if place < first:
                rows["id"][place] = 0
        if self._dead and isinstance(rows, np.memmap):
            rows.flush()
        self._dead.clear()

    def note_judgements(self, *, critic: int, relevance: float) -> None:
        """Remember under which judgements the pages are indexed."""
        self._acknowledge(replace(self.state, critic=critic, relevance=relevance))

    def judged_before(self) -> dict[int, str]:
        """Return the topic under which each page is indexed."""
        rows = PageRows.open(self._folder, self.state).rows
        names = [*self.state.topics, ""]
        pairs = zip(rows["id"].tolist(), rows["topic"].tolist(), strict=True)
        return {id: names[topic] for id, topic in pairs if id}

    def anchors_before(self, ids: Sequence[int]) -> dict[int, int]:
        """Return with how many texts of links each of some pages is indexed; pages that are not, are left out."""
        rows = PageRows.open(self._folder, self.state).rows
        known = np.isin(np.asarray(ids, dtype=np.int64), rows["id"])
        places = [(id, self._place(id)) for id, there in zip(ids, known.tolist(), strict=True) if there]
        return {id: int(rows["anchors"][place]) for id, place in places if 0 <= place < len(rows)}

    def packed_texts(self, ids: Sequence[int]) -> dict[int, bytes]:
        """Return the packed texts of pages that are committed, where the index has them whole."""
        self._index.reload()
        searcher = self._index.searcher()
        hits = searcher.search(
            tantivy.Query.term_set_query(self._index.schema, "id", list(ids)), max(1, len(ids)), count=False
        ).hits
        numbers = searcher.fast_field_values("id", [address for _, address in hits])
        found = {}
        for id, (_, address) in zip(numbers, hits, strict=True):
            packed = searcher.doc(address).get_first("text")
            if packed and len(unpack_text(packed)) < _KEPT:
                found[int(id or 0)] = bytes(packed)
        return found

    def wants_learning(self, growth: float) -> bool:
        """Whether there are so many times the pages that the vectors are worth learning again."""
        return is_worth_learning(self.state.rows, self.state.learnt, growth)

    def sample(self) -> list[int]:
        """Return the pages from which vectors are to be learnt: all, or many of them spread over the crawl."""
        rows = PageRows.open(self._folder, self.state).rows
        ids = rows["id"][rows["id"] > 0]
        chosen = ids[np.linspace(0, len(ids) - 1, min(len(ids), MOST)).astype(np.intp)] if len(ids) else ids
        return [int(id) for id in chosen]

    def learn(self, terms_of: Callable[[Sequence[int]], list[Terms]], progress: Callable[[int], object]) -> None:
        """Learn vectors from the pages at hand, and give all of them new ones. Everything must be committed."""
        self.adopt(learn_meaning([one for one in terms_of(self.sample()) if len(one)]), terms_of, progress)

    def adopt(
        self, meaning: Meaning, terms_of: Callable[[Sequence[int]], list[Terms]], progress: Callable[[int], object]
    ) -> None:
        """Give all pages vectors by another model. `progress` may add and commit pages: they get both."""
        model, before, start = self.state.model + 1, self.state.model, 0
        meaning.save(model_file(self._folder, model))
        self._files.begin_vectors(model)
        while start < self.state.rows:
            some = PageRows.open(self._folder, self.state).rows["id"][start : start + _AT_ONCE].tolist()
            self._files.append_vectors(model, meaning.of_terms(terms_of(some)))
            start += len(some)
            progress(len(some))
        self._files.adopt_vectors(model)
        self._meaning = meaning
        self._acknowledge(replace(self.state, learnt=self.state.rows, model=model))
        self._files.forget_vectors(before)
        model_file(self._folder, before).unlink(missing_ok=True)

    def _acknowledge(self, state: State) -> None:
        topics = sorted(self._topics, key=self._topics.__getitem__)
        languages = {name: pages for name, pages in self._languages.items() if pages > 0}
        self.state = replace(state, rows=self._files.count, topics=topics, languages=languages)
        write_state(self._folder, self.state)

    def _load(self) -> Meaning | None:
        if not self.state.model:
            return None
        try:
            return Meaning.load(model_file(self._folder, self.state.model))
        except (OSError, ValueError):  # it is learnt again when the crawl has grown
            return None

    def _vectors(self, terms: Sequence[Terms]) -> Floats:
        if self._meaning is None or not terms:
            return np.zeros((len(terms), 0), dtype=np.float32)
        return self._meaning.of_terms(terms)

    def _topic(self, path: str) -> int:
        return self._topics.setdefault(path, len(self._topics))

    def _place(self, id: int) -> int:
        if id in self._added:
            return self._added[id]
        if self._ranked is None:
            order = np.argsort(self._old.rows["id"], kind="stable")
            self._ranked = (np.asarray(self._old.rows["id"])[order], order)
        ids, order = self._ranked
        at = int(np.searchsorted(ids, id))
        return int(order[at]) if at < len(ids) and ids[at] == id and id > 0 else -1


def _opened(folder: Path) -> tantivy.Index:
    words = folder / "words"
    words.mkdir(parents=True, exist_ok=True)
    if not (words / "meta.json").exists():
        shutil.rmtree(words)
        words.mkdir()
    with sound(folder):
        index = tantivy.Index(schema(), str(words))
        index.searcher()  # opens every segment
    return index


def document(page: IndexedPage, row: int) -> tantivy.Document:
    """Return a page as tantivy takes it."""
    language = one_language(page.terms.language or page.language)
    made = tantivy.Document()
    made.add_unsigned("id", page.id)
    made.add_unsigned("row", row)
    anchors = "\n".join(list(dict.fromkeys(page.anchors))[:ANCHORS])
    for name, text in (("title", page.title), ("anchor", anchors), ("body", page.text[:LONGEST])):
        tokens = tokens_of(text)
        terms = terms_in(tokens, language)
        made.add_text(name, terms)
        made.add_text(f"{name}_forms", forms_in(tokens))
        if name == "body":
            made.add_text("body_pairs", " ".join(common_pairs(terms.split())))
    if not page.text and len(page.terms):  # the archive does not have it: its words can be found, but no phrases
        made.add_text("body", _bag(page.terms))
    for host in dict.fromkeys((page.host, page.site)):
        made.add_text("hosts", host.lower())
    for path in _upwards(page.topic):
        made.add_text("topics", path)
    facets = (page.topic, page.site, page.terms.language or page.language, page.mime, month_of(page.fetched_at))
    for name, value in zip(FACETS, facets, strict=True):
        if value:
            made.add_text(name, value)
    made.add_float("relevance", page.relevance or 0.0)
    made.add_float("date", page.fetched_at)
    whole = page.packed if len(page.text) <= _KEPT else b""
    made.add_bytes("text", whole or pack_text(page.text[:_KEPT]))
    return made


def _bag(terms: Terms) -> str:
    counts = np.minimum(terms.main + terms.rest, 50).tolist()
    return " ".join(" ".join([term] * count) for term, count in zip(terms.terms, counts, strict=True) if count)


def month_of(at: float) -> str:
    """Return the month of a moment.

    >>> month_of(0), month_of(1_700_000_000)
    ('1970-01', '2023-11')
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m")


def _upwards(path: str) -> list[str]:
    """Return a topic and all above it.

    >>> _upwards("Recreation/Cycling")
    ['Recreation', 'Recreation/Cycling']
    """
    parts = path.split("/") if path else []
    return ["/".join(parts[: place + 1]) for place in range(len(parts))]
