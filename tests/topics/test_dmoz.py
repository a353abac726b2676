"""A dump of a web directory: every page found once, whatever its flaws; pruned as in the paper; memory bounded."""

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import TopicsError
from scenthound.settings.schema import TopicsSettings
from scenthound.taxonomy import Topics, parent
from scenthound.topics.dmoz import Dump, Listing, import_dmoz
from scenthound.topics.imported import Imported
from scenthound.topics.pruning import OTHER, Sample, prune
from tests.patience import PATIENCE
from tests.topics.dumps import HEAD, dump, write_large

CYCLING = {
    "Top/Recreation": [f"http://all.example/{number}" for number in range(2)],
    "Top/Recreation/Cycling": [f"http://bike.example/{number}" for number in range(8)],
    "Top/Recreation/Cycling/Unicycles": ["http://one.example/"],
    "Top/Recreation/Golf": [f"http://golf.example/{number}" for number in range(30)],
    "Top/Arts/Music/R&amp;B": [f"http://rnb.example/?a={number}&amp;b=1" for number in range(6)],
    "Top/World": ["http://lonely.example/"],
}


def imported(tmp_path: Path, body: bytes, *, least: int = 5, most: int = 20, **options: object) -> Imported:
    file = tmp_path / "content.rdf.u8"
    file.write_bytes(body)
    settings = TopicsSettings(min_examples=least, max_examples=most, max_topics=int(str(options.pop("topics", 0))))
    return import_dmoz(file, settings=settings, **options)  # type: ignore[arg-type]


def sizes(topics: Topics) -> dict[str, int]:
    return {topic.path: len(topic.examples) for topic in topics.topics}


# -- reading


@pytest.mark.parametrize(("links", "pages"), [(True, True), (True, False), (False, True)])
def test_each_page_is_found_once_however_the_dump_says_it(tmp_path: Path, links: bool, pages: bool) -> None:
    (tmp_path / "d").write_bytes(dump(CYCLING, links=links, pages=pages))
    found = list(Dump(path=tmp_path / "d").listings())
    assert len(found) == sum(map(len, CYCLING.values()))
    assert Listing("Arts/Music/R&B", "http://rnb.example/?a=0&b=1") in found


@pytest.mark.parametrize(
    ("piece", "listing"),
    [
        (b"<Topic r:id='Top/A'><link r:resource='http://a.example/'/></Topic>", ("A", "http://a.example/")),
        (b'<Topic\n r:id = "Top/A">\n<link1\n r:resource="http://a.example/"/>', ("A", "http://a.example/")),
        (b'<Topic r:id="Top/A"><pdf r:resource="http://a.example/x"/>', ("A", "http://a.example/x")),
        (
            b'<Topic r:id="Top/A"><link r:resource="http://a.example/?x=1&copy=2"/>',
            ("A", "http://a.example/?x=1&copy=2"),
        ),
        (
            b'<Topic r:id="Top/A"><link r:resource="http://a.example/&#x61;&bogus;"/>',
            ("A", "http://a.example/a&bogus;"),
        ),
        (b'<Topic r:id="Top/Caf\xe9"><link r:resource="http://a.example/"/>', ("Café", "http://a.example/")),
        ('<Topic r:id="Top/Cafés"><link r:resource="http://a.example/"/>'.encode(), ("Cafés", "http://a.example/")),
        (b'<Topic r:id="Top/A\x01 B/ "><link r:resource="http://a.example/"/>', ("A B", "http://a.example/")),
        (b'<ExternalPage priority="1" about="http://a.example/"><topic>Top/A</topic>', ("A", "http://a.example/")),
        (b'<<x & <Topic r:id="Top/A"><a>< <link r:resource="http://a.example/">', ("A", "http://a.example/")),
    ],
)
def test_what_is_broken_is_read_as_far_as_it_can_be(tmp_path: Path, piece: bytes, listing: tuple[str, str]) -> None:
    (tmp_path / "d").write_bytes(HEAD + piece)
    assert list(Dump(path=tmp_path / "d").listings()) == [Listing(*listing)]


@pytest.mark.parametrize("url", ["ftp://a.example/", "http://", "javascript:x", "", "news:x"])
def test_what_is_no_web_page_is_no_example(tmp_path: Path, url: str) -> None:
    (tmp_path / "d").write_bytes(dump({"Top/A": [url]}))
    assert list(Dump(path=tmp_path / "d").listings()) == []


INSIDE = st.integers(0, len(dump(CYCLING)))


@given(INSIDE)
def test_a_dump_is_read_the_same_wherever_a_chunk_of_a_megabyte_ends(
    tmp_path_factory: pytest.TempPathFactory, inside: int
) -> None:
    file = tmp_path_factory.getbasetemp() / "cut.rdf"
    file.write_bytes(b"<x>" + b"y" * ((1 << 20) - 3 - inside) + dump(CYCLING))
    assert len(list(Dump(path=file).listings())) == sum(map(len, CYCLING.values()))


def test_a_gzipped_dump_is_recognised_by_its_content(tmp_path: Path) -> None:
    body = dump(CYCLING)
    assert imported(tmp_path, gzip.compress(body)).topics == imported(tmp_path, body).topics


def test_a_cut_or_damaged_gzip_is_said_to_be_one(tmp_path: Path) -> None:
    packed = gzip.compress(random.Random(1).randbytes(100_000) + dump(CYCLING))
    for body in (packed[:-2000], packed[:5000] + b"\0" * 3000 + packed[8000:]):
        with pytest.raises(TopicsError, match="the compressed file is damaged or incomplete; get it again"):
            imported(tmp_path, body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (dump({topic: [] for topic in CYCLING}), "it has topics but no pages \\(structure.rdf\\)"),
        (b"hello", "it is not the dump of a web directory"),
        (b"", "it is not the dump of a web directory"),
        (dump({"Top/A": ["http://a.example/"]}), "no topic has 5 examples; set topics.min_examples to less"),
    ],
)
def test_a_file_that_cannot_serve_is_refused_with_the_way_out(tmp_path: Path, body: bytes, message: str) -> None:
    with pytest.raises(TopicsError, match=message):
        imported(tmp_path, body)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TopicsError, match="cannot be read: No such file"):
        import_dmoz(tmp_path / "nowhere", settings=TopicsSettings())


