"""questions.toml: the saved questions of a crawl, and where news goes.

A file and not a table of the database: people read it, edit it, copy it to another crawl and keep it under version
control. Commands and webhooks stand here and nowhere else, so that only who can write the file can set them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field

from scenthound.errors import SettingError
from scenthound.settings.file import nearest, read_toml
from scenthound.settings.time_span import seconds_of

FILE: Final = "questions.toml"
DIAGNOSIS: Final = "diagnosis"  # the name under which findings of a crawl about itself are news
MOST: Final = 1_000  # pages of a search that are compared
_NAME: Final = re.compile(r"[^\x00-\x1f\x7f/\\\"]{1,80}")


class SavedQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A search (`search`, `like` or filters alone) or a question in SQL."""

    search: str = ""
    sql: str = ""
    key: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    topic: str = ""
    vague: bool = False
    site: str = ""
    language: str = ""
    type: str = ""
    weights: str = ""
    near: bool = False
    min_relevance: Annotated[float, Meta(ge=0, le=1)] = 0.0
    most: Annotated[int, Meta(ge=1, le=MOST)] = MOST
    report_first: bool = False

    @property
    def given(self) -> dict[str, object]:
        """What was said, without defaults."""
        told, plain = msgspec.to_builtins(self), msgspec.to_builtins(SavedQuestion())
        return {name: value for name, value in told.items() if value != plain[name]}

    @property
    def words(self) -> str:
        """The question in short, for lists."""
        if self.sql:
            return " ".join(self.sql.split())
        more = {"like": ", ".join(self.like), "topic": self.topic, "site": self.site, "language": self.language}
        return " ".join(filter(None, (self.search, *(f"{name}: {value}" for name, value in more.items() if value))))


class NewsOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[news]: whether there is a feed, whether findings are news, and how often questions run during a crawl."""

    feed: bool = True
    findings: bool = True
    every: str = ""


class Webhook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[webhook]]: an address that gets news by POST. `private` lets it be one of this machine or its network."""

    url: str
    headers: dict[str, str] = field(default_factory=dict)
    private: bool = False
    seconds: Annotated[float, Meta(gt=0, le=120)] = 10.0

    @property
    def name(self) -> str:
        return f"the webhook {self.url}"


class NewsCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[command]]: a program of the user's that gets news on its standard input. No shell reads its words."""

    run: Annotated[tuple[str, ...], Meta(min_length=1)]
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 30.0

    @property
    def name(self) -> str:
        return f"the command {' '.join(self.run)}"


Channel = Webhook | NewsCommand


class QuestionBook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of questions.toml."""

    news: NewsOptions = NewsOptions()
    webhook: tuple[Webhook, ...] = ()
    command: tuple[NewsCommand, ...] = ()
    question: dict[str, SavedQuestion] = field(default_factory=dict)

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*self.webhook, *self.command)


def load_questions(folder: Path) -> QuestionBook:
    """Read the questions of a crawl; without a file there are none."""
    path = folder / FILE
    if not path.exists():
        return QuestionBook(news=NewsOptions(feed=False, findings=False))
    return book_of(read_toml(path, SettingError))


def book_of(table: dict[str, object]) -> QuestionBook:
    """Check what a file says."""
    try:
        book = msgspec.convert(table, QuestionBook)
    except msgspec.ValidationError as error:
        raise SettingError(f"{FILE}: {_plainly(str(error))}") from None
    for fault in _faults(book):
        raise SettingError(f"{FILE}: {fault}")
    return book


def _faults(book: QuestionBook) -> Iterator[str]:
    if book.news.every:
        seconds_of(book.news.every, of=f"{FILE}: every")
    for name, question in book.question.items():
        for fault in faults_of(name, question):
            yield f'question "{name}": {fault}'
    for hook in book.webhook:
        if not _is_address(hook.url):
            yield f'webhook "{hook.url}": give a whole address without a password, such as https://example.org/news'


def _is_address(url: str) -> bool:
    """Tell whether news can be sent to an address.

    >>> [_is_address(url) for url in ("https://a.org/x", "http://[", "http://a:99999/", "http://me:pw@a/", "a.org")]
    [True, False, False, False, False]
    """
    try:
        parts = urlsplit(url)
        return bool(re.match(r"https?://[^/\s@]+(/\S*)?$", url)) and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def faults_of(name: str, question: SavedQuestion) -> Iterator[str]:
    """Yield what is wrong with a question that can be told without asking it."""
    if not _NAME.fullmatch(name) or name != name.strip() or name == DIAGNOSIS:
        yield f'choose another name: up to 80 letters, without / \\ or quotes, and not "{DIAGNOSIS}"'
    asked = question.search or question.like or question.topic or question.site or question.language or question.type
    if question.sql and asked:
        yield "it is a search or SQL, not both"
    if not question.sql and not asked:
        yield 'say what to ask: search = "words" or sql = "SELECT …"'
    if question.key and not question.sql:
        yield "key is for SQL; pages of a search are known by their address"
    if question.vague and not question.topic:
        yield "vague needs a topic"


def _plainly(message: str) -> str:
    """Reword the checker's message.

    >>> _plainly("Object contains unknown field `serch` - at `$.question[...]`")
    'question: there is no setting "serch"; did you mean "search"?'
    """
    text, _, place = message.partition(" - at `$")
    where = re.sub(r"\[\.\.\.\]|\[\d+\]", "", place.strip("`")).strip(".")
    if found := re.search(r"unknown field `(\w+)`", text):
        kinds = {"question": SavedQuestion, "news": NewsOptions, "webhook": Webhook, "command": NewsCommand}
        guess = nearest(found[1], kinds.get(where.partition(".")[0], QuestionBook).__struct_fields__)
        text = f'there is no setting "{found[1]}"' + (f'; did you mean "{guess}"?' if guess else "")
    return f"{where}: {text}" if where else text
