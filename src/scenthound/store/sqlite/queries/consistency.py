"""Whether a database agrees with itself: every total and every queue recomputed from the rows they stand for.

For tests, for the benchmark, and for a user whose machine has lost power and who wants to be sure.
"""

import sqlite3
from collections.abc import Iterator

from scenthound.store.sqlite.cache.host_rows import SELECT_HOST, Host
from scenthound.store.sqlite.transaction import read_limits

_TOTALS = """
SELECT 'url:' || state, count(*) FROM urls GROUP BY state
UNION ALL SELECT 'host:' || state, count(*) FROM hosts GROUP BY state
UNION ALL SELECT 'reason:' || reason, count(*) FROM finds WHERE reason IS NOT NULL GROUP BY reason
UNION ALL SELECT 'pages', sum(counted) FROM standings
UNION ALL SELECT 'duplicates', count(duplicate_of) FROM pages
UNION ALL SELECT 'near_duplicates', count(near_duplicate_of) FROM pages
UNION ALL SELECT 'judged', count(relevance) FROM pages WHERE ending = 'page' AND counts
UNION ALL SELECT 'relevance_sum', total(relevance) FROM pages WHERE ending = 'page' AND counts
UNION ALL SELECT 'waiting_on_bad', count(*) FROM standings s JOIN hosts h ON h.id = s.host_id
    WHERE s.state = 0 AND h.bad"""
_HOST_SUMS = """
SELECT h.name FROM hosts h LEFT JOIN (
    SELECT host_id, count(*) FILTER (WHERE state = 0) AS waiting,
           count(*) FILTER (WHERE state = 2 AND NOT example) AS pages, count(*) FILTER (WHERE state = 1) AS busy
    FROM standings GROUP BY host_id) u ON u.host_id = h.id
WHERE (h.waiting, h.pages, h.busy)
    IS NOT (coalesce(u.waiting, 0), coalesce(u.pages, 0), coalesce(u.busy, 0))"""
_OF_BEST = """FROM standings s WHERE s.host_id = h.id AND s.state = 0
    ORDER BY demoted + tries, priority DESC, id LIMIT 1"""
_BEST = f"""
SELECT h.name FROM hosts h WHERE (h.best_demoted, h.best_priority, h.best_id) IS NOT (
    (SELECT demoted + tries {_OF_BEST}), (SELECT priority {_OF_BEST}), (SELECT id {_OF_BEST}))"""
_CLAIMED = """
SELECT id FROM standings WHERE (state = 1) <> (id IN (SELECT url_id FROM claims))
UNION SELECT url_id FROM claims c WHERE url_id IS NOT (
    SELECT id FROM standings s WHERE s.host_id = c.host_id AND s.key = c.key)"""
_APART = """
SELECT f.id FROM finds f LEFT JOIN standings s ON s.host_id = f.host_id AND s.key = f.key WHERE s.id IS NOT f.id
UNION SELECT s.id FROM standings s LEFT JOIN finds f ON f.id = s.id
WHERE (f.host_id, f.key) IS NOT (s.host_id, s.key)"""
_ERRAND = """
SELECT name FROM hosts
WHERE errand IS NOT (SELECT url_id FROM claims c WHERE c.host_id = hosts.id AND c.errand = 'robots')"""
_BUSY = """
SELECT place FROM (
    SELECT 'd:' || domain AS place, busy FROM hosts UNION ALL SELECT 'i:' || ip, busy FROM hosts WHERE ip <> '') taken
GROUP BY place HAVING sum(busy) <> coalesce((SELECT p.busy FROM places p WHERE p.name = place), 0)"""
_HEADS = """
SELECT p.name FROM places p WHERE p.head_id IS NOT (
    SELECT best_id FROM hosts WHERE state = 'parked' AND parked_on = p.name
    ORDER BY best_demoted, best_priority DESC, pages, best_id LIMIT 1)
UNION SELECT parked_on FROM hosts WHERE state = 'parked' AND parked_on NOT IN (SELECT name FROM places)"""
_LOST_LINKS = "SELECT src || ' to ' || dst FROM links WHERE dst NOT IN (SELECT id FROM finds) LIMIT 5"

_LOG_GAPS = "SELECT max(n) FROM lessons HAVING max(n) <> count(*)"
_HALF_LESSONS = """
SELECT n FROM lessons WHERE url_id NOT IN (SELECT id FROM finds) OR n NOT IN (SELECT n FROM lesson_pages)
UNION SELECT n FROM lesson_pages WHERE n NOT IN (SELECT n FROM lessons)"""


def check(con: sqlite3.Connection) -> list[str]:
    """Return what does not agree, one line each; nothing is good."""
    return [*_totals(con), *_queries(con), *_states(con)]


def _totals(con: sqlite3.Connection) -> Iterator[str]:
    kept = dict(con.execute("SELECT name, value FROM counters").fetchall())
    counted = {name: value or 0 for name, value in con.execute(_TOTALS)}
    for name in sorted(kept.keys() | counted.keys()):
        if abs(kept.get(name, 0) - counted.get(name, 0)) > 1e-6 * max(1.0, counted.get(name, 0)):
            yield f"counter {name} is {kept.get(name, 0)}, should be {counted.get(name, 0)}"


def _queries(con: sqlite3.Connection) -> Iterator[str]:
    queries = {
        "counts of its URLs are wrong on host": _HOST_SUMS,
        "best URL is wrong on host": _BEST,
        "claim and state disagree for URL": _CLAIMED,
        "find and standing do not belong together for URL": _APART,
        "robots errand is wrong on host": _ERRAND,
        "requests in flight are wrong for place": _BUSY,
        "best parked host is wrong for place": _HEADS,
        "link to a URL that is not there:": _LOST_LINKS,
        "lessons are missing before number": _LOG_GAPS,
        "only half is there of lesson": _HALF_LESSONS,
    }
    for complaint, query in queries.items():
        yield from (f"{complaint} {row[0]}" for row in con.execute(query))


def _states(con: sqlite3.Connection) -> Iterator[str]:
    """Compare each host's state with what its row implies; between ready, resting and parked time decides."""
    last = read_limits(con)
    for row in con.execute(SELECT_HOST):
        host = Host(*row)
        should = host.own_state(now=host.due, limits=last)
        if {host.state, should} - {"ready", "resting", "parked"} and host.state != should:
            yield f"host {host.name} is {host.state}, should be {should}"
