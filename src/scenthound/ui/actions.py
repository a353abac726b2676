"""Actions that views and API share: create a crawl from uploads, edit topics, answer SQL with the first rows."""

import tempfile
from collections.abc import Sequence
from itertools import islice
from math import isfinite
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import harvest
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError, TopicsError, UsageError
from scenthound.services.crawls.new_crawl import Wish, make_crawl
from scenthound.services.crawls.reader_store import reading
from scenthound.services.crawls.settings_edit import overridden, refuse_guarded
from scenthound.services.sql.answer_text import plain
from scenthound.services.sql.ask import answered
from scenthound.services.topics.group_feedback import Of, say_of, take_back_of
from scenthound.services.topics.page_feedback import Saying, say, take_back
from scenthound.services.topics.page_trim import trim
from scenthound.services.topics.sample import Answer, Sample, take_answers
from scenthound.services.topics.topic_edits import Edited, Editing
from scenthound.settings.schema import Settings
from scenthound.taxonomy import is_address
from scenthound.topics.topics_file import topics_in
from scenthound.topics.url_topics import checked_urls
from scenthound.types import Census
from scenthound.ui.api_models import CrawlLine, EditKind, Feedback, FeedbackKind, NewCrawl, Rows, TopicEdit, Trim
from scenthound.ui.window import Window

MOST_ROWS = 1000  # of an answer that is shown; downloads have all


def line_of(window: Window, name: str) -> CrawlLine:
    """Return a line of the list of crawls; one with unreadable files says so."""
    try:
        directory = window.open(name)
        directory.settings()
        doing = window.engine.state(directory).doing
        census = census_of(directory)
        good = [topic.path for topic in directory.topics().good]
    except ScenthoundError as error:
        return CrawlLine(name=name, doing=f"damaged: {error}", pages=0, waiting=0, harvest=None, good=[])
    return CrawlLine(
        name=name, doing=doing, pages=census.pages, waiting=census.waiting, harvest=harvest(census), good=good
    )


def census_of(directory: CrawlDirectory) -> Census:
    if not directory.begun:
        return Census()
    with reading(directory) as store:
        return store.census(now=0.0)


def make(window: Window, wanted: NewCrawl) -> list[str]:
    """Create a crawl and describe it in sentences. Files on the server cannot be named."""
    if wanted.topics and not all(map(is_address, _examples_in(wanted.topics))):
        raise TopicsError("a topics file sent here may only have URLs as examples, not files")
    overrides = [f"{key}={value}" for key, value in wanted.settings.items()]
    refuse_guarded(Settings(), overridden(Settings(), overrides))
    with tempfile.TemporaryDirectory(prefix="scenthound-") as folder:
        return make_crawl(
            Wish(
                path=window.crawls.place_for(wanted.name),
                urls=wanted.urls,
                query=wanted.query or None,
                bookmarks=_file(folder, "bookmarks.html", wanted.bookmarks),
                topics=_file(folder, "topics.toml", wanted.topics),
                good=wanted.good,
                overrides=overrides,
            )
        )


def _examples_in(text: str) -> list[str]:
    try:
        return [example for topic in topics_in(text).topics for example in topic.examples]
    except (ValueError, RecursionError) as error:
        raise TopicsError(f"the topics are not TOML: {error}") from None


def _file(folder: str, name: str, text: str) -> Path | None:
    if not text:
        return None
    path = Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return path


