"""What can be typed to ask a crawl something: how it stands, why a URL was taken, the best pages, SQL, an export.

The work is done in the modules beside this one, each imported when its command runs.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.typed import By, Dir, Json, Trust
from scenthound.distill.site import Site
from scenthound.errors import UsageError


class Format(StrEnum):
    """What `export` can write."""

    JSONL = "jsonl"
    CSV = "csv"
    URLS = "urls"
    BOOKMARKS = "bookmarks"
    CDXJ = "cdxj"


TopicAsked = Annotated[
    str | None,
    typer.Option("--topic", metavar="TOPIC", help="For this topic and those below, instead of all good ones."),
]

Most = Annotated[int, typer.Option("--most", min=1, metavar="N", help="Show at most N.")]

SiteUnit = Annotated[
    Site | None,
    typer.Option(
        "--site",
        metavar="|".join(Site),
        help="What is one site: links within it do not count. Else domain, and page where the crawl has a single site.",
    ),
]

Stored = Annotated[
    bool, typer.Option("--stored", help="Show at once what was found last beside the crawl, with its age.")
]


def status(path: Dir, as_json: Json = False) -> int:
    """Show how a crawl stands and what slows it.

    It may be asked for while the crawl runs.
    """
    from scenthound.cli.status import show_status

    return show_status(path, as_json=as_json)


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
    trust: Trust = False,
) -> int:
    """Show where pages fall in the topic tree.

    With the probability of each topic; files are judged too. A page that the crawl has is judged as stored; others are fetched,
    and not kept. With --stored, all pages of the crawl are judged as they are stored, and the crawl stays as it is.
    """
    if trust:
        from scenthound.cli.trusting import trust_all

        trust_all(path)
    if stored:
        from scenthound.cli.classify_stored import StoredWish, classify_stored

        return classify_stored(StoredWish(path=path, names=tuple(names or ()), by=by, keep=keep, as_json=as_json))
    from scenthound.cli.classify import classify as show

    if not names or keep or by is not By.CRITIC:
        raise UsageError("name addresses or files, or ask for everything that the crawl has with --stored")
    return show(path, names, as_json=as_json)


def hubs(
    path: Dir,
    topic: TopicAsked = None,
    most: Most = 20,
    site: SiteUnit = None,
    stored: Stored = False,
    as_json: Json = False,
) -> int:
    """Show the best hubs: pages that lead to many good ones.

    Each with the best pages that it links to.
    """
    from scenthound.cli.hubs import Wish, show_hubs

    return show_hubs(Wish(path=path, topic=topic, most=most, site=site, stored=stored, as_json=as_json))


def authorities(
    path: Dir,
    topic: TopicAsked = None,
    most: Most = 20,
    site: SiteUnit = None,
    stored: Stored = False,
    as_json: Json = False,
) -> int:
    """Show the best authorities, which good hubs link to.

    Each with the best hubs that cite it.
    """
    from scenthound.cli.hubs import Wish, show_authorities

    return show_authorities(Wish(path=path, topic=topic, most=most, site=site, stored=stored, as_json=as_json))


def sites(path: Dir, topic: TopicAsked = None, most: Most = 20, as_json: Json = False) -> int:
    """Show the sites that specialise in what is wanted.

    In the order of the density of relevant pages that each surely has, with its best pages.
    """
    from scenthound.cli.hubs import Wish, show_sites

    return show_sites(Wish(path=path, topic=topic, most=most, as_json=as_json))


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
    megabytes: Annotated[
        int, typer.Option("--megabytes", min=1, metavar="N", help="Stop when the answer is longer than N megabytes.")
    ] = 1000,
) -> int:
    """Ask the crawl's database a question in SQL.

    It only reads, also while the crawl runs. Besides the crawl's own tables there are those of the papers: CRAWL, LINK,
    HUBS, AUTH, TAXONOMY and DOCUMENT.
    """
    from scenthound.cli.sql import Query, answer_query

    return answer_query(
        Query(path=path, statement=statement, seconds=seconds, megabytes=megabytes, as_json=as_json, as_csv=as_csv)
    )


def _completed(statement: str) -> list[str]:
    from scenthound.cli.completing import completed

    return completed(statement)


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


def feedback(
    path: Dir,
    urls: Annotated[list[str] | None, typer.Argument(metavar="URL", help="Pages of the crawl, or any others.")] = None,
    good: Annotated[bool, typer.Option("--good", help="They are what is wanted.")] = False,
    not_good: Annotated[bool, typer.Option("--not-good", help="They are not what is wanted.")] = False,
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="They belong to this topic; with --good, to this good one.")
    ] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Take back what was last said of them.")] = False,
    ask: Annotated[
        int,
        typer.Option("--ask", metavar="N", min=0, help="Ask about N crawled pages, and say how right the critic is."),
    ] = 0,
    as_json: Json = False,
) -> int:
    """Say which pages are good; the critic learns from it.

    Each page becomes an example. The command shows how many pages on topic there are before and after, and which change most.
    """
    from scenthound.cli.feedback import ask_for_feedback, give_feedback

    if ask:
        return ask_for_feedback(path, ask, as_json=as_json)
    return give_feedback(path, urls or [], good=good, not_good=not_good, topic=topic, undo=undo)
