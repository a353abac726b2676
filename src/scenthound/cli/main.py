"""The command line: what can be typed, and how errors and exit codes come out. The work is done in the modules beside it.

A command's module is imported when the command runs, so that `scenthound --help` answers at once.
Results go to stdout, progress and errors to stderr.
"""

import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.lab import lab
from scenthound.cli.topics import forms
from scenthound.cli.typed import By, Dir, Json
from scenthound.distill.site import Site
from scenthound.errors import ScenthoundError, UsageError


class Format(StrEnum):
    """What `export` can write."""

    JSONL = "jsonl"
    CSV = "csv"
    URLS = "urls"
    BOOKMARKS = "bookmarks"
    CDXJ = "cdxj"


Pages = Annotated[
    int | None,
    typer.Option("--pages", min=0, metavar="N", help="Stop after N pages fetched, over all runs; 0 is no limit."),
]
TopicAsked = Annotated[
    str | None,
    typer.Option("--topic", metavar="TOPIC", help="For this topic and those below, instead of all good ones."),
]
Most = Annotated[int, typer.Option("--most", min=1, metavar="N", help="Show at most N.")]
SiteUnit = Annotated[
    Site,
    typer.Option(
        "--site",
        metavar="|".join(Site),
        help="What is one site: links within it do not count; page is for a single site.",
    ),
]
Stored = Annotated[
    bool, typer.Option("--stored", help="Show at once what was found last beside the crawl, with its age.")
]

app = typer.Typer(
    name="scenthound",
    help="A focused web crawler: give it examples of a topic, it brings back the pages about it.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def run() -> None:
    """Be the program `scenthound`."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0 done, 2 bad usage or settings, 1 failure, 130 interrupted."""
    try:
        # Typer's own no_args_is_help raises the help as an error, which would come out in one line.
        result = app(list(arguments) or ["--help"], prog_name="scenthound", standalone_mode=False)
        sys.stdout.flush()
    except (ScenthoundError, typer.TyperException) as error:
        return _complain(error)
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as leaving:  # typer's own answer to a broken pipe
        return _reader_left() if isinstance(leaving.__context__, BrokenPipeError) else int(leaving.code or 0)
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    except Exception as error:
        return _complain(error)
    return result if isinstance(result, int) else 0


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=lambda on: _version(on), help="Print the version and exit."),
    ] = False,
) -> None:
    pass


@app.command()
def new(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make; it must not exist or be empty.")],
    urls: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL", help="Pages like which you want more; the crawl starts there."),
    ] = None,
    topics: Annotated[
        Path | None, typer.Option("--topics", metavar="F.toml", help="Topics with examples, from a topics file.")
    ] = None,
    bookmarks: Annotated[
        Path | None,
        typer.Option("--bookmarks", metavar="F.html", help="Bookmarks as browsers export them; folders are topics."),
    ] = None,
    dmoz: Annotated[
        Path | None,
        typer.Option("--dmoz", metavar="F.rdf", help="A web directory: the content dump of dmoz.org, also gzipped."),
    ] = None,
    under: Annotated[
        list[str] | None,
        typer.Option("--under", metavar="TOPIC", help="Of --dmoz, only this topic and those below; may be repeated."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="D", help="A folder tree of documents; subfolders are topics. It is copied."),
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", metavar="WORDS", help="Words that say what is wanted.")
    ] = None,
    good: Annotated[
        list[str] | None,
        typer.Option(
            "--good",
            metavar="TOPIC",
            help="Mark this topic good: its path, or as much of its end as no other has; may be repeated.",
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="K=V", help="A setting, written into crawl.toml; may be repeated."),
    ] = None,
) -> int:
    """Make a crawl directory from examples of what you want.

    Give addresses, or one source of topics and which of them are good; addresses are then examples of the good topic.
    """
    from scenthound.cli.new import show_new
    from scenthound.desk.new import Wish

    return show_new(
        Wish(
            path=path,
            urls=urls or (),
            topics=topics,
            bookmarks=bookmarks,
            dmoz=dmoz,
            under=under or (),
            folder=folder,
            query=query,
            good=good or (),
            overrides=overrides or (),
        )
    )


