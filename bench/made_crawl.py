"""A crawl of any size that never took place: its database is filled by SQL alone, a million pages in a minute or two.

What a reader may ask is there as a crawl leaves it: hosts, URLs, pages with topic and relevance, links, and the totals.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.store.sqlite.links import url_key
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics

TOPICS = Topics(topics=(Topic(path="Sport/Cycling", good=True), Topic(path="Home/Baking"), Topic(path="Arts/Music")))
_PER_HOST = 100  # pages, and as many URLs that wait
_START = 1_700_000_000

# Each statement is made for numbers 1 to :n, in the order of the primary key of its table. A page is as relevant as its
# number says, by a sequence that looks like chance and is the same each time.
_FILL = (
    """INSERT INTO hosts (id, name, domain, state, pages, waiting, best_demoted, best_priority, best_id)
    SELECT value, 'www.site' || value || '.test', 'site' || value || '.test', 'ready', :per, :per, 0, 0.9, :n + value
    FROM generate WHERE value <= :hosts""",
    """INSERT INTO finds (id, host_id, key, url, found_at, found_by)
    SELECT value, 1 + value % :hosts, key_of(value), url_of(value), :start + value / 20.0, 'anchor' FROM generate""",
    """INSERT INTO standings (host_id, key, id, state, priority, demoted, depth, hops)
    SELECT host_id, key, id, CASE WHEN id <= :n THEN 2 ELSE 0 END, (id * 7919 % 1000) / 1000.0, 0, 3, 0
    FROM finds ORDER BY host_id, key""",
    """INSERT INTO pages (n, url_id, ending, counts, status, mime, charset, title, language, words, relevance, topic,
    critic,
        digest, payload, fetched_at, captured_at, seconds, bytes)
    SELECT value, value, 'page', 1, 200, 'text/html', 'utf-8', 'A page of the made web, number ' || value, 'en', 400,
        (value * 7919 % 1000) / 1000.0,
        CASE WHEN value * 7919 % 1000 > 500 THEN 'Sport/Cycling' WHEN value % 2 THEN 'Home/Baking' ELSE 'Arts/Music'
        END,
        1, '', '', :start + value / 20.0, :start + value / 20.0, 0.1, 20000 FROM generate WHERE value <= :n""",
    """INSERT INTO links (src, position, dst, kind, text, first_leaf, last_leaf, nofollow)
    SELECT p.n, l.value, 1 + (p.n * (7 + l.value) + l.value) % (2 * :n), 'anchor', 'a link', 0, 0, 0
    FROM pages p CROSS JOIN (SELECT 0 AS value UNION SELECT 1 UNION SELECT 2) l""",
    """INSERT OR REPLACE INTO counters (name, value) VALUES ('url:page', :n), ('url:waiting', :n), ('pages', :n),
        ('judged', :n), ('relevance_sum', :n / 2), ('host:ready', :hosts), ('reason:http-error', :n / 50)""",
)


def make_crawl(path: Path, pages: int) -> CrawlDirectory:
    """Make a crawl directory with so many pages, and as many URLs that wait."""
    directory = CrawlDirectory.create(path, topics=TOPICS)
    with SqliteStore(directory.database):
        pass  # makes the tables
    hosts = max(1, pages // _PER_HOST)
    with closing(sqlite3.connect(directory.database, isolation_level=None)) as con:
        con.create_function("url_of", 1, lambda id: _url(id, hosts), deterministic=True)
        con.create_function("key_of", 1, lambda id: url_key(_url(id, hosts)), deterministic=True)
        con.execute("PRAGMA synchronous = OFF")
        con.execute("PRAGMA cache_size = -400000")
        con.execute("CREATE TEMP TABLE generate (value INTEGER PRIMARY KEY)")
        con.execute("BEGIN")
        con.execute(
            "INSERT INTO generate WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ?) SELECT "
            "v FROM n",
            (2 * pages,),
        )
        given = {"n": pages, "hosts": hosts, "per": _PER_HOST, "start": _START}
        for statement in _FILL:
            con.execute(statement, {name: value for name, value in given.items() if f":{name}" in statement})
        con.execute("COMMIT")
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return directory


def _url(id: int, hosts: int) -> str:
    return f"http://www.site{1 + id % hosts}.test/page/{id}"
