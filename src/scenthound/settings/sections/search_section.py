"""[search]: how pages become findable while a crawl runs."""

from typing import Annotated

from msgspec import Meta, Struct


class SearchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How pages become findable while a crawl runs."""

    beside: Annotated[
        bool,
        Meta(
            description="Index pages for search during the crawl. If off, the next search first indexes the new pages."
        ),
    ] = True
