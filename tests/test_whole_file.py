"""A file is written whole or not at all, and no half of it stays."""

import subprocess
import sys
from pathlib import Path

import pytest

from scenthound.whole_file import replacing, write_whole


def test_a_file_is_replaced_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    write_whole(file, "old\r\n")
    write_whole(file, "größer\n")
    assert file.read_bytes() == "größer\n".encode()
    assert list(tmp_path.iterdir()) == [file]


def test_the_old_file_stays_while_the_new_one_is_written_and_when_that_fails(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    write_whole(file, b"old")

    def fail() -> None:
        with replacing(file) as aside:
            aside.write_bytes(b"half")
            assert file.read_bytes() == b"old"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_the_next_write_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    script = """
import os, signal, sys
from pathlib import Path
from scenthound.whole_file import replacing
with replacing(Path(sys.argv[1])) as aside:
    aside.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    file = tmp_path / "a[1].toml"
    neighbour = tmp_path / ".a[1].toml.txt.1.part"
    neighbour.write_bytes(b"of somebody else")
    subprocess.run([sys.executable, "-c", script, str(file)], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    write_whole(file, b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([file, neighbour])


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "a.toml", b"")
