"""[distill]: how hubs and authorities are found, and how hubs influence the crawl."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class DistillSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How hubs and authorities are found during the crawl, and how hubs influence it."""

    on: Annotated[bool, Meta(description="Find hubs and authorities during the crawl, in a separate process.")] = True
    growth: Annotated[
        float,
        Meta(
            ge=1.05,
            description="Compute hubs again when the number of links or the total relevance has grown by this factor.",
        ),
    ] = 1.5
    least: Annotated[int, Meta(ge=1, description="Number of links needed before hubs are first computed.")] = 5_000
    site: Annotated[
        Literal["domain", "host", "page"],
        Meta(description='The unit of a site; links within a site do not count. Use "page" to crawl a single site.'),
    ] = "domain"
    share: Annotated[
        float, Meta(gt=0, le=1, description="Part of the judged pages, the most relevant, that can be authorities.")
    ] = 0.15
    rounds: Annotated[int, Meta(ge=1, description="How many times scores pass from hubs to authorities and back.")] = 20
    hubs: Annotated[int, Meta(ge=0, description="Number of top hubs that influence the crawl.")] = 100
    lift: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="With best-first: raise unvisited pages that top hubs link to, to this part of what the hub's "
            "other links led to. 0 turns it off.",
        ),
    ] = 0.85
    revisit: Annotated[
        float,
        Meta(
            ge=0,
            le=0.5,
            description="Largest share of fetches spent on visiting top hubs again. Hubs that often have new links are "
            "visited more often. 0 turns it off.",
        ),
    ] = 0.02