def edit(window: Window, directory: CrawlDirectory, wanted: TopicEdit) -> Edited:
    """Change the topic tree and retrain the critic. New examples are URLs, never files."""
    editing = Editing(directory.path)
    if wanted.edit in (EditKind.ADD, EditKind.ADD_EXAMPLES):
        wanted = wanted.model_copy(update={"examples": list(checked_urls(wanted.examples))})
    match wanted.edit:
        case EditKind.ADD:
            done = editing.add(wanted.topic, wanted.examples, good=wanted.good, query=wanted.query)
        case EditKind.REMOVE:
            done = editing.remove(wanted.topic)
        case EditKind.RENAME:
            done = editing.rename(wanted.topic, wanted.to)
        case EditKind.MOVE:
            done = editing.move(wanted.topic, wanted.to)
        case EditKind.MARK:
            done = editing.mark(wanted.topic)
        case EditKind.LEAD:
            done = editing.mark_lead(wanted.topic)
        case EditKind.UNMARK:
            done = editing.unmark(wanted.topic)
        case EditKind.ADD_EXAMPLES:
            done = editing.add_examples(wanted.topic, wanted.examples)
        case EditKind.MOVE_EXAMPLES:
            done = editing.move_examples(wanted.topic, wanted.to, wanted.examples)
        case EditKind.DROP_EXAMPLES:
            done = editing.drop_examples(wanted.topic, wanted.examples)
        case EditKind.UNDO:
            done = editing.undo()
    window.engine.learn(directory)
    return done


def feed_back(window: Window, directory: CrawlDirectory, feedback: Feedback) -> Edited:
    """Add feedback on a page, a site or a hub to the topics, and retrain the critic."""
    done = _taken_back(directory, feedback) if feedback.say is FeedbackKind.UNDO else _said(directory, feedback)
    window.engine.learn(directory)
    return done


def feed_back_all(window: Window, directory: CrawlDirectory, urls: Sequence[str], kind: FeedbackKind) -> str:
    """Say the same of several pages, retrain the critic once, and return what was done in a sentence."""
    said, problems = 0, list[str]()
    for url in urls:
        try:
            _said(directory, Feedback(url=url, say=kind))
            said += 1
        except TopicsError as error:  # such as an example already
            problems.append(str(error))
    if not said:
        raise TopicsError(problems[0] if problems else "choose some pages first")
    window.engine.learn(directory)
    return f"The critic learns from {count(said, 'page')}."


def check_critic(window: Window, directory: CrawlDirectory, sample: Sample, answers: Sequence[Answer]) -> list[str]:
    """Say what answers about sampled pages mean, keep them, and retrain the critic on them."""
    said = take_answers(directory, sample, answers)
    window.engine.learn(directory)
    return [*said, f"The critic learns from {count(len(answers), 'page')}."]


def trim_page(window: Window, directory: CrawlDirectory, wanted: Trim) -> Edited:
    """Make some blocks of a page an example, and retrain the critic."""
    done = trim(directory, wanted.url, wanted.blocks, topic=wanted.topic)
    window.engine.learn(directory)
    return done


def harvest_now(directory: CrawlDirectory) -> str:
    """End the learning phase of a crawl, and say what follows."""
    directory.ask_to_harvest()
    return f"It harvests from its next {'page' if directory.is_running() else 'start'} on."


def _said(directory: CrawlDirectory, feedback: Feedback) -> Edited:
    saying, topic = Saying(feedback.say.value), feedback.topic
    if feedback.of is Of.PAGE:
        return say(directory, feedback.url, saying, topic=topic)
    return say_of(directory, feedback.of, feedback.url, saying, only=feedback.only, topic=topic)


def _taken_back(directory: CrawlDirectory, feedback: Feedback) -> Edited:
    if feedback.of is Of.PAGE:
        return take_back(directory, feedback.url)
    return take_back_of(directory, feedback.of, feedback.url)


def rows_of(directory: CrawlDirectory, statement: str, *, seconds: float) -> Rows:
    """Answer an SQL query with the first rows."""
    if not statement.strip():
        raise UsageError("there is no question")
    with answered(directory, statement, seconds=seconds) as answer:
        rows = [[_cell(value) for value in row] for row in islice(answer.rows, MOST_ROWS)]
        more = next(answer.rows, None) is not None
    return Rows(columns=list(answer.columns), rows=rows, more=more)


def _cell(value: object) -> str | int | float | None:
    value = plain(value)
    if isinstance(value, float) and not isfinite(value):
        return None  # JSON has no word for it
    return value if isinstance(value, (int, float)) or value is None else str(value)