@app.command()
def crawl(
    path: Dir,
    pages: Pages = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0, metavar="M", help="Stop after M minutes of this run; 0 is no limit."),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="K=V",
            help="A setting for this run only, as section.name=value (crawl.toml lists them all); may be repeated.",
        ),
    ] = None,
    revisit: Annotated[
        bool,
        typer.Option(
            "--revisit",
            help="First ask again for pages that are due: fetched earlier, and likely enough to have changed by now; "
            "--pages then counts the pages asked for in this run.",
        ),
    ] = False,
    revisit_all: Annotated[
        bool, typer.Option("--revisit-all", help="The same for all pages, whether or not they are due.")
    ] = False,
    backlinks: Annotated[
        str | None,
        typer.Option(
            "--backlinks",
            metavar="SOURCE",
            help='Also fetch pages that cite good ones: "links" (of this crawl), a file, or a command that names them.',
        ),
    ] = None,
    forgive: Annotated[
        bool, typer.Option("--forgive", help="Give hosts that failed too often another chance.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress, only why it stopped.")] = False,
    window: Annotated[
        bool,
        typer.Option(
            "--serve",
            help="Also open the window in the browser: Ctrl-C ends both, else it stays when the crawl has ended.",
        ),
    ] = False,
) -> int:
    """Run a crawl, or resume it.

    It ends at a budget, when nothing is left, or by Ctrl-C, and says why it stopped.
    """
    from scenthound.cli.crawl import Run, crawl_directory
    from scenthound.cli.served import beside_window
    from scenthound.crawl.revisiting import Revisit

    crawling = crawl_directory if not window else beside_window
    return crawling(
        Run(
            path=path,
            pages=pages,
            minutes=minutes,
            overrides=tuple(overrides or ()),
            revisit=Revisit.ALL if revisit_all else Revisit.DUE if revisit else None,
            backlinks=backlinks,
            forgive=forgive,
            quiet=quiet,
        )
    )


@app.command()
def status(path: Dir, as_json: Json = False) -> int:
    """Show how a crawl stands and what slows it.

    It may be asked for while the crawl runs.
    """
    from scenthound.cli.status import show_status

    return show_status(path, as_json=as_json)


@app.command()
def why(
    path: Dir,
    url: Annotated[str, typer.Argument(metavar="URL", help="An address, in any spelling.")],
    as_json: Json = False,
) -> int:
    """Tell all that is known about one URL.

    Where it was found, what robots.txt says, what was tried when, and what came of it.
    """
    from scenthound.cli.telling import tell_why

    return tell_why(path, url, as_json=as_json)


