"""Settings are changed line by line: what the author of crawl.toml wrote stays, and a wrong value changes nothing."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.settings_watch import flat
from scenthound.errors import SettingError
from scenthound.services.crawls.settings_edit import change_settings, settings_now, with_setting
from scenthound.settings.file import override, settings_from
from scenthound.settings.help import settings_text
from scenthound.settings.schema import Settings
from scenthound.topics.url_topics import topics_of_urls

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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[fetch]\n#delay = 1.0\ntries = 2\n", "[fetch]\ndelay = 2.5\ntries = 2\n"),
        ("[ fetch ]\n  # delay = 1.0\n", "[ fetch ]\n  delay = 2.5\n"),
        ("fetch.delay = 1  # slow\n", "fetch.delay = 2.5  # slow\n"),
        ("fetch = {delay = 1}\n", "fetch = {delay = 2.5}\n"),
        ("[fetch]\ndelay = 1", "[fetch]\ndelay = 2.5\n"),
        ("[fetch.resolve]\na = '1.1.1.1'\n", "[fetch]\ndelay = 2.5\n\n[fetch.resolve]\na = '1.1.1.1'\n"),
    ],
)
def test_any_layout_can_be_changed(before: str, after: str) -> None:
    assert with_setting(before, "fetch.delay", 2.5) == after


@pytest.mark.slow
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


@pytest.mark.slow
def test_changes_are_written_and_told(directory: CrawlDirectory) -> None:
    assert change_settings(directory, {"fetch.delay": "2.5", "crawl.order": "breadth"}) == [
        "Saved: crawl.order, fetch.delay."
    ]
    assert directory.settings() == override(Settings(), ["fetch.delay=2.5", "crawl.order=breadth"])
    assert change_settings(directory, {"fetch.delay": "2.5"}) == ["Nothing has changed."]


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("backlinks.source", "/bin/sh -c 'touch /tmp/owned'"),
        ("backlinks.source", "/etc/passwd"),
        ("crawl.order", "os:system"),
        ("critic.kind", "os:system"),
        ("fetch.allow_private", '["10.0.0.0/8"]'),
        ("fetch.resolve", '{"a.example" = "127.0.0.1"}'),
        ("fetch.proxy", "http://127.0.0.1:8080"),
        ("fetch.delay=1\nbacklinks.source", "sh"),
        (" backlinks.source ", "sh"),
    ],
)
def test_what_runs_code_or_opens_private_networks_is_only_set_in_the_file(
    directory: CrawlDirectory, key: str, value: str
) -> None:
    before = directory.settings_file.read_text()
    with pytest.raises(SettingError):
        change_settings(directory, {"fetch.delay": "2", key: value})
    assert directory.settings_file.read_text() == before


def test_the_reason_is_told(directory: CrawlDirectory) -> None:
    with pytest.raises(SettingError) as told:
        change_settings(directory, {"critic.kind": "my_module:judge"})
    assert str(told.value) == (
        'critic.kind cannot be set to "my_module:judge" from here: a function runs code; write it into crawl.toml yourself'
    )


@pytest.mark.slow
def test_harmless_values_of_the_same_settings_are_set(directory: CrawlDirectory) -> None:
    change_settings(directory, {"crawl.order": "breadth", "critic.kind": "bayes", "backlinks.source": "links"})
    settings = directory.settings()
    assert (settings.crawl.order, settings.critic.kind, settings.backlinks.source) == ("breadth", "bayes", "links")
    change_settings(directory, {"backlinks.source": ""})
    assert directory.settings().backlinks.source == ""


def test_what_the_owner_has_set_stays_and_can_be_read(directory: CrawlDirectory) -> None:
    text = directory.settings_file.read_text().replace("#allow_private = []", 'allow_private = ["10.0.0.0/8"]')
    directory.settings_file.write_text(text)
    now = {one.key: one for one in settings_now(directory)}
    assert (now["fetch.allow_private"].value, now["fetch.allow_private"].read_only) == ('["10.0.0.0/8"]', True)
    assert now["fetch.allow_private"].guarded == "it opens private networks to the crawl"
    assert (now["crawl.order"].read_only, now["crawl.order"].guarded) == (False, "a function runs code")
    change_settings(directory, {"fetch.delay": "3", "fetch.allow_private": '["10.0.0.0/8"]'})
    assert directory.settings().fetch.allow_private == ["10.0.0.0/8"]
