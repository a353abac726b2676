"""A folder of crawls: names lead to crawls in it, and to nothing else."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, UsageError
from scenthound.services.crawls.crawl_list import Crawls, UnknownCrawlError
from scenthound.topics.url_topics import topics_of_urls


def make(path: Path) -> CrawlDirectory:
    return CrawlDirectory.create(path, topics=topics_of_urls(["http://a.example/"]))


def test_a_folder_lists_its_crawls_and_a_crawl_itself(tmp_path: Path) -> None:
    make(tmp_path / "b")
    make(tmp_path / "Äpfel & more")
    (tmp_path / "no crawl").mkdir()
    folder = Crawls.at(tmp_path)
    assert folder.names() == ["b", "Äpfel & more"]
    assert folder.open("b").path == tmp_path / "b"
    assert Crawls.at(tmp_path / "b").names() == ["b"]


def test_a_folder_that_is_not_there_is_a_slip_of_the_pen(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match=r"crawsl does not exist; .* mkdir -p "):
        Crawls.at(tmp_path / "crawsl")


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").mkdir()
    with pytest.raises(DirectoryError, match=r"crawl\.toml is a folder; move it away"):
        Crawls.at(tmp_path)


@pytest.mark.parametrize("name", ["..", "../outside", "b/../b", "", ".", "/etc", "b/", "no crawl", "b\0"])
def test_no_name_leads_out(tmp_path: Path, name: str) -> None:
    make(tmp_path / "outside")
    make(tmp_path / "folder" / "b")
    with pytest.raises(UnknownCrawlError):
        Crawls.at(tmp_path / "folder").open(name)


@pytest.mark.parametrize("name", ["..", "../new", "a/b", "", ".hidden", " x", "a\nb", "x" * 101, "b", "a\\b"])
def test_no_crawl_is_made_outside_or_over_another(tmp_path: Path, name: str) -> None:
    make(tmp_path / "b")
    with pytest.raises(UsageError):
        Crawls.at(tmp_path).place_for(name)


def test_a_single_crawl_takes_no_new_ones(tmp_path: Path) -> None:
    make(tmp_path / "b")
    with pytest.raises(UsageError, match="serve a folder"):
        Crawls.at(tmp_path / "b").place_for("new")
