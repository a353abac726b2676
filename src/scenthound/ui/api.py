"""The API for other programs: JSON over HTTP, with everything that the views can do. See /api/docs and
/api/openapi.json.

Each endpoint is a line or two over `services`; errors come back as one sentence. FastAPI runs plain functions in
threads, so none blocks the event loop.
"""

import tempfile
from pathlib import Path
from typing import IO, Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.background import BackgroundTask

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.site import Site
from scenthound.errors import DirectoryError, StoreError, UsageError
from scenthound.events import FindingKind
from scenthound.services.corpus.wish import ExportWish
from scenthound.services.crawls.crawl_list import UnknownCrawlError
from scenthound.services.crawls.cure import cure_found
from scenthound.services.crawls.settings_edit import SettingNow, change_settings, settings_now
from scenthound.services.results.best_pages import RankedPages, RankedSites, Wanted, authorities_of, hubs_of, sites_of
from scenthound.services.results.export_format import ExportFormat
from scenthound.services.results.neighbourhood import MOST as MAP_MOST
from scenthound.services.results.neighbourhood import Neighbourhood, neighbourhood_of
from scenthound.services.results.page_card import card_of, url_of_page
from scenthound.services.results.page_list import Hits, PageOrder, PageQuery, find_pages
from scenthound.services.search.answer_rows import as_table
from scenthound.services.search.crawl_search import search_crawl
from scenthound.services.sql.answer_text import write_csv, write_json
from scenthound.services.sql.ask import Bounded, answered
from scenthound.services.sql.read_connection import asking
from scenthound.services.status.crawl_status import status_of
from scenthound.services.status.relevance_trace import Trace, trace_of
from scenthound.services.topics.archetype_list import archetypes_of
from scenthound.services.topics.canonical_places import Canonical, ask_canonical
from scenthound.services.topics.critic_answers import AROUND, Places, Proposal, look_around, places_of, try_out
from scenthound.services.topics.group_feedback import Meant, Of, meant_by
from scenthound.services.topics.lesson_choice import LessonPage, lesson_pages
from scenthound.services.topics.page_feedback import Saying
from scenthound.services.topics.page_trim import blocks_of
from scenthound.services.topics.topic_rows import TopicRow, pages_by_topic
from scenthound.services.topics.topic_rows import rows_of as topic_rows
from scenthound.ui.actions import edit, feed_back, harvest_now, line_of, make, rows_of, trim_page
from scenthound.ui.api_export import export_to
from scenthound.ui.api_groups import add_group_routes
from scenthound.ui.api_models import (
    LARGEST,
    CrawlLine,
    Fault,
    Feedback,
    NewCrawl,
    Rows,
    Said,
    SqlFormat,
    Start,
    Text,
    TopicEdit,
    Trim,
)
from scenthound.ui.api_news import add_news_routes
from scenthound.ui.api_portal import add_portal_routes
from scenthound.ui.api_search import SearchQuery
from scenthound.ui.metrics import TYPE, metrics_text
from scenthound.ui.window import Window

_FAULTS: dict[int | str, dict[str, Any]] = {400: {"model": Fault}, 404: {"model": Fault}}
_LARGEST = 200  # megabytes of a downloaded SQL answer, which is written to the server's disk first
_NO_END = 2**62  # larger than the number of any page
_LAST_MOMENT = 253_402_300_799  # the end of the year 9999; no date is written beyond it


def routes(window: Window) -> APIRouter:
    """Return all endpoints."""
    router = APIRouter(prefix="/api", responses=_FAULTS)
    _of_all(router, window)

    def named(crawl: str) -> CrawlDirectory:
        return window.open(crawl)

    Directory = Annotated[CrawlDirectory, Depends(named)]
    of_one = APIRouter(prefix="/crawls/{crawl}")
    _looking(of_one, window, Directory)
    _steering(of_one, window, Directory)
    _judging(of_one, Directory)
    _asking(of_one, Directory)
    add_group_routes(of_one, window, Directory)
    add_portal_routes(of_one, Directory)
    add_news_routes(of_one, Directory)
    router.include_router(of_one)

    @router.get("/{rest:path}", include_in_schema=False)
    def nothing(rest: str) -> JSONResponse:
        return JSONResponse({"error": f"there is nothing at /api/{rest}; see /api/docs"}, status_code=404)

    return router


def _of_all(router: APIRouter, window: Window) -> None:
    @router.get("/crawls", tags=["crawls"])
    def list_crawls() -> list[CrawlLine]:
        """List the crawls."""
        return [line_of(window, name) for name in window.crawls.names()]

    @router.post("/crawls", tags=["crawls"], status_code=201)
    def new_crawl(wanted: NewCrawl) -> Said:
        """Create a crawl in the served folder."""
        return Said(says=make(window, wanted))

    @router.get("/places", tags=["topics"])
    def canonical_places(
        url: Annotated[list[str], Query(description="Pages. Can be repeated.")],
    ) -> Canonical:
        """Find the canonical topics of pages, without a crawl; English only."""
        return ask_canonical(url, window.overrides)


