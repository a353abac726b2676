"""The archive: records that other tools read, files that survive crashes and full disks."""

import gzip
import io
import json
import os
import random
import resource
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]
from warcio.checker import Checker  # type: ignore[import-untyped]

from scenthound.archive.files import Archive, CdxRow, read_exchange, repair, write_cdxj
from scenthound.archive.warc import (
    exchange_record,
    gzip_member,
    member_length,
    payload_digest,
    read_warc,
    record_id,
    revisit_record,
    unpack_member,
)
from scenthound.errors import DiskFullError, StoreError
from scenthound.types import Fetch, Reason
from tests.often import often

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nServer: demo\r\n\r\n"
REQUEST = b"GET /a HTTP/1.1\r\nHost: one.demo.test\r\nUser-Agent: scenthound\r\n\r\n"


def fetched(url: str = "http://one.demo.test/a", body: bytes = b"<p>Hello", **more: Any) -> Fetch:
    known: dict[str, Any] = {"status": 200, "head": HEAD, "request_head": REQUEST, "ip": "192.0.2.7"}
    return Fetch(url=url, started=1_700_000_000.5, finished=1_700_000_001.0, body=body, **(known | more))


def archive(folder: Path, file_size: int = 1_000_000) -> Archive:
    return Archive(folder, file_size=file_size, software="scenthound/0", now=lambda: 1_700_000_000.0)


def records_by_warcio(data: bytes) -> list[Any]:
    found = []
    for record in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
        record.payload = record.content_stream().read()
        found.append(record)
    return found


def test_an_exchange_is_a_response_and_a_request_that_name_each_other() -> None:
    response, request = records_by_warcio(exchange_record(fetched()))
    assert (response.rec_type, request.rec_type) == ("response", "request")
    assert request.rec_headers["WARC-Concurrent-To"] == response.rec_headers["WARC-Record-ID"]
    assert response.rec_headers["WARC-Target-URI"] == "http://one.demo.test/a"
    assert response.rec_headers["WARC-Date"] == "2023-11-14T22:13:20.500000Z"
    assert response.rec_headers["WARC-IP-Address"] == "192.0.2.7"
    assert response.rec_headers["WARC-Payload-Digest"] == payload_digest(b"<p>Hello")
    assert response.payload == b"<p>Hello"
    assert request.http_headers["User-Agent"] == "scenthound"


def test_the_head_is_kept_as_received_but_for_the_framing_of_the_body() -> None:
    head = b"HTTP/1.1 200 Fine\r\nX-Odd:  two  \r\ntransfer-encoding: gzip,\r\n chunked\r\nContent-Length: 99\r\nA: b\r\n\r\n"
    response, _ = records_by_warcio(exchange_record(fetched(head=head)))
    assert response.http_headers.to_str() == "HTTP/1.1 200 Fine\r\nX-Odd: two\r\nA: b\r\nContent-Length: 8\r\n"


@pytest.mark.parametrize(
    ("reason", "word"), [(Reason.TOO_LARGE, "length"), (Reason.TOTAL_TIMEOUT, "time"), (Reason.CUT_SHORT, "disconnect")]
)
def test_a_body_that_is_not_whole_says_why(reason: Reason, word: str) -> None:
    response, _ = records_by_warcio(exchange_record(fetched(reason=reason)))
    assert response.rec_headers["WARC-Truncated"] == word


def test_no_response_no_record() -> None:
    assert exchange_record(fetched(reason=Reason.DNS, head=b"", body=b"")) == b""


def test_the_same_exchange_gives_the_same_bytes() -> None:
    assert exchange_record(fetched()) == exchange_record(fetched())
    assert exchange_record(fetched()) != exchange_record(fetched(body=b"<p>Other"))


def test_a_body_that_came_compressed_is_stored_and_not_squeezed_again() -> None:
    packed = gzip.compress(random.Random(1).randbytes(50_000))
    record = exchange_record(fetched(body=packed, coding="gzip", head=HEAD[:-2] + b"Content-Encoding: gzip\r\n\r\n"))
    response = next(iter(ArchiveIterator(io.BytesIO(record), check_digests="raise")))
    assert response.raw_stream.read() == packed
    assert response.http_headers["Content-Encoding"] == "gzip"
    assert packed in record


