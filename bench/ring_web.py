"""A made-up web for several engines: small domains in a ring, whose hosts share a few addresses of this machine."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from bench.politeness import Breach
from scenthound.demo.protocol import LogEntry
from scenthound.demo.served_answer import Answer, AnsweringFunction
from scenthound.demo.server import ServedWeb


@dataclass(frozen=True, slots=True)
class RingWeb:
    """Domains with two hosts each, whose pages link to pages of the next domains. One host in four has a Crawl-delay.

    Domains are dealt out to `addresses`, so that hosts of several domains, and of several engines, share one.
    """

    domains: int
    pages: int
    addresses: int = 1

    @property
    def seeds(self) -> list[str]:
        return [f"http://{self._host(number, 0)}/0" for number in range(0, self.domains, 7)]

    @property
    def hosts(self) -> list[str]:
        return [self._host(number, part) for number in range(self.domains) for part in (0, 1)]

    @property
    def urls(self) -> set[str]:
        return {f"http://{host}/{page}" for host in self.hosts for page in range(self.pages)}

    def answer(self, host: str, path: str) -> Answer:
        domain, part = int(host.split(".")[1].removeprefix("site")), int(host[1])
        if path == "/robots.txt":
            rules = b"User-agent: *\nDisallow: /never\n" + (b"Crawl-delay: 0.5\n" if domain % 4 == 0 else b"")
            return Answer(headers=(("Content-Type", "text/plain"),), body=rules)
        page = path.removeprefix("/")
        if not page.isdigit() or int(page) >= self.pages:
            return Answer(status=404)
        links = "".join(
            f'<a href="{url}">{url}</a> <a href="/never">no</a>' for url in self._links(domain, part, int(page))
        )
        text = f"<title>{host} {page}</title><p>Page {page} of {host}, about nothing else. {links}"
        return Answer(headers=(("Content-Type", "text/html"),), body=text.encode(), delay=0.05)

    def _links(self, domain: int, part: int, page: int) -> Iterator[str]:
        yield f"http://{self._host(domain, 1 - part)}/{page}"
        yield f"http://{self._host(domain, part)}/{(page + 1) % self.pages}"
        for step in (1, 2, 5):
            yield f"http://{self._host((domain + step) % self.domains, part)}/{page}"

    def _host(self, domain: int, part: int) -> str:
        return f"h{part}.site{domain}.test{domain % self.addresses}"


def domain_of(host: str) -> str:
    """Return the domain of a host of the ring, as `h0.site3.test1`."""
    return host.partition(".")[2]


def address_of(host: str) -> str:
    """Return what hosts at one address have in common."""
    return host.rpartition(".")[2]


class ServedRing:
    """A ring served at its addresses, 127.0.0.1 and those after it, as long as the `with` lasts."""

    def __init__(self, web: RingWeb, answer: AnsweringFunction) -> None:
        self._served = [ServedWeb(answer, address=f"127.0.0.{place + 1}") for place in range(web.addresses)]
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for served in self._served:
            self._stack.enter_context(served)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def resolve(self) -> str:
        """The setting that leads crawls here."""
        rows = (f'"*.test{n}" = "127.0.0.{n + 1}:{served.port}"' for n, served in enumerate(self._served))
        return f"fetch.resolve={{{', '.join(rows)}}}"

    def log(self) -> list[LogEntry]:
        return [entry for served in self._served for entry in served.log()]


def crowds(log: Sequence[LogEntry], what: str, most: int) -> list[Breach]:
    """Return each request that a domain or an address had beyond so many at a time."""
    found, ends = list[Breach](), dict[str, list[float]]()
    for entry in sorted(log, key=lambda entry: entry.started):
        name = domain_of(entry.host) if what == "domain" else address_of(entry.host)
        flying = [end for end in ends.get(name, []) if end > entry.started] + [entry.finished]
        ends[name] = flying
        if len(flying) > most:
            kind, detail = f"requests beyond the limit of one {what}", f"{entry.path} as one of {len(flying)}"
            found.append(Breach(kind=kind, host=entry.host, detail=detail, visit=entry))
    return found
