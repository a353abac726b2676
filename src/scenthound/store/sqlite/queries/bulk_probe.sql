-- BulkProbe(c0), RELATIONAL fig. 3: judge all pages at one inner topic, :c0. Log likelihoods are
--     sum over terms t of the page that are in F(c0) and were seen in ci: freq * (logtheta + logdenom)    PARTIAL
--     - logdenom * sum over terms t of the page that are in F(c0): freq                                   DOCLEN
-- so that a term never seen in ci needs no row. What the figure leaves out is here too: priors, heat, Pr(c0 | d), and the
-- norm. A page without any term of F(c0) is judged by the priors; the figure would lose it.
--
-- SQLite joins by nested loops only. The sort-merge join that the paper gets from its planner comes from the order of
-- the tables: STAT is walked in the order of terms, and DOCUMENT_terms is sought in that order, so that no page of either
-- index is read twice, and terms that are not in F(c0) are never looked at. CROSS JOIN keeps it that way.

DELETE FROM temp.PARTIAL;
DELETE FROM temp.DOCLEN;
DELETE FROM temp.SCORE;

-- The inner join. What is sorted to be grouped is a product and one number for page and topic (a topic has 20 bits):
-- with factors and two columns it takes a third longer. LIMIT -1 keeps SQLite from making one query of the two.
INSERT INTO temp.PARTIAL
SELECT both, sum(part)
FROM (
    SELECT d.did << 20 | s.kcid AS both, d.freq * (s.logtheta + t.logdenom) AS part
    FROM STAT s
    CROSS JOIN TAXONOMY t ON t.kcid = s.kcid
    CROSS JOIN DOCUMENT d INDEXED BY DOCUMENT_terms ON d.tid = s.tid
    WHERE s.pcid = :c0
    LIMIT -1
)
GROUP BY both;

INSERT INTO temp.DOCLEN
SELECT d.did, sum(d.freq)
FROM FEATURE f CROSS JOIN DOCUMENT d INDEXED BY DOCUMENT_terms ON d.tid = f.tid
WHERE f.pcid = :c0
GROUP BY d.did;

-- The outer join: COMPLETE of the figure, with what PARTIAL has to add.
INSERT INTO temp.SCORE
SELECT j.did, t.kcid,
       (coalesce(p.lpr1, 0.0) - coalesce(l.len, 0.0) * t.logdenom) / (b.temperature + b.warming * coalesce(l.len, 0.0))
           + t.logprior + t.balance
FROM BRANCH b
CROSS JOIN JUDGED j ON j.kcid = b.pcid
LEFT JOIN temp.DOCLEN l ON l.did = j.did
CROSS JOIN TAXONOMY t ON t.pcid = b.pcid
LEFT JOIN temp.PARTIAL p ON p.both = j.did << 20 | t.kcid
WHERE b.pcid = :c0;

-- Probabilities that sum to that of c0; the greatest score is taken out first, because no float holds exp(-3000).
INSERT INTO JUDGED
SELECT s.kcid, s.did, j.lpr + s.score - norm.score
FROM (
    SELECT best.did, best.score + ln(sum(exp(s.score - best.score))) AS score
    FROM (SELECT did, max(score) AS score FROM temp.SCORE GROUP BY did) AS best
    CROSS JOIN temp.SCORE s ON s.did = best.did
    GROUP BY best.did
) AS norm
CROSS JOIN JUDGED j ON j.kcid = :c0 AND j.did = norm.did
CROSS JOIN temp.SCORE s ON s.did = norm.did;
