"""Values of services that a reader looks at as text: the status of a crawl, the story of a URL, what feedback did."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from scenthound.counted import count
from scenthound.judge.quality.succession import Succession
from scenthound.library import html_parts
from scenthound.services.status.crawl_status import Status
from scenthound.services.why.url_story import Known
from scenthound.terminal import shown

T = TypeVar("T")


class Told:
    """Shows itself by its lines."""

    __slots__ = ()

    def lines(self) -> Iterator[str]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(map(shown, self.lines()))

    def _repr_html_(self) -> str:
        return html_parts.lines(self.lines())


class CrawlStatus(Told, Status):
    """How a crawl stands, with the numbers and sentences of `scenthound status`."""

    __slots__ = ()

    def lines(self) -> Iterator[str]:
        census = self.census
        yield "running" if self.running else "not running"
        yield f"{count(census.pages, 'page')}, {census.waiting:,} waiting, {count(census.hosts, 'host')}"
        if self.harvest is not None:
            judged = count(census.judged, "judged page")
            yield f"harvest {self.harvest:.3f} over {judged}, by the critic's own judgement"
        yield from self.explanation()
        yield from (finding.sentence for finding in self.findings)


class UrlStory(Told, Known):
    """All that is known about a URL, as `scenthound why` tells it."""

    __slots__ = ()

    def lines(self) -> Iterator[str]:
        return Known.lines(self)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Heard(Told):
    """What feedback did: a sentence for each page, and the new critic's effect; None where a running crawl learns."""

    says: tuple[str, ...]
    effect: Succession | None = None

    def lines(self) -> Iterator[str]:
        yield from self.says
        if self.effect is not None:
            yield f"{self.effect.said}."
            if self.effect.worse:
                yield f'Not used, because it is worse: {self.effect.worse}. To use it anyway: learn="always"'
            yield from (f"  {page.before:.2f} → {page.after:.2f}  {page.url}" for page in self.effect.turned)


def told_as(kind: type[T], value: Any) -> T:
    """Return a value of services as the kind that shows itself."""
    return kind(**{field.name: getattr(value, field.name) for field in fields(value)})
