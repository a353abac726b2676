"""The demo web with many more hosts: small sites of all its topics, each a domain of its own.

It is for crawls by several engines, which share the hosts among them: the demo web has 69. As an archive with labels it
can be crawled in the lab.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from scenthound.archive.warc import gzip_member
from scenthound.demo.grammar import Vocabulary
from scenthound.demo.host_table import DemoHost, Layout
from scenthound.demo.served_answer import Answer, Behaviour
from scenthound.demo.site_plan import Plan, plan_web
from scenthound.demo.web import DemoWeb
from scenthound.lab.world.cache import cache_folder
from scenthound.whole_file import replacing

LAYOUTS = (Layout.MAGAZINE, Layout.BLOG, Layout.CLUB)


@dataclass(frozen=True)
class WideWeb(DemoWeb):
    """The demo web with so many further hosts, of so many pages each (eight of them are not articles)."""

    more: int = 1_000
    each: int = 14

    def __reduce__(self) -> "tuple[type[WideWeb], tuple[int, ...]]":  # type: ignore[override]
        return WideWeb, (self.seed, self.more, self.each)

    @cached_property
    def _plan(self) -> Plan:
        return plan_web(self.seed, self._vocabulary, more=self._further(self._vocabulary))

    def _further(self, vocabulary: Vocabulary) -> Iterator[DemoHost]:
        topics = list(vocabulary.sites)
        for number in range(self.more):
            topic, layout = topics[number % len(topics)], LAYOUTS[number // len(topics) % len(LAYOUTS)]
            name = f"{topic.rpartition('/')[2].lower().replace('_', '-')}-{number}"
            title = name.replace("-", " ").title()
            yield DemoHost(name=f"www.{name}.test", topic=topic, layout=layout, pages=self.each, title=title)

    def archive(self) -> tuple[Path, Path]:
        """Return the pages as an archive, and the table of their topics; both are kept in the lab's cache."""
        digest = blake2b("\n".join(self.pages).encode(), digest_size=6).hexdigest()
        warc = cache_folder() / f"wide-{self.more}-{digest}.warc.gz"
        labels = warc.with_name(warc.name.replace(".warc.gz", ".labels.tsv"))
        if not warc.is_file():
            warc.parent.mkdir(parents=True, exist_ok=True)
            rows = (f"{url}\t{topic}\n" for url, topic in self.truth.items() if not topic.startswith("Other/"))
            with replacing(labels) as aside:
                aside.write_text("url\ttopic\n" + "".join(rows), "utf-8")
            with replacing(warc) as aside, aside.open("wb") as file:
                for url in (*self.pages, *self._plan.moved):
                    host, _, path = url.removeprefix("http://").partition("/")
                    answer = self.answer(host, f"/{path}")
                    if answer.behaviour in (Behaviour.PLAIN, Behaviour.CHUNKED):
                        file.write(gzip_member(b"", _record(url, answer)))
        return warc, labels


def _record(url: str, answer: Answer) -> bytes:
    head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    block = f"HTTP/1.1 {answer.status} Answer\r\n{head}\r\n".encode() + answer.body
    fields = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n\r\n"
    return fields.encode() + block + b"\r\n\r\n"
