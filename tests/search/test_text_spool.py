"""Texts on their way from readers to the index: they come through whole, and what is torn is as good as not there."""

import os
from pathlib import Path

from scenthound.parse.digest import digest_of
from scenthound.search.text_spool import SpooledTexts, TextSpool, unpack_text


def left(folder: Path, *texts: str) -> list[str]:
    """Leave texts as a reader does, and return the digests of their pages."""
    spool = TextSpool(folder)
    digests = [digest_of(text.encode()) for text in texts]
    for digest, text in zip(digests, texts, strict=True):
        spool.add(digest, text)
    return digests


def test_what_a_reader_leaves_is_found_by_the_digest_of_the_page(tmp_path: Path) -> None:
    digests = left(tmp_path / "texts", "hub gears", "Fahrräder")
    found = SpooledTexts(tmp_path / "texts")
    assert found.packed(digests[0]) == b""  # not looked yet
    found.look()
    assert [unpack_text(found.packed(digest)) for digest in digests] == ["hub gears", "Fahrräder"]
    more = left(tmp_path / "texts", "a chain")  # of another reader
    found.look()
    assert unpack_text(found.packed(more[0])) == "a chain"


def test_a_record_that_breaks_off_is_not_there_until_it_is_whole(tmp_path: Path) -> None:
    digests = left(tmp_path, "hub gears", "a chain")
    [path] = tmp_path.glob("*.texts")
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    found = SpooledTexts(tmp_path)
    found.look()
    assert found.packed(digests[0])
    assert found.packed(digests[1]) == b""
    path.write_bytes(whole)
    found.look()
    assert unpack_text(found.packed(digests[1])) == "a chain"


def test_a_damaged_record_is_not_there(tmp_path: Path) -> None:
    [digest] = left(tmp_path, "hub gears")
    [path] = tmp_path.glob("*.texts")
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    found = SpooledTexts(tmp_path)
    found.look()
    assert found.packed(digest) == b""


def test_files_go_when_nobody_writes_to_them_any_more(tmp_path: Path) -> None:
    [digest] = left(tmp_path, "hub gears")
    [path] = tmp_path.glob("*.texts")
    found = SpooledTexts(tmp_path)
    found.look()
    found.clear()
    assert found.packed(digest)
    os.utime(path, (0, 0))
    found.clear()
    assert not path.exists()
    assert found.packed(digest) == b""


def test_a_reader_that_cannot_write_goes_on_without(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("a file where the folder should be")
    left(tmp_path / "texts", "hub gears")
    found = SpooledTexts(tmp_path / "texts")
    found.look()
    assert found.packed(digest_of(b"hub gears")) == b""