def _looking(router: APIRouter, window: Window, Directory: Any) -> None:
    @router.get("/status", tags=["looking"])
    def status(directory: Directory) -> dict[str, Any]:
        """Return the state of a crawl, like `scenthound status --json`, and of its process."""
        return status_of(directory).as_table() | {"engine": window.engine.state(directory)}

    @router.get("/trace", tags=["looking"])
    def trace(
        directory: Directory,
        latest: Annotated[int, Query(ge=0, le=LARGEST, description="Number of pages; 0 means all.")] = 0,
        first: Annotated[int, Query(ge=1, le=LARGEST, description="The number of the first page.")] = 1,
        last: Annotated[int | None, Query(ge=1, le=LARGEST, description="The number of the last page.")] = None,
    ) -> Trace:
        """Return the relevance of pages over time, thinned out if there are many, and its moving average."""
        with asking(directory) as con:
            return trace_of(con, latest=latest, span=(first, last or _NO_END))

    @router.get("/pages", tags=["looking"])
    def pages(
        directory: Directory,
        topic: Annotated[str, Query(description="This topic and its subtopics.")] = "",
        site: Annotated[str, Query(description="A registered domain, or a host.")] = "",
        language: str = "",
        mime: Annotated[str, Query(description="MIME type, such as text/html.")] = "",
        since: Annotated[
            float | None,
            Query(ge=0, le=_LAST_MOMENT, description="Fetched at or after this time, in seconds since 1970."),
        ] = None,
        until: Annotated[float | None, Query(ge=0, le=_LAST_MOMENT, description="Fetched before this time.")] = None,
        min_relevance: Annotated[float | None, Query(ge=0, le=1)] = None,
        max_relevance: Annotated[float | None, Query(ge=0, le=1)] = None,
        words: Annotated[str, Query(description="Text in the title or the URL.")] = "",
        order: PageOrder = PageOrder.RELEVANCE,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    ) -> Hits:
        """Find pages. All filters are optional."""
        query = PageQuery(
            topic=topic,
            site=site,
            language=language,
            mime=mime,
            since=since,
            until=until,
            min_relevance=min_relevance,
            max_relevance=max_relevance,
            words=words,
            order=order,
            limit=limit,
            offset=offset,
        )
        return find_pages(directory, query)

    @router.get("/page", tags=["looking"])
    def page(directory: Directory, url: str = "", n: Annotated[int, Query(ge=0, le=LARGEST)] = 0) -> dict[str, Any]:
        """Return a page's card, by URL or number: why it was judged so, why it was fetched, its links."""
        return card_of(directory, url or url_of_page(directory, n)).as_table()

    @router.get("/page/text", tags=["looking"])
    async def text(directory: Directory, n: Annotated[int, Query(ge=1, le=LARGEST)]) -> Text:
        """Return the text of a page from the archive."""
        return Text(text=await window.reader.text_of(directory, n))

    @router.get("/topics", tags=["topics"])
    def topics(directory: Directory) -> list[TopicRow]:
        """Return the topic tree, parents before children."""
        return topic_rows(directory.topics(), pages_by_topic(directory), archetypes_of(directory))

    @router.get("/lessons", tags=["topics"])
    def lessons(directory: Directory, count: Annotated[int, Query(ge=1, le=100)] = 10) -> list[LessonPage]:
        """Return the pages whose answers teach the critic most. Answer with POST feedback or trim."""
        return list(lesson_pages(directory, count=count))

    @router.get("/blocks", tags=["topics"])
    def blocks(directory: Directory, url: str) -> list[str]:
        """Return the text of a page in blocks, so that some of them can become an example (POST trim)."""
        return list(blocks_of(directory, url))

    @router.get("/settings", tags=["settings"])
    def settings(directory: Directory) -> list[SettingNow]:
        """Return every setting with its help, its value, and whether a running crawl applies a change."""
        return settings_now(directory)

    @router.get("/neighbourhood", tags=["looking"])
    def neighbourhood(
        directory: Directory,
        topic: Annotated[str, Query(description="Around the best pages of this topic and its subtopics.")] = "",
        url: Annotated[list[str] | None, Query(description="Around these pages. Can be repeated.")] = None,
        most: Annotated[
            int, Query(ge=1, le=MAP_MOST, description="Number of pages, including the requested ones.")
        ] = 60,
    ) -> Neighbourhood:
        """Return the graph around a topic or pages: pages that link to them and pages they link to, best first."""
        if not topic and not url:
            raise UsageError("name a topic or a page: topic=… or url=…")
        return neighbourhood_of(directory, topic, url or [], most=most)


