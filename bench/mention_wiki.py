"""A wiki made of encyclopedia texts: technical words in links, many topics close to each other, and people's labels.

    python -m bench.mention_wiki --source background.jsonl.gz --out FOLDER    # wiki.warc.gz and wiki.labels.tsv

The source has a row an article, {"title", "topics", "text"}, as `bench.canon` reads it. As in Wikipedia, the first
mention of another article's title is a link to it. Below an article, "See also" lists some of those that mention it.
Nothing here reads the topics but the table of labels, and nothing compares texts: links tell no more of the topics than
the texts do. The canonical topic tree was counted from the same texts, so this web is no measure of critics.
"""

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from pathlib import Path
from statistics import mean, median
from typing import Final
from urllib.parse import quote

HOST: Final = "http://wiki.example"
NAME: Final = "wiki"
LONGEST: Final = 8  # words of a title that can be mentioned
# Texts that mention a title, up to which every mention is a link; of more frequent ones, so many are. Editors link
# "water" now and then, and "state" never.
OFTEN: Final = 1_000
ALWAYS: Final = 3_000
ALSO: Final = 30  # articles under "See also": of those that mention this one
# Names without an article: words with capitals that stand in several texts. One of so many is a link, and dead.
NAMED: Final = 3
DEAD: Final = 5

