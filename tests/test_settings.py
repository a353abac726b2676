"""crawl.toml and --set: what is accepted, and the one line that answers a mistake."""

import tomllib
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from scenthound.errors import SettingError
from scenthound.settings.file import load_settings, override, settings_from
from scenthound.settings.help import all_settings, section_help, settings_text, toml_value
from scenthound.settings.schema import CrawlSettings, FetchSettings, ReadSettings, Settings


def load(tmp_path: Path, text: str, *overrides: str) -> Settings:
    file = tmp_path / "crawl.toml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, overrides)


def complaint(tmp_path: Path, text: str, *overrides: str) -> str:
    with pytest.raises(SettingError) as caught:
        load(tmp_path, text, *overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path, "") == Settings()


def test_values_are_taken_and_a_whole_number_serves_where_a_fraction_may_stand(tmp_path: Path) -> None:
    settings = load(tmp_path, '[fetch]\ndelay = 2\nlocked = ["example.com"]\n[crawl]\norder = "random"\n')
    assert (settings.fetch.delay, settings.fetch.locked, settings.crawl.order) == (2.0, ["example.com"], "random")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[fetch]\ndealy = 1", "crawl.toml: fetch.dealy does not exist; did you mean fetch.delay?"),
        ("[fecth]\ndelay = 1", "crawl.toml: fecth does not exist; did you mean fetch?"),
        ("[fetch]\npages = 1", "crawl.toml: fetch.pages does not exist; did you mean crawl.pages?"),
        ("pages = 1", "crawl.toml: pages does not exist; did you mean crawl.pages?"),
        ("[crawl]\nqqqqq = 1", "crawl.toml: crawl.qqqqq does not exist; crawl.toml lists all settings"),
        ("fetch = 1", "crawl.toml: fetch is a section; write [fetch] on a line of its own"),
        (
            '[fetch]\ndelay = "fast"',
            'crawl.toml: fetch.delay = "fast" cannot be used: it takes a number, 0 or more',
        ),
        ("[fetch]\ndelay = -1", "crawl.toml: fetch.delay = -1 cannot be used: it takes a number, 0 or more"),
        ("[fetch]\ndelay = inf", "crawl.toml: fetch.delay = inf cannot be used: it must be a finite number"),
        ("[fetch]\nper_host = 0", "crawl.toml: fetch.per_host = 0 cannot be used: it takes a whole number, 1 or more"),
        (
            "[fetch]\nrobots_hours = 25",
            "crawl.toml: fetch.robots_hours = 25 cannot be used: it takes a number above 0 and at most 24",
        ),
        ("[crawl]\npages = 1.5", "crawl.toml: crawl.pages = 1.5 cannot be used: it takes a whole number, 0 or more"),
        (
            "[crawl]\npages = 2024-01-01",
            "crawl.toml: crawl.pages = 2024-01-01 cannot be used: it takes a whole number, 0 or more",
        ),
        ('[crawl]\ntraps = "yes"', 'crawl.toml: crawl.traps = "yes" cannot be used: it takes true or false'),
        (
            '[crawl]\nnofollow = "maybe"',
            'crawl.toml: crawl.nofollow = "maybe" cannot be used: it takes "ignore" or "obey"',
        ),
        (
            '[fetch]\nlocked = ["a", 1]',
            'crawl.toml: fetch.locked = ["a", 1] cannot be used: it takes a list of texts',
        ),
        (
            '[fetch]\nmax_body = { "text/*" = "big" }',
            'crawl.toml: fetch.max_body = { "text/*" = "big" } cannot be used: '
            "it takes a whole number, or a table of whole numbers",
        ),
        (
            "[fetch]\ndelay = 1\n\ndelay 2",
            "crawl.toml: line 4 is not TOML: expected '=' after a key in a key/value pair",
        ),
        ("[fetch]\ndelay =", "crawl.toml: line 2 is not TOML: invalid value"),
    ],
)
def test_a_mistake_is_answered_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    assert complaint(tmp_path, text) == message