def _steering(router: APIRouter, window: Window, Directory: Any) -> None:
    @router.post("/start", tags=["steering"])
    def start(directory: Directory, limits: Start | None = None) -> Said:
        """Start a crawl, or resume a paused one."""
        window.engine.start(directory, options_of(limits or Start()))
        return Said(says=["The crawl is starting."])

    @router.post("/pause", tags=["steering"])
    def pause(directory: Directory) -> Said:
        """Finish the requests in flight, then pause until start."""
        window.engine.pause(directory)
        return Said(says=["The crawl pauses after the requests in flight."])

    @router.post("/stop", tags=["steering"])
    def stop(directory: Directory) -> Said:
        """Finish the requests in flight, save, and stop."""
        window.engine.stop(directory)
        return Said(says=["The crawl stops after the requests in flight."])

    @router.post("/topics", tags=["topics"])
    def edit_topics(directory: Directory, wanted: TopicEdit) -> Said:
        """Change the topic tree. A running crawl follows; otherwise the stored pages are judged again."""
        return Said(says=[edit(window, directory, wanted).says])

    @router.post("/feedback", tags=["topics"])
    def feedback(directory: Directory, said: Feedback) -> Said:
        """Mark a page, a site or a hub as good or not good, or undo that. The critic learns from it."""
        return Said(says=[feed_back(window, directory, said).says])

    @router.post("/trim", tags=["topics"])
    def trim(directory: Directory, wanted: Trim) -> Said:
        """Make some blocks of a page an example. The critic learns from it."""
        return Said(says=[trim_page(window, directory, wanted).says])

    @router.post("/harvest", tags=["steering"])
    def harvest(directory: Directory) -> Said:
        """End the learning phase of the crawl (crawl.phases)."""
        return Said(says=[harvest_now(directory)])

    @router.get("/feedback", tags=["topics"])
    def what_feedback_would_do(directory: Directory, of: Of, name: str, say: Saying, topic: str = "") -> Meant:
        """Return which pages would become examples, and of which topics. Nothing changes."""
        return meant_by(directory, of, name, say, topic=topic)

    @router.post("/cure", tags=["steering"])
    def cure(directory: Directory, finding: FindingKind) -> Said:
        """Apply the remedy of a finding (`findings` of status)."""
        return Said(says=cure_found(directory, finding, window.engine))

    @router.patch("/settings", tags=["settings"])
    def edit_settings(directory: Directory, changes: dict[str, str]) -> Said:
        """Change settings: names such as fetch.delay with TOML values. All are checked before any is written."""
        return Said(says=change_settings(directory, changes))


def options_of(limits: Start) -> list[str]:
    """Return the limits of a run as command-line options."""
    options = [] if limits.pages is None else ["--pages", str(limits.pages)]
    options += [] if limits.minutes is None else ["--minutes", str(limits.minutes)]
    return [*options, "--forgive"] if limits.forgive else options


def _judging(router: APIRouter, Directory: Any) -> None:
    """Questions to the critic before a crawl. Each takes seconds, because it may fetch pages and train."""

    @router.get("/quality", tags=["topics"])
    def quality(directory: Directory) -> dict[str, Any]:
        """Return the quality of the critic, measured on examples that it has not seen."""
        return try_out(directory).as_table()

    @router.get("/around", tags=["topics"])
    def around(
        directory: Directory,
        topic: Annotated[str, Query(description="The topic whose examples are the starting point.")],
        fetch: Annotated[int, Query(ge=0, le=200, description="Most pages to fetch for this.")] = AROUND,
    ) -> tuple[Proposal, ...]:
        """Propose pages that are similar to a topic's examples."""
        return look_around(directory, topic, fetch=fetch)

    @router.get("/places", tags=["topics"])
    def places(directory: Directory, url: Annotated[list[str], Query(description="Pages. Can be repeated.")]) -> Places:
        """Find the topics of pages."""
        return places_of(directory, url)


