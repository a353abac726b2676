"""Questions, news and watches over HTTP, and the feeds with their secret addresses.

Webhooks and commands cannot be set from here: they send what was found elsewhere, or run programs.
"""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from scenthound.errors import ScenthoundError
from scenthound.services.news.atom_feed import ENTRIES, MIME, feed_of
from scenthound.services.news.book_edits import add_question, remove_question
from scenthound.services.news.feed_address import FEEDS, feed_path, is_token
from scenthound.services.news.question_list import QuestionList, listed
from scenthound.services.news.question_run import RunWish, news_of, run_questions
from scenthound.services.news.unread_news import latest_news
from scenthound.services.news.watch_process import WatchState, start_watch, stop_watch, watch_state
from scenthound.settings.question_book import MOST, SavedQuestion
from scenthound.ui.api_models import Body, Said
from scenthound.ui.window import Window


class NewQuestion(Body):
    """A saved question: a search or SQL."""

    name: str
    search: Annotated[str, Field(description="Words, as GET search takes them.")] = ""
    sql: Annotated[str, Field(description="One query; it can only read.")] = ""
    key: Annotated[tuple[str, ...], Field(description="Of sql: the columns by which a row is known again.")] = ()
    like: Annotated[tuple[str, ...], Field(description="Pages of the crawl to which similar ones are wanted.")] = ()
    topic: Annotated[str, Field(description="This topic and those below it.")] = ""
    vague: Annotated[bool, Field(description="Weigh pages by the probability of the topic instead.")] = False
    site: Annotated[str, Field(description="A host or a registered domain.")] = ""
    language: str = ""
    type: Annotated[str, Field(description="Type of the content, such as text/html.")] = ""
    weights: Annotated[str, Field(description="text, meaning, relevance, authority and date.")] = ""
    near: Annotated[bool, Field(description="Also pages that are near in meaning.")] = False
    min_relevance: Annotated[float, Field(ge=0, le=1)] = 0.0
    most: Annotated[
        int, Field(ge=1, le=MOST, description="Compare only the best; 1000 stands for all, but with near and like.")
    ] = MOST
    report_first: Annotated[bool, Field(description="What is there now is news too.")] = False

    def question(self) -> SavedQuestion:
        return SavedQuestion(**self.model_dump(exclude={"name"}))


class WatchWish(Body):
    """How often a crawl is watched."""

    every: Annotated[str, Field(description="30m, 6h, 1d, 1w.")] = "6h"


def add_news_routes(router: APIRouter, Directory: Any) -> None:
    """Add the endpoints of one crawl."""

    @router.get("/questions", tags=["news"])
    def questions(directory: Directory) -> QuestionList:
        """List the saved questions, with their last runs, and where news goes."""
        return listed(directory)

    @router.post("/questions", tags=["news"], status_code=201)
    def ask(directory: Directory, wanted: NewQuestion) -> Said:
        """Save a question and run it once."""
        return Said(says=[add_question(directory, wanted.name, wanted.question()).says])

    @router.delete("/questions", tags=["news"])
    def remove(directory: Directory, name: str) -> Said:
        """Remove a question, with all that it has seen and said."""
        remove_question(directory, name)
        return Said(says=[f'The question "{name}" is removed.'])

    @router.post("/questions/run", tags=["news"])
    def run(
        directory: Directory, name: Annotated[list[str] | None, Query(description="Only these questions.")] = None
    ) -> Said:
        """Run questions now and send what is new."""
        report = run_questions(directory, RunWish(names=name or []))
        return Said(says=report.says)

    @router.get("/news", tags=["news"])
    def news(
        directory: Directory, question: str = "", limit: Annotated[int, Query(ge=1, le=1000)] = 100
    ) -> list[dict[str, Any]]:
        """Return the latest news, newest first."""
        return [asdict(item) for item in latest_news(directory, question=question, limit=limit)]

    @router.get("/watch", tags=["news"])
    def watch(directory: Directory) -> WatchState:
        """Return whether the crawl is watched, how often, and when the next round is due."""
        return watch_state(directory)

    @router.post("/watch", tags=["news"])
    def begin_watch(directory: Directory, wanted: WatchWish) -> Said:
        """Revisit pages and ask the questions by a schedule, in a process of its own."""
        start_watch(directory, wanted.every)
        return Said(says=[f"The crawl is watched every {wanted.every}."])

    @router.delete("/watch", tags=["news"])
    def end_watch(directory: Directory) -> Said:
        """End the watch; what is under way is saved first."""
        stop_watch(directory)
        return Said(says=["The watch ends."])

    @router.get("/feed", tags=["news"])
    def feed(directory: Directory, crawl: str) -> dict[str, str]:
        """Return the secret address of the Atom feed, for readers that cannot log in."""
        return {"path": feed_path(directory, crawl)}


def feed_routes(window: Window) -> APIRouter:
    """Return the feeds. The guard lets these requests through without a login: the address is the secret."""
    router = APIRouter()

    @router.get(f"{FEEDS}{{crawl}}/{{token}}/news.atom", include_in_schema=False)
    def feed(crawl: str, token: str, question: str = "") -> Response:
        headers = {"cache-control": "private, max-age=60"}
        try:
            directory = window.open(crawl)
            known = is_token(directory, token)
        except ScenthoundError:
            known = False
        if not known:
            return Response("There is no feed at this address.\n", status_code=404, media_type="text/plain")
        with news_of(directory) as store:
            text = feed_of(crawl, store.feed, store.news(question=question, limit=ENTRIES), question=question)
        return Response(text, headers=headers, media_type=MIME)

    return router
