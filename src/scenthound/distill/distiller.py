"""The distiller: choose where to compute, in memory or in the database, and leave hubs and authorities in tables.

FOCUS §3.2 has the idea, RELATIONAL §2.2.3 the reason for the database: graphs outgrow memory, which is shared with the
crawl and its critic.
"""

import sqlite3

from scenthound.distill.in_memory import distil_in_memory
from scenthound.distill.in_sql import distil_in_sql
from scenthound.distill.link_memory import LinkMemory
from scenthound.distill.score_tables import make_results
from scenthound.distill.scores import About, Distilled, Method, Rules
from scenthound.store.sqlite.queries.distil_statements import GRAPH_SIZE, TWO_DOMAINS
from scenthound.store.store_place import is_on_server

# Measured with 10 million links and 500,000 pages: 0.87 GB at most, 0.08 of them before anything is read.
BYTES_PER_LINK = 80
BYTES_PER_PAGE = 300
_WAYS = {Method.MEMORY: distil_in_memory, Method.SQL: distil_in_sql}


def distil(
    con: sqlite3.Connection, rules: Rules | None = None, about: About | None = None, links: LinkMemory | None = None
) -> Distilled:
    """Distil a crawl for its good topics, or for one topic, where that suits its size.

    `con` reads a crawl's database and commits by itself (isolation_level None). It has the tables HUBS and AUTH
    (oid, score) afterwards, and MERGED (url_id, oid) with the addresses that another page stands for. Who distils the
    same crawl again and again passes the same `links`.
    """
    rules = rules or Rules()
    method = method_for(con, rules)
    if method is Method.SQL or links is None:
        return distil_by(method, con, rules, about)
    make_results(con)
    return distil_in_memory(con, rules, about, links)


def distil_by(method: Method, con: sqlite3.Connection, rules: Rules, about: About | None = None) -> Distilled:
    """Distil in the way that the caller chooses."""
    make_results(con)
    return _WAYS[method](con, rules, about)


def method_for(con: sqlite3.Connection, rules: Rules) -> Method:
    """Choose memory if the graph fits into what may be used of it, or lies on a server."""
    if is_on_server(con):  # the joins are in the SQL of SQLite, with its hints
        return Method.MEMORY
    links, pages = con.execute(GRAPH_SIZE).fetchone()
    needed = links * BYTES_PER_LINK + pages * BYTES_PER_PAGE
    return Method.MEMORY if needed <= rules.memory * 1_000_000 else Method.SQL


def only_site(con: sqlite3.Connection) -> str:
    """Return the registered domain that all pages are of, or nothing: then links between sites tell enough."""
    found = con.execute(TWO_DOMAINS).fetchall()
    return str(found[0][0]) if len(found) == 1 else ""