def test_progress_goes_from_nothing_to_all(tmp_path: Path) -> None:
    shares: list[float] = []
    imported(tmp_path, dump(CYCLING), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


# -- pruning


def test_small_topics_are_folded_and_inner_ones_get_an_other_leaf(tmp_path: Path) -> None:
    found = imported(tmp_path, dump(CYCLING))
    assert sizes(found.topics) == {
        "Arts/Music/R&B": 6,
        "Other": 1,
        "Recreation/Cycling": 9,
        "Recreation/Golf": 20,
        "Recreation/Other": 2,
    }
    assert found.folded == {
        "Recreation/Cycling/Unicycles": "Recreation/Cycling",
        "World": "Other",
    }
    assert found.notes[0].startswith("Kept 5 topics with 38 examples, of 6 topics with 48 pages: 2 with fewer")


def test_the_sample_depends_on_the_seed_and_on_nothing_else(tmp_path: Path) -> None:
    backwards = {topic: urls[::-1] for topic, urls in reversed(CYCLING.items())}
    here = imported(tmp_path, dump(CYCLING), seed=1).topics
    assert here == imported(tmp_path, dump(backwards), seed=1).topics
    assert here != imported(tmp_path, dump(CYCLING), seed=2).topics


def test_only_a_part_may_be_taken(tmp_path: Path) -> None:
    for under in ("Recreation/Cycling", "Top/Recreation/Cycling", "cycling"):
        assert sizes(imported(tmp_path, dump(CYCLING), least=1, under=[under]).topics) == {
            "Recreation/Cycling/Other": 8,
            "Recreation/Cycling/Unicycles": 1,
        }
    with pytest.raises(TopicsError, match='the dump has no such topic; did you mean "Recreation/Cycling"'):
        imported(tmp_path, dump(CYCLING), under=["Recreation/Cyclign"])
    few = imported(tmp_path, dump(CYCLING), least=50, under=["Arts"]).topics
    assert sizes(few) == {"Arts": 6}


def test_with_too_many_topics_k_is_raised_and_said(tmp_path: Path) -> None:
    found = imported(tmp_path, dump(CYCLING), least=1, topics=4)
    assert len([node for node in found.topics.nodes if not node.endswith(OTHER)]) <= 4
    assert "topics.min_examples (1) was raised to" in found.notes[1]


def by_the_paper(counts: dict[str, int], least: int) -> dict[str, int]:
    """Prune step by step, as APPRENTICE §3.1 tells it, and return how many examples each class has."""
    nodes = {"": 0}
    for path in counts:
        while path:
            nodes.setdefault(path, counts.get(path, 0))
            path = parent(path)
    while True:
        inner = {parent(path) for path in nodes if path}
        small = [path for path in nodes if path and path not in inner and nodes[path] < least]
        if not small:
            break
        nodes[parent(small[0])] += nodes.pop(small[0])
    inner = {parent(path) for path in nodes if path} | {""}
    classes: dict[str, int] = {}
    for path, number in nodes.items():
        home = f"{path}/{OTHER}".lstrip("/") if path in inner else path
        classes[home] = classes.get(home, 0) + number
    return {path: number for path, number in classes.items() if number}


names = st.sampled_from(["A", "B", "C", OTHER])
directories = st.dictionaries(st.lists(names, min_size=1, max_size=4).map("/".join), st.integers(1, 12), max_size=20)


@given(directories, st.integers(1, 15))
def test_pruning_in_one_go_is_what_the_papers_loop_ends_in(counts: dict[str, int], least: int) -> None:
    classes: dict[str, int] = {}
    for path, home in prune(counts, least=least).homes.items():
        classes[home] = classes.get(home, 0) + counts[path]
    assert classes == by_the_paper(counts, least)


@given(directories, st.integers(1, 8))
def test_no_more_topics_are_left_than_wanted(counts: dict[str, int], most: int) -> None:
    pruning = prune(counts, least=1, most=most)
    alive = {node for home in pruning.homes.values() for node in [home.removesuffix(OTHER).strip("/")]}
    assert len(alive - {""}) <= most


@given(st.lists(st.integers(0, 30).map(str)), st.integers(1, 10))
def test_a_sample_is_of_its_size_or_all_there_is(texts: list[str], size: int) -> None:
    sample = Sample(size=size, seed=3)
    for text in texts:
        sample.offer(text)
    assert len(sample.texts()) == min(size, len(set(texts)))
    assert set(sample.texts()) <= set(texts)


# -- size

READ = """
import resource, sys
from pathlib import Path
from scenthound.settings.schema import TopicsSettings
from scenthound.topics.dmoz import import_dmoz
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = import_dmoz(Path(sys.argv[1]), settings=TopicsSettings(max_examples=50))
print(len(found.topics.topics), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    """Measured: 15 MB for a dump of 50 MB, 18 MB for one of 200 MB."""
    write_large(tmp_path / "large.rdf", megabytes=25, topics=1500)
    assert (tmp_path / "large.rdf").stat().st_size > 25_000_000
    command = [sys.executable, "-c", READ, str(tmp_path / "large.rdf")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    topics, megabytes = map(int, ran.stdout.split())
    assert topics > 100
    assert megabytes < 24
