"""What an apprentice knows is what its lessons say: the same again, with or without a checkpoint in between."""

import os
import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.checkpoint import FORMAT, NAME, Checkpoints
from scenthound.apprentice.model import State
from scenthound.apprentice.regression import EVERY
from scenthound.apprentice.scent import CAPACITY, ScentModel, prior_weights
from scenthound.types import Lesson
from tests.apprentice.made_lessons import OFTEN, URLS, lessons, same, taught
from tests.often import often
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**9)
KIND, CRITIC = "scent", 3
DIRECTORY = b"PK\x01\x02"  # how an entry begins in the directory of a zip file
# That a file stays open has a test of its own.
IN_ANOTHER_TEST = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def kept(folder: Path, log: list[Lesson]) -> Path:
    """Keep a checkpoint of what these lessons teach; return the file."""
    Checkpoints(folder).keep(taught(log), kind=KIND, critic=CRITIC, lessons=len(log))
    return folder / NAME


def resumed(folder: Path, log: list[Lesson], *, kind: str = KIND, critic: int = CRITIC) -> tuple[int, State]:
    """Begin with the checkpoint, if it is believed, and take the rest of the log; return where it began, and the
    state.
    """
    model = ScentModel()
    done = Checkpoints(folder).restore(model, kind=kind, critic=critic, most=len(log))
    for lesson in log[done:]:
        model.learn(lesson)
    return done, model.state()


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 60))
def test_the_same_lessons_give_the_same_apprentice_bit_for_bit(seed: int, many: int) -> None:
    log = lessons(seed, many)
    assert same(taught(log).state(), taught(log).state())


def in_turns(model: ScentModel, log: list[Lesson], chance: Random) -> list[tuple[float | None, bytes]]:
    """Let lessons be taken, as many at a time as chance says; return what was expected of each page, and why."""
    found, at = list[tuple[float | None, bytes]](), 0
    while at < len(log):
        size = chance.choice([1, 2, 7, 30])
        found += [(one.score, one.reasons) for one in model.learn_all(log[at : at + size])]
        at += size
    return found


@often(20)
@given(seed=SEEDS, many=st.integers(0, 90), capacity=st.sampled_from([100, CAPACITY]))
def test_how_many_lessons_come_at_a_time_makes_no_difference(seed: int, many: int, capacity: int) -> None:
    log = lessons(seed, many)
    models = [ScentModel(capacity=capacity) for _ in range(2)]
    one_by_one = [model.learn(lesson) for model in models[:1] for lesson in log]
    expected = in_turns(models[1], log, Random(seed))
    assert expected == [(one.score, one.reasons) for one in one_by_one]
    assert same(models[1].state(), models[0].state())


def test_nor_does_it_when_there_were_so_many_that_blocks_are_large() -> None:
    log = lessons(3, 500, urls=[f"{url}{n}" for n in range(9) for url in URLS], links=20)
    models = [ScentModel(capacity=3_000) for _ in range(3)]
    first, *others = [in_turns(model, log, Random(seed)) for seed, model in enumerate(models)]
    assert others == [first, first]
    assert all(same(model.state(), models[0].state()) for model in models)
    assert len(models[0].ground.names) < len(
        {link.url for lesson in log for link in lesson.links}
    )  # much was forgotten


def test_other_lessons_give_another_apprentice() -> None:
    states = [taught(lessons(1, many)).state() for many in range(8)]
    assert not any(same(one, other) for one, other in pairwise(states))


def test_lessons_change_the_weights_after_a_while() -> None:
    log = lessons(5, 90)
    early, late = taught(log[: EVERY - 1]), taught(log)
    assert late.regression.taken >= EVERY
    assert (early.regression.weights == prior_weights()).all()
    assert (late.regression.weights != prior_weights()).sum() == len(prior_weights()) - 1  # nobody has told of hubs


@OFTEN
@given(seed=SEEDS, many=st.integers(0, 90), cut=st.integers(0, 90))
def test_a_checkpoint_at_any_lesson_makes_no_difference(seed: int, many: int, cut: int) -> None:
    log = lessons(seed, many)
    cut = min(cut, many)
    with TemporaryDirectory() as folder:
        kept(Path(folder), log[:cut])
        done, state = resumed(Path(folder), log)
    assert done == cut
    assert same(state, taught(log).state())


def test_a_checkpoint_of_another_kind_or_critic_or_of_lessons_that_are_not_there_is_passed_over(tmp_path: Path) -> None:
    log = lessons(2, 40)
    kept(tmp_path, log[:30])
    assert resumed(tmp_path, log)[0] == 30
    strange = [
        resumed(tmp_path, log, kind="bayes"),
        resumed(tmp_path, log, critic=CRITIC + 1),
        resumed(tmp_path, log[:29]),
    ]
    assert [done for done, _ in strange] == [0, 0, 0]
    assert same(strange[0][1], taught(log).state())
    assert same(strange[2][1], taught(log[:29]).state())


