"""What is sent to the API, and the short answers of it; longer answers are the values of `desk` as they are."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from scenthound.desk.feedback_groups import Of

LARGEST: Final = 2**63 - 1  # that SQLite can hold


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewCrawl(Body):
    """A crawl to be made: give addresses, a query, bookmarks or a topics file."""

    name: Annotated[str, Field(description="The name of its folder.")]
    urls: Annotated[list[str], Field(description="Pages like which more are wanted; the crawl starts there.")] = []
    query: Annotated[str, Field(description="Words that say what is wanted.")] = ""
    bookmarks: Annotated[str, Field(description="Bookmarks as browsers export them, the text of the HTML file.")] = ""
    topics: Annotated[str, Field(description="The text of a topics file, with addresses as examples only.")] = ""
    good: Annotated[list[str], Field(description="The topics that are good; with addresses or a query, its name.")] = []
    settings: Annotated[dict[str, str], Field(description="Settings by name, such as fetch.delay, as TOML.")] = {}


class Start(Body):
    """Limits of a run."""

    pages: Annotated[
        int | None, Field(ge=0, le=LARGEST, description="Stop after so many pages, over all runs; 0 is no limit.")
    ] = None
    minutes: Annotated[
        float | None,
        Field(ge=0, allow_inf_nan=False, description="Stop after so many minutes of this run; 0 is no limit."),
    ] = None
    forgive: Annotated[bool, Field(description="Give hosts that failed too often another chance.")] = False


class EditKind(StrEnum):
    """What can be done to the tree of topics."""

    ADD = "add"
    REMOVE = "remove"
    RENAME = "rename"
    MOVE = "move"
    MARK = "mark"
    UNMARK = "unmark"
    ADD_EXAMPLES = "add-examples"
    MOVE_EXAMPLES = "move-examples"
    DROP_EXAMPLES = "drop-examples"
    UNDO = "undo"


class TopicEdit(Body):
    """One edit of the tree of topics."""

    edit: EditKind
    topic: Annotated[str, Field(description="The topic it is about: its path; for undo, nothing.")] = ""
    to: Annotated[
        str, Field(description="The new name (rename), parent (move; / is the top) or topic (move-examples).")
    ] = ""
    examples: Annotated[list[str], Field(description="Addresses; for drop and move also names of files.")] = []
    good: Annotated[bool, Field(description="Mark a new topic good.")] = False
    query: Annotated[str, Field(description="Words that stand for an example of a new topic.")] = ""


class FeedbackKind(StrEnum):
    GOOD = "good"
    NOT_GOOD = "not good"
    UNDO = "undo"


class Feedback(Body):
    """What a reader says of a page; or of a site or a hub, which goes for the best of its pages."""

    url: Annotated[str, Field(description="A page, a hub, or the name of a site.")]
    say: FeedbackKind
    topic: Annotated[str, Field(description="The good topic that it is an example of, instead of the likeliest.")] = ""
    of: Annotated[Of, Field(description="What is spoken of.")] = Of.PAGE
    only: Annotated[
        list[str], Field(description="Of a site or a hub: only these of the pages that GET feedback lists.")
    ] = []


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
    """What was wrong with a request, in one line that says what to do."""

    error: str


class ExportFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    URLS = "urls"
    BOOKMARKS = "bookmarks"
    CDXJ = "cdxj"


class SqlFormat(StrEnum):
    ROWS = "rows"
    CSV = "csv"
    JSON = "json"