Key = tuple[str, ...]
_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+){1,3}\b")
_BRACKET: Final = re.compile(r"\s*\([^()]*\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A row of the source."""

    title: str
    topics: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Where a text mentions the name of an article, or of several: from which character to which."""

    begin: int
    end: int
    key: Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A part of a text that is a link."""

    begin: int
    end: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the wiki; `links` are those to other articles, `dead` those that lead nowhere."""

    url: str
    html: str
    links: int = 0
    dead: int = 0
    topics: tuple[str, ...] = ()


class Names:
    """The names of articles: their titles, also without what stands in brackets.

    A name that its own article writes small, as "prime number", is found however it is written, also in the plural.
    Any other is found with its capitals only.

    >>> ring = Article(title="Ring (mathematics)", topics=(), text="In algebra, a ring is a set with two operations.")
    >>> film = Article(title="The Ring", topics=(), text="The Ring is a film.")
    >>> names = Names([ring, film])
    >>> text = "Rings have units. In The Ring the ring is no ring."
    >>> [text[mention.begin : mention.end] for mention in names.mentions(text)]
    ['Rings', 'The Ring', 'ring', 'ring']
    """

    def __init__(self, articles: Sequence[Article]) -> None:
        self.articles: dict[Key, list[int]] = {}
        self._written: dict[Key, set[str]] = {}  # how a name must be written, unless it is a common one
        self._common: set[Key] = set()
        exact = {_key(article.title): number for number, article in enumerate(articles)}
        for number, article in enumerate(articles):
            for name in dict.fromkeys((article.title, _BRACKET.sub("", article.title))):
                key = _key(name)
                if not key or len(key) > LONGEST or len("".join(key)) < 3 or exact.get(key, number) != number:
                    continue
                self.articles.setdefault(key, []).append(number)
                self._note(key, name, common=_is_common(name, article.text))
        self._longest: defaultdict[str, int] = defaultdict(int)
        for key in self.articles:
            self._longest[key[0]] = max(self._longest[key[0]], len(key))

    def mentions(self, text: str) -> Iterator[Mention]:
        """Yield the mentions in a text, one after another; of those that begin together, the longest."""
        found = [(match.start(), match.end()) for match in _WORD.finditer(text)]
        words = [_singular(text[begin:end].lower()) for begin, end in found]
        at = 0
        while at < len(words):
            most = self._longest.get(words[at], 0)
            for size in range(min(most, len(words) - at), 0, -1):
                key = tuple(words[at : at + size])
                begin, end = found[at][0], found[at + size - 1][1]
                if key in self.articles and self._is_so_written(key, text, begin, end):
                    yield Mention(begin=begin, end=end, key=key)
                    at += size
                    break
            else:
                at += 1

    def _is_so_written(self, key: Key, text: str, begin: int, end: int) -> bool:
        if key in self._common:
            return True
        # A capital at the beginning of a sentence says nothing about a single word.
        before = text[max(begin - 2, 0) : begin].strip()
        return text[begin:end] in self._written[key] and (len(key) > 1 or before not in ("", ".", "?", "!"))

    def _note(self, key: Key, name: str, *, common: bool) -> None:
        self._written.setdefault(key, set()).add(name)
        if common:
            self._common.add(key)


class Wiki:
    """The pages of a wiki of some articles."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self._articles = articles
        self._names = Names(articles)
        self._urls = _addresses([article.title for article in articles])
        self._known = {url: number for number, url in enumerate(self._urls)}
        self._unclear = [key for key, many in self._names.articles.items() if len(many) > 1]
        lists = _addresses([f"{' '.join(key).capitalize()} (disambiguation)" for key in self._unclear])
        self._target = {key: self._urls[many[0]] for key, many in self._names.articles.items()}
        self._target |= dict(zip(self._unclear, lists, strict=True))

    def pages(self) -> Iterator[Page]:
        """Yield the articles, the lists of articles that share a name, and the main page."""
        found = [list(self._names.mentions(article.text)) for article in self._articles]
        counts = Counter(key for mentions in found for key in {mention.key for mention in mentions})
        links = [self._links(number, mentions, counts) for number, mentions in enumerate(found)]
        citing = defaultdict[int, list[int]](list)
        for number, own in enumerate(links):
            for target in {self._known[link.url] for link in own if link.url in self._known}:
                citing[target].append(number)
        named = Counter(name for article in self._articles for name in set(_NAME.findall(article.text)))
        for number, own in enumerate(links):
            yield self._page(number, own, citing[number], named)
        for key in self._unclear:
            many = self._names.articles[key]
            yield self._list(self._target[key], f"{' '.join(key).capitalize()} may refer to", many)
        by_chance = sorted(range(len(self._articles)), key=lambda number: _drawn(f"main {number}"))
        yield self._list(f"{HOST}/", "Main page", by_chance[:50])

    def _links(self, number: int, mentions: Iterable[Mention], counts: Counter[Key]) -> list[Link]:
        """Return the first mentions of other articles that are links."""
        found = dict[str, Link]()
        for mention in mentions:
            many, url = counts[mention.key], self._target[mention.key]
            drawn = _drawn(f"{number} {' '.join(mention.key)}")
            if number not in self._names.articles[mention.key] and many <= ALWAYS and drawn * many <= OFTEN:
                found.setdefault(url, Link(begin=mention.begin, end=mention.end, url=url))
        return list(found.values())

    def _page(self, number: int, links: Sequence[Link], citing: Sequence[int], named: Counter[str]) -> Page:
        article, linked = self._articles[number], {link.url for link in links}
        others = [one for one in citing if self._urls[one] not in linked]
        also = sorted(sorted(others, key=lambda one: _drawn(f"{number} also {one}"))[:ALSO])
        dead = [
            Link(begin=match.start(), end=match.end(), url=_address(match.group()))
            for match in _NAME.finditer(article.text)
            if named[match.group()] >= NAMED and _drawn(match.group()) * DEAD < 1.0
        ]
        taken = {place for link in links for place in range(link.begin, link.end)}
        dead = [link for link in {link.url: link for link in reversed(dead)}.values() if link.begin not in taken]
        dead = [link for link in dead if link.end - 1 not in taken and link.url not in self._known]
        listed = [(self._urls[one], self._articles[one].title) for one in also]
        return Page(
            url=self._urls[number],
            html=_html(article.title, _marked(article.text, [*links, *dead]) + _listed("See also", listed)),
            links=len(links) + len(also),
            dead=len(dead),
            topics=article.topics,
        )

    def _list(self, url: str, title: str, articles: Sequence[int]) -> Page:
        listed = [(self._urls[number], self._articles[number].title) for number in articles]
        return Page(url=url, html=_html(title, _listed("Articles", listed)), links=len(listed))


def read_articles(source: Path) -> list[Article]:
    """Read the articles of a source."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [Article(title=row["title"], topics=tuple(row["topics"]), text=row["text"]) for row in rows]


def write_wiki(pages: Sequence[Page], folder: Path) -> tuple[Path, Path]:
    """Write the archive of a wiki and its labels. Return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    warc, labels = folder / f"{NAME}.warc.gz", folder / f"{NAME}.labels.tsv"
    with warc.open("wb") as file:
        for page in pages:
            file.write(gzip.compress(_record(page), compresslevel=4, mtime=0))
    rows = [f"{page.url}\t{topic}\n" for page in pages for topic in page.topics]
    labels.write_text("url\ttopic\n" + "".join(rows), encoding="utf-8")
    return warc, labels


def _key(name: str) -> Key:
    return tuple(_singular(word.lower()) for word in _WORD.findall(name))


def _singular(word: str) -> str:
    """Return a word without the s of the plural."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_common(name: str, text: str) -> bool:
    """Tell whether an article writes its name small, as that of a thing, not of a person, a place or a work."""
    return name[1:] == name[1:].lower() and (name[0].lower() + name[1:]) in text


def _drawn(what: str) -> float:
    """Return a number from 0 to 1 that looks like chance, and is the same each time."""
    return int.from_bytes(blake2b(what.encode(), digest_size=6).digest()) / 2**48


def _address(title: str) -> str:
    return f"{HOST}/wiki/{quote(title.replace(' ', '_'), safe='()_,-.')}"


def _addresses(titles: Sequence[str]) -> list[str]:
    """Return an address for each title; the second of two that are the same has a number."""
    seen = Counter[str]()
    found = []
    for title in titles:
        seen[title] += 1
        found.append(_address(title if seen[title] == 1 else f"{title} {seen[title]}"))
    return found


def _marked(text: str, links: Sequence[Link]) -> str:
    """Return a text as paragraphs and headings, with its links."""
    parts, at = list[str](), 0
    for link in sorted(links, key=lambda link: link.begin):
        parts += [escape(text[at : link.begin]), f'<a href="{link.url}">{escape(text[link.begin : link.end])}</a>']
        at = link.end
    whole = "".join([*parts, escape(text[at:])])
    return "".join(_block(line) for line in whole.split("\n") if line.strip())


def _block(line: str) -> str:
    """Return a paragraph, or a heading: a short line that does not end as sentences do."""
    is_heading = len(line) < 60 and "<" not in line and not line.rstrip().endswith((".", ":", ",", ";", ")"))
    return f"<h2>{line}</h2>\n" if is_heading else f"<p>{line}</p>\n"


def _listed(heading: str, links: Sequence[tuple[str, str]]) -> str:
    if not links:
        return ""
    rows = "".join(f'<li><a href="{url}">{escape(title)}</a></li>' for url, title in links)
    return f"<h2>{heading}</h2>\n<ul>{rows}</ul>\n"


def _html(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)} - Wiki</title></head><body>\n"
        f'<ul class="menu"><li><a href="{HOST}/">Main page</a></li></ul>\n'
        f"<h1>{escape(title)}</h1>\n{body}<footer><p>Text by Wikipedia contributors, CC BY-SA 3.0.</p></footer>"
        "</body></html>\n"
    )


def _record(page: Page) -> bytes:
    """Return a WARC record."""
    body = page.html.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    block = head.encode() + body
    fields = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {page.url}\r\nContent-Length: {len(block)}\r\n\r\n"
    return fields.encode() + block + b"\r\n\r\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the wiki, and say how many links its pages have."""
    parser = argparse.ArgumentParser(prog="python -m bench.mention_wiki", description=str(__doc__).splitlines()[0])
    parser.add_argument("--source", type=Path, required=True, metavar="PATH", help="background.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    chosen = parser.parse_args(arguments)
    pages = list(Wiki(read_articles(chosen.source)).pages())
    warc, _ = write_wiki(pages, chosen.out)
    links = [page.links for page in pages if page.topics]
    dead = [page.dead for page in pages if page.topics]
    print(
        f"{len(pages):,} pages in {warc}: {mean(links):.1f} links each (median {median(links):.0f}), "
        f"{mean(dead):.1f} dead"
    )


if __name__ == "__main__":
    main()
