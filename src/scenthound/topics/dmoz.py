"""Topics from a dump of a web directory in the RDF of the Open Directory (dmoz.org), as in APPRENTICE §3.1.

    <Topic r:id="Top/Recreation/Cycling"> <link r:resource="http://…"/> … </Topic>
    <ExternalPage about="http://…"> <d:Title>…</d:Title> <topic>Top/Recreation/Cycling</topic> </ExternalPage>

Dumps have two gigabytes and more, and are not well-formed XML: bare ampersands, control characters, bytes of other
encodings. So we scan the file for these few tags instead of parsing it, twice: once to count pages and choose topics,
and once to choose their examples. Memory grows with the number of topics, not with the size of the file.
"""

import gzip
import os
import re
import stat
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from scenthound.counted import count
from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical
from scenthound.settings.file import nearest
from scenthound.settings.schema import TopicsSettings
from scenthound.taxonomy import Topic, Topics, ancestors, is_at_or_below
from scenthound.topics.imported import Imported, Progress, silent
from scenthound.topics.pruning import OTHER, Pruning, Sample, prune
from scenthound.topics.sentences import quoted
from scenthound.topics.topic_names import ending_in, tidy_name

_CHUNK: Final = 1 << 20
# A tag with its first URL or topic. We ignore the rest of the tag, so we do not look for its end.
_TOKEN: Final = re.compile(
    rb"<(?:(Topic|ExternalPage|link1?|pdf1?)\s[^<>]*?\b(?:id|about|resource)\s*=\s*(?:\"([^\"<]*)|'([^'<]*))|topic>([^<]*))"
)
_LONGEST_TOKEN: Final = 1 << 16
# Only XML's own entities, with a semicolon: a URL may contain "&copy=2", which must stay as it is.
_ENTITY: Final = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_ENTITIES: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_TOP: Final = "Top"


class Listing(NamedTuple):
    """One page of the directory in one of its topics. It is a tuple because there are millions."""

    topic: str
    url: str


