"""What was read once is read back as it was; a file that is damaged, foreign or out of date is made again."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import LabError
from scenthound.lab.world.cache import cache_folder, cached_worlds
from scenthound.lab.world.labels import Label
from scenthound.lab.world.world import open_world
from scenthound.lab.world.world_file import DamagedError, WorldWriter, open_world_file
from scenthound.lab.world.world_reader import WorldProgress, read_world
from scenthound.lab.world.world_sources import WorldSource
from scenthound.parse.shapes import shape_of
from scenthound.types import Fetch, Link, LinkKind, Reading, Reason
from tests.lab.small_worlds import Capture, captures, opened, page, small_source, write_warc
from tests.often import often, slowly
from tests.patience import PATIENCE

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
addresses = st.sampled_from(
    [f"http://{host}.test/{path}" for host in "ab" for path in ("", "1", "2?q=7", "robots.txt")]
)
links = st.builds(
    lambda url, kind, text, first, last, nofollow: Link(
        url=url, kind=kind, text=text, first_leaf=first, last_leaf=last, nofollow=nofollow, shape=shape_of(url)
    ),
    addresses,
    st.sampled_from(LinkKind),
    words,
    st.integers(-1, 500),
    st.integers(-1, 500),
    st.booleans(),
)
readings = st.builds(
    Reading,
    reason=st.none() | st.sampled_from(Reason),
    mime=words,
    title=words,
    language=words,
    leaves=st.lists(words, max_size=5).map(tuple),
    words=st.integers(0, 10_000),
    links=st.lists(links, max_size=5).map(tuple),
    canonical=st.just("") | addresses,
    nofollow=st.booleans(),
    noindex=st.booleans(),
    digest=words,
    payload=words,
    fingerprint=st.none() | st.integers(-(2**63), 2**63 - 1),
    terms=st.binary(max_size=20),
    stream=st.binary(max_size=20),
)
statuses = st.sampled_from([0, 200, 301, 404, 503])
fetches = st.builds(
    Fetch,
    url=addresses,
    started=st.just(0.0),
    finished=st.just(0.0),
    status=statuses,
    reason=st.none() | st.sampled_from(Reason),
    mime=words,
    charset=words,
    location=st.just("") | addresses,
    etag=st.none() | words,
    retry_after=st.none() | st.floats(0, 1e6),
    body=st.binary(max_size=20),
)
exchanges = st.lists(st.tuples(fetches, readings), max_size=6, unique_by=lambda pair: pair[0].url)


def written(path: Path, pairs: list[tuple[Fetch, Reading]]) -> Path:
    with path.open("wb") as file:
        writer = WorldWriter(file, title="a web")
        for fetch, reading in pairs:
            writer.add(fetch, reading)
        writer.finish([Label(url="http://a.test/", topic="A")])
    return path


@pytest.mark.slow
@given(pairs=exchanges)
def test_any_exchange_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[Fetch, Reading]]
) -> None:
    file = open_world_file(written(tmp_path_factory.mktemp("file") / "a.world", pairs))
    for number, (fetch, reading) in enumerate(pairs):
        body = fetch.body if fetch.url.endswith("/robots.txt") else b""
        found, read = file.exchange(number)
        assert (found, replace(read, leaves=file.leaves(number))) == (replace(fetch, body=body), reading)
    assert file.index.labels == (("http://a.test/", "A"),)
    file.close()


@often(60)
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_a_file_with_one_wrong_byte_is_found_out(
    tmp_path_factory: pytest.TempPathFactory, place: float, flip: int
) -> None:
    fetch = Fetch(url="http://a.test/", started=0.0, finished=0.0, status=200)
    path = written(tmp_path_factory.mktemp("file") / "a.world", [(fetch, Reading(title="Home", leaves=("Home",)))])
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] ^= flip
    path.write_bytes(data)
    with pytest.raises(DamagedError):
        open_world_file(path)


@given(length=st.integers(0, 200))
def test_a_file_that_breaks_off_is_found_out(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = written(tmp_path_factory.mktemp("file") / "a.world", [])
    whole = path.read_bytes()
    path.write_bytes(whole[: min(length, len(whole) - 1)])
    with pytest.raises(DamagedError):
        open_world_file(path)


@pytest.mark.slow
def test_a_source_read_twice_gives_the_same_bytes_whatever_the_number_of_readers(tmp_path: Path) -> None:
    files = []
    for workers in (1, 2):
        files.append(BytesIO())
        read_world(small_source(tmp_path), files[-1], workers=workers)
    assert files[0].getvalue() == files[1].getvalue()


@pytest.mark.slow
def test_a_world_is_read_once_and_its_progress_told(tmp_path: Path) -> None:
    source, heard = small_source(tmp_path), list[WorldProgress]()
    for _ in range(2):
        open_world(source, cache=tmp_path / "cache", workers=1, watch=heard.append).close()
    assert [(one.world, one.done, one.total) for one in heard] == [("small", done, 27) for done in range(1, 28)]


@pytest.mark.slow
def test_it_is_read_anew_when_the_archive_changes_and_the_old_file_goes(tmp_path: Path) -> None:
    source = small_source(tmp_path)
    opened(source, tmp_path).close()
    before = cached_worlds(tmp_path / "cache")
    write_warc(source.warc[0], [*captures(), Capture(url="http://new.test/", body=b"new")])
    with opened(source, tmp_path) as world:
        assert world.urls[-1] == "http://new.test/"
    after = cached_worlds(tmp_path / "cache")
    assert [(one.title, one.pages) for one in before + after] == [("small.warc.gz", 25), ("small.warc.gz", 26)]
    assert before[0].path != after[0].path


@pytest.mark.slow
def test_a_change_shows_by_the_date_of_the_archive_alone(tmp_path: Path) -> None:
    source = small_source(tmp_path)
    opened(source, tmp_path).close()
    before = cached_worlds(tmp_path / "cache")
    os.utime(source.warc[0], (1_000_000_000, 1_000_000_000))
    opened(source, tmp_path).close()
    after = cached_worlds(tmp_path / "cache")
    assert (len(before), len(after)) == (1, 1)
    assert before[0].path != after[0].path


@pytest.mark.slow
def test_other_labels_need_no_reading(tmp_path: Path) -> None:
    source = small_source(tmp_path)
    opened(source, tmp_path).close()
    before = cached_worlds(tmp_path / "cache")
    assert source.labels is not None
    source.labels.write_text(f"{page('fish', 0)}\tSport\n")
    with opened(source, tmp_path) as world:
        assert world.topics == ("Sport",)
    assert cached_worlds(tmp_path / "cache") == before


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "one byte": lambda whole: whole[:2000] + b"?" + whole[2001:],
    "cut off": lambda whole: whole[:-1],
    "empty": lambda whole: b"",
    "foreign": lambda whole: b"something else altogether" * 100,
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["one byte", *slowly("cut off", "empty", "foreign")])
def test_a_damaged_or_foreign_file_is_made_anew(tmp_path: Path, damage: str) -> None:
    source = small_source(tmp_path)
    opened(source, tmp_path).close()
    [known] = cached_worlds(tmp_path / "cache")
    whole = known.path.read_bytes()
    known.path.write_bytes(DAMAGE[damage](whole))
    with opened(source, tmp_path) as world:
        assert len(world.urls) == 25
    assert known.path.read_bytes() == whole


@pytest.mark.slow
def test_a_process_that_has_a_world_open_keeps_it_while_another_replaces_it(tmp_path: Path) -> None:
    source = small_source(tmp_path)
    with opened(source, tmp_path) as before:
        write_warc(source.warc[0], [Capture(url="http://new.test/", body=b"new")])
        opened(source, tmp_path).close()
        found = before.exchange(page("fish", 3))
        assert found is not None
        assert found.reading.title == "Fish 3"


@pytest.mark.slow
def test_two_processes_may_want_the_same_world_at_once(tmp_path: Path) -> None:
    small_source(tmp_path)
    program = (
        "import sys; from pathlib import Path; from scenthound.lab.world.world import *\n"
        "folder = Path(sys.argv[1]); source = WorldSource(name='w', warc=(folder / 'small.warc.gz',))\n"
        "read = []; world = open_world(source, cache=folder / 'cache', workers=1, watch=read.append)\n"
        "print(len(read), world.digest)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=PATIENCE)[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(reads for reads, _ in said) == ["0", "27"]  # one has read it, the other has waited
    assert said[0][1] == said[1][1]
    assert len(list((tmp_path / "cache").glob("*.world"))) == 1


@pytest.mark.slow
def test_a_reading_that_fails_leaves_no_file(tmp_path: Path) -> None:
    def fail(progress: WorldProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_world(small_source(tmp_path), cache=tmp_path / "cache", workers=1, watch=fail)
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_cache_that_cannot_be_written_is_said_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(
        LabError, match=r"cannot hold worlds: .*; make room there, or name another folder in SCENTHOUND"
    ):
        opened(small_source(tmp_path), tmp_path)


def test_the_cache_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SCENTHOUND_LAB_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")  # to be ignored, as the XDG specification has it
    assert cache_folder() == tmp_path / ".cache" / "scenthound" / "lab"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "scenthound" / "lab"
    monkeypatch.setenv("SCENTHOUND_LAB_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


@pytest.mark.slow
def test_the_same_world_has_the_same_digest_in_any_process(tmp_path: Path) -> None:
    small_source(tmp_path)
    program = (
        "import sys; from pathlib import Path; from scenthound.lab.world.world import *\n"
        "folder = Path(sys.argv[1]); labels = folder / 'small.labels.tsv'\n"
        "source = WorldSource(name='w', warc=(folder / 'small.warc.gz',), labels=labels)\n"
        "print(open_world(source, cache=folder / sys.argv[2], workers=1).digest)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), "there"],
        env={**os.environ, "PYTHONHASHSEED": "1", "LC_ALL": "C"},  # that of this process is drawn by chance
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    source = WorldSource(name="w", warc=(tmp_path / "small.warc.gz",), labels=tmp_path / "small.labels.tsv")
    with open_world(source, cache=tmp_path / "here", workers=1) as world:
        assert ran.stdout.strip() == world.digest