@app.command()
def classify(
    path: Dir,
    names: Annotated[list[str] | None, typer.Argument(metavar="URL|FILE", help="Addresses or files.")] = None,
    stored: Annotated[bool, typer.Option("--stored", help="Judge everything that the crawl has fetched.")] = False,
    by: Annotated[
        By,
        typer.Option(
            "--by",
            metavar="|".join(By),
            help="Of --stored: the critic in memory, or naive Bayes as SQL, all pages at a time or each by itself.",
        ),
    ] = By.CRITIC,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", metavar="F.sqlite", help="Of --by bulk and single: keep the papers' tables in this file."
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Show where pages fall in the topic tree.

    With the probability of each topic; files are judged too. A page that the crawl has is judged as stored; others are fetched,
    and not kept. With --stored, all pages of the crawl are judged as they are stored, and the crawl stays as it is.
    """
    if stored:
        from scenthound.cli.classify_stored import StoredWish, classify_stored

        return classify_stored(StoredWish(path=path, names=tuple(names or ()), by=by, keep=keep, as_json=as_json))
    from scenthound.cli.classify import classify as show

    if not names or keep or by is not By.CRITIC:
        raise UsageError("name addresses or files, or ask for everything that the crawl has with --stored")
    return show(path, names, as_json=as_json)


@app.command()
def hubs(
    path: Dir,
    topic: TopicAsked = None,
    most: Most = 20,
    site: SiteUnit = Site.DOMAIN,
    stored: Stored = False,
    as_json: Json = False,
) -> int:
    """Show the best hubs: pages that lead to many good ones.

    Each with the best pages that it links to.
    """
    from scenthound.cli.hubs import Wish, show_hubs

    return show_hubs(Wish(path=path, topic=topic, most=most, site=site, stored=stored, as_json=as_json))


@app.command()
def authorities(
    path: Dir,
    topic: TopicAsked = None,
    most: Most = 20,
    site: SiteUnit = Site.DOMAIN,
    stored: Stored = False,
    as_json: Json = False,
) -> int:
    """Show the best authorities, which good hubs link to.

    Each with the best hubs that cite it.
    """
    from scenthound.cli.hubs import Wish, show_authorities

    return show_authorities(Wish(path=path, topic=topic, most=most, site=site, stored=stored, as_json=as_json))


@app.command()
def sites(path: Dir, topic: TopicAsked = None, most: Most = 20, as_json: Json = False) -> int:
    """Show the sites that specialise in what is wanted.

    In the order of the density of relevant pages that each surely has, with its best pages.
    """
    from scenthound.cli.hubs import Wish, show_sites

    return show_sites(Wish(path=path, topic=topic, most=most, as_json=as_json))


@app.command()
def sql(
    path: Dir,
    statement: Annotated[
        str,
        typer.Argument(
            metavar="SELECT",
            help="A question in SQL; - reads it from stdin.",
            autocompletion=lambda incomplete: _completed(incomplete),
        ),
    ],
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.001, metavar="S", help="Stop after S seconds of searching.")
    ] = 30.0,
) -> int:
    """Ask the crawl's database a question in SQL.

    It only reads, also while the crawl runs. Besides the crawl's own tables there are those of the papers: CRAWL, LINK,
    HUBS, AUTH, TAXONOMY and DOCUMENT.
    """
    from scenthound.cli.sql import Query, answer_query

    return answer_query(Query(path=path, statement=statement, seconds=seconds, as_json=as_json, as_csv=as_csv))


@app.command()
def export(
    path: Dir,
    form: Annotated[
        Format,
        typer.Option("--format", metavar="|".join(Format), help="What to write; cdxj is an index of the archive."),
    ],
    min_relevance: Annotated[
        float | None,
        typer.Option("--min-relevance", min=0, max=1, metavar="X", help="Only pages judged at least this relevant."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="F", help="Write this file, as a whole or not at all; else to stdout."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also redirects and URLs without a page, with the reason.")
    ] = False,
) -> int:
    """Write what was fetched, in fetch order."""
    from scenthound.cli.export import Export, write_export

    return write_export(Export(path=path, form=form.value, min_relevance=min_relevance, out=out, everything=everything))


@app.command()
def demo(
    path: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Keep the crawl in this folder; else in demo-crawl.")
    ] = None,
    pages: Annotated[int, typer.Option("--pages", min=1, metavar="N", help="Stop after N pages.")] = 1500,
) -> int:
    """Crawl a small web made up on this machine.

    It needs no network and takes less than half a minute.
    """
    from scenthound.cli.demo import show_demo

    return show_demo(path, pages=pages)


@app.command()
def serve(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl directory, or a folder of crawls.")],
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="Where to listen; anywhere but on this machine alone it asks for a token."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, metavar="N", help="The port; 0 is any. Else 8765, or the next that is free."
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="NAME", help="A name under which browsers may ask for it (a proxy's); may be repeated."
        ),
    ] = None,
    token: Annotated[
        bool, typer.Option("--token", help="Ask for a token on this machine too, where others use it.")
    ] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
) -> int:
    """Set up, watch and explore crawls in the browser.

    Of a folder it lists all crawls, and new ones can be made. Crawls started there go on when the window is closed.
    """
    from scenthound.ui.serve import Serving, serve

    return serve(Serving(path=path, host=host, port=port, names=tuple(names or ()), token=token, show=not no_open))


app.add_typer(forms, name="topics")
app.add_typer(lab, name="lab")


def _completed(statement: str) -> list[str]:
    from scenthound.cli.completing import completed

    return completed(statement)


def _version(on: bool) -> None:
    if on:
        from scenthound import __version__

        typer.echo(f"scenthound {__version__}")
        raise typer.Exit


def _complain(error: Exception) -> int:
    """Say in one line what went wrong; a traceback only for those who set SCENTHOUND_DEBUG=1."""
    if os.environ.get("SCENTHOUND_DEBUG") == "1":
        traceback.print_exception(error)
    message = _usage(error) if isinstance(error, typer.TyperException) else str(error)
    if not isinstance(error, (ScenthoundError, typer.TyperException)):
        message = f"{type(error).__name__}: {message} (SCENTHOUND_DEBUG=1 shows where)"
    one_line = " ".join(message.split())
    print(f"scenthound: {one_line}", file=sys.stderr)
    return int(getattr(error, "exit_code", 1))


def _usage(error: typer.TyperException) -> str:
    """Say what was typed wrongly in words for people, and which help has the right ones."""
    message = error.format_message().rstrip(".")
    for theirs, ours in _PLAINER.items():
        message = re.sub(theirs, ours, message)
    context = getattr(error, "ctx", None)
    return f"{message}; see: {context.command_path} -h" if context else message


# The checker's messages are about its inside: no user has a string to parse, or an input.
_PLAINER = {
    r", unable to parse string as .*": "",
    r": (Value error, )?Input should be": ": it must be",
    r": Value error, ": ": ",
}


def _reader_left() -> int:
    """End quietly when the program that reads our output has gone; Python would complain again at exit otherwise."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