def _asking(router: APIRouter, Directory: Any) -> None:
    Topic = Annotated[str | None, Query(description="For this topic and its subtopics, instead of all good topics.")]
    Most = Annotated[int, Query(ge=1, le=500)]

    @router.get("/hubs", tags=["looking"])
    def hubs(directory: Directory, topic: Topic = None, most: Most = 20, site: Site | None = None) -> RankedPages:
        """Return the best hubs, with the pages that they link to."""
        return hubs_of(directory, Wanted(topic=topic, most=most, site=site))

    @router.get("/authorities", tags=["looking"])
    def authorities(
        directory: Directory, topic: Topic = None, most: Most = 20, site: Site | None = None
    ) -> RankedPages:
        """Return the best authorities, with the hubs that cite them."""
        return authorities_of(directory, Wanted(topic=topic, most=most, site=site))

    @router.get("/sites", tags=["looking"])
    def sites(directory: Directory, topic: Topic = None, most: Most = 20) -> RankedSites:
        """Return the sites that specialise in your topics."""
        return sites_of(directory, Wanted(topic=topic, most=most))

    @router.get("/search", tags=["asking"])
    def search(directory: Directory, wish: Annotated[SearchQuery, Query()]) -> dict[str, Any]:
        """Search the text of all pages by words and by meaning, like `scenthound search --json`."""
        return as_table(search_crawl(directory, wish.wish()))

    @router.get("/sql", tags=["asking"], response_model=Rows)
    def sql(
        directory: Directory,
        statement: Annotated[str, Query(description="One query; it can only read.")],
        format: Annotated[
            SqlFormat, Query(description="rows returns the first 1,000; csv and json are files with all rows.")
        ] = SqlFormat.ROWS,
        seconds: Annotated[float, Query(gt=0, le=300)] = 30.0,
    ) -> Rows | Response:
        """Query the crawl's database in SQL."""
        if format is SqlFormat.ROWS:
            return rows_of(directory, statement, seconds=seconds)
        path = _new_file()
        try:
            with answered(directory, statement, seconds=seconds) as answer, _written(path) as out:
                write = write_csv if format is SqlFormat.CSV else write_json
                write(answer, Bounded(out, _LARGEST))
        except BaseException:
            path.unlink()
            raise
        return _download(path, f"answer.{format}")

    @router.get("/export", tags=["asking"], response_class=FileResponse)
    def export(
        directory: Directory,
        format: ExportFormat,
        min_relevance: Annotated[
            float | None, Query(ge=0, le=1, description="Only pages with at least this relevance.")
        ] = None,
        everything: Annotated[bool, Query(description="Include redirects and URLs without a page.")] = False,
        topic: Annotated[str, Query(description="This topic and its subtopics.")] = "",
        site: Annotated[str, Query(description="A registered domain, or a host.")] = "",
        language: str = "",
        mime: Annotated[str, Query(description="MIME type, such as text/html.")] = "",
        since: Annotated[
            float | None,
            Query(ge=0, le=_LAST_MOMENT, description="Fetched at or after this time, in seconds since 1970."),
        ] = None,
        until: Annotated[float | None, Query(ge=0, le=_LAST_MOMENT, description="Fetched before this time.")] = None,
        words: Annotated[str, Query(description="Text in the title or the URL.")] = "",
        order: Annotated[
            PageOrder | None, Query(description="Export the pages that GET pages finds with this order.")
        ] = None,
        unique: Annotated[bool, Query(description="Only the first of several pages with the same content.")] = False,
        text: Annotated[
            bool | None, Query(description="Add the main text of each page; parquet and sqlite have it anyway.")
        ] = None,
    ) -> Response:
        """Download the fetched pages, in fetch order. The filters are those of GET pages.

        A format of many files comes as a zip archive, with a data sheet in it.
        """
        query = PageQuery(
            topic=topic,
            site=site,
            language=language,
            mime=mime,
            since=since,
            until=until,
            min_relevance=min_relevance,
            words=words,
            order=order or PageOrder.OLDEST,
        )
        filtered = order is not None or query != PageQuery(min_relevance=min_relevance, order=PageOrder.OLDEST)
        if filtered and everything:
            raise UsageError("use everything or a filter, not both")
        wish = ExportWish(form=format, query=query, unique=unique, everything=everything, examples=filtered, text=text)
        path = _new_file()
        try:
            export_to(path, directory, wish)
        except BaseException:
            path.unlink()
            raise
        return _download(path, f"{directory.path.name}.{format.suffix}")


def _new_file() -> Path:
    with tempfile.NamedTemporaryFile(prefix="scenthound-", delete=False) as file:
        return Path(file.name)


def _written(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="")


def _download(path: Path, name: str) -> Response:
    return FileResponse(
        path, filename=name, media_type="application/octet-stream", background=BackgroundTask(path.unlink)
    )


def metrics_route(window: Window) -> APIRouter:
    """Return /metrics, which is not part of the API."""
    router = APIRouter()

    @router.get("/metrics", include_in_schema=False)
    def metrics() -> PlainTextResponse:
        return PlainTextResponse(metrics_text(window), headers={"content-type": TYPE})

    return router


def status_of_fault(error: Exception) -> int:
    """Return the HTTP status for an error of ours."""
    if isinstance(error, UnknownCrawlError):
        return 404
    if isinstance(error, DirectoryError):
        return 409
    return 500 if isinstance(error, StoreError) else 400  # such as a query that took too long
