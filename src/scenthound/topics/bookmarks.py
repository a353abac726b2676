"""Topics from browser bookmarks: the Netscape HTML that all browsers export, in which nested folders are topics.

    <DT><H3>Recreation</H3>
    <DL><p>
        <DT><A HREF="https://www.example.org/">Touring</A>
    </DL><p>

The format has no specification. We read what browsers and twenty years of converters write: lists that are never
closed, folders without a list, names in any declared encoding. Bookmarks outside all folders become a topic of their
own.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from scenthound.counted import count
from scenthound.errors import TopicsError
from scenthound.parse.charset import charset_of, decode
from scenthound.parse.urls import canonical
from scenthound.taxonomy import Topic, Topics, ancestors
from scenthound.topics.imported import Imported
from scenthound.topics.sentences import quoted
from scenthound.topics.topic_names import tidy_name

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DEEPEST = 50  # nested folders: lists that are never closed must not make endless paths
LOOSE = "Bookmarks"  # the topic of bookmarks without a folder


def import_bookmarks(path: Path) -> Imported:
    """Read exported bookmarks. No topic is good yet."""
    try:
        body = path.read_bytes()
    except OSError as error:
        raise TopicsError(f"{path}: cannot be read: {error.strerror}") from None
    folders = _Folders()
    folders.feed(decode(body, charset_of(body)))
    folders.close()
    if not any(folders.found.values()):
        raise TopicsError(
            f"{path.name}: it has no bookmark of a web page; export your bookmarks as an HTML file in the browser"
        )
    topics = tuple(Topic(path=name, examples=tuple(urls.values())) for name, urls in folders.found.items() if urls)
    return Imported(topics=Topics(topics=topics), notes=tuple(folders.notes()))


class _Folders(HTMLParser):
    """Follows headings and lists. `found` has the URLs of each folder by their canonical form."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self._skipped: Counter[str] = Counter()
        self._again = 0
        self._open: list[str] = []  # the paths of the lists that are open, innermost last
        self._name: list[str] | None = None  # the pieces of the heading that is being read
        self._next = ""  # the folder whose list is expected

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "h3":
            self._end_heading()
            self._name = []
        elif tag == "dl":
            self._end_heading()
            self._open.append(self._next or self._here())
            self._next = ""
        elif tag == "a":
            self._end_heading()
            if href := (dict(attrs).get("href") or "").strip():
                self._take(href)

    def handle_endtag(self, tag: str) -> None:
        if tag == "h3":
            self._end_heading()
        elif tag == "dl":
            self._end_heading()
            self._next = ""
            del self._open[-1:]

    def handle_data(self, data: str) -> None:
        if self._name is not None:
            self._name.append(data)

    def notes(self) -> Iterator[str]:
        """Say what was skipped and what was merged."""
        if self._skipped:
            kinds = ", ".join(f"{number:,} {kind}" for kind, number in self._skipped.most_common())
            yield f"Skipped bookmarks that are not web pages: {kinds}."
        if self._again:
            yield f"{count(self._again, 'bookmark')} occurred twice in one folder."
        leads_on = {above for path, urls in self.found.items() if urls for above in ancestors(path)}
        if empty := [path for path, urls in self.found.items() if not urls and path not in leads_on]:
            yield f"Skipped empty folders: {quoted(empty)}."
        if self.found.get(LOOSE) and len(self.found) > 1:
            yield f'Bookmarks without a folder are in "{LOOSE}".'

    def _here(self) -> str:
        return self._open[-1] if self._open else ""

    def _end_heading(self) -> None:
        if self._name is None:
            return
        above, name = self._here(), tidy_name("".join(self._name))
        if above.count("/") + 1 < _DEEPEST:
            self._next = f"{above}/{name}" if above else name
        else:
            self._next = above
        self.found.setdefault(self._next, {})
        self._name = None

    def _take(self, href: str) -> None:
        url = canonical(href)
        if url is None:
            scheme = _SCHEME.match(href)
            self._skipped[scheme[0].lower() if scheme else "without a scheme"] += 1
            return
        folder = self.found.setdefault(self._here() or LOOSE, {})
        self._again += url in folder
        folder.setdefault(url, href)
