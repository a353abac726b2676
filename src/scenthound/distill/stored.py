"""The scores that were found last beside a crawl, in the tables that a distillation leaves, so that the same questions can be put to them."""

import sqlite3

from scenthound.distill.tables import make_results, snapshot

_HUBS = "INSERT INTO HUBS SELECT url_id, hub FROM prestige WHERE hub > 0"
_AUTHORITIES = "INSERT INTO AUTH SELECT url_id, authority FROM prestige WHERE authority > 0"
# What leads to a page with a score, or repeats one, in as many steps as it takes. One look at each page, and an index made for this.
_MERGED = """
INSERT OR IGNORE INTO MERGED
WITH RECURSIVE same (id, other) AS MATERIALIZED (
    SELECT url_id, CASE ending WHEN 'redirect' THEN target_id ELSE coalesce(duplicate_of, near_duplicate_of) END
    FROM pages
    WHERE ending IN ('page', 'redirect')
),
merged (id, oid) AS (
    SELECT same.id, same.other FROM prestige p JOIN same ON same.other = p.url_id
    UNION
    SELECT same.id, merged.oid FROM merged JOIN same ON same.other = merged.id
)
SELECT id, oid FROM merged WHERE id NOT IN (SELECT url_id FROM prestige)"""


def recall(con: sqlite3.Connection) -> None:
    """Fill HUBS, AUTH and MERGED of a connection with what the last distillation beside the crawl found."""
    make_results(con)
    with snapshot(con):
        for statement in (_HUBS, _AUTHORITIES, _MERGED):
            con.execute(statement)
