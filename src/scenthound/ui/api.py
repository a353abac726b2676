"""The API for other programs: what the views can do, as JSON over HTTP. Described at /api/docs and /api/openapi.json.

Each endpoint is a line or two over `desk`: what can go wrong there comes back as one sentence. None waits on the event loop:
FastAPI runs plain functions in threads.
"""

import tempfile
from pathlib import Path
from typing import IO, Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.background import BackgroundTask

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.answers import write_csv, write_json
from scenthound.desk.asking import asking
from scenthound.desk.asking_apart import Bounded, answered
from scenthound.desk.best import RankedPages, RankedSites, Wanted, authorities_of, hubs_of, sites_of
from scenthound.desk.canonical import Canonical, ask_canonical
from scenthound.desk.card import card_of, url_of_page
from scenthound.desk.crawls import UnknownCrawlError
from scenthound.desk.critic_asked import AROUND, Places, Proposal, look_around, places_of, try_out
from scenthound.desk.curing import cure_found
from scenthound.desk.export import write_pages
from scenthound.desk.feedback import Saying
from scenthound.desk.feedback_groups import Meant, Of, meant_by
from scenthound.desk.neighbourhood import MOST as MAP_MOST
from scenthound.desk.neighbourhood import Neighbourhood, neighbourhood_of
from scenthound.desk.pages import Hits, PageOrder, PageQuery, find_pages
from scenthound.desk.settings_edit import SettingNow, change_settings, settings_now
from scenthound.desk.status import status_of
from scenthound.desk.topic_rows import TopicRow, pages_by_topic
from scenthound.desk.topic_rows import rows_of as topic_rows
from scenthound.desk.trace import Trace, trace_of
from scenthound.distill.site import Site
from scenthound.errors import DirectoryError, StoreError, UsageError
from scenthound.events import FindingKind
from scenthound.ui.asked import (
    LARGEST,
    CrawlLine,
    ExportFormat,
    Fault,
    Feedback,
    NewCrawl,
    Rows,
    Said,
    SqlFormat,
    Start,
    Text,
    TopicEdit,
)
from scenthound.ui.doing import edit, feed_back, line_of, make, rows_of
from scenthound.ui.metrics import TYPE, metrics_text
from scenthound.ui.window import Window

_FAULTS: dict[int | str, dict[str, Any]] = {400: {"model": Fault}, 404: {"model": Fault}}
_LARGEST = 200  # megabytes of an answer in SQL that is downloaded: it lies on the server's disk first
_NO_END = 2**62  # a number that no page has
_SUFFIXES = {ExportFormat.URLS: "txt", ExportFormat.BOOKMARKS: "html"}


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
        """Make a crawl in the folder that is served."""
        return Said(says=make(window, wanted))

    @router.get("/places", tags=["topics"])
    def canonical_places(
        url: Annotated[list[str], Query(description="Pages; may be given several times.")],
    ) -> Canonical:
        """Find the topics of the canonical tree that pages belong to, before there is a crawl; English only."""
        return ask_canonical(url, window.overrides)


