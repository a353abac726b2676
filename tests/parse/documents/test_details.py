"""What each format has of its own: entries of feeds, fields, code pages, lines of a page, where relative links lead."""

import gzip

import pytest

from bench import making_documents as make
from scenthound import media_types
from scenthound.parse.documents import Document, read_document

URL = "http://site.example/papers/one"


def read(body: bytes | str, mime: str = "", charset: str = "") -> Document:
    data = body.encode() if isinstance(body, str) else body
    document = read_document(data, url=URL, mime=mime, charset=charset)
    assert isinstance(document, Document), document
    return document


def links(document: Document) -> list[tuple[str, str]]:
    return [(link.url, link.text) for link in document.links]


def test_an_entry_of_a_feed_is_a_link_with_its_title_and_then_what_is_said_about_it() -> None:
    feed = read(
        """<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
        <title>News &amp; views</title><link>http://site.example/</link><language>de-AT</language>
        <item><title>One</title><link>/one</link><description>short</description>
          <content:encoded><![CDATA[<p>Long <a href="two">and linked</a></p>]]></content:encoded></item>
        <item><title>No link</title><guid isPermaLink="true">http://site.example/guid</guid></item>
        <item><title>Nowhere</title><guid isPermaLink="false">urn:x</guid></item>
        </channel></rss>"""
    )
    assert (feed.mime, feed.title, feed.language) == (media_types.RSS, "News & views", "de")
    assert [leaf for leaf in feed.leaves if leaf] == ["One", "Long", "and linked", "No link", "Nowhere", "News & views"]
    assert links(feed) == [
        ("http://site.example/one", "One"),
        ("http://site.example/two", "and linked"),
        ("http://site.example/guid", "No link"),
        ("http://site.example/", "News & views"),
    ]


def test_atom_with_markup_inside() -> None:
    feed = read(
        """<?xml version="1.0"?><a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>T</a:title>
        <a:link rel="self" href="/feed"/><a:link rel="next" href="/feed?2"/>
        <a:entry><a:title type="html">A &lt;b&gt;bold&lt;/b&gt; one</a:title><a:link href="/a"/>
        <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">See <a href="/b">b &amp;
        c</a></div></a:content>
        </a:entry></a:feed>"""
    )
    assert links(feed) == [
        ("http://site.example/a", "A bold one"),
        ("http://site.example/b", "b & c"),
        ("http://site.example/feed?2", "T"),
    ]


def test_rdf_site_summary() -> None:
    feed = read(
        """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
        <channel rdf:about="http://x.example/"><title>Old</title><link>http://x.example/</link></channel>
        <item rdf:about="http://x.example/1"><title>First</title></item></rdf:RDF>"""
    )
    assert feed.title == "Old"
    assert links(feed) == [("http://x.example/", "Old"), ("http://x.example/1", "First")]


def test_what_hangs_on_an_entry_is_followed_if_it_can_be_read() -> None:
    hangs = '<enclosure url="/{}" type="{}"/>'
    both = hangs.format("talk.mp3", "audio/mpeg") + hangs.format("talk.pdf", "application/pdf")
    feed = read(f"<rss><channel><item><title>Talk</title><link>/talk</link>{both}</item></channel></rss>")
    assert links(feed) == [("http://site.example/talk", "Talk"), ("http://site.example/talk.pdf", "Talk")]


def test_a_feed_that_is_careless_with_ampersands_is_mended() -> None:
    feed = read("<rss><channel><title>Q&A &nbsp;caf&eacute;</title></channel></rss>")
    assert feed.title == "Q&A café"


def test_sitemaps_and_lists_of_feeds() -> None:
    assert [link.url for link in read(make.sitemap(2)).links] == [f"{make.TARGET}/0", f"{make.TARGET}/1"]
    opml = (
        '<opml><head><title>Mine</title></head><body><outline text="Dogs" xmlUrl="http://d.example/f"/></body></opml>'
    )
    assert links(read(opml)) == [("http://d.example/f", "Dogs")]


def test_any_other_xml_is_text_with_the_links_it_names() -> None:
    document = read(
        '<?xml version="1.0"?><book><title>B</title><p>one <ref href="http://a.example/">two</ref> three</p></book>'
    )
    assert (document.title, document.leaves) == ("B", ("B", "one", "two", "three"))
    assert links(document) == [("http://a.example/", "two")]


@pytest.mark.parametrize(
    ("body", "header"),
    [
        ("<?xml version='1.0' encoding='windows-1251'?><p>Пёс</p>".encode("cp1251"), ""),
        ("<?xml version='1.0' encoding='utf-16'?><p>Пёс</p>".encode("utf-16"), ""),
        ("<?xml version='1.0' encoding='utf-16'?><p>Пёс</p>".encode(), ""),
        ("<?xml version='1.0'?><p>Пёс</p>".encode("koi8-r"), "koi8-r"),
    ],
)
def test_encodings_of_xml(body: bytes, header: str) -> None:
    assert read(body, "text/xml", header).leaves == ("Пёс",)


