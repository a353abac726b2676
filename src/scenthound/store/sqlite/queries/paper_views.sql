-- The crawl under the names of RELATIONAL fig. 1, for one connection. What they are computed from is in the database;
-- sites (sid) are registered domains, topics (kcid) their paths, pages (oid) the ids of their URLs.

-- Every URL ever seen. relevance and kcid are the critic's, NULL before the URL was fetched and judged; numtries is how
-- often it was asked for, serverload how many pages its host has given. lastmodified is what the server said, as a
-- date.
CREATE TEMP VIEW CRAWL AS
SELECT f.id AS oid, h.domain AS sid, f.url, p.title, p.relevance,
       CASE WHEN p.relevance IS NOT NULL THEN p.topic END AS kcid,
       (SELECT count(*) FROM main.fetches t WHERE t.url_id = f.id AND t.errand = 'page') AS numtries,
       h.pages AS serverload, s.priority, p.fetched_at AS lastvisited,
       CASE WHEN p.last_modified LIKE '___, __ ___ ____ %' THEN
           substr(p.last_modified, 13, 4) || '-'
           || printf('%02d', (instr('JanFebMarAprMayJunJulAugSepOctNovDec', substr(p.last_modified, 9, 3)) + 2) / 3)
           || '-' || substr(p.last_modified, 6, 2) END AS lastmodified
FROM main.finds f LEFT JOIN main.hosts h ON h.id = f.host_id
LEFT JOIN main.standings s ON s.host_id = f.host_id AND s.key = f.key LEFT JOIN main.pages p ON p.url_id = f.id;

-- Every link that somebody wrote to be followed. wgt_fwd and wgt_rev are E_F and E_B of FOCUS §3.2, before they are
-- divided among the links of one site.
CREATE TEMP VIEW LINK AS
SELECT l.src AS oid_src, hs.domain AS sid_src, l.dst AS oid_dst, hd.domain AS sid_dst,
       pd.relevance AS wgt_fwd, ps.relevance AS wgt_rev, l.text
FROM main.links l
LEFT JOIN main.finds fs ON fs.id = l.src LEFT JOIN main.hosts hs ON hs.id = fs.host_id
LEFT JOIN main.finds fd ON fd.id = l.dst LEFT JOIN main.hosts hd ON hd.id = fd.host_id
LEFT JOIN main.pages ps ON ps.url_id = l.src LEFT JOIN main.pages pd ON pd.url_id = l.dst
WHERE l.kind IN ('anchor', 'area') AND NOT l.nofollow;

-- The topics. pcid is the one above, NULL at the top; type is good, subsumed (below a good one), path (above one) or
-- null.
CREATE TEMP TABLE TAXONOMY (kcid TEXT PRIMARY KEY, pcid TEXT, name TEXT, type TEXT, examples INTEGER);

-- How often each word stands in each page, stems as the critic reads them.
CREATE TEMP VIEW DOCUMENT AS
SELECT t.url_id AS did, word.key AS tid, word.value AS freq FROM main.terms t, json_each(term_counts(t.packed)) word;
