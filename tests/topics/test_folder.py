"""A folder tree of documents: subfolders are topics, files examples, and what cannot be read is said."""

import os
from pathlib import Path

import pytest

from scenthound.errors import TopicsError
from scenthound.settings.schema import FetchSettings
from scenthound.topics.document_folder import import_folder
from scenthound.topics.imported import Imported

PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def tree(root: Path, files: dict[str, bytes]) -> Path:
    for name, body in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(body)
    return root


def imported(folder: Path) -> Imported:
    return import_folder(folder, settings=FetchSettings())


def test_subfolders_are_topics_and_files_their_examples(tmp_path: Path) -> None:
    folder = tree(
        tmp_path / "Interests",
        {
            "Sport/Cycling/race.html": b"<p>race</p>",
            "Sport/Cycling/tour.txt": b"a tour",
            "Sport/about.htm": b"<html>sport",
            "Arts/Music/.DS_Store": b"\0\1",
            "Arts/Music/song": b"<!doctype html>a song, whatever its name",
            "readme.txt": b"loose",
        },
    )
    found = imported(folder)
    assert {topic.path: topic.examples for topic in found.topics.topics} == {
        "Interests": ("examples/Interests/readme.txt",),
        "Arts/Music": ("examples/Arts/Music/song",),
        "Sport": ("examples/Sport/about.htm",),
        "Sport/Cycling": ("examples/Sport/Cycling/race.html", "examples/Sport/Cycling/tour.txt"),
    }
    assert found.notes == ()
    assert all(file.source.is_file() for file in found.files)


def test_what_cannot_be_an_example_is_left_out_and_said(tmp_path: Path) -> None:
    folder = tree(
        tmp_path, {"A/ok.txt": b"words", "A/empty.txt": b"", "A/picture.html": PICTURE, "B/only.png": PICTURE}
    )
    os.mkfifo(folder / "A" / "pipe")
    found = imported(folder)
    assert [topic.path for topic in found.topics.topics] == ["A"]
    [note] = found.notes
    assert note.startswith("Skipped 4 files (2 image/png, 1 empty, 1 not a file)")


def test_the_companions_of_a_saved_page_are_no_topic(tmp_path: Path) -> None:
    folder = tree(tmp_path, {"A/page.html": b"<p>x", "A/page_files/style.css": b"p {}", "A/my_files/x.txt": b"mine"})
    assert [topic.path for topic in imported(folder).topics.topics] == ["A", "A/my_files"]


def test_names_that_no_topic_can_have_are_made_presentable_and_stay_apart(tmp_path: Path) -> None:
    folder = tree(tmp_path, {"A/a\tb.txt": b"one", "A/a b.txt": b"two", " B /x.txt": b"three"})
    (folder / "A" / os.fsdecode(b"\xff.txt")).write_bytes(b"not UTF-8")
    found = imported(folder)
    names = [file.name for file in found.files]
    assert len(set(names)) == 4
    assert {topic.path for topic in found.topics.topics} == {"A", "B"}
    assert all(name.isprintable() for name in names)


def test_links_between_folders_do_not_lead_in_a_circle(tmp_path: Path) -> None:
    folder = tree(tmp_path, {"A/x.txt": b"x"})
    (folder / "A" / "again").symlink_to(folder, target_is_directory=True)
    assert [file.name for file in imported(folder).files] == ["examples/A/x.txt"]


def test_a_folder_without_documents_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(TopicsError, match="there is no such folder"):
        imported(tmp_path / "nowhere")
    with pytest.raises(TopicsError, match="it is empty"):
        imported(tmp_path)
    with pytest.raises(TopicsError, match="1 image/png"):
        imported(tree(tmp_path, {"A/x.png": PICTURE}))
