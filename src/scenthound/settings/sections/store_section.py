"""[store]: where a crawl keeps what it knows."""

from typing import Annotated

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import ELSEWHERE, RIGHTS


class StoreSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the crawl keeps what it knows."""

    url: Annotated[
        str,
        Meta(
            description="Address of the crawl on a PostgreSQL server: postgresql://USER@HOST/DATABASE?crawl=NAME. "
            "Empty: crawl.db in the crawl directory. Change it with: scenthound move. "
            "Keep the password in ~/.pgpass or PGPASSWORD.",
            extra=ELSEWHERE,
        ),
    ] = ""
    reader: Annotated[
        str,
        Meta(
            description="User of the PostgreSQL server with whose rights questions in SQL are asked: one that can only "
            "read. Empty: the user of `store.url`.",
            extra=RIGHTS,
        ),
    ] = ""
    lease: Annotated[
        float,
        Meta(
            description="Seconds without a sign of life after which other engines of a crawl on a server take over.",
            ge=3.0,
            le=3600.0,
        ),
    ] = 30.0
