"""Writes the HTML of the demo web's pages: one text in the layout of its site.

Layouts differ as sites do: semantic HTML5, a blog with sidebar and comments, a club page, tables of the nineties with
unclosed tags, forum threads, and a directory's lists of links with a line about each.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from html import escape

from scenthound.demo.grammar import MONTHS, Dice, ForeignWriter, Vocabulary, Writer
from scenthound.demo.host_table import EVERYDAY, DemoHost, Layout, Oddity
from scenthound.demo.link_plan import DemoLink, Linker, navigation, with_parameter
from scenthound.demo.site_plan import DemoPage, Kind, Plan

_LABELS = ("Home", "Guides", "Stories", "Reviews", "About us", "Contact", "Privacy")
_PARTNERS = ("http://partnernet.test/", "http://www.friendly.test/", "http://www.dailyvoice.test/")


class Press:
    """Prints pages: (page, request) in, HTML out."""

    def __init__(self, seed: int, plan: Plan, vocabulary: Vocabulary) -> None:
        self._seed = seed
        self._plan = plan
        self._vocabulary = vocabulary
        self._linker = Linker(plan, vocabulary)

    def html(self, page: DemoPage, query: str = "") -> str:
        """Write a page as its site shows it; `query` is the client's addition to the page's address."""
        host = self._plan.hosts[page.host]
        if Oddity.MIRROR in host.oddities:
            return self._mirrored(host, page)
        dice = self._dice(page)
        links = self._linker.content(page, dice)
        if host.oddities & {Oddity.SESSIONS, Oddity.VISITS}:
            links = [_track_link(link, host, Dice(page.url, query)) for link in links]
        text = self._text(page, links, dice)
        if "view=print" in query:
            printed = f"<p>Printed from {escape(page.url)}</p>"
            return f"{_head(page, host)}<h1>{escape(page.title)}</h1>\n{text}\n{printed}</body></html>\n"
        shell = _SHELLS[host.layout]
        return shell(page, host, text, self._navigation(host), self._aside(page, dice))

    def links(self, page: DemoPage) -> list[DemoLink]:
        """Return the links in the text of a page, without navigation, as `html` places them."""
        return self._linker.content(page, self._dice(page))

    def _dice(self, page: DemoPage) -> Dice:
        return Dice(self._seed, "text", page.url)

    def _mirrored(self, host: DemoHost, page: DemoPage) -> str:
        """Copy a page of another site: its own addresses changed, a line about where it is from."""
        original = self._plan.pages[f"http://{host.twin}{page.path}"]
        copy = self.html(original).replace(f"http://{host.twin}/", f"http://{host.name}/")
        return copy.replace("</body>", f"<p>Mirror of {host.twin}, updated weekly.</p></body>")

    def _text(self, page: DemoPage, links: Sequence[DemoLink], dice: Dice) -> str:
        writer = self._writer(page, dice)
        if page.kind in (Kind.HOME, Kind.SECTION):
            return f"<p>{escape(writer.paragraph(3))}</p>\n" + _list(links, writer, described=page.kind is Kind.HOME)
        if page.kind is Kind.LINKS:
            return f"<p>{escape(writer.paragraph(2))}</p>\n" + self._link_list(links, dice)
        if page.kind is Kind.ABOUT:
            return _about(page, dice) + _list(links, writer, described=False)
        return self._article(page, writer, links, dice)

    def _article(self, page: DemoPage, writer: "Writer | ForeignWriter", links: Sequence[DemoLink], dice: Dice) -> str:
        """Write paragraphs, some of which end in a sentence with a link; the last links are in a list."""
        inline, listed = links[: len(links) * 2 // 3], links[len(links) * 2 // 3 :]
        parts = []
        for number in range(max(dice.between(4, 9), len(inline) + 1)):
            if number and dice.chance(0.3):
                parts.append(f"<h2>{escape(_capital(writer.phrase()))}</h2>")
            sentences = escape(writer.paragraph(dice.between(4, 8)))
            lead = self._lead(page, inline[number], dice) if number < len(inline) else ""
            parts.append(f"<p>{sentences}{lead}</p>")
        if dice.chance(0.25):
            parts.append("<ul>" + "".join(f"<li>{escape(writer.phrase())}" for _ in range(4)) + "</ul>")
        if listed:
            parts.append('<div class="related">' + _list(listed, writer, described=False) + "</div>")
        return "\n".join(parts)

    def _lead(self, page: DemoPage, link: DemoLink, dice: Dice) -> str:
        """Lead to a link with words about its target, because the link's own text may say little."""
        about = self._writer(link.target if link.target and page.language == "en" else page, dice)
        before, after = about.lead(dice.pick(self._vocabulary.leads))
        return f" {escape(before)}{_anchor(link)}{escape(after)}"

    def _link_list(self, links: Sequence[DemoLink], dice: Dice) -> str:
        """Write the core of a hub: each link with a line about its target."""
        rows = []
        for link in links:
            line = self._writer(link.target, dice).sentence() if link.target and dice.chance(0.8) else ""
            rows.append(f"<li>{_anchor(link)}{' – ' + escape(line) if line else ''}</li>")
        return "<ul>\n" + "\n".join(rows) + "\n</ul>"

    def _writer(self, page: DemoPage, dice: Dice) -> "Writer | ForeignWriter":
        if page.language != "en":
            return ForeignWriter(self._vocabulary.foreign[page.language], dice)
        topics = self._vocabulary.topics
        return Writer(topics.get(page.topic, topics[EVERYDAY]), dice, page.focus)

    def _navigation(self, host: DemoHost) -> list[DemoLink]:
        if host.language == "en":
            return navigation(host, _LABELS)
        return navigation(host, self._vocabulary.foreign[host.language].labels)

    def _aside(self, page: DemoPage, dice: Dice) -> list[DemoLink]:
        """Write links beside the text that have little to do with it: partners, popular pages, the licence."""
        own = self._plan.by_host[page.host]
        popular = [DemoLink(href=p.path, text=p.title, target=p) for p in (dice.pick_early(own) for _ in range(2))]
        partner = DemoLink(href=dice.pick(_PARTNERS), text="Our partners", target=None)
        licence = DemoLink(href="http://www.freelicence.test/", text="Free licence", target=None)
        return [*popular, partner, licence]


