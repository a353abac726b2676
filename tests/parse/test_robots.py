"""robots.txt by the examples and rules of RFC 9309."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.robots import Rules

SITE = "http://a.example"


def allows(robots: str, path: str, product: str = "scenthound") -> bool:
    return Rules.parse(robots, product).allows(SITE + path)


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        # §5.2: the longest match wins, whatever the order
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", False),
        ("Disallow: /example/page/disallowed.gif\nAllow: /example/page/", "/example/page/x.gif", True),
        ("Disallow: /\nAllow: /open", "/open/x", True),
        # §2.2.2: allow wins a tie; nothing said is allowed; robots.txt is
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: /a", "/b", True),
        ("Disallow:", "/a", True),
        ("Disallow: /", "/robots.txt", True),
        ("Disallow: /", "/", False),
        ("disallow:/a", "/a/b", False),
        ("Disallow : /a # why", "/a", False),
        ("Disallow: /a", "/A", True),
        # §2.2.3: $ and *
        ("Disallow: /*.gif$", "/x/y.gif", False),
        ("Disallow: /*.gif$", "/x/y.gif?z", True),
        ("Disallow: /a*/z", "/abc/d/z/e", False),
        ("Disallow: /path$", "/path/", True),
        ("Disallow: *private", "/x/private", False),
        ("Disallow: /a**b", "/axb", False),
        ("Disallow: /x?id=", "/x?id=7", False),
        # §2.2.2: percent-encoding makes no difference
        ("Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", False),
        ("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
        ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", False),
        ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
        ("Disallow: /foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", False),
    ],
)
def test_rules(rules: str, path: str, allowed: bool) -> None:
    assert allows(f"User-agent: *\n{rules}\n", path) is allowed


@pytest.mark.parametrize(
    ("agent", "ours"),
    [
        ("scenthound", True),
        ("ScentHound", True),
        ("SCENTHOUND/2.0", True),
        ("scenthound # us", True),
        ("scent", False),
        ("scenthounds", False),
        ("hound", False),
        ("scenthound-news", False),
        ("Mozilla scenthound", False),
        ("", False),
    ],
)
def test_the_product_token_is_matched_whole(agent: str, ours: bool) -> None:
    assert allows(f"User-agent: {agent}\nDisallow: /", "/x") is not ours


def test_a_group_of_our_own_shuts_out_the_general_one_even_if_empty() -> None:
    assert allows("User-agent: *\nDisallow: /\n\nUser-agent: scenthound\nDisallow:", "/x")
    assert allows("User-agent: scenthound\nDisallow:\nUser-agent: *\nDisallow: /", "/x")


def test_groups_for_one_agent_are_merged() -> None:
    text = "User-agent: scenthound\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: scenthound\nDisallow: /c"
    assert [allows(text, path) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_agents_share_a_group_across_unknown_lines_and_sitemaps() -> None:
    text = "User-agent: scenthound\nSitemap: http://a.example/s.xml\nNoise: 1\nUser-agent: other\n\nDisallow: /a"
    assert not allows(text, "/a")
    assert not allows(text, "/a", "other")


def test_rules_before_any_agent_rule_nobody() -> None:
    assert allows("Disallow: /\nUser-agent: other\nDisallow: /", "/x")


@pytest.mark.parametrize("newline", ["\n", "\r", "\r\n", "\n\n\n"])
def test_byte_order_mark_and_line_ends(newline: str) -> None:
    assert not allows("\ufeff" + newline.join(["User-agent: *", "Disallow: /a"]), "/a")


@pytest.mark.parametrize(
    ("line", "delay"),
    [
        ("Crawl-delay: 2.5", 2.5),
        ("crawl-delay:10", 10.0),
        ("Crawl-delay: soon", None),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: nan", None),
        ("", None),
    ],
)
def test_crawl_delay(line: str, delay: float | None) -> None:
    assert Rules.parse(f"User-agent: *\n{line}\nDisallow: /x", "scenthound").crawl_delay == delay


def test_crawl_delay_is_that_of_the_ruling_group() -> None:
    text = "User-agent: *\nCrawl-delay: 5\n\nUser-agent: scenthound\nCrawl-delay: 1"
    assert Rules.parse(text, "scenthound").crawl_delay == 1.0
    assert Rules.parse(text, "other").crawl_delay == 5.0


def test_a_file_cut_in_mid_line_keeps_the_lines_before() -> None:
    text = "User-agent: *\nDisallow: /a\nDisallow: /b"
    for end in range(len("User-agent: *\nDisallow: /a"), len(text)):
        assert not allows(text[:end], "/a/x")


def test_many_stars_are_quick() -> None:
    text = "User-agent: *\n" + "\n".join(f"Disallow: /{'*a' * 60}*b{n}$" for n in range(50))
    rules = Rules.parse(text, "scenthound")
    started = time.process_time()
    assert rules.allows(SITE + "/" + "a" * 2_000)
    assert time.process_time() - started < 0.5


@pytest.mark.slow
def test_half_a_megabyte_is_quick() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /folder-{n}/*/x$\n" for n in range(18_000))
    started = time.process_time()
    rules = Rules.parse(text[: 500 * 1024], "scenthound")
    assert not rules.allows(SITE + "/folder-7/y/x")
    assert time.process_time() - started < 3


fields = st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "Sitemap", "", "x"])
values = st.one_of(
    st.text(max_size=12), st.sampled_from(["*", "/", "/*", "$", "%", "%zz", "/%", "*$*", "scenthound", "\0"])
)
lines = st.builds("{}{}{}".format, fields, st.sampled_from([":", " ", "::", ""]), values)


@given(st.lists(lines, max_size=20).map("\n".join), st.text(max_size=20))
def test_garbage_never_raises(text: str, path: str) -> None:
    rules = Rules.parse(text, "scenthound")
    assert rules.allows(f"{SITE}/{path}") in (True, False)
    assert rules.crawl_delay is None or rules.crawl_delay >= 0
    assert rules.allows(SITE + "/robots.txt")


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_never_raise(garbage: bytes) -> None:
    Rules.parse(garbage.decode("utf-8", "replace"), "scenthound").allows(SITE + "/x")
