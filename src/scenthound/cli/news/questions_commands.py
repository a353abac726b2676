"""`scenthound questions DIR …`: save questions, run them, and choose where news goes.

Each form returns the exit code and imports its work when it runs.
"""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.forms import Forms
from scenthound.cli.shared.options import Dir, Json, Trust, trust_if
from scenthound.errors import UsageError

questions = typer.Typer(
    cls=Forms, invoke_without_command=True, subcommand_metavar="[FORM …]", rich_markup_mode=None, add_completion=False
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the question.")]


@questions.callback()
def show(context: typer.Context, path: Dir, as_json: Json = False, trust: Trust = False) -> int:
    """List the saved questions, or change them.

    A saved question runs after each crawl and says what is new since last time: in news.atom, over webhooks, to a
    command, and in the window. They are in questions.toml in the crawl directory.
    """
    context.obj = path
    trust_if(trust, path)
    if context.invoked_subcommand is not None:
        return 0
    from scenthound.cli.news.news_lines import show_questions

    return show_questions(path, as_json=as_json)


@questions.command()
def add(
    context: typer.Context,
    name: Name,
    search: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="Words, as `scenthound search` takes them.")
    ] = "",
    sql: Annotated[str, typer.Option("--sql", metavar="SELECT", help="A query, as `scenthound sql` takes it.")] = "",
    key: Annotated[
        str,
        typer.Option(
            "--key",
            metavar="COLUMNS",
            help="With --sql: columns that identify a row, such as url,seen. Default: url, or the whole row.",
        ),
    ] = "",
    like: Annotated[
        list[str] | None, typer.Option("--like", metavar="URL", help="Pages similar to this one. Can be repeated.")
    ] = None,
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="Only pages of this topic and those below it.")
    ] = "",
    vague: Annotated[
        bool, typer.Option("--vague", help="With --topic: all pages, weighted by the probability of the topic.")
    ] = False,
    site: Annotated[str, typer.Option("--site", metavar="SITE", help="Only pages of this host or domain.")] = "",
    language: Annotated[str, typer.Option("--language", metavar="L", help="Only pages in this language: en.")] = "",
    mime: Annotated[str, typer.Option("--type", metavar="T", help="Only pages of this type: application/pdf.")] = "",
    weights: Annotated[
        str, typer.Option("--weights", metavar="W", help="Ranking weights, as in `scenthound search`.")
    ] = "",
    near: Annotated[
        bool, typer.Option("--near", help="Also find pages with a similar meaning that lack the words.")
    ] = False,
    min_relevance: Annotated[
        float, typer.Option("--min-relevance", min=0, max=1, metavar="R", help="Only pages at least this relevant.")
    ] = 0.0,
    most: Annotated[
        int,
        typer.Option(
            "--most",
            min=1,
            max=1000,
            metavar="N",
            help="Compare only the best N pages. Default: all; with --near and --like 1000.",
        ),
    ] = 1000,
    report_first: Annotated[
        bool, typer.Option("--report-first", help="Report what is there now as news. By default it counts as seen.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Save a question and run it once."""
    from scenthound.cli.news.news_lines import added
    from scenthound.settings.question_book import SavedQuestion

    if bool(sql) == bool(search or like or topic or site or language or mime):
        raise UsageError('give --search or --sql, such as: scenthound questions DIR add gears --search "hub gears"')
    question = SavedQuestion(
        search=search,
        sql=sql,
        key=tuple(filter(None, (part.strip() for part in key.split(",")))),
        like=tuple(like or ()),
        topic=topic,
        vague=vague,
        site=site,
        language=language,
        type=mime,
        weights=weights,
        near=near,
        min_relevance=min_relevance,
        most=most,
        report_first=report_first,
    )
    return added(_directory(context), name, question, as_json=as_json)


@questions.command("list")
def list_questions(context: typer.Context, as_json: Json = False) -> int:
    """List the questions with their last run, and where news goes."""
    from scenthound.cli.news.news_lines import show_questions

    return show_questions(_directory(context), as_json=as_json)


@questions.command()
def run(
    context: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Names of questions. Default: all, and the findings.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Run questions now, and send what is new."""
    from scenthound.cli.news.news_lines import run_now

    return run_now(_directory(context), names or [], as_json=as_json)


@questions.command()
def answers(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a question. Default: all questions.")] = "",
    most: Annotated[int, typer.Option("--most", min=1, max=10_000, metavar="N", help="Show at most N.")] = 20,
    as_json: Json = False,
) -> int:
    """Show the latest news, newest first."""
    from scenthound.cli.news.news_lines import show_news

    return show_news(_directory(context), name, most=most, as_json=as_json)


@questions.command()
def remove(context: typer.Context, name: Name) -> int:
    """Remove a question, with all that it has seen and said."""
    from scenthound.cli.news.news_lines import removed

    return removed(_directory(context), name)


@questions.command()
def notify(
    context: typer.Context,
    webhook: Annotated[str, typer.Option("--webhook", metavar="URL", help="Send news there, by POST as JSON.")] = "",
    headers: Annotated[
        list[str] | None,
        typer.Option("--header", metavar="H", help='With --webhook: a header, such as "Authorization: Bearer …".'),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="With --webhook: allow an address of this machine or its network.")
    ] = False,
    command: Annotated[
        str, typer.Option("--command", metavar="WORDS", help="Run a program with news as JSON on its standard input.")
    ] = "",
    stop: Annotated[
        str, typer.Option("--stop", metavar="WHERE", help="Send nothing more to this webhook or command.")
    ] = "",
) -> int:
    """Say where news goes, besides the feed and the window."""
    from scenthound.cli.news.news_lines import notified
    from scenthound.settings.question_book import NewsCommand, Webhook

    if bool(webhook) + bool(command) + bool(stop) != 1:
        raise UsageError("give one of --webhook URL, --command WORDS and --stop WHERE")
    if (headers or private) and not webhook:
        raise UsageError("--header and --private are for --webhook")
    if stop:
        return notified(_directory(context), stop=stop)
    if webhook:
        return notified(
            _directory(context), Webhook(url=webhook, headers=dict(map(_header, headers or ())), private=private)
        )
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"--command cannot be read: {error}") from None
    return notified(_directory(context), NewsCommand(run=words))


@questions.command()
def feed(
    context: typer.Context,
    renew: Annotated[
        bool, typer.Option("--renew", help="Make a new secret address. The old one stops working at once.")
    ] = False,
) -> int:
    """Show where the feed is: its file, and its secret address in the window."""
    from scenthound.cli.news.news_lines import show_feed

    return show_feed(_directory(context), renew=renew)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or not value.strip() or not text.isprintable():
        raise UsageError(f'--header "{text}" cannot be used; write a name, a colon and a value')
    return name.strip(), value.strip()


def _directory(context: typer.Context) -> Path:
    path = context.find_object(Path)
    assert path is not None  # the callback above has put it there
    return path
