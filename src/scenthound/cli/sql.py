"""`scenthound sql`: query the crawl's database."""

from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir, Json


def sql(
    path: Dir,
    statement: Annotated[
        str,
        typer.Argument(
            metavar="SELECT",
            help="A query in SQL. - reads it from stdin.",
            autocompletion=lambda incomplete: _completed(incomplete),
        ),
    ],
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=0.001, metavar="S", help="Stop after S seconds.")] = 30.0,
    megabytes: Annotated[
        int, typer.Option("--megabytes", min=1, metavar="N", help="Stop if the answer grows beyond N megabytes.")
    ] = 1000,
) -> int:
    """Query the crawl's database in SQL.

    The query only reads, and may run beside the crawl. The database has the crawl's own tables and those of the papers:
    CRAWL, LINK, HUBS, AUTH, TAXONOMY and DOCUMENT.
    """
    from scenthound.cli.work.sql_table import Query, answer_query

    return answer_query(
        Query(path=path, statement=statement, seconds=seconds, megabytes=megabytes, as_json=as_json, as_csv=as_csv)
    )


def _completed(statement: str) -> list[str]:
    from scenthound.cli.shared.completion import completed

    return completed(statement)
