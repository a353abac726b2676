"""`scenthound export`: write the fetched pages to a file or to stdout."""

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.shared.options import Dir
from scenthound.services.results.export_format import ExportFormat


def export(
    path: Dir,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format", metavar="|".join(ExportFormat), help="The output format. cdxj is an index of the archive."
        ),
    ],
    min_relevance: Annotated[
        float | None,
        typer.Option("--min-relevance", min=0, max=1, metavar="X", help="Only pages with at least this relevance."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="F", help="Write to this file, completely or not at all. Default: stdout."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include redirects and URLs without a page, with the reason.")
    ] = False,
) -> int:
    """Write the fetched pages, in fetch order."""
    from scenthound.cli.work.output_file import output_file
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.services.crawls.reader_store import reading
    from scenthound.services.results.export_pages import write_pages

    directory = CrawlDirectory.open(path)
    with reading(directory):  # fail before a file is begun
        pass
    with output_file(out) as file:
        write_pages(directory, file, form=form, min_relevance=min_relevance, everything=everything)
    return 0
