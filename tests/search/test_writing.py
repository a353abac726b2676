"""Writing the index: pages come again and go, processes are killed, and nothing acknowledged is lost."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import tantivy

from scenthound.search.index import SearchReader, SearchWriter, open_index, write_lock
from scenthound.search.index_rows import FORMAT, read_state
from scenthound.search.types import IndexBusyError
from tests.search.made_pages import MadeFacts, ask, found, index, page

KILLED = """
import sys
from pathlib import Path
from scenthound.search.index import SearchWriter, write_lock
from tests.search.made_pages import page
folder = Path(sys.argv[1])
with write_lock(folder), SearchWriter(folder) as writer:
    for id in range(writer.state.n + 1, 10_000):
        writer.add(page(id, f"word{id} everywhere"))
        if id % 5 == 0:
            print(writer.commit(id).n, flush=True)
"""


def ids(reader: SearchReader) -> list[int]:
    hits = reader.searcher.search(tantivy.Query.all_query(), 100_000).hits
    return sorted(int(id or 0) for id in reader.searcher.fast_field_values("id", [address for _, address in hits]))


def test_a_page_that_comes_again_takes_the_place_of_its_old_self(tmp_path: Path) -> None:
    index(tmp_path / "search", [page(1, "old words"), page(2, "others")])
    reader = index(tmp_path / "search", [page(1, "new words")])
    facts = MadeFacts([page(1, "new words"), page(2, "others")])
    assert ids(reader) == [1, 2]
    assert not found(ask(reader, facts, "old"))
    assert found(ask(reader, facts, "new")) == {1}


def test_a_page_that_comes_twice_at_once_is_there_once(tmp_path: Path) -> None:
    reader = index(tmp_path / "search", [page(1, "old words"), page(1, "new words"), page(2, "others")])
    assert ids(reader) == [1, 2]
    assert found(ask(reader, MadeFacts([page(1, "")]), "new")) == {1}
    assert (reader.rows.rows["id"] > 0).sum() == 2


def test_a_page_that_went_is_not_found(tmp_path: Path) -> None:
    folder = tmp_path / "search"
    index(folder, [page(1, "here"), page(2, "there")])
    with write_lock(folder), SearchWriter(folder) as writer:
        writer.remove(1)
        writer.commit(3)
    reader = open_index(folder)
    assert reader is not None
    assert ids(reader) == [2]
    assert reader.state.n == 3


@pytest.mark.slow
def test_what_is_not_committed_is_not_there(tmp_path: Path) -> None:
    folder = tmp_path / "search"
    index(folder, [page(1, "here")])
    with write_lock(folder), SearchWriter(folder) as writer:
        writer.add(page(2, "there"))
    reader = index(folder, [page(3, "elsewhere")])
    assert ids(reader) == [1, 3]


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    with write_lock(tmp_path / "search"), pytest.raises(IndexBusyError), write_lock(tmp_path / "search"):
        pass


def test_an_index_of_another_version_is_built_again(tmp_path: Path) -> None:
    folder = tmp_path / "search"
    index(folder, [page(1, "here")])
    state = folder / "state.json"
    state.write_text(state.read_text().replace(f'"format":{FORMAT}', '"format":0'))
    assert open_index(folder) is None
    assert ids(index(folder, [page(2, "there")])) == [2]


@pytest.mark.slow
def test_pages_committed_and_not_acknowledged_come_again_once(tmp_path: Path) -> None:
    folder = tmp_path / "search"
    index(folder, [page(1, "here")])
    acknowledged = (folder / "state.json").read_bytes()
    index(folder, [page(2, "there"), page(3, "elsewhere")])
    (folder / "state.json").write_bytes(
        acknowledged
    )  # as if killed between the engine's commit and the acknowledgement
    (folder / "writing").touch()
    reader = index(folder, [page(3, "elsewhere"), page(2, "there")])
    assert ids(reader) == [1, 2, 3]
    assert reader.rows.rows["id"].tolist() == [1, 3, 2]


@pytest.mark.slow
def test_kills_lose_nothing_acknowledged_and_double_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "search"
    for commits in (1, 3, 2, 4):
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        acknowledged = [int(process.stdout.readline()) for _ in range(commits)][-1]
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        reader = open_index(folder)
        assert reader is not None
        assert reader.state.n >= acknowledged
        assert set(range(1, acknowledged + 1)) <= set(ids(reader))
    state = read_state(folder)
    assert state is not None
    last = state.n + 100  # further than the killed process had come
    rest = index(folder, [page(id, f"word{id} everywhere") for id in range(state.n + 1, last)])
    assert [id for id in ids(rest) if id < last] == list(range(1, last))
    facts = MadeFacts([page(id, "") for id in range(1, last)])
    assert found(ask(rest, facts, f"word{acknowledged}")) == {acknowledged}