def import_dmoz(
    path: Path,
    *,
    settings: TopicsSettings,
    seed: int = 0,
    under: Sequence[str] = (),
    progress: Progress = silent,
) -> Imported:
    """Read a dump, gzipped or not, and prune it. With `under`, take only these topics and their subtopics."""
    dump = Dump(path=path)
    counts = Counter(listing.topic for listing in dump.listings(lambda share: progress(share / 2)))
    if not counts:
        raise TopicsError(f"{path.name}: {_why_empty(dump)}")
    roots = _roots(counts, under)
    chosen = {topic: number for topic, number in counts.items() if any(is_at_or_below(topic, root) for root in roots)}
    pruning = prune(chosen, least=settings.min_examples, most=settings.max_topics, roots=roots)
    samples = _sampled(dump, pruning, size=settings.max_examples, seed=seed, progress=progress)
    topics = Topics(topics=tuple(Topic(path=home, examples=samples[home].texts()) for home in sorted(samples)))
    if topics.nodes == (OTHER,):
        raise TopicsError(f"{path.name}: no topic has {pruning.least:,} examples; set topics.min_examples to less")
    folded = {topic: home for topic, home in pruning.homes.items() if topic not in topics.nodes}
    notes = tuple(_notes(chosen, topics, pruning, folded, settings))
    return Imported(topics=topics, notes=notes, folded=folded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """A dump on disk."""

    path: Path

    def listings(self, progress: Progress = silent) -> Iterator[Listing]:
        """Yield every page that has a URL, once for each of its topics.

        Newer dumps say it twice, in the links of the topic and in the topic of the page; the oldest only in the links.
        """
        topic, page = "", b""
        linked: set[bytes] = set()  # of the last topic only: its pages follow it
        for tag, value, named in _tokens(self._pieces(progress)):
            if tag == b"Topic":
                topic, linked = _topic_path(value), set()
            elif tag == b"ExternalPage":
                page = value
            elif tag:
                linked.add(value)
                yield from _listed(topic, value)
            else:
                home = _topic_path(named)
                if home != topic or page not in linked:
                    yield from _listed(home, page)
                page = b""

    def names_topics(self) -> bool:
        """Return whether the file has topics, with or without pages."""
        return any(tag == b"Topic" and value for tag, value, _ in _tokens(self._pieces(silent)))

    def _pieces(self, progress: Progress) -> Iterator[bytes]:
        """Yield the unpacked file in pieces that end before a tag, so no tag is cut in two."""
        with ExitStack() as stack:
            try:
                raw = stack.enter_context(self.path.open("rb"))
                size = self._size(raw)
                unpacked: BinaryIO = raw
                if raw.peek(2)[:2] == b"\x1f\x8b":
                    unpacked = stack.enter_context(gzip.open(raw))  # type: ignore[assignment]
                rest = b""
                while chunk := unpacked.read(_CHUNK):
                    rest += chunk
                    cut = rest.rfind(b"<")
                    if cut > 0:
                        yield rest[:cut]
                        rest = rest[cut:]
                    elif len(rest) > _LONGEST_TOKEN:
                        rest = b""  # no tag for so long: nothing we need
                    progress(raw.tell() / size)
                yield rest
            except (EOFError, zlib.error, gzip.BadGzipFile):
                raise TopicsError(
                    f"{self.path.name}: the compressed file is damaged or incomplete; get it again"
                ) from None
            except OSError as error:
                raise TopicsError(f"{self.path}: cannot be read: {error.strerror}") from None

    def _size(self, file: BinaryIO) -> int:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise TopicsError(f"{self.path}: it must be a regular file, because it is read twice; save it first")
        return max(1, status.st_size)


def _tokens(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield tag and value, or the topic that a page names, with an empty tag."""
    for piece in pieces:
        for tag, double, single, named in _TOKEN.findall(piece):
            yield tag, double or single, named


def _listed(topic: str, address: bytes) -> Iterator[Listing]:
    if topic and (url := canonical(_text(address).strip())):
        yield Listing(topic, url)


@lru_cache(maxsize=4096)
def _topic_path(value: bytes) -> str:
    """Return the path of a topic without the leading `Top`.

    >>> _topic_path(b"Top/Arts/Music/R&amp;B"), _topic_path(b"Top")
    ('Arts/Music/R&B', '')
    """
    parts = [tidy_name(part) for part in _text(value).split("/") if part.strip()]
    return "/".join(parts[1:] if parts[:1] == [_TOP] else parts)


def _text(value: bytes) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = value.decode("cp1252", "replace")
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    name, decimal, hexadecimal = entity.groups()
    if name:
        return _ENTITIES[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0x20 <= number < 0xD800 or 0xE000 <= number < 0x110000 else " "


def _roots(counts: Iterable[str], under: Sequence[str]) -> list[str]:
    """Return the requested topics as the dump spells them, or the root."""
    if not under:
        return [""]
    nodes = dict.fromkeys(node for topic in counts for node in (*ancestors(topic), topic))
    roots = [_root(name.strip().strip("/").removeprefix(f"{_TOP}/"), list(nodes)) for name in under]
    return [root for root in roots if not any(root != other and is_at_or_below(root, other) for other in roots)]


def _root(name: str, nodes: Sequence[str]) -> str:
    found = ending_in(nodes, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise TopicsError(f"--under {name} is ambiguous: {quoted(sorted(found, key=len))}; write the whole path")
    shallow = [node for node in nodes if node.count("/") <= name.count("/") + 1]
    guess = nearest(name, shallow) or next(
        iter(ending_in(nodes, nearest(name, [n.rpartition("/")[2] for n in shallow]))), ""
    )
    raise TopicsError(f"--under {name}: the dump has no such topic" + (f'; did you mean "{guess}"?' if guess else ""))


def _sampled(dump: Dump, pruning: Pruning, *, size: int, seed: int, progress: Progress) -> dict[str, Sample]:
    samples: dict[str, Sample] = {}
    for topic, url in dump.listings(lambda share: progress(0.5 + share / 2)):
        if home := pruning.homes.get(topic):
            if home not in samples:
                samples[home] = Sample(size=size, seed=seed)
            samples[home].offer(url)
    return samples


def _why_empty(dump: Dump) -> str:
    if dump.names_topics():
        return "it has topics but no pages (structure.rdf); use the other file, content.rdf"
    return "it is not the dump of a web directory: it has no <Topic …> and no <ExternalPage …>"


def _notes(
    counts: dict[str, int], topics: Topics, pruning: Pruning, folded: dict[str, str], settings: TopicsSettings
) -> Iterator[str]:
    kept = sum(len(topic.examples) for topic in topics.topics)
    yield (
        f"Kept {count(len(topics.topics), 'topic')} with {count(kept, 'example')}, of {count(len(counts), 'topic')} "
        f"with {count(sum(counts.values()), 'page')}: {len(folded):,} with fewer than {pruning.least:,} were merged "
        f"into their parents, and at most {settings.max_examples or kept:,} examples of each were chosen."
    )
    if pruning.least > settings.min_examples:
        yield (
            f"topics.min_examples ({settings.min_examples:,}) was raised to {pruning.least:,} to keep at most "
            f"{settings.max_topics:,} topics (topics.max_topics). Use --under to import a part of the directory in "
            f"more detail."
        )
