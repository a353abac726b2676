"""The statements of distillations: what they read, the tables that they compute in, and where scores are left.

All tables are TEMP tables: a reader of the crawl may write them, and SQLite drops them with the connection. An `oid` is
the id (`finds.id`) of the page that stands for itself and for all pages that are the same.
"""

# -- results, sites and members: what both ways to distil share

# Scores under the names of RELATIONAL fig. 4, and which addresses were merged into another page.
RESULT_TABLES = (
    "CREATE TEMP TABLE IF NOT EXISTS HUBS (oid INTEGER PRIMARY KEY, score REAL NOT NULL)",
    "CREATE TEMP TABLE IF NOT EXISTS AUTH (oid INTEGER PRIMARY KEY, score REAL NOT NULL)",
    "CREATE TEMP TABLE IF NOT EXISTS MERGED (url_id INTEGER PRIMARY KEY, oid INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS temp.merged_oid ON MERGED (oid)",
    "DELETE FROM HUBS",
    "DELETE FROM AUTH",
    "DELETE FROM MERGED",
)
# The site of each host: the first host of its registered domain, or the host itself.
HOST_SITES = "CREATE TEMP TABLE host_sites (host_id INTEGER PRIMARY KEY, sid INTEGER NOT NULL)"
# Pages and redirects in fetch order. `same` is where a redirect leads or what a page repeats; `about` says whether the
# critic puts the page into the topic :topic or one below it.
SELECT_MEMBERS = """
SELECT p.url_id AS id, {sid} AS sid, p.ending = 'page' AS page, p.relevance,
       CASE p.ending WHEN 'redirect' THEN p.target_id ELSE coalesce(p.duplicate_of, p.near_duplicate_of) END AS same,
       coalesce(p.ending = 'page' AND {about}, false) AS about
FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN host_sites s ON s.host_id = f.host_id
WHERE p.ending IN ('page', 'redirect') ORDER BY p.n"""
# Links that somebody wrote to be followed and did not disown; redirects, canonical addresses and the like say no more
# than which pages are the same.
ENDORSING = "kind IN ('anchor', 'area') AND NOT nofollow"

FILL_HOST_SITES = "INSERT INTO host_sites SELECT id, {sid} FROM hosts"

# -- the size of the graph, and how many sites it has

GRAPH_SIZE = "SELECT (SELECT count(*) FROM links), (SELECT count(*) FROM pages)"
# Stops at the second one, which nearly always comes soon.
TWO_DOMAINS = """
SELECT DISTINCT h.domain FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' LIMIT 2"""

# -- the best pages of a distillation

BEST_SCORES = "SELECT oid, score FROM {} WHERE score > 0 ORDER BY score DESC, oid LIMIT ?"
URL_OF_ID = "SELECT url FROM finds WHERE id = ?"

# -- in memory

# The links of a page as one text: 10 million take 4 s to read and take apart, row by row 9 s.
LINKS_BY_PAGE = f"SELECT src, count(*), group_concat(dst) FROM links WHERE {ENDORSING} GROUP BY src"
# The same for pages recorded after another one: what a distiller that stays beside its crawl has not read yet.
LAST_PAGE = "SELECT coalesce(max(n), 0) FROM pages"
NEW_PAGES = "SELECT url_id FROM pages WHERE n > ?"
LINKS_BY_NEW_PAGE = f"""
SELECT p.url_id, count(*), group_concat(l.dst) FROM pages p CROSS JOIN links l ON l.src = p.url_id
WHERE p.n > ? AND {ENDORSING} GROUP BY p.n"""
INSERT_SCORE = "INSERT INTO {table} VALUES (?, ?)"

# -- in SQL, by joins as in RELATIONAL fig. 4; the statements can be pasted into a shell one after another

# Every page and redirect. `label` becomes the same number for all that are the same page; `oid` is the one of them that
# stands for all, `home` its site.
MEMBERS = """
CREATE TEMP TABLE members (
    id INTEGER PRIMARY KEY, n INTEGER, sid INTEGER, page INTEGER, relevance REAL, same INTEGER, about INTEGER,
    label INTEGER, oid INTEGER, home INTEGER)"""