def test_a_checkpoint_of_a_newer_version_is_passed_over(tmp_path: Path) -> None:
    log = lessons(2, 40)
    file = kept(tmp_path, log)
    with np.load(file) as arrays:
        newer = dict(arrays) | {"stamp": np.array([str(FORMAT + 1), KIND, str(CRITIC)])}
    np.savez(file, **newer)
    assert resumed(tmp_path, log)[0] == 0


@IN_ANOTHER_TEST
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive at all", b"\x80\x04N."])
def test_a_file_that_is_no_checkpoint_is_passed_over(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    log = lessons(2, 20)
    done, state = resumed(tmp_path, log)
    assert done == 0
    assert same(state, taught(log).state())


def test_a_file_that_is_passed_over_is_closed(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"PK\x03\x04")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        Checkpoints(tmp_path).restore(ScentModel(), kind=KIND, critic=CRITIC, most=9)
    assert heard == []


@pytest.mark.parametrize("name", ["stamp", "other"])
def test_the_arrays_of_somebody_else_are_passed_over(tmp_path: Path, name: str) -> None:
    np.savez(tmp_path / NAME, **{name: np.zeros(3)})  # type: ignore[arg-type]  # numpy's stubs take any name for an option
    assert resumed(tmp_path, lessons(2, 20))[0] == 0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of thirty lessons."""
    return kept(tmp_path_factory.mktemp("kept"), lessons(4, 30))


@IN_ANOTHER_TEST
@OFTEN
@given(part=st.floats(0, 1, exclude_max=True))
def test_a_checkpoint_that_was_cut_off_is_passed_over(whole: Path, part: float) -> None:
    content = whole.read_bytes()
    with TemporaryDirectory() as folder:
        Path(folder, NAME).write_bytes(content[: int(part * len(content))])
        assert resumed(Path(folder), lessons(4, 30))[0] == 0


@IN_ANOTHER_TEST
@OFTEN
@given(part=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_damaged_checkpoint_teaches_nothing_wrong(whole: Path, part: float, bit: int) -> None:
    """Some bytes of the file mean nothing, as the time of day; then it is believed, and says what it said."""
    content = whole.read_bytes()
    changed = damaged(content, int(part * content.index(DIRECTORY)), bit)
    assert same(begun_with(changed), taught(lessons(4, 30)).state())


@IN_ANOTHER_TEST
@pytest.mark.parametrize(
    ("place", "bit"), [(6, 7), (8, 0), (10, 0), (32, 6)], ids=["version", "encrypted", "method", "comment"]
)
def test_a_damaged_directory_of_a_checkpoint_does_not_end_the_crawl(whole: Path, place: int, bit: int) -> None:
    content = whole.read_bytes()
    following = content.rindex(DIRECTORY, 0, content.index(b"urls.relevance.npy", content.index(DIRECTORY)))
    entry = content.rindex(DIRECTORY, 0, following)  # a comment of 64 bytes would be all of the one that follows
    assert same(begun_with(damaged(content, entry + place, bit)), taught(lessons(4, 30)).state())


def damaged(content: bytes, place: int, bit: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


def begun_with(content: bytes) -> State:
    """Return what is known after thirty lessons if this is the checkpoint to begin with."""
    with TemporaryDirectory() as folder:
        Path(folder, NAME).write_bytes(content)
        return resumed(Path(folder), lessons(4, 30))[1]


def test_what_a_crash_left_unfinished_does_no_harm(tmp_path: Path) -> None:
    log = lessons(2, 40)
    file = kept(tmp_path, log[:10])
    unfinished = file.with_name(f".{file.name}.4194999.part")  # no process has this number
    unfinished.write_bytes(b"half a check")
    assert resumed(tmp_path, log)[0] == 10
    kept(tmp_path, log[:20])
    assert resumed(tmp_path, log)[0] == 20
    assert not unfinished.exists()


def test_the_weights_do_not_depend_on_the_number_of_cores() -> None:
    """Sums in another order differ in the last bits, and a library that adds up on all cores chooses the order by
    their number.
    """
    program = (
        "from tests.apprentice.made_lessons import lessons, taught, URLS\n"
        "urls = [f'{url}{n}' for n in range(40) for url in URLS]\n"
        "print(taught(lessons(6, 700, urls=urls)).regression.weights.tobytes().hex())"
    )
    root, found = Path(__file__).resolve().parents[2], set[str]()
    for threads in ("1", "4"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "PYTHONPATH": f"{root}/src:{root}"}
        command = [sys.executable, "-c", program]
        found.add(
            subprocess.run(command, env=environment, check=True, capture_output=True, timeout=PATIENCE).stdout.decode()
        )
    assert len(found) == 1
