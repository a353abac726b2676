"""Critics on disk: whole or not at all, and a clear word where one cannot be read."""

import json
from pathlib import Path

import numpy as np
import pytest

from scenthound.errors import ScenthoundError
from scenthound.judge.critic_kinds import load_critic
from scenthound.judge.modelfile import FORMAT, Model, kind_of, read_model, write_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model(
        tmp_path / "models" / "critic",
        Model(kind="bayes", facts={"vocabulary": ["naïve", "\ud800"]}, arrays={"0.counts": np.arange(4.0)}),
    )
    return tmp_path / "models" / "critic"


def edit(folder: Path, **changes: object) -> None:
    path = folder / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_what_was_written_is_read(folder: Path) -> None:
    model = read_model(folder)
    assert (model.kind, kind_of(folder)) == ("bayes", "bayes")
    assert model.facts["vocabulary"] == ["naïve", "\ud800"], "also half of a surrogate pair, which a page may contain"
    assert model.numbered(0)["counts"].tolist() == [0.0, 1.0, 2.0, 3.0]


def test_a_folder_that_is_taken_is_left_as_it_is(folder: Path) -> None:
    with pytest.raises(ScenthoundError, match="there already"):
        write_model(folder, Model(kind="svm", facts={}, arrays={}))
    assert read_model(folder).kind == "bayes"
    assert [path.name for path in folder.parent.iterdir()] == ["critic"]


def test_what_cannot_be_said_as_data_leaves_nothing_behind(tmp_path: Path) -> None:
    for bad in ({"arrays": {"x": np.array([object()])}}, {"facts": {"x": object()}}):
        with pytest.raises((TypeError, ValueError)):
            write_model(tmp_path / "critic", Model(**({"kind": "k", "facts": {}, "arrays": {}} | bad)))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["model.json", "arrays.npz"])
@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_damaged_byte_is_noticed(folder: Path, name: str, place: float) -> None:
    path = folder / name
    content = bytearray(path.read_bytes())
    content[int(len(content) * place)] ^= 0x15
    path.write_bytes(content)
    with pytest.raises(ScenthoundError, match="retrain"):
        read_model(folder)


@pytest.mark.parametrize("name", ["model.json", "arrays.npz"])
def test_a_file_cut_short_or_gone_is_noticed(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(ScenthoundError, match="damaged"):
        read_model(folder)
    path.unlink()
    with pytest.raises(ScenthoundError, match=name):
        read_model(folder)


def test_a_newer_format_is_named_as_such(folder: Path) -> None:
    edit(folder, format=FORMAT + 1)
    with pytest.raises(ScenthoundError, match="upgrade scenthound"):
        read_model(folder)


@pytest.mark.parametrize("format", ["one", None, [1]])
def test_a_format_that_is_no_number_is_damage(folder: Path, format: object) -> None:
    edit(folder, format=format)
    with pytest.raises(ScenthoundError, match="damaged"):
        read_model(folder)


def test_a_kind_that_nobody_knows(folder: Path) -> None:
    edit(folder, kind="oracle")
    with pytest.raises(ScenthoundError, match='kind "oracle"'):
        load_critic(folder)


def test_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(ScenthoundError, match="no critic can be read here"):
        load_critic(tmp_path / "nowhere")
