"""[crawl]: what to collect, how much, and in which order."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import HARMLESS, RUNS_FUNCTION

# The orders that have a name. `frontier.orders` makes them.
ORDERS: Final = ("apprentice", "best-first", "best-first-max", "breadth", "depth", "random")


class CrawlSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to collect, how much of it, and in which order."""

    pages: Annotated[
        int, Meta(ge=0, description="Stop after this many fetched pages, over all runs. 0 means no limit.")
    ] = 0
    minutes: Annotated[float, Meta(ge=0, description="Stop each run after this many minutes. 0 means no limit.")] = 0.0
    focus: Annotated[
        Literal["soft", "hard", "none"],
        Meta(
            description='How relevance affects links. "soft": links of relevant pages come first. "hard": only links '
            "of "
            'pages in a good topic are followed. "none": all links are equal.'
        ),
    ] = "soft"
    tunnel: Annotated[
        int,
        Meta(ge=0, description="Most off-topic pages in a row through which links keep a raised priority."),
    ] = 2
    tunnel_decay: Annotated[
        float, Meta(ge=0, le=1, description="Factor by which that priority falls with each off-topic page.")
    ] = 0.5
    accept: Annotated[
        float,
        Meta(ge=0, le=1, description="Minimum relevance for a page to count as on topic, with soft focus."),
    ] = 0.5
    lead_weight: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="How much a page of a topic marked lead counts in the order of the crawl, where a page of a "
            "good topic counts 1.",
        ),
    ] = 0.5
    choosy: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="With best-first and apprentice: skip links that promise less than this part of the best "
            "waiting "
            "link, even if the host of that link must rest first. 0 fetches whatever is allowed now.",
        ),
    ] = 0.5
    waiting: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="Limit for crawl.choosy: give up at most this part of the relevance that could be fetched at "
            "once, so that hosts with long pauses do not hold up the others. 1 waits up to half a minute for every "
            "good "
            "link.",
        ),
    ] = 0.75
    sharp: Annotated[
        bool, Meta(description="Count a page as on topic only if it has the topic of the page that linked to it.")
    ] = False
    truncate: Annotated[
        bool,
        Meta(description="Also try the parent directories of each relevant page's URL, as if the page linked to them."),
    ] = False
    order: Annotated[
        str,
        Meta(
            description='Which URL comes next. "apprentice": by the relevance it learns to expect. "best-first": by '
            "the "
            'relevance of all pages that link to it. "best-first-max": by the best of them. "breadth", "depth", '
            '"random". "module:function": your own function from a link to a number, highest first. Or columns, such '
            "as "
            '"tries, -relevance, server_load"; a minus puts the highest first.',
            extra=RUNS_FUNCTION,
        ),
    ] = "apprentice"
    phases: Annotated[
        Literal["auto", "off"],
        Meta(
            description='"auto": with fewer than five examples, first learn close to them, then harvest everywhere. '
            '"off": harvest from the start.'
        ),
    ] = "off"
    archetypes: Annotated[
        int,
        Meta(
            ge=0,
            description='With phases = "auto" and fewer than five examples of a topic, the crawl adds pages to them by '
            "itself (archetypes) until there are this many. 0 adds none.",
        ),
    ] = 10
    depth: Annotated[
        int, Meta(ge=0, description="Follow links at most this many steps from the start. 0 means no limit.")
    ] = 0
    pages_per_host: Annotated[
        int, Meta(ge=0, description="Most pages of one host; examples do not count. 0 means no limit.")
    ] = 0
    nofollow: Annotated[
        Literal["obey", "ignore"],
        Meta(description='"obey": record links marked nofollow, but do not follow them. "ignore": follow them.'),
    ] = "obey"
    traps: Annotated[
        bool,
        Meta(
            description="Lower the priority of URL patterns that keep giving the same page (calendars, session ids, "
            "soft "
            "404s)."
        ),
    ] = True
    start: Annotated[
        list[str],
        Meta(
            description="More URLs to start from, which are not examples. The examples of good topics come first.",
            extra=HARMLESS,
        ),
    ] = []
    seed: Annotated[
        int, Meta(description="Seed of the crawl's random choices. Servers and networks stay unpredictable.")
    ] = 0
    patience: Annotated[
        float,
        Meta(
            ge=0,
            description="Stop if no host can be asked within this many seconds, for example after a long Retry-After.",
        ),
    ] = 900.0
