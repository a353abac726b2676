"""What is sent to the API, and the short answers of it; longer answers are the values of `desk` as they are."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from scenthound.services.topics.group_feedback import Of

LARGEST: Final = 2**63 - 1  # that SQLite can hold


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewCrawl(Body):
    """A new crawl: give URLs, a query, bookmarks or a topics file."""

    name: Annotated[str, Field(description="The name of its folder.")]
    urls: Annotated[list[str], Field(description="Pages you want more of; the crawl starts there.")] = []
    query: Annotated[str, Field(description="Words that describe what you want.")] = ""
    bookmarks: Annotated[str, Field(description="Bookmarks exported by a browser: the text of the HTML file.")] = ""
    topics: Annotated[str, Field(description="The text of a topics file whose examples are all URLs.")] = ""
    good: Annotated[list[str], Field(description="The good topics; with URLs or a query, the name of the topic.")] = []
    settings: Annotated[dict[str, str], Field(description="Settings by name, such as fetch.delay, as TOML.")] = {}


class Start(Body):
    """Limits of a run."""

    pages: Annotated[
        int | None, Field(ge=0, le=LARGEST, description="Stop after this many pages, over all runs; 0 means no limit.")
    ] = None
    minutes: Annotated[
        float | None,
        Field(ge=0, allow_inf_nan=False, description="Stop this run after this many minutes; 0 means no limit."),
    ] = None
    forgive: Annotated[bool, Field(description="Give hosts that failed too often another chance.")] = False


class EditKind(StrEnum):
    """What can be done to the tree of topics."""

    ADD = "add"
    REMOVE = "remove"
    RENAME = "rename"
    MOVE = "move"
    MARK = "mark"
    LEAD = "lead"
    UNMARK = "unmark"
    ADD_EXAMPLES = "add-examples"
    MOVE_EXAMPLES = "move-examples"
    DROP_EXAMPLES = "drop-examples"
    UNDO = "undo"


class TopicEdit(Body):
    """One edit of the tree of topics."""

    edit: EditKind
    topic: Annotated[str, Field(description="The path of the topic; empty for undo.")] = ""
    to: Annotated[
        str, Field(description="The new name (rename), parent (move; / means the top) or topic (move-examples).")
    ] = ""
    examples: Annotated[list[str], Field(description="URLs; for drop and move also file names.")] = []
    good: Annotated[bool, Field(description="Mark a new topic good.")] = False
    query: Annotated[str, Field(description="Words that serve as an example of a new topic.")] = ""


class FeedbackKind(StrEnum):
    GOOD = "good"
    NOT_GOOD = "not good"
    UNDO = "undo"


class Feedback(Body):
    """What a reader says of a page; or of a site or a hub, which goes for the best of its pages."""

    url: Annotated[str, Field(description="A page, a hub, or the name of a site.")]
    say: FeedbackKind
    topic: Annotated[str, Field(description="The good topic for the example, instead of the most likely one.")] = ""
    of: Annotated[Of, Field(description="What the feedback is about.")] = Of.PAGE
    only: Annotated[
        list[str], Field(description="For a site or a hub: only these of the pages that GET feedback lists.")
    ] = []


class Trim(Body):
    """Blocks of a page that become an example; the rest of it does not count."""

    url: Annotated[str, Field(description="A crawled page.")]
    blocks: Annotated[list[int], Field(description="Numbers of its blocks, from 1, as GET blocks lists them.")]
    topic: Annotated[str, Field(description="The good topic for the example, instead of the most likely one.")] = ""


class Said(BaseModel):
    """What was done, in sentences."""

    says: list[str]


class CrawlLine(BaseModel):
    """A crawl in the list of crawls."""

    name: str
    doing: str
    pages: int
    waiting: int
    harvest: float | None
    good: list[str]


class Rows(BaseModel):
    """The answer to a question in SQL; `more` says that there are rows behind these."""

    columns: list[str]
    rows: list[list[str | int | float | None]]
    more: bool


class Text(BaseModel):
    """The text of a page."""

    text: str


class Fault(BaseModel):
    """The error of a request, in one line that says what to do."""

    error: str


class SqlFormat(StrEnum):
    ROWS = "rows"
    CSV = "csv"
    JSON = "json"