def _track_link(link: DemoLink, host: DemoHost, dice: Dice) -> DemoLink:
    """Add an id of this page view to a link within the site."""
    if "://" in link.href and not link.href.startswith(f"http://{host.name}/"):
        return link
    token = "".join(dice.pick("0123456789abcdef") for _ in range(32))
    parameter = f"PHPSESSID={token}" if Oddity.SESSIONS in host.oddities else f"visit={token[:8]}"
    address, mark, fragment = link.href.partition("#")
    return DemoLink(href=with_parameter(address, parameter) + mark + fragment, text=link.text, target=link.target)


def _anchor(link: DemoLink) -> str:
    return f'<a href="{escape(link.href)}">{escape(link.text)}</a>'


def _list(links: Sequence[DemoLink], writer: "Writer | ForeignWriter", *, described: bool) -> str:
    rows = [f"<li>{_anchor(link)}{'<br>' + escape(writer.sentence()) if described else ''}</li>" for link in links]
    return "<ul>\n" + "\n".join(rows) + "\n</ul>"


def _about(page: DemoPage, dice: Dice) -> str:
    year, number = dice.between(1996, 2012), dice.between(2, 60)
    return (
        f"<p>{escape(page.host)} has been on the web since {year}. It is looked after by {number} volunteers in their "
        "spare time. If you find a mistake, write to the webmaster; please be patient, we answer every letter.</p>"
        "<p>All texts may be copied under the terms of the free licence. We keep no records about our visitors and set "
        "no cookies that are not needed. Visitor number "
        f"{dice.between(10_000, 900_000)}.</p>"
    )


def written_on(page: DemoPage) -> date:
    return date(1998, 1, 1) + timedelta(days=page.day)


def _dated(page: DemoPage) -> str:
    day = written_on(page)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ── layouts ──


def _head(page: DemoPage, host: DemoHost) -> str:
    # the charset is here if the header omits it, and nowhere on the sites of the nineties
    charset = "" if host.declared else f'<meta http-equiv="Content-Type" content="text/html; charset={host.charset}">'
    canonical = f'<link rel="canonical" href="{escape(page.url)}">' if Oddity.PRINT_VIEWS in host.oddities else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{host.language}">\n<head>{charset}<title>{escape(page.title)} | '
        f"{escape(host.title)}"
        f"</title>{canonical}<style>body{{font-family:sans-serif;max-width:60em;margin:auto}}nav a{{margin-right:1em}}"
        "</style></head>\n<body>\n"
    )


