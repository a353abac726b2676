"""A crawl as a Python object: run it, search it, read its pages, correct it. `scenthound.open` returns one."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import harvest
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.query import SECONDS
from scenthound.distill.ranking import Ranked, RankedSite
from scenthound.errors import ScenthoundError, UrlError, UsageError
from scenthound.events import Listener, Summary, ignore
from scenthound.library import html_parts
from scenthound.library.data_frames import Column
from scenthound.library.page_set import Pages, seconds_of
from scenthound.library.row_list import Rows
from scenthound.library.run_display import IndexMeter, both, displayed, stopping_by_interrupt
from scenthound.library.search_result import SearchResult
from scenthound.library.told_values import CrawlStatus, Heard, UrlStory, told_as
from scenthound.search.query_language import parse_query
from scenthound.search.types import Weights
from scenthound.services.clusters.crawl_clusters import Cluster, ClusterWish, clusters_of
from scenthound.services.corpus.wish import language_code
from scenthound.services.results.best_pages import RankedPages, Wanted, authorities_of, hubs_of, sites_of
from scenthound.services.results.page_list import PageOrder, PageQuery
from scenthound.services.results.page_text import text_of_page
from scenthound.services.search.crawl_search import SearchWish, let_go, search_crawl
from scenthound.services.search.indexer import indexing_beside
from scenthound.services.sql.answer_text import distinct
from scenthound.services.sql.ask import answered
from scenthound.services.status.crawl_status import status_of
from scenthound.services.topics.page_feedback import Saying, say, take_back
from scenthound.services.topics.topic_rows import TopicRow, pages_by_topic, rows_of
from scenthound.services.why.url_story import known_of
from scenthound.settings.help import toml_value
from scenthound.topics.topic_names import find_topic

if TYPE_CHECKING:
    from scenthound.crawl.engine.assemble import StopSwitch
    from scenthound.crawl.revisit.calendar import Revisit

MOST_ROWS: Final = 1_000_000  # of an answer in SQL, which is held in memory

_RANKED: Final[tuple[Column[Ranked], ...]] = (
    Column(name="title", read=lambda page: page.title, kind=str),
    Column(name="url", read=lambda page: page.url, kind=str),
    Column(name="score", read=lambda page: page.score, kind=float),
    Column(name="relevance", read=lambda page: page.relevance, kind=float),
    Column(name="topic", read=lambda page: page.topic, kind=str),
    Column(name="links", read=lambda page: page.count, kind=int),
)
_SITES: Final[tuple[Column[RankedSite], ...]] = (
    Column(name="site", read=lambda site: site.site, kind=str),
    Column(name="score", read=lambda site: site.score, kind=float),
    Column(name="pages", read=lambda site: site.pages, kind=int),
    Column(name="relevant", read=lambda site: site.relevant, kind=int),
    Column(name="density", read=lambda site: site.density, kind=float),
)
_CLUSTERS: Final[tuple[Column[Cluster], ...]] = (
    Column(name="place", read=lambda group: group.place, kind=str),
    Column(name="label", read=lambda group: group.label, kind=str),
    Column(name="pages", read=lambda group: group.pages, kind=int),
    Column(name="topic", read=lambda group: group.topic, kind=str),
    Column(name="best", read=lambda group: group.best[0].url if group.best else "", kind=str),
)
_TOPICS: Final[tuple[Column[TopicRow], ...]] = (
    Column(name="path", read=lambda topic: topic.path, kind=str),
    Column(name="state", read=lambda topic: topic.state, kind=str),
    Column(name="examples", read=lambda topic: len(topic.examples), kind=int),
    Column(name="pages", read=lambda topic: topic.pages),
)
Row = tuple[object, ...]


class Crawl:
    """One crawl directory. Every answer is of the crawl as it is at that moment, also while another process crawls."""

    def __init__(self, directory: CrawlDirectory) -> None:
        self.directory = directory

    @property
    def path(self) -> Path:
        """The folder of the crawl."""
        return self.directory.path

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    def run(
        self,
        pages: int | None = None,
        *,
        minutes: float | None = None,
        settings: Mapping[str, object] | None = None,
        revisit: "Revisit | None" = None,
        forgive: bool = False,
        progress: bool = True,
        listener: Listener | None = None,
        stop: "StopSwitch | None" = None,
    ) -> Summary:
        """Run the crawl, or resume it, until it stops; return how it ended.

        `pages` counts over all runs, as `crawl --pages` does. `settings` change this run alone, by their names in
        crawl.toml. An interrupt (Ctrl-C, or the notebook's button) stops it in good order.
        """
        from scenthound.crawl.engine.assemble import StopSwitch, run_crawl  # they take two seconds to import

        budgets = {"crawl.pages": pages, "crawl.minutes": None if minutes is None else float(minutes)}
        wanted = {**(settings or {}), **{name: value for name, value in budgets.items() if value is not None}}
        chosen = self.directory.settings(overrides(wanted))
        if not self.directory.begun:
            self.directory.starting_points()  # fail now if there are none
        beside = indexing_beside(self.directory, on=chosen.search.beside)
        stop = stop or StopSwitch()
        with displayed(pages=chosen.crawl.pages, on=progress) as display, beside, stopping_by_interrupt(stop):
            summary = run_crawl(
                self.directory,
                chosen,
                listener=both(display.hear, listener),
                stop=stop,
                revisit=revisit,
                forgive=forgive,
                given=list(wanted),
            )
            display.end(summary)
        return summary

    def search(
        self,
        words: str = "",
        *,
        topic: str = "",
        vague: bool = False,
        weights: Weights | Mapping[str, float] | str | None = None,
        like: str | Sequence[str] = (),
        like_text: str = "",
        site: str = "",
        language: str = "",
        mime: str = "",
        month: str = "",
        most: int = 10,
    ) -> SearchResult:
        """Search the text of everything fetched; the best pages come first. The first search builds the index."""
        parse_query(words)  # what cannot be read is said before an index is built
        wish = SearchWish(
            words=words,
            topic=topic,
            vague=vague,
            weights=_weights(weights),
            like=(like,) if isinstance(like, str) else tuple(like),
            like_text=like_text,
            site=site,
            language=language,
            mime=mime,
            month=month,
            limit=most,
            heard=IndexMeter(),
        )
        if not any((words.strip(), wish.like, like_text, topic, site, language, mime, month)):
            raise UsageError('say what to search for, such as: crawl.search("hub gears")')
        return SearchResult(search_crawl(self.directory, wish), words or "search")

    def pages(
        self,
        *,
        topic: str = "",
        min_relevance: float | None = None,
        language: str = "",
        since: datetime | date | str | float | None = None,
        site: str = "",
        mime: str = "",
    ) -> Pages:
        """Return the fetched pages that pass all filters, in fetch order. A topic stands for those below it too."""
        if min_relevance is not None and not 0 <= min_relevance <= 1:
            raise UsageError(f"min_relevance {min_relevance}: give a number from 0 to 1")
        query = PageQuery(
            topic=find_topic(self.directory.topics(), topic) if topic else "",
            min_relevance=min_relevance,
            language=language_code(language) if language else "",
            since=seconds_of(since),
            site=site,
            mime=mime,
            order=PageOrder.OLDEST,
        )
        return Pages(self.directory, query)

    def text(self, url: str) -> str:
        """Return the text of a fetched page."""
        return text_of_page(self.directory, url).text

    def hubs(self, *, topic: str | None = None, most: int = 20) -> Rows[Ranked]:
        """Return the pages that link to many good ones, best first."""
        return _ranked(hubs_of(self.directory, Wanted(topic=topic, most=_positive(most))), "hubs")

    def authorities(self, *, topic: str | None = None, most: int = 20) -> Rows[Ranked]:
        """Return the pages that good hubs link to, best first."""
        return _ranked(authorities_of(self.directory, Wanted(topic=topic, most=_positive(most))), "authorities")

    def sites(self, *, topic: str | None = None, most: int = 20) -> Rows[RankedSite]:
        """Return the sites with the greatest share of relevant pages, best first."""
        found = sites_of(self.directory, Wanted(topic=topic, most=_positive(most)))
        return Rows(found.sites, _SITES, about=f"sites for {', '.join(found.topics)}")

    def clusters(
        self, *, topic: str = "", words: str = "", site: str = "", groups: int = 0, into: Sequence[int] = ()
    ) -> Rows[Cluster]:
        """Return groups of pages that are alike, largest first; `into=(2, 1)` walks into the first group in the second.

        `groups` sets their number. Without it, the pages choose.
        """
        wish = ClusterWish(topic=topic, words=words, site=site, groups=groups, into=tuple(into), heard=IndexMeter())
        found = clusters_of(self.directory, wish)
        return Rows(found.groups, _CLUSTERS, about="groups")

    @property
    def topics(self) -> Rows[TopicRow]:
        """The topics, parents before children, with the number of pages found of each."""
        rows = rows_of(self.directory.topics(), pages_by_topic(self.directory))
        return Rows(rows, _TOPICS, about="topics")

    def sql(self, statement: str, *, seconds: float = SECONDS, most: int = MOST_ROWS) -> Rows[Row]:
        """Answer a question in SQL, which can only read; more than `most` rows are an error."""
        rows: list[Row] = []
        with answered(self.directory, statement, seconds=seconds) as answer:
            names = distinct(answer.columns)
            for row in answer.rows:
                if len(rows) >= most:
                    raise UsageError(f"the answer has more than {most:,} rows; ask for less (LIMIT), or give most=")
                rows.append(row)
        return Rows(rows, [_sql_column(name, place) for place, name in enumerate(names)], about="rows")

    def why(self, url: str) -> UrlStory:
        """Return all that is known about a URL: where it was found, every attempt, what became of it."""
        known = known_of(self.directory, url)
        if isinstance(known, str):
            raise UrlError(known)
        return told_as(UrlStory, known)

    def status(self) -> CrawlStatus:
        """Return how the crawl stands and what slows it down."""
        return told_as(CrawlStatus, status_of(self.directory))

    def feedback(self, *urls: str, good: bool = True, topic: str = "", learn: bool | Literal["always"] = True) -> Heard:
        """Say that pages are what you want, or not (`good=False`), and train the critic on it.

        `topic` names the good topic that they belong to. With `learn=False` the critic learns at the next run. A
        critic that is worse on examples held back is used only with `learn="always"`.
        """
        where = find_topic(self.directory.topics(), topic) if topic else ""
        saying = Saying.GOOD if good else Saying.NOT_GOOD
        return self._heard([say(self.directory, url, saying, topic=where).says for url in _some(urls)], learn)

    def undo_feedback(self, *urls: str, learn: bool | Literal["always"] = True) -> Heard:
        """Take back the last feedback on pages."""
        return self._heard([take_back(self.directory, url).says for url in _some(urls)], learn)

    def close(self) -> None:
        """Let the search index go, which is all that stays open between two calls."""
        let_go(self.directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Crawl {self.path}: {'; '.join(text for _, text in self._facts())}>"

    def _repr_html_(self) -> str:
        return html_parts.table(["crawl", str(self.path)], self._facts())

    def _facts(self) -> list[tuple[str, str]]:
        """Return the crawl in a few words; one that cannot be read says why."""
        try:
            status, topics = status_of(self.directory), self.directory.topics()
        except ScenthoundError as error:
            return [("cannot be read", str(error))]
        rate = harvest(status.census)
        facts = [
            ("pages", count(status.census.pages, "page")),
            ("harvest", "" if rate is None else f"harvest {rate:.3f}"),
            ("frontier", f"{status.census.waiting:,} waiting"),
            ("good topics", ", ".join(topic.path for topic in topics.good)),
            ("state", "running" if status.running else "not running"),
        ]
        return [fact for fact in facts if fact[1]]

    def _heard(self, says: Sequence[str], learn: bool | Literal["always"]) -> Heard:
        """Train the critic on what was said, unless a running crawl does it or nothing is there to judge."""
        directory = self.directory
        if not learn or directory.is_running() or not directory.begun:
            return Heard(says=tuple(says))
        from scenthound.crawl.engine.assemble import retrain

        effect = retrain(directory, directory.settings(), listener=ignore, insist=learn == "always")
        return Heard(says=tuple(says), effect=effect)


def overrides(settings: Mapping[str, object]) -> list[str]:
    """Return settings as the command line writes them.

    >>> overrides({"fetch.delay": 0.5, "crawl.order": "breadth"})
    ['fetch.delay=0.5', 'crawl.order="breadth"']
    """
    try:
        return [f"{name}={toml_value(value)}" for name, value in settings.items()]
    except TypeError as error:
        raise UsageError(f"settings: {error}") from None


def _weights(given: Weights | Mapping[str, float] | str | None) -> Weights:
    if isinstance(given, Mapping):
        return Weights.parse(",".join(f"{name}={value}" for name, value in given.items()))
    if isinstance(given, str):
        return Weights.parse(given)
    return Weights() if given is None else given.checked()


def _ranked(found: RankedPages, name: str) -> Rows[Ranked]:
    return Rows(found.pages, _RANKED, about=f"{name} for {', '.join(found.topics)}")


def _sql_column(name: str, place: int) -> Column[Row]:
    return Column(name=name, read=lambda row: row[place])


def _some(urls: Sequence[str]) -> Sequence[str]:
    if not urls:
        raise UsageError("name the pages, such as: crawl.feedback(url, good=True)")
    return urls


def _positive(most: int) -> int:
    if most < 1:
        raise UsageError(f"most={most}: it must be at least 1")
    return most