def test_a_revisit_points_to_the_first_capture() -> None:
    first = fetched()
    later = revisit_record(fetched(url="http://two.demo.test/"), first.url, first.started, payload_digest(first.body))
    revisit, request = records_by_warcio(later)
    original = records_by_warcio(exchange_record(first))[0].rec_headers
    assert revisit.rec_type == "revisit"
    assert revisit.rec_headers["WARC-Profile"].endswith("/1.1/revisit/identical-payload-digest")
    assert revisit.rec_headers["WARC-Refers-To"] == original["WARC-Record-ID"]
    assert revisit.rec_headers["WARC-Refers-To-Target-URI"] == first.url
    assert revisit.rec_headers["WARC-Refers-To-Date"] == original["WARC-Date"]
    assert revisit.rec_headers["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
    assert request.rec_headers["WARC-Concurrent-To"] == revisit.rec_headers["WARC-Record-ID"]


def test_a_304_is_a_revisit_of_its_own_kind() -> None:
    unchanged = fetched(status=304, head=b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", body=b"")
    revisit, _ = records_by_warcio(revisit_record(unchanged, unchanged.url, 1_600_000_000.0, ""))
    assert revisit.rec_headers["WARC-Profile"].endswith("/1.1/revisit/server-not-modified")
    assert revisit.http_headers.get_statuscode() == "304"


def test_a_line_break_in_a_url_does_not_forge_a_header() -> None:
    response, _ = records_by_warcio(exchange_record(fetched(url="http://one.demo.test/\r\nWARC-Type: metadata")))
    assert response.rec_type == "response"


@pytest.mark.slow
@given(kind=st.text(), url=st.text())
def test_record_ids_are_uuids_made_from_a_name(kind: str, url: str) -> None:
    expected = uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {url} 1970-01-01T00:00:07.000000Z sha1:X")
    assert record_id(kind, url, 7.0, "sha1:X") == f"<urn:uuid:{expected}>"


def test_record_ids_differ_by_kind_url_time_and_content() -> None:
    ids = {
        record_id(*args) for args in [("a", "u", 1, "d"), ("b", "u", 1, "d"), ("a", "v", 1, "d"), ("a", "u", 2, "d")]
    }
    assert len(ids) == 4


@given(st.binary(max_size=3000), st.binary(max_size=3000), st.binary(max_size=50))
def test_a_gzip_member_knows_its_length_and_unpacks_anywhere(head: bytes, packed: bytes, beyond: bytes) -> None:
    member = gzip_member(head, packed)
    assert member_length(member + beyond) == len(member)
    assert gzip.decompress(member) == head + packed
    assert unpack_member(member + beyond, "here") == head + packed


@given(st.lists(st.binary(max_size=2000), max_size=5))
def test_our_reader_and_warcio_see_the_same_records(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("read") / "some.warc.gz"
    path.write_bytes(b"".join(exchange_record(fetched(url=f"http://h/{n}", body=b)) for n, b in enumerate(bodies)))
    ours = list(read_warc(path))
    assert [len(r.block) for r in ours] == [
        int(r.rec_headers["Content-Length"]) for r in records_by_warcio(path.read_bytes())
    ]
    assert [r.block.partition(b"\r\n\r\n")[2] for r in ours if r.type == "response"] == bodies
    assert [r.url for r in ours if r.type == "request"] == [f"http://h/{n}" for n in range(len(bodies))]


def test_damage_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "some.warc.gz"
    record = exchange_record(fetched())
    path.write_bytes(record + record[:-5])
    with pytest.raises(StoreError, match=rf"some.warc.gz: byte {len(record) + member_length(record)}: .*breaks off"):
        list(read_warc(path))


def test_a_folder_of_files_passes_the_check_of_warcio(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [fetched(url=f"http://one.demo.test/{n}", body=random.Random(n).randbytes(3000)) for n in range(40)]
    with archive(tmp_path, file_size=20_000) as kept:
        spots = [kept.append(exchange_record(page)) for page in pages]
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files][:2] == ["scenthound-00001.warc.gz", "scenthound-00002.warc.gz"]
    assert all(file.stat().st_size <= 20_000 for file in files)
    assert kept.lengths() == {file.name: file.stat().st_size for file in files}
    for file in files:
        assert records_by_warcio(file.read_bytes())[0].rec_type == "warcinfo"
        command = type("Command", (), {"inputs": [str(file)], "verbose": False})
        assert Checker(command).process_all() == 0
    assert "fail" not in capsys.readouterr().out
    assert [read_exchange(tmp_path, spot)[1] for spot in spots] == [page.body for page in pages]


def test_one_gzip_member_a_record(tmp_path: Path) -> None:
    with archive(tmp_path) as kept:
        for n in range(3):
            kept.append(exchange_record(fetched(url=f"http://one.demo.test/{n}")))
    data = (tmp_path / "scenthound-00001.warc.gz").read_bytes()
    kinds = []
    while data:
        length = member_length(data)
        kinds.append(gzip.decompress(data[:length]).split(b"\r\n")[1])
        data = data[length:]
    assert kinds == [b"WARC-Type: warcinfo"] + [b"WARC-Type: response", b"WARC-Type: request"] * 3


def test_lengths_count_only_what_is_safe_on_disk(tmp_path: Path) -> None:
    with archive(tmp_path) as kept:
        kept.append(exchange_record(fetched()))
        assert kept.lengths() == {}
        kept.flush()
        assert kept.lengths() == {"scenthound-00001.warc.gz": (tmp_path / "scenthound-00001.warc.gz").stat().st_size}


def test_a_flush_in_two_halves_says_first_what_will_be_safe_after_the_second(tmp_path: Path) -> None:
    with archive(tmp_path) as kept:
        kept.append(exchange_record(fetched()))
        coming = kept.begin_flush()
        assert kept.lengths() == {}
        kept.finish_flush()
        assert kept.lengths() == coming == {file.name: file.stat().st_size for file in tmp_path.iterdir()}
        assert kept.begin_flush() == coming  # nothing has come since


def test_an_archive_nothing_was_put_into_leaves_no_file(tmp_path: Path) -> None:
    with archive(tmp_path / "new") as kept:
        kept.flush()
    assert list((tmp_path / "new").iterdir()) == []


def test_a_later_run_goes_on_in_the_last_file(tmp_path: Path) -> None:
    with archive(tmp_path) as first:
        one = first.append(exchange_record(fetched(body=b"one")))
    with archive(tmp_path) as second:
        two = second.append(exchange_record(fetched(body=b"two")))
    assert one.file == two.file
    assert [read_exchange(tmp_path, spot)[1] for spot in (one, two)] == [b"one", b"two"]


def test_what_waits_when_the_crawl_fails_is_not_written(tmp_path: Path) -> None:
    def crawl() -> None:
        with archive(tmp_path) as kept:
            kept.append(exchange_record(fetched()))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        crawl()
    assert list(tmp_path.iterdir()) == []


def test_repair_undoes_a_crash_at_every_byte(tmp_path: Path) -> None:
    with archive(tmp_path) as kept:
        spot = kept.append(exchange_record(fetched(body=b"recorded")))
        kept.flush()
        recorded = kept.lengths()
    [(name, length)], tail = recorded.items(), gzip_member(b"never recorded")
    whole, torn = (tmp_path / name).read_bytes(), tmp_path / "torn" / f"{name}@{length}"
    assert repair(tmp_path, recorded) == []
    for cut in range(1, len(tail) + 1):
        (tmp_path / name).write_bytes(whole + tail[:cut])
        assert repair(tmp_path, recorded) == [
            f"{name}: {cut} bytes from byte {length} on were never recorded: moved to torn/{torn.name}."
        ]
        assert (tmp_path / name).read_bytes() == whole
        assert torn.read_bytes() == tail[:cut]
        torn.unlink()
    assert read_exchange(tmp_path, spot)[1] == b"recorded"


@often(25)
@given(st.lists(st.binary(max_size=4000), min_size=2, max_size=8), st.data())
def test_after_any_crash_all_recorded_pages_can_be_read_and_the_crawl_goes_on(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[bytes], data: st.DataObject
) -> None:
    """Several files; the database knows of some pages; the machine stopped somewhere in the bytes after them."""
    folder, known = tmp_path_factory.mktemp("crash"), data.draw(st.integers(1, len(bodies)), "pages recorded")
    with archive(folder, file_size=3000) as kept:
        spots = [kept.append(exchange_record(fetched(body=body))) for body in bodies[:known]]
        kept.flush()
        recorded = kept.lengths()
        for body in bodies[known:]:
            kept.append(exchange_record(fetched(body=body)))
    last = max(folder.glob("*.gz"))
    os.truncate(last, data.draw(st.integers(recorded.get(last.name, 0), last.stat().st_size), "cut"))
    repair(folder, recorded)
    assert {file.name: file.stat().st_size for file in folder.glob("*.gz")} == recorded
    with archive(folder, file_size=3000) as again:
        spots += [again.append(exchange_record(fetched(body=body))) for body in bodies[known:]]
    assert [read_exchange(folder, spot)[1] for spot in spots] == bodies


def test_repair_never_overwrites_what_an_earlier_repair_set_aside(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        (tmp_path / "scenthound-00001.warc.gz").write_bytes(content)
        assert "never recorded" in repair(tmp_path, {})[0]
    assert sorted(file.read_bytes() for file in (tmp_path / "torn").iterdir()) == [b"first", b"second"]
    assert list(tmp_path.glob("*.gz")) == []


def test_repair_finds_nothing_to_do_after_a_clean_end(tmp_path: Path) -> None:
    with archive(tmp_path) as kept:
        kept.append(exchange_record(fetched()))
        kept.flush()
    assert repair(tmp_path, kept.lengths()) == []
    assert not (tmp_path / "torn").exists()


def test_a_file_that_is_not_the_archives_own_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "scenthound-merged.warc.gz").write_bytes(b"somebody else's")
    assert repair(tmp_path, {}) == []
    with archive(tmp_path) as kept:
        assert kept.append(exchange_record(fetched())).file == "scenthound-00001.warc.gz"


@pytest.mark.parametrize(("content", "words"), [(b"123", "has 3 bytes"), (None, "is missing")])
def test_a_file_shorter_than_recorded_is_an_error_before_anything_is_moved(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    (tmp_path / "scenthound-00001.warc.gz").write_bytes(b"never recorded")
    if content:
        (tmp_path / "scenthound-00002.warc.gz").write_bytes(content)
    with pytest.raises(StoreError, match=rf"scenthound-00002.warc.gz {words}, but 7 bytes"):
        repair(tmp_path, {"scenthound-00002.warc.gz": 7})
    assert (tmp_path / "scenthound-00001.warc.gz").exists()


def test_a_full_disk_leaves_what_was_recorded_and_the_archive_can_go_on(tmp_path: Path) -> None:
    """A limit on the file size stands for the full disk: the kernel then refuses in the middle of a write."""
    page = exchange_record(fetched(body=random.Random(3).randbytes(20_000)))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with archive(tmp_path) as kept:
        kept.append(page)
        kept.flush()
        recorded = kept.lengths()
        spot = kept.append(page)
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, hard))
        try:
            with pytest.raises(DiskFullError, match=r"scenthound-00001.warc.gz: .* start again"):
                kept.flush()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert kept.lengths() == recorded
        assert {file.name: file.stat().st_size for file in tmp_path.iterdir()} == recorded
        kept.flush()
    assert len(read_exchange(tmp_path, spot)[1]) == 20_000


def test_a_disk_without_room_for_the_first_byte(tmp_path: Path) -> None:
    (tmp_path / "scenthound-00001.warc.gz").symlink_to("/dev/full")
    kept = archive(tmp_path)
    with pytest.raises(DiskFullError, match="No space left"), kept:
        kept.append(exchange_record(fetched()))
    assert kept.lengths() == {"scenthound-00001.warc.gz": 0}


@pytest.mark.slow
def test_a_killed_process_loses_only_what_was_not_flushed(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from scenthound.archive.files import Archive;"
        "from scenthound.archive.warc import gzip_member;"
        "kept = Archive(Path(sys.argv[1]), file_size=10**6, software='x').__enter__();"
        "kept.append(gzip_member(b'safe')); kept.flush(); print(kept.lengths()); sys.stdout.flush();"
        "kept.append(gzip_member(b'lost')); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == -9
    file = tmp_path / "scenthound-00001.warc.gz"
    assert done.stdout.strip() == str({file.name: file.stat().st_size})
    assert gzip.decompress(file.read_bytes()).endswith(b"safe")


def test_cdxj_is_sorted_and_points_at_the_responses(tmp_path: Path) -> None:
    pages = [
        fetched(url=url, mime="text/html") for url in ("http://b.test/x?q=1", "http://www.a.test/", "http://b.test/")
    ]
    with archive(tmp_path) as kept:
        rows = [
            CdxRow(
                url=page.url,
                at=page.started,
                mime=page.mime,
                status=200,
                digest=payload_digest(page.body),
                spot=kept.append(exchange_record(page)),
            )
            for page in pages
        ]
    out = io.StringIO()
    assert write_cdxj(rows, out) == 3
    lines = out.getvalue().splitlines()
    assert lines == sorted(lines)
    for line in lines:
        key, timestamp, told = line.split(" ", 2)
        capture = json.loads(told)
        assert key.startswith("test,")
        assert timestamp == "20231114221320"
        with (tmp_path / capture["filename"]).open("rb") as file:
            file.seek(int(capture["offset"]))
            [record] = records_by_warcio(file.read(int(capture["length"])))
        assert record.rec_headers["WARC-Target-URI"] == capture["url"]
        assert record.rec_headers["WARC-Payload-Digest"] == "sha1:" + capture["digest"]
