"""A portal: what it shows, what it leaves alone, and texts of any kind that stay texts."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.portal.extract_file import ExtractFile
from scenthound.services.portal.page_extract import Extract
from scenthound.services.portal.portal_colours import contrast, style_variables
from scenthound.services.portal.portal_types import PageGroup, PortalWish
from scenthound.services.portal.publication import Published, publish
from scenthound.services.portal.word_shards import LARGEST, WordIndex, places_of
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Fetch
from tests.cli.conftest import one_line, scenthound
from tests.fetch.scene import Scene, play
from tests.services.portal_world import RACING, WorldPage, world
from tests.ui.owner import set_by_owner

pytestmark = pytest.mark.slow

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return world(tmp_path_factory.mktemp("portal") / "Slow-wheels")


@pytest.fixture(scope="module")
def site(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("portal") / "site"
    made(crawl, out)
    return out


@pytest.fixture
def copy(crawl: Path, tmp_path: Path) -> Path:
    return shutil.copytree(crawl, tmp_path / "copy")


def made(crawl: Path, out: Path, **wish: object) -> Published:
    return publish(CrawlDirectory.open(crawl), PortalWish(out=out, **wish))  # type: ignore[arg-type]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".scenthound"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


# ── what it shows ──


def test_a_topic_has_its_best_pages_with_snippets_hubs_authorities_sites_and_what_is_new(site: Path) -> None:
    page = text(site / "topic" / "sport-cycling.html")
    for words in (
        "The derailleur sings on the climb", "Where to start", "Most recommended", "tours.test", "What is new", "Racing"
    ):  # fmt: skip
        assert words in page
    assert "Cakes" not in page
    assert '<a class="title" href="http://tours.test/pass" rel="nofollow noopener"' in page
    assert "Slow wheels" in text(site / "index.html")
    assert "Spring classics" in text(site / "topic" / "sport-cycling-racing-all.html")


def test_feeds_name_the_newest_first_and_a_sitemap_needs_an_address(copy: Path, site: Path, tmp_path: Path) -> None:
    feed = ElementTree.fromstring(text(site / "feed.xml"))
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles[0] == "Along the river"
    assert len(titles) == 5
    assert not (site / "sitemap.xml").exists()
    set_by_owner(CrawlDirectory.open(copy), "portal.base_url", "https://www.example.org/bikes")
    made(copy, tmp_path / "site")
    sitemap = text(tmp_path / "site" / "sitemap.xml")
    assert "<loc>https://www.example.org/bikes/topic/sport-cycling.html</loc>" in sitemap
    outlines = ElementTree.fromstring(text(tmp_path / "site" / "feeds.opml")).iter("outline")
    assert "https://www.example.org/bikes/topic/sport-cycling.xml" in {one.get("xmlUrl") for one in outlines}
    assert 'rel="self"' in text(tmp_path / "site" / "feed.xml")


def test_title_colours_introduction_and_footer_are_settings(copy: Path, tmp_path: Path) -> None:
    directory = CrawlDirectory.open(copy)
    for key, value in {
        "title": "Bikes & more", "accent": "#aa2244", "introduction": "**Welcome** <script>x</script>", "footer": "By us"
    }.items():  # fmt: skip
        set_by_owner(directory, f"portal.{key}", value)
    made(copy, tmp_path / "site")
    home = text(tmp_path / "site" / "index.html")
    assert "Bikes &amp; more</span></h1>" in home
    assert "<strong>Welcome</strong> &lt;script&gt;" in home
    assert "<p>By us</p>" in home
    assert "#aa2244" in text(tmp_path / "site" / "assets" / "portal.css")


def test_groups_that_somebody_else_makes_are_shown(crawl: Path, tmp_path: Path) -> None:
    made(crawl, tmp_path / "site", groups=lambda topic, ids: [PageGroup(label=f"Group of {topic}", pages=(*ids, 999))])
    assert f"Group of {RACING} " in text(tmp_path / "site" / "topic" / "sport-cycling-racing.html")


@pytest.mark.parametrize(
    ("setting", "listed", "hidden"),
    [("respect", 1, 0), ("bare", 1, 1), ("omit", 0, 0)],
    ids=["respect", "bare", "omit"],
)
def test_pages_that_opt_out_are_listed_without_their_text_or_not_at_all(
    copy: Path, tmp_path: Path, setting: str, listed: int, hidden: int
) -> None:
    set_by_owner(CrawlDirectory.open(copy), "portal.opt_out", setting)
    assert made(copy, tmp_path / "site").opted_out == 2
    whole = "".join(data.decode() for data in contents(tmp_path / "site").values())
    assert ("http://shy.test/" in whole, "http://hidden.test/" in whole) == (bool(listed), bool(hidden))
    item = next((li for li in re.findall(r'<li class="page">.*?</li>', whole, re.S) if "shy.test" in li), "")
    assert "snippet" not in item
    shown = json.dumps(list(_shown_in_search(tmp_path / "site")))
    assert ("No copies" in shown, "Not listed" in shown) == (bool(listed), bool(hidden))


def _shown_in_search(site: Path) -> Iterator[list[str]]:
    for path in sorted((site / "search" / "pages").iterdir()):
        found = re.fullmatch(r"scenthound\.pages\((\d+),(.*)\);\n", text(path), re.S)
        assert found is not None
        yield from filter(None, json.loads(found[2]))


# ── what is written ──


def test_only_what_changed_is_written_and_only_what_was_written_is_removed(copy: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    first = made(copy, out)
    assert first.written == first.files == len(contents(out))
    assert (made(copy, out).written, made(copy, out).removed) == (0, 0)
    (out / "robots.txt").write_text("User-agent: *\n", encoding="utf-8")
    with closing(sqlite3.connect(copy / "crawl.db")) as con, con:
        con.execute("UPDATE pages SET relevance = 0.2 WHERE topic = ?", (RACING,))
        con.execute("INSERT OR REPLACE INTO counters VALUES ('relevance_sum', 3)")
    again = made(copy, out)
    assert 0 < again.written < again.files
    assert again.removed > 0
    assert not (out / "topic" / "sport-cycling-racing-all.html").exists()
    assert (out / "robots.txt").exists()
    made(copy, tmp_path / "other")
    assert contents(out) == contents(tmp_path / "other") | {"robots.txt": b"User-agent: *\n"}


class _KilledError(Exception):
    pass


@pytest.mark.parametrize("file", [1, 4, 9])
def test_a_run_that_is_cut_off_leaves_files_whole_and_the_next_one_finishes(
    crawl: Path, site: Path, tmp_path: Path, file: int
) -> None:
    def heard(step: str, done: int, pages: int) -> None:
        if step == "writing HTML" and done == file:
            raise _KilledError

    out = tmp_path / "site"
    with pytest.raises(_KilledError):
        made(crawl, out, heard=heard)
    assert contents(out).items() <= contents(site).items()
    (out / "index.html.part").write_text("half a p", encoding="utf-8")  # as a kill may leave it
    made(crawl, out)
    assert contents(out) == contents(site)


def test_a_folder_with_other_things_is_refused(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to-anna.txt").touch()
    ran = scenthound("portal", crawl, "--out", tmp_path / "letters")
    assert ran.code == 2
    assert "holds other things (to-anna.txt); name a new or empty folder" in one_line(ran.err)
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["to-anna.txt"]


def test_a_file_that_somebody_put_where_the_portal_writes_is_not_overwritten(copy: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    made(copy, out)
    (out / "sitemap.xml").write_text("mine", encoding="utf-8")
    ran = scenthound("portal", copy, "--out", out)
    assert ran.code == 0
    set_by_owner(CrawlDirectory.open(copy), "portal.base_url", "https://www.example.org/")
    ran = scenthound("portal", copy, "--out", out)
    assert ran.code == 2
    assert "was not written by the portal; move it away" in one_line(ran.err)
    assert text(out / "sitemap.xml") == "mine"


def test_wrong_input_is_answered_in_one_line(crawl: Path, copy: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments, said in (
        ((tmp_path / "nothing", "--out", tmp_path / "site"), "does not exist"),
        ((crawl, "--out", tmp_path / "file"), "is a file; a portal needs a folder of its own"),
        ((crawl, "--out", crawl), "holds other things"),
    ):
        ran = scenthound("portal", *arguments)
        assert (ran.code, said in one_line(ran.err)) == (2, True), ran.err
    set_by_owner(CrawlDirectory.open(copy), "portal.min_relevance", 0.99)
    ran = scenthound("portal", copy, "--out", tmp_path / "site")
    assert (ran.code, "has no page with a relevance of 0.99 or more" in one_line(ran.err)) == (2, True)
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [("accent", "green"), ("base_url", "ftp://a.example/"), ("ground", "#12345"), ("opt_out", "never")],
)
def test_wrong_settings_say_what_they_take(copy: Path, tmp_path: Path, key: str, value: str) -> None:
    file = copy / "crawl.toml"
    file.write_text(text(file).replace("[portal]", f'[portal]\n{key} = "{value}"'), encoding="utf-8")
    ran = scenthound("portal", copy, "--out", tmp_path / "site")
    assert (ran.code, f"portal.{key}" in one_line(ran.err)) == (2, True), ran.err


def test_programs_get_figures(crawl: Path, tmp_path: Path) -> None:
    ran = scenthound("portal", crawl, "--out", tmp_path / "site", "--json")
    found = json.loads(ran.out)
    assert (found["pages"], found["topics"], found["opted_out"]) == (5, 4, 2)
    assert found["largest"] < 200_000


def test_an_extract_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    with ExtractFile(tmp_path / "extracts") as file:
        one = Extract(snippet="one", words="chain gear", weights="73")
        file.add([(file.number(7), 7, 1, one), (1, 8, 2, Extract(snippet="two", words="gear wheel", weights="11"))])
    path = next((tmp_path / "extracts").iterdir())
    path.write_bytes(path.read_bytes()[:-3])
    with ExtractFile(tmp_path / "extracts") as file:
        assert file.snippet(7) == "one"
        assert file.place(8) is None
        assert file.number(8) == 1
        assert file.words == ["chain", "gear", "wheel"]
        file.add([(1, 8, 2, Extract(snippet="two", words="wheel chain", weights="11"))])
        assert file.words == ["chain", "gear", "wheel"]
    with ExtractFile(tmp_path / "extracts") as file:
        assert np.frombuffer(file.places(8), dtype=np.uint64).tolist() == [2 << 32 | 6 << 29 | 1, 0 << 32 | 6 << 29 | 1]


def test_extracts_that_later_ones_replace_are_dropped_and_words_keep_their_numbers(tmp_path: Path) -> None:
    long = " ".join(f"word{number}" for number in range(2_000))
    weights = "1" * 2_000
    (tmp_path / "extracts").mkdir()
    (tmp_path / "extracts" / "extracts-1").write_bytes(b"of an older version")
    with ExtractFile(tmp_path / "extracts") as file:
        file.add(
            (file.number(7), 7, visit, Extract(snippet=str(visit), words=long, weights=weights)) for visit in range(90)
        )
        places, words = file.places(7), file.words
    [path] = (tmp_path / "extracts").iterdir()
    assert path.stat().st_size < 60_000
    with ExtractFile(tmp_path / "extracts") as file:
        assert (file.snippet(7), file.places(7), file.words) == ("89", places, words)


def test_a_site_made_again_is_the_one_made_at_once(copy: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(copy / "crawl.db")) as con, con:
        con.execute("UPDATE pages SET relevance = 0.1 WHERE title = 'Spring classics'")
    first = made(copy, tmp_path / "again")
    with closing(sqlite3.connect(copy / "crawl.db")) as con, con:
        con.execute("UPDATE pages SET relevance = 0.9 WHERE title = 'Spring classics'")
        con.execute("INSERT OR REPLACE INTO counters VALUES ('relevance_sum', 3)")
    second = made(copy, tmp_path / "again")
    assert first.pages + 1 == second.pages
    assert second.written < second.files
    made(copy, tmp_path / "once")
    assert contents(tmp_path / "again") == contents(tmp_path / "once")


# ── hostile texts ──

RUN = "top.hacked=window.hacked=1"
ATTACKS = (
    f'<img src=x onerror="{RUN}">',
    f'"><svg onload="{RUN}">',
    f"</title></script><script>{RUN}</script>",
    f"{{{{ ''.__class__ }}}} {{% raw %}} ${{{RUN}}}",
    f"\u2028{RUN}//\u202eexe\x00\x0b",
    f"]]>--><script>{RUN}</script>",
    "\ud800 alone",
)


def hostile(path: Path) -> Path:
    """A crawl with attacks wherever a web, or whoever names topics, can put them."""
    good = f"Sport '-{RUN}-' <b>"
    pages = [
        WorldPage(
            url=f"http://{'a' * (1 + n)}.test/{n}?'\"><script>{RUN}</script>",
            title=attack.replace("\ud800", "\ufffd"),
            text=(attack.replace("<", "&lt;").replace("\ud800", "") + " words of a page that go on and on ") * 3,
            topic=good,
        )
        for n, attack in enumerate(ATTACKS)
    ]
    return world(path, pages, (), Topics(topics=(Topic(path=good, good=True),)))


def test_what_a_web_says_is_never_markup(tmp_path: Path) -> None:
    crawl = hostile(tmp_path / "crawl")
    with closing(sqlite3.connect(crawl / "crawl.db")) as con, con:
        con.execute("UPDATE finds SET url = 'javascript:top.hacked=1' WHERE id = 1")
    made(crawl, tmp_path / "site")
    for name, data in contents(tmp_path / "site").items():
        if name.endswith(".html"):
            _is_harmless(LexborHTMLParser(data))
        elif name.endswith((".xml", ".opml", ".svg")):
            ElementTree.fromstring(data)
        elif name.startswith("search/"):
            assert b"<" not in data
            call = re.fullmatch(rb"scenthound\.[a-z]+\((.*)\);\n", data, re.S)
            assert call is not None
            json.loads(b"[" + call[1] + b"]")


def _is_harmless(page: LexborHTMLParser) -> None:
    assert [script.attributes.get("src", "").rpartition("/")[2] for script in page.css("script")] == ["portal.js"]  # type: ignore[union-attr]
    for node in page.css("*"):
        assert node.tag not in ("svg", "iframe", "object", "embed", "base", "b")
        assert not [name for name in node.attributes if name.startswith("on") or name == "style"]
    for anchor in page.css("a"):
        address = anchor.attributes.get("href") or ""
        if re.match(r"[a-z]+:", address):
            assert address.startswith(("http://", "https://"))
            assert anchor.attributes.get("rel") == "nofollow noopener"


MONSTERS = (
    "nul-bytes", "utf16-as-latin1", "png-as-html", "html-untyped", "lying-coding", "nested", "attributes", "gzip-bomb",
    "long-link", "maze",
)  # fmt: skip


def test_pages_of_the_bad_web_are_listed_with_what_can_be_read_of_them(tmp_path: Path) -> None:
    fetches: list[Fetch] = []

    async def scene(it: Scene) -> None:
        fetches.extend([await it.fetch(name) for name in MONSTERS])

    play(scene)
    pages = [WorldPage(url=fetch.url, title=name) for name, fetch in zip(MONSTERS, fetches, strict=True)]
    made(world(tmp_path / "crawl", pages, (), fetches=fetches), tmp_path / "site")
    assert [page[0] for page in _shown_in_search(tmp_path / "site")] == list(MONSTERS)
    for name, data in contents(tmp_path / "site").items():
        if name.endswith(".html"):
            _is_harmless(LexborHTMLParser(data))
            assert len(data) < 200_000
        elif name.endswith(".xml"):
            ElementTree.fromstring(data)


# ── the index and the colours ──


def pages_of(entry: str) -> list[tuple[int, int]]:
    """Read the pages of a word, as portal.js does."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    found: list[tuple[int, int]] = []
    for group in entry.rpartition(";")[2].split(".")[1:]:
        number = value = shift = 0
        for sign in group[1:]:
            digit = digits.index(sign)
            value |= (digit & 31) << shift
            shift += 5
            if not digit & 32:
                number += value
                found.append((number, int(group[0])))
                value = shift = 0
    return found