@pytest.mark.parametrize(
    ("rtf", "leaves"),
    [
        (r"{\rtf1\ansi caf\'e9\par two}", ("café", "two")),
        (r"{\rtf1\ansi\ansicpg1251 \'cf\'b8\'f1}", ("Пёс",)),
        (r"{\rtf1\ansi{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f1 \'cf\'b8\'f1\f0\'e9}", ("Пёсé",)),
        (r"{\rtf1\ansi{\fonttbl{\f0\fcharset128 A;}}\f0\'8c\'a2}", ("犬",)),
        (r"{\rtf1\uc1 \u1055?\u1105?\u1089? {\uc0 \u8211} x}", ("Пёс – x",)),
        (r"{\rtf1 \u-10179?\u-8642? smile}", ("😾 smile",)),
        (r"{\rtf1{\*\generator Nobody}{\pict 0102ff}{\header top}shown\tab here}", ("shown here",)),
        (r"{\rtf1 one\cell two\cell\row \{braces\} \\}", ("one", "two", "{braces} \\")),
        (r"{\rtf1{\pict\bin5 }}}}}}after}", ("after",)),
    ],
)
def test_rich_text(rtf: str, leaves: tuple[str, ...]) -> None:
    assert read(rtf).leaves == leaves


def test_fields_of_a_word_processor() -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    field = (
        f"<w:p><w:r><w:t>before </w:t></w:r>{mark.format('begin')}"
        '<w:r><w:instrText> HYPERLINK "http://f.example/" </w:instrText></w:r>'
        f"{mark.format('separate')}<w:r><w:t>field</w:t></w:r>{mark.format('end')}<w:r><w:t> after</w:t></w:r></w:p>"
        '<w:p><w:fldSimple w:instr="HYPERLINK sub/page.htm"><w:r><w:t>simple</w:t></w:r></w:fldSimple></w:p>'
    )
    document = read(make.docx(field))
    assert document.leaves[-4:] == ("before", "field", "after", "simple")
    assert links(document)[1:] == [
        ("http://f.example/", "field"),
        ("http://site.example/papers/sub/page.htm", "simple"),
    ]


def test_a_link_without_words_at_the_end_stands_at_the_last_leaf() -> None:
    document = read(r'{\rtf1 one\par two\par {\field{\*\fldinst HYPERLINK "http://f.example/"}{\fldrslt }}}')
    [link] = document.links
    assert (link.url, link.text, link.first_leaf, link.last_leaf) == ("http://f.example/", "", 1, 1)


def test_what_a_fallback_repeats_is_read_once() -> None:
    box = "<w:p><w:r><w:t>boxed</w:t></w:r></w:p>"
    namespace = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    both = f"<mc:AlternateContent {namespace}><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    assert read(make.docx(both)).leaves.count("boxed") == 1


def test_slides_come_in_the_order_of_showing() -> None:
    leaves = read(make.pptx(3)).leaves
    assert [leaf[:8] for leaf in leaves if leaf.startswith("Slide")] == ["Slide 3.", "Slide 2.", "Slide 1."]


def test_a_pdf_without_a_title_is_called_by_its_largest_line() -> None:
    assert read(make.pdf(["small print"], title="untitled")).title == make.TITLE


def test_addresses_in_the_text_of_a_pdf_are_links_where_they_stand() -> None:
    document = read(make.pdf(["first", "see http://bare.example/page for more"]))
    found = {link.url: document.leaves[link.first_leaf] for link in document.links}
    assert found == {"http://bare.example/page": "see http://bare.example/page for more", make.TARGET: make.WORDS}


def test_a_pdf_with_something_in_front() -> None:
    assert read(b"HTTP/1.1 200 OK\r\n\r\n" + make.pdf(), "text/plain").title == make.TITLE


def test_markdown_has_inline_and_reference_links_and_a_preamble() -> None:
    text = "---\ntitle: 'Given'\n---\n\nIntro\n\n## Head\n\n[a](/x) and [b][r] and <http://c.example/> `[no](/code)`\n\n[r]: sub/y\n"
    document = read(text, "text/plain")
    assert (document.mime, document.title) == ("text/markdown", "Given")
    assert links(document) == [
        ("http://site.example/x", "a"),
        ("http://site.example/papers/sub/y", "b"),
        ("http://c.example/", "http://c.example/"),
    ]


def test_plain_text_keeps_its_bare_addresses_to_itself() -> None:
    document = read("A title\n\nsee http://a.example/ there\n", "text/plain")
    assert (document.title, document.leaves, document.links) == (
        "A title",
        ("A title", "see http://a.example/ there"),
        (),
    )


def test_members_of_an_archive_have_no_address_but_their_links_have() -> None:
    page = b'<p><a href="next.html">next</a> <a href="http://out.example/">out</a>'
    document = read(make.zipped({"a.txt": "first words", "b.html": page}))
    [link] = document.links
    assert (link.url, document.leaves[link.first_leaf]) == ("http://out.example/", "out")


def test_a_zip_file_of_office_files_is_no_office_file() -> None:
    files = {"a.docx": make.docx(), "b.odt": make.odt()}
    document = read(make.zipped(files, stored=tuple(files)))
    assert (document.mime, document.leaves.count(make.TEXT)) == (media_types.ZIP, 2)


def test_what_was_packed_alone_keeps_its_place_on_the_web() -> None:
    document = read(gzip.compress(b'<!doctype html><a href="next">n</a>'))
    assert links(document) == [("http://site.example/papers/next", "n")]
    assert (document.mime, document.detail) == (media_types.GZIP, "packed text/html")