def _looking(router: APIRouter, window: Window, Directory: Any) -> None:
    @router.get("/status", tags=["looking"])
    def status(directory: Directory) -> dict[str, Any]:
        """Tell how a crawl stands and what slows it, as `scenthound status --json` does, and what its process does."""
        return status_of(directory).as_table() | {"engine": window.engine.state(directory)}

    @router.get("/trace", tags=["looking"])
    def trace(
        directory: Directory,
        latest: Annotated[int, Query(ge=0, le=LARGEST, description="Pages; 0 is all.")] = 0,
        first: Annotated[int, Query(ge=1, le=LARGEST, description="The number of the first page.")] = 1,
        last: Annotated[int | None, Query(ge=1, le=LARGEST, description="The number of the last page.")] = None,
    ) -> Trace:
        """Return the relevance of pages over time, thinned out where there are many, and its moving average."""
        with asking(directory) as con:
            return trace_of(con, latest=latest, span=(first, last or _NO_END))

    @router.get("/pages", tags=["looking"])
    def pages(
        directory: Directory,
        topic: Annotated[str, Query(description="This topic and those below it.")] = "",
        site: Annotated[str, Query(description="A registered domain, or a host.")] = "",
        language: str = "",
        mime: Annotated[str, Query(description="Type of the content, such as text/html.")] = "",
        since: Annotated[
            float | None, Query(allow_inf_nan=False, description="Fetched from this moment on, in seconds since 1970.")
        ] = None,
        until: Annotated[float | None, Query(allow_inf_nan=False, description="Fetched before this moment.")] = None,
        min_relevance: Annotated[float | None, Query(ge=0, le=1)] = None,
        max_relevance: Annotated[float | None, Query(ge=0, le=1)] = None,
        words: Annotated[str, Query(description="Text that the title or the address holds.")] = "",
        order: PageOrder = PageOrder.RELEVANCE,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    ) -> Hits:
        """Find pages; leave out what does not matter."""
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
        """Return a page's card, by its address or its number: why it was judged so, why it was fetched, its links."""
        return card_of(directory, url or url_of_page(directory, n)).as_table()

    @router.get("/page/text", tags=["looking"])
    async def text(directory: Directory, n: Annotated[int, Query(ge=1, le=LARGEST)]) -> Text:
        """Return the text of a page, as the archive has it."""
        return Text(text=await window.reader.text_of(directory, n))

    @router.get("/topics", tags=["topics"])
    def topics(directory: Directory) -> list[TopicRow]:
        """Return the tree of topics, parents before children."""
        return topic_rows(directory.topics(), pages_by_topic(directory))

    @router.get("/settings", tags=["settings"])
    def settings(directory: Directory) -> list[SettingNow]:
        """Return every setting with its help, its value and whether a running crawl takes up a change."""
        return settings_now(directory)

    @router.get("/neighbourhood", tags=["looking"])
    def neighbourhood(
        directory: Directory,
        topic: Annotated[str, Query(description="Around the best pages of this topic and of those below it.")] = "",
        url: Annotated[list[str] | None, Query(description="Around these pages; may be given several times.")] = None,
        most: Annotated[int, Query(ge=1, le=MAP_MOST, description="Pages, those asked for included.")] = 60,
    ) -> Neighbourhood:
        """Return the graph around a topic or pages: who links to them and to whom they link, best first."""
        if not topic and not url:
            raise UsageError("say around what: topic=… or url=…")
        return neighbourhood_of(directory, topic, url or [], most=most)


def _steering(router: APIRouter, window: Window, Directory: Any) -> None:
    @router.post("/start", tags=["steering"])
    def start(directory: Directory, limits: Start | None = None) -> Said:
        """Start a crawl, or let a paused one go on."""
        window.engine.start(directory, options_of(limits or Start()))
        return Said(says=["The crawl is starting."])

    @router.post("/pause", tags=["steering"])
    def pause(directory: Directory) -> Said:
        """Let what is in flight finish, and ask for nothing more until start."""
        window.engine.pause(directory)
        return Said(says=["The crawl pauses when what is in flight has landed."])

    @router.post("/stop", tags=["steering"])
    def stop(directory: Directory) -> Said:
        """Let what is in flight finish, save, and end."""
        window.engine.stop(directory)
        return Said(says=["The crawl ends when what is in flight has landed."])

    @router.post("/topics", tags=["topics"])
    def edit_topics(directory: Directory, wanted: TopicEdit) -> Said:
        """Change the tree of topics; a running crawl follows, else what is stored is judged again."""
        return Said(says=[edit(window, directory, wanted).says])

    @router.post("/feedback", tags=["topics"])
    def feedback(directory: Directory, said: Feedback) -> Said:
        """Say of a page, a site or a hub that it is good or not, or take that back; the critic learns from it."""
        return Said(says=[feed_back(window, directory, said).says])

    @router.get("/feedback", tags=["topics"])
    def what_feedback_would_do(directory: Directory, of: Of, name: str, say: Saying, topic: str = "") -> Meant:
        """Tell which pages would become examples, and of which topics; nothing is changed."""
        return meant_by(directory, of, name, say, topic=topic)

    @router.post("/cure", tags=["steering"])
    def cure(directory: Directory, finding: FindingKind) -> Said:
        """Do what would help against something that the crawl has noticed about itself (`findings` of status)."""
        return Said(says=cure_found(directory, finding, window.engine))

    @router.patch("/settings", tags=["settings"])
    def edit_settings(directory: Directory, changes: dict[str, str]) -> Said:
        """Change settings: names such as fetch.delay with values as TOML. All are checked before any is written."""
        return Said(says=change_settings(directory, changes))