def _bar(links: Sequence[DemoLink]) -> str:
    return " ".join(_anchor(link) for link in links)


def _magazine(page: DemoPage, host: DemoHost, text: str, bar: Sequence[DemoLink], aside: Sequence[DemoLink]) -> str:
    return (
        f"{_head(page, host)}<header><nav>{_bar(bar)}</nav></header>\n<main><article><h1>{escape(page.title)}</h1>\n"
        f'<p class="date"><time datetime="{written_on(page)}">{_dated(page)}</time></p>\n{text}\n</article></main>\n'
        f"<aside><h3>Popular</h3>{_bar(aside[:2])}</aside>\n<footer>{_bar(aside[2:])} © {escape(host.title)}</footer>\n"
        "</body></html>\n"
    )


def _blog(page: DemoPage, host: DemoHost, text: str, bar: Sequence[DemoLink], aside: Sequence[DemoLink]) -> str:
    return (
        f'{_head(page, host)}<div id="title"><a href="/">{escape(host.title)}</a></div>\n<div '
        f'id="post"><h2>{escape(page.title)}'
        f'</h2>\n{text}\n<p class="meta">Posted on {_dated(page)} · <a href="/feed.xml">RSS</a></p></div>\n'
        f'<div id="sidebar"><h4>Pages</h4><ul>{"".join(f"<li>{_anchor(link)}</li>" for link in bar)}</ul>'
        f"<h4>Blogroll</h4>{_bar(aside)}</div>\n</body></html>\n"
    )


def _club(page: DemoPage, host: DemoHost, text: str, bar: Sequence[DemoLink], aside: Sequence[DemoLink]) -> str:
    return (
        f'{_head(page, host)}<h1>{escape(host.title)}</h1><div class="menu">{_bar(bar)}</div>\n'
        f"<h2>{escape(page.title)}</h2>\n{text}\n<hr>Last change: {_dated(page)}. {_bar(aside)}\n</body></html>\n"
    )


def _tables(page: DemoPage, host: DemoHost, text: str, bar: Sequence[DemoLink], aside: Sequence[DemoLink]) -> str:
    menu = "<BR>".join(f'<A HREF="{escape(link.href)}">{escape(link.text)}</A>' for link in bar)
    if page.kind is Kind.HOME:
        return (
            f'<HTML><HEAD><TITLE>{escape(host.title)}</TITLE></HEAD>\n<FRAMESET COLS="180,*"><FRAME SRC="/menu.htm">'
            '<FRAME SRC="/guides/" NAME=main>\n<NOFRAMES>Your browser knows no frames.</NOFRAMES></FRAMESET></HTML>\n'
        )
    loose = text.replace("</p>", "").replace("<p>", "<P>").replace("</li>", "").replace("<li>", "<LI>")
    return (
        f"<HTML><HEAD><TITLE>{escape(page.title)}</TITLE>\n<BODY BGCOLOR=#FFFFCC TEXT=black>\n<TABLE BORDER=0><TR><TD "
        "VALIGN=top WIDTH=160><FONT "
        f"SIZE=2>{menu}</FONT><TD>\n<CENTER><H1>{escape(page.title)}</H1></CENTER>\n{loose}\n"
        f"<P><FONT SIZE=1>“Best viewed at 800 × 600” – {_dated(page)} – {_bar(aside)}</FONT></TABLE>\n"
    )


def _forum(page: DemoPage, host: DemoHost, text: str, bar: Sequence[DemoLink], aside: Sequence[DemoLink]) -> str:
    posts = text.replace("<p>", '<div class="post"><p>').replace("</p>", "</p></div>")
    return (
        f'{_head(page, host)}<div class="crumbs">{_bar(bar)}</div>\n<h1>{escape(page.title)}</h1>\n{posts}\n'
        f'<p>Thread opened {_dated(page)}. <a href="/posting.php?mode=reply" rel="nofollow">Reply</a></p>\n'
        f"<footer>{_bar(aside)}</footer></body></html>\n"
    )


_SHELLS = {
    Layout.MAGAZINE: _magazine,
    Layout.BLOG: _blog,
    Layout.CLUB: _club,
    Layout.TABLES: _tables,
    Layout.FORUM: _forum,
    Layout.DIRECTORY: _club,
}
