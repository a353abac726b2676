"""[portal]: what the published site says, how it looks, and which pages it shows."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import HARMLESS


class PortalSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the published site says, how it looks, and which pages it shows (scenthound portal)."""

    title: Annotated[
        str, Meta(description="Name of the site. Empty: the name of the crawl directory.", extra=HARMLESS)
    ] = ""
    introduction: Annotated[
        str,
        Meta(description="Markdown shown at the top of the first page. HTML in it is shown as text.", extra=HARMLESS),
    ] = ""
    footer: Annotated[str, Meta(description="Markdown shown at the bottom of every page.", extra=HARMLESS)] = ""
    base_url: Annotated[
        str,
        Meta(
            description="Where the site will stand, such as https://www.example.org/cycling/. The sitemap needs it, "
            "and feeds then name themselves.",
            extra=HARMLESS,
        ),
    ] = ""
    accent: Annotated[
        str,
        Meta(
            description="Colour of links and marks. It is made darker or lighter until it is legible.", extra=HARMLESS
        ),
    ] = "#2f6f4f"
    ground: Annotated[
        str, Meta(description="Background colour of the light theme. The dark theme has its own.", extra=HARMLESS)
    ] = "#f6f5f1"
    min_relevance: Annotated[float, Meta(ge=0, le=1, description="Minimum relevance of the pages that are shown.")] = (
        0.5
    )
    best: Annotated[
        int, Meta(ge=1, le=100, description="Number of best pages shown with a snippet for each topic.")
    ] = 20
    opt_out: Annotated[
        Literal["respect", "bare", "omit"],
        Meta(
            description='Pages that opt out by a robots meta tag or X-Robots-Tag. "respect": noindex is left out, '
            'noarchive and nosnippet are listed by title only. "bare": all of them by title only. "omit": none of them.'
        ),
    ] = "respect"