def options_of(limits: Start) -> list[str]:
    """Return the limits of a run as options of the command."""
    options = [] if limits.pages is None else ["--pages", str(limits.pages)]
    options += [] if limits.minutes is None else ["--minutes", str(limits.minutes)]
    return [*options, "--forgive"] if limits.forgive else options


def _judging(router: APIRouter, Directory: Any) -> None:
    """What the critic says before a crawl; each takes seconds, because it may fetch pages and train."""

    @router.get("/quality", tags=["topics"])
    def quality(directory: Directory) -> dict[str, Any]:
        """Tell how well the critic will do: tried on examples that it has not seen."""
        return try_out(directory).as_table()

    @router.get("/around", tags=["topics"])
    def around(
        directory: Directory,
        topic: Annotated[str, Query(description="The topic whose examples are looked around.")],
        fetch: Annotated[int, Query(ge=0, le=200, description="Pages that may be fetched for this.")] = AROUND,
    ) -> tuple[Proposal, ...]:
        """Propose pages that are like a topic's examples."""
        return look_around(directory, topic, fetch=fetch)

    @router.get("/places", tags=["topics"])
    def places(
        directory: Directory, url: Annotated[list[str], Query(description="Pages; may be given several times.")]
    ) -> Places:
        """Find the topics that pages belong to."""
        return places_of(directory, url)


def _asking(router: APIRouter, Directory: Any) -> None:
    Topic = Annotated[str | None, Query(description="For this topic and those below, instead of all good ones.")]
    Most = Annotated[int, Query(ge=1, le=500)]

    @router.get("/hubs", tags=["looking"])
    def hubs(directory: Directory, topic: Topic = None, most: Most = 20, site: Site | None = None) -> RankedPages:
        """Return the best hubs, with what they link to."""
        return hubs_of(directory, Wanted(topic=topic, most=most, site=site))

    @router.get("/authorities", tags=["looking"])
    def authorities(
        directory: Directory, topic: Topic = None, most: Most = 20, site: Site | None = None
    ) -> RankedPages:
        """Return the best authorities, with the hubs that cite them."""
        return authorities_of(directory, Wanted(topic=topic, most=most, site=site))

    @router.get("/sites", tags=["looking"])
    def sites(directory: Directory, topic: Topic = None, most: Most = 20) -> RankedSites:
        """Return the sites that specialise in what is wanted."""
        return sites_of(directory, Wanted(topic=topic, most=most))

    @router.get("/sql", tags=["asking"], response_model=Rows)
    def sql(
        directory: Directory,
        statement: Annotated[str, Query(description="One question; it only reads.")],
        format: Annotated[
            SqlFormat, Query(description="rows shows the first 1,000; csv and json are files with all.")
        ] = SqlFormat.ROWS,
        seconds: Annotated[float, Query(gt=0, le=300)] = 30.0,
    ) -> Rows | Response:
        """Ask the crawl's database a question in SQL."""
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
            float | None, Query(ge=0, le=1, description="Only pages at least this relevant.")
        ] = None,
        everything: Annotated[bool, Query(description="Also redirects and URLs without a page.")] = False,
        topic: Annotated[str, Query(description="This topic and those below it.")] = "",
        site: Annotated[str, Query(description="A registered domain, or a host.")] = "",
        language: str = "",
        mime: Annotated[str, Query(description="Type of the content, such as text/html.")] = "",
        since: Annotated[float | None, Query(description="Fetched from this moment on, in seconds since 1970.")] = None,
        until: Annotated[float | None, Query(description="Fetched before this moment.")] = None,
        words: Annotated[str, Query(description="Text that the title or the address holds.")] = "",
        order: Annotated[
            PageOrder | None, Query(description="Exactly the pages that GET pages finds with this order.")
        ] = None,
    ) -> Response:
        """Download what was fetched, in fetch order. With any of the filters of GET pages, these are the pages that it finds."""
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
            raise UsageError("everything and a filter exclude each other: leave one of them out")
        path = _new_file()
        try:
            with _written(path) as out:
                write_pages(
                    directory,
                    out,
                    form=format.value,
                    min_relevance=min_relevance,
                    everything=everything,
                    query=query if filtered else None,
                )
        except BaseException:
            path.unlink()
            raise
        return _download(path, f"{directory.path.name}.{_SUFFIXES.get(format, format.value)}")


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
    """Return /metrics, which is no part of the API."""
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
    return 500 if isinstance(error, StoreError) else 400  # such as a question that took too long