def test_many_words_come_in_files_of_a_bounded_size_and_are_read_back() -> None:
    draw = np.random.default_rng(0)
    terms, truth = dict[str, int](), dict[str, dict[int, int]]()
    places_of(terms, 0, "nowhere", "1")  # a word of a page that is shown no longer
    pages = list[bytes]()
    stems = ["ge", "gear", "gé", "車輪", "x", "brake", "chain"]
    for number in range(0, 9_000, 3):
        words = {f"{stems[n % len(stems)]}{n // 7 or ''}": int(draw.integers(1, 8)) for n in draw.zipf(1.3, 60) % 4000}
        pages.append(places_of(terms, number, " ".join(words), "".join(map(str, words.values()))))
        for word, weight in words.items():
            truth.setdefault(word, {})[number] = weight
    index = WordIndex(list(terms))
    for page in pages:
        index.add(page)
    files = list(index.files())
    assert len(files) > 5
    assert max(len(file.content) for file in files) < 1.2 * LARGEST
    assert len({file.name for file in files}) == len(files)
    read: dict[str, dict[int, int]] = {}
    for file in files:
        _, table = json.loads("[" + file.content.decode()[len("scenthound.words(") : -3] + "]")
        assert all(word.startswith(file.beginning) for word in table)
        read |= {word: dict(pages_of(entry)) for word, entry in table.items()}
    assert read == truth


@given(st.text("0123456789abcdef", min_size=6, max_size=6), st.text("0123456789abcdef", min_size=6, max_size=6))
def test_text_is_legible_in_any_colours(accent: str, ground: str) -> None:
    for theme in style_variables(f"#{accent}", f"#{ground}").split("@media"):
        found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", theme))
        for ink, paper in (("ink", "ground"), ("ink", "surface"), ("muted", "ground"), ("muted", "surface"),
                           ("accent", "ground"), ("accent", "surface"), ("on-soft", "soft"), ("on-button", "button")):  # fmt: skip
            assert contrast(found[ink], found[paper]) >= 4.5, (ink, paper, found)
