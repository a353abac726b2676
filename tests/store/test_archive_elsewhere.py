"""Archive files elsewhere: uploaded whole and checked, never replaced, read from there as from here."""

import hashlib
import os
import time
from pathlib import Path

import pytest

from scenthound.archive.elsewhere import Elsewhere, elsewhere_at
from scenthound.archive.files import Archive, read_exchange
from scenthound.archive.place import BLOCK, CACHE, ArchivePlace
from scenthound.archive.warc import exchange_record, gzip_member
from scenthound.crawl.engine.archive_uploads import Uploader, upload
from scenthound.errors import StoreError, UsageError
from scenthound.settings.archive_url import ArchiveUrl
from scenthound.types import Fetch
from tests.patience import until
from tests.store.s3_server import new_address, s3

__all__ = ["s3"]
NAME = "scenthound-00001.warc.gz"


@pytest.fixture(params=["file", "s3"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return f"file://{tmp_path}/shared/crawl"
    return new_address(request.getfixturevalue("s3"))


@pytest.fixture
def there(address: str) -> Elsewhere:
    return elsewhere_at(address)


def file(folder: Path, content: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / NAME
    path.write_bytes(content)
    return path


def test_a_file_is_uploaded_once_and_read_in_pieces(there: Elsewhere, tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    path = file(tmp_path / "here", content)
    assert there.size(NAME) is None
    for _ in range(2):
        assert upload(there, path).digest == hashlib.sha256(content).hexdigest()
    assert there.size(NAME) == 3_000_000
    assert there.read(NAME, 2_999_990, 4_000_000) == content[-10:]
    assert there.read(NAME, 5, 10) == content[5:10]


@pytest.mark.parametrize("other", [b"something else", b"Another"])
def test_another_file_of_the_same_name_is_noticed_and_not_replaced(
    there: Elsewhere, tmp_path: Path, other: bytes
) -> None:
    there.put(NAME, file(tmp_path / "here", b"the one"))
    with pytest.raises(StoreError, match="another file of the name"):
        upload(there, file(tmp_path / "here", other))
    there.put(NAME, tmp_path / "here" / NAME)
    assert there.read(NAME, 0, 100) == b"the one"


def test_pages_are_read_elsewhere_when_their_file_is_not_here(address: str, tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    with Archive(gone, file_size=10**8, software="x") as archive:
        bodies = [os.urandom(700_000) for _ in range(4)]  # they lie across blocks
        spots = [archive.append(exchange_record(_fetch(body))) for body in bodies]
    elsewhere_at(address).put(NAME, gone / NAME)
    here.mkdir()
    place = ArchivePlace(here, address)
    for body, spot in zip(bodies, spots, strict=True):
        assert read_exchange(place, spot)[1] == body
    blocks = sorted(path.name for path in (here / CACHE).iterdir())
    assert blocks == [f"{NAME}@{number}" for number in range(3)]
    (here / CACHE / f"{NAME}@0").write_bytes(b"from the cache" + bytes(BLOCK))
    assert place.read(NAME, 0, 14) == b"from the cache"
    (gone / NAME).rename(here / NAME)
    assert place.read(NAME, 0, 2) == b"\x1f\x8b"


def test_the_cache_keeps_to_its_size_and_forgets_what_was_not_used(address: str, tmp_path: Path) -> None:
    path = file(tmp_path / "gone", os.urandom(6 * BLOCK))
    elsewhere_at(address).put(NAME, path)
    (tmp_path / "here").mkdir()
    place = ArchivePlace(tmp_path / "here", address, cache_size=4 * BLOCK)
    for number in (0, 1, 2, 0, 3, 4, 0, 5):
        assert len(place.read(NAME, number * BLOCK, 10)) == 10
        time.sleep(0.01)  # the order of use is that of the times of files
    held = {path.name for path in (tmp_path / "here" / CACHE).iterdir()}
    assert len(held) <= 4
    assert f"{NAME}@0" in held
    assert not ArchivePlace(tmp_path / "none", address, cache_size=0).read(NAME, 6 * BLOCK - 1, 9)[1:]
    assert not (tmp_path / "none").exists()


def test_only_archive_files_are_looked_for_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "diary").write_text("secret")
    (tmp_path / "here").mkdir()
    place = ArchivePlace(tmp_path / "here", f"file://{tmp_path}/shared")
    with pytest.raises(FileNotFoundError):
        place.read("diary", 0, 6)
    with pytest.raises(StoreError, match="leads out of"):
        place.read("../shared/diary", 0, 6)


def test_a_file_that_is_not_there_yet_is_one_line(address: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        ArchivePlace(tmp_path, address).read(NAME, 0, 10)
    assert "\n" not in str(caught.value)


def test_a_server_that_cannot_be_reached_is_one_line(s3: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^s3://crawls/x.*see to the server") as caught:
        elsewhere_at("s3://crawls/x?endpoint=http://127.0.0.1:1").size(NAME)
    assert "\n" not in str(caught.value)
    with pytest.raises(StoreError, match="no such bucket"):
        elsewhere_at(f"s3://missing/x?endpoint={s3}").put(NAME, file(tmp_path / "here", b"x"))


def test_uploads_that_fail_are_tried_again(tmp_path: Path) -> None:
    path = file(tmp_path / "here", b"content")
    (tmp_path / "shared").write_text("a file, where a folder should be")
    said: list[str] = []
    there = elsewhere_at(f"file://{tmp_path}/shared/crawl")
    with Uploader(path.parent, there, said.append, first=0.01) as uploader:
        uploader.give(NAME)
        until(lambda: bool(said))
        assert uploader.done() == []
        (tmp_path / "shared").unlink()
        until(lambda: said[-1] == "archive files are being uploaded again")
        assert [one.name for one in uploader.done()] == [NAME]
    assert next(line for line in said if "wait here" in line).count("\n") == 0


def test_a_file_ends_by_its_age_and_what_is_finished_does_not_grow(tmp_path: Path) -> None:
    now = 0.0

    def archive(engine: int = 0) -> Archive:
        return Archive(
            tmp_path,
            file_size=10**6,
            software="x",
            now=lambda: now,
            close_after=60.0,
            closed={"scenthound-00001.warc.gz"},
            engine=engine,
        )

    with archive() as kept:
        assert kept.append(gzip_member(b"a")).file == "scenthound-00002.warc.gz"
        kept.flush()
        now = 59.0
        kept.finish_old()
        assert kept.current == "scenthound-00002.warc.gz"
        now = 60.0
        kept.finish_old()
        assert kept.finished_since("scenthound-00002.warc.gz") == (
            ["scenthound-00002.warc.gz"],
            "scenthound-00003.warc.gz",
        )
        now = 600.0
        kept.finish_old()  # nothing is in it
        assert kept.current == "scenthound-00003.warc.gz"
        assert kept.append(gzip_member(b"b")).file == "scenthound-00003.warc.gz"
        assert "scenthound-00003.warc.gz" in kept.begin_flush()
        kept.append(gzip_member(b"c"))
        assert list(kept.begin_flush()) == ["scenthound-00003.warc.gz"]  # and not the finished one again
        kept.finish_flush()
        kept.act_for(7)
        assert kept.append(gzip_member(b"d")).file == "scenthound-00007-00001.warc.gz"


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("http://example.org/", "write s3://"),
        ("s3://", "no name of a bucket"),
        ("s3://A/b", "no name of a bucket"),
        ("s3://key:secret@bucket/x", "AWS_ACCESS_KEY_ID"),
        ("s3://bucket/x?endpoint=localhost", "write the endpoint as"),
        ("s3://bucket/x?key=1", "'key' is unknown"),
        ("file://server/share", "its whole path"),
        ("file:///", "its whole path"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(address: str, rule: str) -> None:
    with pytest.raises(UsageError, match=rule) as caught:
        ArchiveUrl.read(address)
    assert "secret" not in str(caught.value)


def _fetch(body: bytes) -> Fetch:
    return Fetch(
        url="http://a.test/", started=0.0, finished=0.0, status=200, head=b"HTTP/1.1 200 OK\r\n\r\n", body=body
    )
