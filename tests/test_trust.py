"""What was trusted is remembered outside the directory, by its real path and by what would be run."""

import stat
from pathlib import Path

import pytest

from scenthound.errors import UntrustedError
from scenthound.own_folder import own_folder
from scenthound.trust import FILE, command, function, is_trusted, remember, require

RANK, FIND = function("my_module:rank"), command("find-links --all")


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_nothing_is_trusted_at_first(tmp_path: Path) -> None:
    with pytest.raises(UntrustedError) as told:
        require(tmp_path / "crawl", [RANK, FIND])
    assert str(told.value) == (
        f"{tmp_path / 'crawl'} wants to use the function my_module:rank and the command or file find-links --all; "
        "if you trust it, add --trust once to crawl, classify, topics or serve"
    )
    assert not own_folder().exists()


def test_what_was_trusted_is_not_asked_about_again_and_anything_else_is(tmp_path: Path) -> None:
    remember(tmp_path / "crawl", [RANK])
    require(tmp_path / "crawl", [RANK])
    assert not is_trusted(tmp_path / "crawl", FIND)
    assert not is_trusted(tmp_path / "copy", RANK)
    remember(tmp_path / "crawl", [FIND])
    require(tmp_path / "crawl", [RANK, FIND])


def test_a_directory_is_known_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "crawl")
    remember(tmp_path / "link", [RANK])
    assert is_trusted(tmp_path / "crawl", RANK)
    (tmp_path / "link").unlink()
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "other")
    assert not is_trusted(tmp_path / "link", RANK)


def test_only_its_user_can_read_or_change_it(tmp_path: Path) -> None:
    remember(tmp_path, [RANK])
    assert stat.S_IMODE((own_folder() / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(own_folder().stat().st_mode) == 0o700


@pytest.mark.parametrize("rubbish", ["", "[]", "{", '{"x": 3}', "\x00"])
def test_rubbish_in_its_place_trusts_nothing(tmp_path: Path, rubbish: str) -> None:
    remember(tmp_path, [RANK])
    (own_folder() / FILE).write_text(rubbish)
    assert not is_trusted(tmp_path, RANK)
    remember(tmp_path, [RANK])
    assert is_trusted(tmp_path, RANK)
