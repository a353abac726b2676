"""`scenthound new`, `crawl`, `demo` and `serve`: what can be typed to set up a crawl, run it and watch it.

The work is done in the modules beside this one, each imported when its command runs.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.typed import Dir, Trust
from scenthound.harmless import say

Pages = Annotated[
    int | None,
    typer.Option("--pages", min=0, metavar="N", help="Stop after N pages fetched, over all runs; 0 is no limit."),
]


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
    start: Annotated[
        list[str] | None,
        typer.Option("--start", metavar="URL", help="A page to begin at that is no example; may be repeated."),
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
            start=start or (),
            good=good or (),
            overrides=overrides or (),
        )
    )


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
    trust: Trust = False,
) -> int:
    """Run a crawl, or resume it.

    It ends at a budget, when nothing is left, or by Ctrl-C, and says why it stopped.
    """
    _trust(path, trust)
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


def repair(path: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl directory.")]) -> int:
    """Go on with what is left of a damaged crawl.

    Its database or archive may be gone or broken. It says what is lost, and keeps whatever it replaces in a folder beside it.
    """
    from scenthound.cli.repair import show_repair

    return show_repair(path)


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


def serve(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl directory, or a folder of crawls.")],
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="K=V", help="A setting for pages fetched before there is a crawl, as fetch.proxy."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="Where to listen; 0.0.0.0 is for other machines too."),
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
            "--name",
            metavar="NAME",
            help="A name under which browsers may ask for it, of a proxy with TLS; may be repeated.",
        ),
    ] = None,
    token: Annotated[
        bool,
        typer.Option(
            "--token/--no-token",
            help="Let in who has the link that is printed, or everybody who can reach it on this machine.",
        ),
    ] = True,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
    trust: Trust = False,
) -> int:
    """Set up, watch and explore crawls in the browser.

    Of a folder it lists all crawls, and new ones can be made. Crawls started there go on when the window is closed.
    """
    from scenthound.config import Settings
    from scenthound.desk.crawls import Crawls
    from scenthound.settings_file import override

    _trust(path, trust)
    Crawls.at(path)  # what is wrong with it is said before anything is opened
    override(Settings(), overrides or [])
    say("Opening the window …", file=sys.stderr, flush=True)
    from scenthound.ui.serve import Serving, serve

    return serve(
        Serving(
            path=path,
            overrides=overrides or (),
            host=host,
            port=port,
            names=tuple(names or ()),
            token=token,
            show=not no_open,
        )
    )


def _trust(path: Path, wanted: bool) -> None:
    if wanted:
        from scenthound.cli.trusting import trust_all

        trust_all(path)
