"""[revisit] and [backlinks]: which known pages are fetched again, and who names pages that cite good ones."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import RUNS_COMMAND


class RevisitSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which pages `crawl --revisit` fetches again, and in which order."""

    chance: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="Minimum probability of a change for a page to be fetched again. It is estimated from how "
            "often "
            "the page, its host and all pages have changed.",
        ),
    ] = 0.3
    aim: Annotated[
        Literal["fresh", "changes"],
        Meta(
            description='Which pages come first. "fresh": those whose visit keeps most stored pages up to date. '
            '"changes": those most likely to have changed, even if they change again soon. Both prefer relevant pages '
            "and hubs."
        ),
    ] = "fresh"
    hours: Annotated[float, Meta(ge=0, description="Minimum hours between two visits to a page.")] = 1.0
    typical_days: Annotated[
        float, Meta(gt=0, description="Assumed days between two changes, for a page without a history.")
    ] = 30.0
    then: Annotated[
        Literal["crawl", "stop"],
        Meta(
            description='What to do after the last revisit. "crawl": continue with new URLs, up to the limits. '
            '"stop": leave new URLs for another run.'
        ),
    ] = "crawl"


class BacklinksSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where to find pages that cite a good page, so that they are fetched too."""

    source: Annotated[
        str,
        Meta(
            description='"": off. "links": the links of this crawl. A file with lines "cited<TAB>citing", or JSON '
            "lines. "
            "Or a command that gets the URL of the good page and prints one URL on each line.",
            extra=RUNS_COMMAND,
        ),
    ] = ""
    least: Annotated[
        float, Meta(ge=0, le=1, description="Minimum relevance of a page for which citing pages are looked up.")
    ] = 0.7
    most: Annotated[int, Meta(ge=1, description="Most citing pages taken for one good page.")] = 20
    timeout: Annotated[float, Meta(gt=0, description="Seconds that a command may run.")] = 30.0
    at_once: Annotated[int, Meta(ge=1, le=64, description="Most commands at the same time.")] = 2
