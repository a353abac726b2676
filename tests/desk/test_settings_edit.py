"""Settings are changed line by line: what the author of crawl.toml wrote stays, and a wrong value changes nothing."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.config import Settings
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.watching import flat
from scenthound.desk.settings_edit import change_settings, settings_now, with_setting
from scenthound.errors import SettingError
from scenthound.settings_file import override, settings_from
from scenthound.settings_help import settings_text
from scenthound.topics.urls import topics_of_urls

OWN = """\
# my notes
[fetch]
delay = 2.0   # be kind
locked = [
    "a.example",  # closed
    "b.example",
]

[crawl]
#pages = 0
"""


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    return CrawlDirectory.create(tmp_path / "crawl", topics=topics_of_urls(["http://a.example/"]))


def test_a_value_over_several_lines_is_replaced_as_a_whole() -> None:
    text = with_setting(OWN, "fetch.locked", ["c.example"])
    assert 'locked = ["c.example"]\n' in text
    assert "# closed" not in text
    assert text.startswith("# my notes\n[fetch]\ndelay = 2.0   # be kind\n")


def test_a_section_that_is_missing_is_added() -> None:
    assert with_setting(OWN, "critic.kind", "bayes").endswith('\n[critic]\nkind = "bayes"\n')


@given(
    st.sampled_from(
        [("fetch.delay", 3.5), ("crawl.pages", 12), ("fetch.only", ["x.example"]), ("crawl.order", "breadth")]
    ),
    st.booleans(),
)
def test_whatever_is_changed_reads_back(change: tuple[str, object], own: bool) -> None:
    key, value = change
    before = settings_from(tomllib.loads(OWN), where="") if own else Settings()
    text = with_setting(OWN if own else settings_text(Settings()), key, value)
    after = flat(settings_from(tomllib.loads(text), where=""))
    assert after == flat(before) | {key: value}


def test_changes_are_written_and_told(directory: CrawlDirectory) -> None:
    assert change_settings(directory, {"fetch.delay": "2.5", "crawl.order": "breadth"}) == [
        "Saved: crawl.order, fetch.delay."
    ]
    assert directory.settings() == override(Settings(), ["fetch.delay=2.5", "crawl.order=breadth"])
    assert change_settings(directory, {"fetch.delay": "2.5"}) == ["Nothing has changed."]


def test_a_running_crawl_takes_up_only_some(directory: CrawlDirectory) -> None:
    with directory.lock():
        told = change_settings(directory, {"fetch.delay": "2.5", "crawl.order": "breadth"})
    assert told == [
        "Saved, and taken up by the running crawl: crawl.order.",
        "Saved for the next start of the crawl: fetch.delay.",
    ]


def test_one_wrong_value_leaves_all_as_it_was(directory: CrawlDirectory) -> None:
    before = directory.settings_file.read_text()
    with pytest.raises(SettingError, match=r"fetch\.delay"):
        change_settings(directory, {"crawl.pages": "5", "fetch.delay": "soon"})
    assert directory.settings_file.read_text() == before


def test_every_setting_is_there_with_its_value(directory: CrawlDirectory) -> None:
    change_settings(directory, {"fetch.locked": '["a.example"]'})
    [locked] = [one for one in settings_now(directory) if one.key == "fetch.locked"]
    assert (locked.value, locked.default, locked.at_once) == ('["a.example"]', "[]", False)
