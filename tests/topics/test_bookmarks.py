"""Bookmarks as the browsers export them: folders become topics, what is no web page is left out and counted."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import TopicsError
from scenthound.taxonomy import Topics
from scenthound.topics.bookmarks import LOOSE, import_bookmarks
from scenthound.topics.imported import Imported
from scenthound.topics.topic_names import is_path

FIREFOX = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'self'; script-src 'none'; img-src data: *; object-src 'none'"></meta>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>

<DL><p>
    <DT><A HREF="https://loose.example/" ADD_DATE="1700000000">In no folder</A>
    <HR>    <DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="1700000001">Räder &amp; mehr</H3>
    <DD>All about bicycles <b>and</b> more
    <DL><p>
        <DT><A HREF="https://touring.example/a?x=1&amp;y=2" ADD_DATE="1700000000" ICON_URI="https://touring.example/i.png"
          ICON="data:image/png;base64,iVBORw0KGgo=" TAGS="tour,alps">Touring</A>
        <DD>A description with a <a name="x">trap</a>
        <DT><A HREF="/relative">Relative</A>
        <DT><A HREF="moz-extension://1/x.html">Extension</A>
        <DT><A HREF="place:sort=8&maxResults=10">Most Visited</A>
        <DT><H3>Rennen</H3>
        <DL><p>
            <DT><A FEEDURL="https://race.example/rss" HREF="https://race.example/">Races</A>
        </DL><p>
    </DL><p>
    <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
    <DL><p>
        <DT><A HREF="javascript:(function(){alert('%3C')})()">Bookmarklet</A>
    </DL><p>
</DL>
"""

CHROME = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1" LAST_MODIFIED="2" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><H3 ADD_DATE="1" LAST_MODIFIED="0">TCP/IP</H3>
        <DL><p>
            <DT><A HREF="http://net.example/" ADD_DATE="1">Net</A>
            <DT><A HREF="HTTP://NET.example:80/#top" ADD_DATE="1">Net again</A>
            <DT><A HREF="chrome://settings/" ADD_DATE="1">Settings</A>
            <DT><A HREF="file:///home/me/notes.html" ADD_DATE="1">Notes</A>
        </DL><p>
        <DT><H3 ADD_DATE="1" LAST_MODIFIED="0">Nothing yet</H3>
        <DL><p>
        </DL><p>
        <DT><H3 ADD_DATE="1" LAST_MODIFIED="0">TCP/IP</H3>
        <DL><p>
            <DT><A HREF="http://net2.example/" ADD_DATE="1">A second folder of that name</A>
        </DL><p>
    </DL><p>
</DL><p>
"""

SAFARI = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
	<HTML>
	<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
	<Title>Bookmarks</Title>
	<H1>Bookmarks</H1>
	<DT><H3 FOLDED>Favourites</H3>
	<DL><p>
		<DT><A HREF="https://apple.example/">Apple</A>
		<DT><H3 FOLDED>Closed without a list</H3>
		<DT><H3 FOLDED></H3>
		<DL><p>
			<DT><A HREF="https://unnamed.example/">In a folder without a name</A>
		</DL><p>
	</DL><p>
	<DT><H3 FOLDED id="com.apple.ReadingList">Reading List</H3>
	<DL><p>
		<DT><A HREF="https://read.example/">Later</A>
	</DL><p>
	</HTML>
"""


def imported(tmp_path: Path, text: str | bytes) -> Imported:
    file = tmp_path / "bookmarks.html"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_bookmarks(file)


def as_dict(topics: Topics) -> dict[str, list[str]]:
    return {topic.path: list(topic.examples) for topic in topics.topics}


def test_firefox(tmp_path: Path) -> None:
    found = imported(tmp_path, FIREFOX)
    assert as_dict(found.topics) == {
        LOOSE: ["https://loose.example/"],
        "Räder & mehr": ["https://touring.example/a?x=1&y=2"],
        "Räder & mehr/Rennen": ["https://race.example/"],
    }
    assert found.notes == (
        "Skipped bookmarks that are not web pages: 1 without a scheme, 1 moz-extension:, 1 place:, 1 javascript:.",
        'Skipped empty folders: "Bookmarks Toolbar".',
        'Bookmarks without a folder are in "Bookmarks".',
    )


def test_chrome(tmp_path: Path) -> None:
    found = imported(tmp_path, CHROME)
    assert as_dict(found.topics) == {"Bookmarks bar/TCP-IP": ["http://net.example/", "http://net2.example/"]}
    assert found.notes == (
        "Skipped bookmarks that are not web pages: 1 chrome:, 1 file:.",
        "1 bookmark occurred twice in one folder.",
        'Skipped empty folders: "Bookmarks bar/Nothing yet".',
    )


def test_safari(tmp_path: Path) -> None:
    found = imported(tmp_path, SAFARI)
    assert as_dict(found.topics) == {
        "Favourites": ["https://apple.example/"],
        "Favourites/Unnamed": ["https://unnamed.example/"],
        "Reading List": ["https://read.example/"],
    }


@pytest.mark.parametrize("charset", ["windows-1252", "utf-16", "utf-8-sig", "koi8-r"])
def test_names_are_read_in_the_encoding_of_the_file(tmp_path: Path, charset: str) -> None:
    name = "Велосипед" if charset == "koi8-r" else "Vélos"
    text = f'<META CHARSET="{charset.removesuffix("-sig")}"><DL><DT><H3>{name}</H3><DL><A HREF="http://a.example/">'
    assert as_dict(imported(tmp_path, text.encode(charset)).topics) == {name: ["http://a.example/"]}


def test_lists_left_open_and_tags_in_any_case_do_no_harm(tmp_path: Path) -> None:
    text = "<dl><dt><h3>One<dl><dt><a href=http://a.example/>A<dt><h3>Two</h3><dl><a href='http://b.example/'>B"
    assert as_dict(imported(tmp_path, text).topics) == {"One": ["http://a.example/"], "One/Two": ["http://b.example/"]}


@pytest.mark.slow
def test_folders_without_end_are_one_at_some_depth(tmp_path: Path) -> None:
    text = "<DL><DT><H3>x</H3>" * 20_000 + "<DL><A HREF='http://a.example/'>"
    [topic] = imported(tmp_path, text).topics.topics
    assert topic.path == "/".join("x" * 50)


@pytest.mark.parametrize("text", ["", '{"roots": {}}', "<DL><DT><H3>Empty</H3></DL>", "<p>hello"])
def test_a_file_without_bookmarks_is_answered_with_how_to_get_one(tmp_path: Path, text: str) -> None:
    with pytest.raises(TopicsError, match="export your bookmarks as an HTML file"):
        imported(tmp_path, text)
    with pytest.raises(TopicsError, match="cannot be read"):
        import_bookmarks(tmp_path / "nowhere.html")


pieces = st.sampled_from(
    [
        "<DL><p>",
        "</DL>",
        "<H3>",
        "</H3>",
        "<DT>",
        "na/me",
        " \x00 ",
        "<A HREF='http://a.example/1'>",
        "</A>",
        "<A>",
        "<",
    ]
)


@given(st.lists(pieces, max_size=30))
def test_any_wreckage_gives_topics_with_sound_names(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    file = tmp_path_factory.getbasetemp() / "wreck.html"
    file.write_text("<A HREF='http://b.example/'>" + "".join(parts))
    topics = import_bookmarks(file).topics
    assert all(is_path(topic.path) and topic.examples for topic in topics.topics)
    assert len({topic.path for topic in topics.topics}) == len(topics.topics)
