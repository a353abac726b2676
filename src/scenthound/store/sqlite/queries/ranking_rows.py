"""The statements that rank hubs, authorities and sites after a distillation."""

BEST = """
SELECT s.oid, f.url, p.title, s.score, p.relevance, p.topic
FROM {table} s JOIN finds f ON f.id = s.oid JOIN pages p ON p.url_id = s.oid
WHERE s.score > 0 ORDER BY s.score DESC, s.oid LIMIT ?"""
# A page and all that was merged into it.
OWN = "WITH own (id) AS (SELECT CAST(:oid AS BIGINT) UNION ALL SELECT url_id FROM MERGED WHERE oid = :oid)"
# From a page along its links one way, to pages of other sites that have a score; every page once, best first.
NEIGHBOURS = """
{own}
SELECT f.url, p.title, s.score, count(*) OVER ()
FROM own CROSS JOIN links l ON l.{near} = own.id LEFT JOIN MERGED m ON m.url_id = l.{far}
JOIN {table} s ON s.oid = coalesce(m.oid, l.{far}) JOIN finds f ON f.id = s.oid JOIN pages p ON p.url_id = s.oid
WHERE {endorsing} AND s.score > 0 AND {elsewhere}
GROUP BY s.oid, s.score, f.url, p.title ORDER BY s.score DESC, s.oid LIMIT :most"""
ELSEWHERE = {
    "domain": """
(SELECT h.domain FROM hosts h WHERE h.id = f.host_id)
    <> (SELECT h.domain FROM finds o JOIN hosts h ON h.id = o.host_id WHERE o.id = :oid)""",
    "host": "f.host_id <> (SELECT host_id FROM finds WHERE id = :oid)",
    "page": "f.id <> :oid",
}
# What a page links to on other sites and nobody has asked for yet (FOCUS §4.7).
UNVISITED = """
{own}
SELECT count(DISTINCT u.id)
FROM own CROSS JOIN links l ON l.src = own.id CROSS JOIN urls u ON u.id = l.dst JOIN finds f ON f.id = u.id
WHERE {endorsing} AND u.state = 'waiting' AND NOT u.fetched_before AND {elsewhere}"""
# By registered domain; pages that repeat another do not count. `relevant` is a condition on p.
SITES = """
SELECT h.domain, count(*), count(*) FILTER (WHERE {relevant})
FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
GROUP BY h.domain HAVING count(*) FILTER (WHERE {relevant}) > 0"""
JUDGED = """
SELECT count(*) FROM pages p
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL"""
HOSTS_OF_SITE = "SELECT count(*) FROM hosts WHERE domain = ? AND pages > 0"
PAGES_OF_SITE = """
SELECT s.id, f.url, p.title, p.relevance
FROM hosts h JOIN standings s ON s.host_id = h.id JOIN pages p ON p.url_id = s.id JOIN finds f ON f.id = s.id
WHERE h.domain = :site AND p.ending = 'page' AND {relevant} AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
ORDER BY {order} LIMIT {limit}"""
