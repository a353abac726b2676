"""The scores that were found last beside a crawl, in the tables that a distillation leaves, so that the same questions
can be put to them.
"""

import sqlite3

from scenthound.distill.score_tables import make_results, snapshot
from scenthound.store.sqlite.queries.distil_statements import RECALL_AUTHORITIES, RECALL_HUBS, RECALL_MERGED


def recall(con: sqlite3.Connection) -> None:
    """Fill HUBS, AUTH and MERGED of a connection with what the last distillation beside the crawl found."""
    make_results(con)
    with snapshot(con):
        for statement in (RECALL_HUBS, RECALL_AUTHORITIES, RECALL_MERGED):
            con.execute(statement)
