-- A naive Bayes critic and the pages it is to judge, under the names of RELATIONAL fig. 1. Statements end with a
-- semicolon and can be pasted into a shell. Numbers of topics (kcid, pcid) and terms (tid) are those of this database.

-- The topics that a page can be sorted into, and at the top, as number 0, all pages. A topic with pages of its own and
-- others below it is there twice: once as the branch, and once more below itself as "here, and none below" (own = 1).
-- The page's score for a choice is  sum(freq * logtheta) / heat + logprior + balance.
CREATE TABLE TAXONOMY (
    kcid     INTEGER PRIMARY KEY,  -- the topic
    pcid     INTEGER,              -- the one above, NULL for all pages
    name     TEXT NOT NULL,        -- path of the topic; empty for the pages of no topic, and for all pages
    type     TEXT NOT NULL,        -- good, subsumed (below a good one), path (above one) or null
    own      INTEGER NOT NULL,     -- 1 for "here, and none below"
    leaf     INTEGER NOT NULL,     -- 1 where a way down ends
    logprior REAL NOT NULL,        -- log Pr(kcid | pcid)
    logdenom REAL NOT NULL,        -- logarithm of the denominator of theta, formula (1)
    balance  REAL NOT NULL         -- what calibration adds to the log prior; 0 in the papers
);
CREATE INDEX TAXONOMY_below ON TAXONOMY (pcid, kcid);

-- The inner topics c0, parents before children: where a choice is made. Log likelihoods are divided by
-- heat = temperature + warming * (words of the page in F(c0)); in the papers that is 1.
CREATE TABLE BRANCH (
    pcid        INTEGER PRIMARY KEY,
    temperature REAL NOT NULL,
    warming     REAL NOT NULL
);

-- What each term is called.
CREATE TABLE TERM (tid INTEGER PRIMARY KEY, term TEXT NOT NULL);

-- F(c0): the terms that tell the topics below c0 apart.
CREATE TABLE FEATURE (pcid INTEGER, tid INTEGER, PRIMARY KEY (pcid, tid)) WITHOUT ROWID;

-- log theta(kcid, tid) where the term was seen in examples of the topic. The paper has a table STAT_c0 for each c0:
-- here each is a stretch of one table, in the order of terms.
CREATE TABLE STAT (
    pcid INTEGER, tid INTEGER, kcid INTEGER, logtheta REAL NOT NULL, PRIMARY KEY (pcid, tid, kcid)) WITHOUT ROWID;

-- The same with all topics of a term in one record: pairs of kcid and log theta, 4 and 8 bytes, little-endian.
CREATE TABLE BLOB (pcid INTEGER, tid INTEGER, kids BLOB NOT NULL, PRIMARY KEY (pcid, tid)) WITHOUT ROWID;

-- The pages, and how often each term of the model stands in each, as the critic counts.
CREATE TABLE PAGE (did INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE TABLE DOCUMENT (
    did INTEGER, tid INTEGER, freq REAL NOT NULL, PRIMARY KEY (did, tid)) WITHOUT ROWID;

-- log Pr(kcid | did): what the page's probability of being at or below a topic is.
CREATE TABLE JUDGED (kcid INTEGER, did INTEGER, lpr REAL NOT NULL, PRIMARY KEY (kcid, did)) WITHOUT ROWID;
