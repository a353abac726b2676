"""Options that `hubs`, `authorities` and `sites` share."""

from typing import Annotated

import typer

from scenthound.distill.site import Site

TopicAsked = Annotated[
    str | None,
    typer.Option("--topic", metavar="TOPIC", help="Use this topic and its subtopics, instead of all good topics."),
]

Most = Annotated[int, typer.Option("--most", min=1, metavar="N", help="Show at most N.")]

SiteUnit = Annotated[
    Site | None,
    typer.Option(
        "--site",
        metavar="|".join(Site),
        help="The unit of a site; links within a site do not count. Default: domain, or page if the crawl has one "
        "site.",
    ),
]

Stored = Annotated[bool, typer.Option("--stored", help="Show the last result computed during the crawl, and its age.")]