@pytest.mark.parametrize(
    ("key", "value", "cure"),
    [
        ("fetch.proxy", "localhost:8080", "http://host:port"),
        ("fetch.proxy", "http://localhost", "http://host:port"),
        ("fetch.proxy", "socks5://localhost:1080", "http://host:port"),
        ("fetch.proxy", "http://localhost:99999", "http://host:port"),
        ("fetch.proxy", "http://localhost:80/path", "http://host:port"),
        ("fetch.allow_private", '["10.0.0.0/40"]', "network"),
        ("fetch.allow_private", '["not a host"]', "host name"),
        ("fetch.resolve", '{"*.demo.test" = "localhost"}', "IP address"),
        ("fetch.resolve", '{"*.demo.test" = "127.0.0.1:0"}', "IP address"),
        ("fetch.resolve", '{"http://demo.test" = "127.0.0.1"}', "host name"),
        ("crawl.order", "fastest", "module:function"),
        ("crawl.order", "my module:function", "module:function"),
        ("fetch.user_agent", "scenthound/1.0 (me)", "product name"),
        ("fetch.contact", '"me@example.org\\r\\nCookie: x"', "one printable line"),
        ("fetch.types", "[]", "at least one"),
        ("fetch.types", '["html"]', "MIME type"),
        ("fetch.max_body", "0", "at least 1 byte"),
        ("fetch.max_body", '{"texts" = 5}', "pattern"),
        ("fetch.locked", '[""]', "empty"),
        ("fetch.only", '[" "]', "empty"),
    ],
)
def test_a_value_of_the_right_type_must_also_make_sense(tmp_path: Path, key: str, value: str, cure: str) -> None:
    message = complaint(tmp_path, "", f"{key}={value}")
    assert message.startswith(f"--set: {key} = ")
    assert cure in message


@pytest.mark.parametrize(
    "value",
    [
        "https://me:secret@a.example:8080",
        "me:secret@a.example",
        '["http://me:secret@a.example:80"]',
        '"http://me:secret@a',
    ],
)
def test_the_password_of_a_mistyped_proxy_is_not_shown(tmp_path: Path, value: str) -> None:
    message = complaint(tmp_path, "", f"fetch.proxy={value}")
    assert "me:***@a" in message
    assert "secret" not in message


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("crawl.order=breadth", "crawl.order", "breadth"),
        ("crawl.order=my.module:rank", "crawl.order", "my.module:rank"),
        ("fetch.proxy=http://127.0.0.1:8901", "fetch.proxy", "http://127.0.0.1:8901"),
        ("fetch.proxy=http://me:s%40cret@127.0.0.1:8901", "fetch.proxy", "http://me:s%40cret@127.0.0.1:8901"),
        ("fetch.contact=me@example.org", "fetch.contact", "me@example.org"),
        ("fetch.contact=", "fetch.contact", ""),
        ("fetch.contact=a = b", "fetch.contact", "a = b"),
        ("fetch.delay=0.25", "fetch.delay", 0.25),
        ("fetch.delay = 3", "fetch.delay", 3.0),
        ("crawl.pages=1_000", "crawl.pages", 1000),
        ("crawl.traps=false", "crawl.traps", False),
        ('fetch.locked=["*/index/*"]', "fetch.locked", ["*/index/*"]),
        ('fetch.resolve={"*.demo.test" = "[::1]:80"}', "fetch.resolve", {"*.demo.test": "[::1]:80"}),
        ('fetch.allow_private=["::1", "10.0.0.0/8", "*.lan", "nas"]', "fetch.allow_private", ["::1", "10.0.0.0/8", "*.lan", "nas"]),
    ],
)  # fmt: skip
def test_set_takes_toml_and_bare_words(text: str, key: str, value: object) -> None:
    section, name = key.split(".")
    assert getattr(getattr(override(Settings(), [text]), section), name) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fetch.delay", "--set fetch.delay: write section.name=value, for example --set fetch.delay=0.5"),
        ("=3", "--set =3: write section.name=value, for example --set fetch.delay=0.5"),
        ("delay=1", "--set: delay does not exist; did you mean fetch.delay?"),
        ("fetch.dealy=1", "--set: fetch.dealy does not exist; did you mean fetch.delay?"),
        ("fetch.delay=soon", '--set: fetch.delay = "soon" cannot be used: it takes a number, 0 or more'),
        ('fetch.locked=["a"', '--set fetch.locked=["a": the value is not TOML: Unclosed array'),
    ],
)
def test_set_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    assert complaint(tmp_path, "", text) == message