FILL_MEMBERS = (
    "INSERT INTO members SELECT id, row_number() OVER (), sid, page, relevance, same, about, id, NULL, NULL FROM ({})"
)
# What is the same, in both directions.
SAME = "CREATE TEMP TABLE sames (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID"
FILL_SAME = """
INSERT OR IGNORE INTO sames SELECT m.id, o.id FROM members m CROSS JOIN members o ON o.id = m.same
UNION ALL SELECT o.id, m.id FROM members m CROSS JOIN members o ON o.id = m.same"""
# One step of spreading the least label over a group; chains of redirects are short, so that a few steps do.
SPREAD = """
UPDATE members SET label = near.least
FROM (SELECT s.a, min(m.label) AS least FROM sames s CROSS JOIN members m ON m.id = s.b GROUP BY s.a) AS near
WHERE near.a = members.id AND near.least < members.label"""
# The merged pages: the one fetched first stands for all (SQLite takes `id` and `sid` from the row with the least n).
NODES = "CREATE TEMP TABLE nodes (oid INTEGER PRIMARY KEY, sid INTEGER, relevance REAL, about INTEGER, label INTEGER)"
FILL_NODES = """
INSERT INTO nodes SELECT first.id, first.sid, best.relevance, best.about, best.label
FROM (SELECT label, max(relevance) AS relevance, max(about) AS about FROM members WHERE page GROUP BY label) AS best
JOIN (SELECT label, id, sid, min(n) FROM members WHERE page GROUP BY label) AS first USING (label)"""
NODES_BY_LABEL = "CREATE UNIQUE INDEX temp.nodes_label ON nodes (label)"
NAME_NODES = "UPDATE members SET oid = nodes.oid, home = nodes.sid FROM nodes WHERE nodes.label = members.label"
# The distinct links between nodes that cross from site to site, as merged and as written.
CITES = "CREATE TEMP TABLE cites (oid_src INTEGER, oid_dst INTEGER, PRIMARY KEY (oid_src, oid_dst)) WITHOUT ROWID"
FILL_CITES = f"""
INSERT OR IGNORE INTO cites SELECT s.oid, d.oid
FROM links l CROSS JOIN members s ON s.id = l.src CROSS JOIN members d ON d.id = l.dst
WHERE {ENDORSING} AND s.oid IS NOT NULL AND d.oid IS NOT NULL
AND s.home <> d.home AND s.sid <> d.home AND NOT (d.page AND s.sid = d.sid)"""
# The base set of a topic, what it links to, and for each of its pages the first :citing that link to it (BINGO §2.5).
LEAVE_AROUND = """
DELETE FROM nodes WHERE NOT about
AND oid NOT IN (SELECT c.oid_dst FROM nodes n CROSS JOIN cites c ON c.oid_src = n.oid WHERE n.about)
AND oid NOT IN (
    SELECT oid_src FROM (
        SELECT c.oid_src, row_number() OVER (PARTITION BY c.oid_dst ORDER BY c.oid_src) AS place
        FROM cites c CROSS JOIN nodes n ON n.oid = c.oid_dst WHERE n.about)
    WHERE place <= :citing)"""
INSERT_MERGED = (
    "INSERT INTO MERGED SELECT m.id, m.oid FROM members m CROSS JOIN nodes n ON n.oid = m.oid WHERE m.oid <> m.id"
)
SET_RELEVANCE = "UPDATE nodes SET relevance = ? WHERE oid = ?"
COUNT_JUDGED = "SELECT count(relevance) FROM nodes"
# ρ: the relevance that the :rank most relevant pages have at least.
THRESHOLD = """
SELECT relevance FROM nodes WHERE relevance IS NOT NULL ORDER BY relevance DESC LIMIT 1 OFFSET :rank - 1"""
# The links that count, with E_F / k and E_B / l. One order serves UpdateHubs, the other UpdateAuth.
ENDORSEMENTS = """
CREATE TEMP TABLE endorsements (
    oid_src INTEGER, oid_dst INTEGER, wgt_fwd REAL, wgt_rev REAL, PRIMARY KEY (oid_src, oid_dst)) WITHOUT ROWID"""
FILL_ENDORSEMENTS = """
INSERT INTO endorsements
SELECT c.oid_src, c.oid_dst,
       v.relevance / count(*) OVER (PARTITION BY c.oid_dst, u.sid),
       u.relevance / count(*) OVER (PARTITION BY c.oid_src, v.sid)
FROM cites c CROSS JOIN nodes u ON u.oid = c.oid_src CROSS JOIN nodes v ON v.oid = c.oid_dst
WHERE v.relevance >= :threshold AND v.relevance > 0 AND u.relevance > 0"""
INWARD = "CREATE INDEX temp.endorsements_inward ON endorsements (oid_dst, oid_src, wgt_fwd)"
START = """
INSERT INTO HUBS SELECT oid_src, 1.0 / count(*) OVER () FROM (SELECT DISTINCT oid_src FROM endorsements)"""
ROUND = (
    # UpdateAuth
    "DELETE FROM AUTH",
    """
    INSERT INTO AUTH SELECT e.oid_dst, sum(h.score * e.wgt_fwd)
    FROM endorsements e INDEXED BY endorsements_inward CROSS JOIN HUBS h ON h.oid = e.oid_src GROUP BY e.oid_dst""",
    "UPDATE AUTH SET score = score / (SELECT coalesce(nullif(sum(score), 0.0), 1.0) FROM AUTH)",
    # UpdateHubs
    "DELETE FROM HUBS",
    """
    INSERT INTO HUBS SELECT e.oid_src, sum(a.score * e.wgt_rev)
    FROM endorsements e CROSS JOIN AUTH a ON a.oid = e.oid_dst GROUP BY e.oid_src""",
    "UPDATE HUBS SET score = score / (SELECT coalesce(nullif(sum(score), 0.0), 1.0) FROM HUBS)",
)
NODE_IDS = "SELECT oid FROM nodes ORDER BY oid"
COUNT_ROWS = "SELECT count(*) FROM {table}"
WORK_TABLES = ("members", "sames", "nodes", "cites", "endorsements")

# -- the scores found last beside a crawl

RECALL_HUBS = "INSERT INTO HUBS SELECT url_id, hub FROM prestige WHERE hub > 0"
RECALL_AUTHORITIES = "INSERT INTO AUTH SELECT url_id, authority FROM prestige WHERE authority > 0"
# What leads to a page with a score, or repeats one, in as many steps as it takes. One look at each page, and an index
# made for this.
RECALL_MERGED = """
INSERT INTO MERGED
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
SELECT id, oid FROM merged WHERE id NOT IN (SELECT url_id FROM prestige) ON CONFLICT DO NOTHING"""


def topic_at_or_below(path: str, upper: str) -> str:
    """Return the condition that a topic is another one or stands below it; LIKE would take % and _ in names amiss."""
    return f"({path} = {upper} OR substr({path}, 1, length({upper}) + 1) = {upper} || '/')"
