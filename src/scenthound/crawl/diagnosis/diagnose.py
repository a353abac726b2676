"""The diagnosis of a crawl: from its latest pages and the census to findings, with evidence and a command that helps.

RELATIONAL §3.7 and FOCUS §4 asked such questions by hand ("most pages around mutual funds are about investment"). All
here is pure: a `Sight` in, findings out. Each rule needs a least number of pages and more than chance would give,
because it looks at the crawl every few dozen pages for as long as the crawl runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scenthound.crawl.diagnosis.apprentice_findings import poor_forecasts
from scenthound.crawl.diagnosis.reader_answers import Answers, contradiction
from scenthound.crawl.diagnosis.topic_findings import Tale, falling_relevance, stagnation, undecided
from scenthound.crawl.diagnosis.unchecked_harvest import unchecked
from scenthound.crawl.diagnosis.work_findings import Work, falling_speed, nearly_dry, one_domain
from scenthound.crawl.order.forecasts import Forecast
from scenthound.events import Finding, FindingKind
from scenthound.frontier.orders import APPRENTICE
from scenthound.parse.urls import canonical, domain_of, host_of
from scenthound.taxonomy import Topics
from scenthound.types import Awaited, Census, HostView, RecentPage

SEEN = 400  # pages looked at, those fetched last


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A crawl as it can be seen at one moment. `path` is the user's name for it, for commands.

    `accept` is None if no page is judged, or all are followed alike. `ticks` are moments of this run with the pages
    fetched by then, `earlier` the reasons why URLs had failed some time ago. `left` is the rest of the page budget,
    None without one. `forecasts` are those of the links that an apprentice chose last, all under the present critic,
    and `lead` is its weight against best-first. `share` is how much of the fetches one registered domain may have,
    `awaited` the host that a choosy crawl waits for.
    """

    path: str
    pages: Sequence[RecentPage]
    census: Census
    now: float
    topics: Topics
    accept: float | None = None
    hosts: Sequence[HostView] = ()
    ticks: Sequence[tuple[float, int]] = ()
    earlier: Mapping[str, int] = field(default_factory=dict)
    left: int | None = None
    offline: bool = False
    order: str = APPRENTICE
    forecasts: Sequence[Forecast] = ()
    lead: float | None = None
    share: float = 1.0
    locked: Sequence[str] = ()
    awaited: Awaited | None = None
    answers: Answers | None = None  # of a reader, about pages of this crawl


def diagnose(sight: Sight) -> list[Finding]:
    """Return what is the matter, the gravest first; nothing about a crawl that does well."""
    work = Work(
        path=sight.path,
        pages=sight.pages,
        census=sight.census,
        hosts=sight.hosts,
        ticks=sight.ticks,
        earlier=sight.earlier,
        left=sight.left,
        offline=sight.offline,
        now=sight.now,
        share=sight.share if sight.accept is not None else None,  # without a focus a crawl may well be of one site
        examples=_domains_of_examples(sight.topics),
        locked=sight.locked,
        awaited=sight.awaited,
    )
    forecasts = poor_forecasts(sight.path, sight.forecasts, order=sight.order, lead=sight.lead)
    found = [forecasts, falling_speed(work), one_domain(work), nearly_dry(work)]
    if sight.accept is not None:
        tale = Tale(
            path=sight.path, pages=sight.pages, topics=sight.topics, accept=sight.accept, waiting=sight.census.waiting
        )
        # A crawl that stagnates has fallen before, and one whose critic cannot tell has no relevance to speak of.
        found = [stagnation(tale) or undecided(tale) or falling_relevance(tale), *found]
        doubts = unchecked(sight.path, sight.pages, sight.topics, sight.answers, sight.census)
        found = [contradiction(sight.path, sight.answers, sight.census), doubts, *found]
    return [one for one in found if one is not None]


def _domains_of_examples(topics: Topics) -> list[str]:
    addresses = [canonical(url) for topic in topics.topics if topics.is_good(topic.path) for url in topic.example_urls]
    return [domain_of(host_of(url)) for url in addresses if url is not None]


__all__ = ["SEEN", "Finding", "FindingKind", "Sight", "diagnose"]