def test_set_replaces_what_the_file_says_and_leaves_the_file_alone(tmp_path: Path) -> None:
    text = "[fetch]\ndelay = 5\nper_ip = 2\n"
    settings = load(tmp_path, text, "fetch.delay=1")
    assert (settings.fetch.delay, settings.fetch.per_ip) == (1.0, 2)
    assert (tmp_path / "crawl.toml").read_text() == text


def test_a_file_that_is_missing_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="does not exist"):
        load_settings(tmp_path / "crawl.toml")
    (tmp_path / "crawl.toml").write_bytes(b"[fetch]\ncontact = '\xff'\n")
    with pytest.raises(SettingError, match="line 2 is not UTF-8"):
        load_settings(tmp_path / "crawl.toml")


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeff[fetch]\ndelay = 3\n").fetch.delay == 3.0


def test_every_setting_has_help_and_stands_commented_out_in_a_new_file() -> None:
    text = settings_text(Settings())
    for setting in all_settings():
        assert setting.help.endswith("."), setting.key
        assert f"\n# {setting.help}\n# Takes {setting.takes}.\n#{setting.name} = " in text, setting.key
    assert tomllib.loads(text) == {name: {} for name in Settings.__struct_fields__}


def test_a_setting_that_takes_any_text_says_who_may_set_it() -> None:
    """A new one cannot be forgotten: without a word on that, nothing can be said of the settings at all."""

    class Section(Struct):
        hook: Annotated[str, Meta(description="A command.")] = ""

    with pytest.raises(TypeError, match=r"section\.hook takes any text: declare who may set it"):
        section_help("section", Section)


def test_the_commented_lines_are_what_a_user_may_uncomment() -> None:
    lines = settings_text(Settings()).splitlines()
    bare = "\n".join(line[1:] if line.startswith("#") and not line.startswith("# ") else line for line in lines)
    assert settings_from(tomllib.loads(bare), where="crawl.toml") == Settings()


names = st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){0,2}", fullmatch=True)
some_settings = st.builds(
    Settings,
    crawl=st.builds(
        CrawlSettings,
        pages=st.integers(0, 10**12),
        minutes=st.floats(0, 1e9),
        seed=st.integers(-(2**63) + 1, 2**63 - 1),
    ),
    fetch=st.builds(
        FetchSettings,
        contact=st.text().filter(str.isprintable),
        delay=st.floats(0, 1e6),
        locked=st.lists(st.text(min_size=1).filter(str.strip)),
        resolve=st.dictionaries(names, st.ip_addresses(v=4).map(str)),
        max_body=st.integers(1, 10**9) | st.dictionaries(st.just("text/*"), st.integers(1, 10**9)),
    ),
    read=st.builds(ReadSettings, memory=st.integers(64, 10**6)),
)


@pytest.mark.slow
@given(some_settings)
def test_settings_survive_being_written_and_read(settings: Settings) -> None:
    assert settings_from(tomllib.loads(settings_text(settings)), where="crawl.toml") == settings


values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.slow
@given(values)
def test_toml_values_survive_being_written_and_read(value: object) -> None:
    assert tomllib.loads(f"value = {toml_value(value)}")["value"] == value


def test_a_section_is_not_taken_for_a_setting() -> None:
    with pytest.raises(SettingError, match=r"backlinks is a section; name one of its settings, such as backlinks\."):
        override(Settings(), ["backlinks=3"])
