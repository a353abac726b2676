-- The database of one crawl, version 6. Read it with any SQLite client while the crawl runs; do not write to it.
-- Times are seconds since the epoch: datetime(found_at, 'unixepoch') makes them readable.
-- Start with the views at the end: urls, frontier, fetched, citations, page_belongs, changes, errors_by_reason, hosts_by_state.

-- Two numbers by which a copy of the files is recognised that was made while the log was taken over (one row).
CREATE TABLE log (
    base INTEGER NOT NULL,                       -- times that the log was taken over, raised in the database file
    log  INTEGER NOT NULL                        -- the same, raised in the log: never greater than base
) STRICT;
INSERT INTO log VALUES (0, 0);

-- One row a host. The frontier is a queue of hosts, each with its best waiting URL, so that choosing the next
-- URL never looks at URLs that cannot be asked for now.
CREATE TABLE hosts (
    id            INTEGER PRIMARY KEY,           -- in the order of discovery
    name          TEXT NOT NULL UNIQUE,          -- as in its URLs, with the port if that is not the default one
    domain        TEXT NOT NULL,                 -- registered domain: places are shared by all hosts of one
    state         TEXT NOT NULL,                 -- idle, ready, resting, busy, parked, capped, bad
    due           REAL NOT NULL DEFAULT 0,       -- not to be asked before this moment
    delay         REAL NOT NULL DEFAULT 0,       -- its own least gap between requests (Crawl-delay, or it is slow)
    failures      INTEGER NOT NULL DEFAULT 0,    -- in a row
    bad           INTEGER NOT NULL DEFAULT 0,    -- 1 when it failed too often: nothing more is asked of it
    reason        TEXT NOT NULL DEFAULT '',      -- of the last failure
    ip            TEXT NOT NULL DEFAULT '',      -- address that answered last
    pages         INTEGER NOT NULL DEFAULT 0,    -- its URLs in state page
    waiting       INTEGER NOT NULL DEFAULT 0,    -- its URLs in state waiting
    busy          INTEGER NOT NULL DEFAULT 0,    -- its URLs in state claimed
    errand        INTEGER,                       -- urls.id of the claim that is fetching its robots.txt
    parked_on     TEXT,                          -- places.name that has no room, when state is parked
    best_demoted  INTEGER,                       -- demoted plus tries of its best waiting URL
    best_priority REAL,                          -- priority of its best waiting URL
    best_id       INTEGER                        -- urls.id of its best waiting URL
) STRICT;
-- Which host gives the next URL; what may be hoped for, also behind examples; which wakes next; which is next when a
-- place is freed.
CREATE INDEX hosts_ready ON hosts (best_demoted, best_priority DESC, pages, best_id) WHERE state = 'ready';
CREATE INDEX hosts_hopes ON hosts (best_priority DESC) WHERE best_demoted = 0 AND NOT bad;
CREATE INDEX hosts_urgent ON hosts (best_demoted) WHERE best_demoted < 0;
CREATE INDEX hosts_resting ON hosts (due) WHERE state = 'resting';
CREATE INDEX hosts_parked ON hosts (parked_on, best_demoted, best_priority DESC, pages, best_id)
WHERE state = 'parked';

-- Domains ("d:example.org") and addresses ("i:192.0.2.7") with requests in flight or hosts parked on them.
CREATE TABLE places (
    name          TEXT PRIMARY KEY,              -- d: and a registered domain, or i: and an address
    busy          INTEGER NOT NULL DEFAULT 0,    -- requests in flight
    head_demoted  INTEGER,                       -- demoted plus tries of the best URL of all hosts parked on it
    head_priority REAL,                          -- priority of that URL
    head_pages    INTEGER,                       -- pages of its host
    head_id       INTEGER,                       -- urls.id of that URL
    head_host     INTEGER                        -- hosts.id of that URL
) STRICT, WITHOUT ROWID;
CREATE INDEX places_heads ON places (head_demoted, head_priority DESC, head_pages, head_id) WHERE head_id IS NOT NULL;

-- Every URL ever seen, with how it was found: what seldom changes about it. The view urls adds where it stands.
CREATE TABLE finds (
    id             INTEGER PRIMARY KEY,          -- in the order of discovery
    host_id        INTEGER NOT NULL REFERENCES hosts, -- whose it is
    key            INTEGER NOT NULL,             -- first 64 bits of BLAKE2b of the URL
    url            TEXT NOT NULL,                -- in canonical form
    found_at       REAL NOT NULL,                -- when it became known
    found_by       TEXT NOT NULL,                -- kind of the first link to it; 'seed' for seeds, 'backward' where a source named it
    referrer_id    INTEGER REFERENCES finds,     -- the page with that link
    reason         TEXT,                         -- why there is no page (failed, refused)
    detail         TEXT,                         -- that reason in more words
    fetched_before INTEGER NOT NULL DEFAULT 0    -- 1 when it is visited again
) STRICT;

-- Where every URL stands: what links to it and visits change, in rows so short that those of one host lie together on
-- a few leaves. The host comes first because most links of a page stay on its host: to find them all and to raise some
-- of them touches these leaves and no others; under a global hash it would touch as many leaves as the page has links.
-- While all was one table with an index of keys, looking up the links of a page took 1.7 times the processor time, with
-- 5 million URLs.
CREATE TABLE standings (
    host_id  INTEGER NOT NULL REFERENCES hosts,  -- whose it is
    key      INTEGER NOT NULL,                   -- first 64 bits of BLAKE2b of the URL
    id       INTEGER NOT NULL REFERENCES finds,  -- of the URL
    state    INTEGER NOT NULL,                   -- 0 waiting, 1 claimed, 2 page, 3 redirect, 4 failed, 5 refused
    priority REAL NOT NULL,                      -- greater is sooner: the greatest that a citing page gave, or a blend
    promise  REAL,                               -- greatest of the citing pages, where these are counted
    cited    REAL NOT NULL DEFAULT 0,            -- sum of their relevance
    citing   INTEGER NOT NULL DEFAULT 0,         -- how many they are
    via_id   INTEGER REFERENCES finds,           -- the page with the greatest promise
    demoted  INTEGER NOT NULL,                   -- behind all with a smaller number, whatever the priority
    tries    INTEGER NOT NULL DEFAULT 0,         -- that failed and may be repeated; each puts it further behind
    depth    INTEGER NOT NULL,                   -- links from the seeds
    hops     INTEGER NOT NULL,                   -- redirects in a row that led here
    counted  INTEGER NOT NULL DEFAULT 0,         -- 1 when it has counted against the page budget
    example  INTEGER NOT NULL DEFAULT 0,         -- 1 for examples of topics
    PRIMARY KEY (host_id, key)
) STRICT, WITHOUT ROWID;
-- Which URL of a host comes next; which hosts have examples that wait.
CREATE INDEX standings_waiting ON standings (host_id, demoted + tries, priority DESC, id) WHERE state = 0;
CREATE INDEX standings_examples ON standings (host_id) WHERE example AND state = 0;

-- URLs being fetched now. A claim whose lease has run out goes back to the frontier at the next claim.
CREATE TABLE claims (
    url_id  INTEGER PRIMARY KEY REFERENCES finds, -- what is fetched
    host_id INTEGER NOT NULL REFERENCES hosts,   -- from where
    key     INTEGER NOT NULL,                    -- of the URL, with host_id the key of its standing
    owner   TEXT NOT NULL,                       -- the process that fetches it
    until   REAL NOT NULL,                       -- end of the lease
    paced   REAL NOT NULL,                       -- what the claim made hosts.due
    errand  TEXT NOT NULL                        -- page, robots
) STRICT;
CREATE INDEX claims_until ON claims (until);

-- What each URL came to, in fetch order: pages, redirects and failures.
CREATE TABLE pages (
    n                 INTEGER PRIMARY KEY,       -- fetch order; a page visited again gets a new number
    url_id            INTEGER NOT NULL UNIQUE REFERENCES finds, -- what was fetched
    ending            TEXT NOT NULL,             -- page, redirect, failed
    counts            INTEGER NOT NULL,          -- 0 for examples
    status            INTEGER NOT NULL,          -- HTTP status, 0 without a response
    mime              TEXT NOT NULL,             -- type of the content
    charset           TEXT NOT NULL,             -- coding of its characters
    title             TEXT NOT NULL,             -- of the page
    language          TEXT NOT NULL,             -- that it declares
    words             INTEGER NOT NULL,          -- in its text
    relevance         REAL,                      -- the critic's, NULL when not judged
    topic             TEXT NOT NULL,             -- most likely topic; of a redirect, that of the page that leads to it
    critic            INTEGER NOT NULL,          -- critics.version that judged it, 0 when not judged
    promise           REAL,                      -- priority that it gives to its links, NULL when they are not followed
    tunnel            INTEGER,                   -- pages off topic in a row up to this one, 0 when it is on topic
    digest            TEXT NOT NULL,             -- of the content
    payload           TEXT NOT NULL,             -- digest of the body as sent, with its content coding
    fingerprint       INTEGER,                   -- 64-bit similarity hash, signed
    canonical_id      INTEGER REFERENCES finds,   -- what the page declares itself to be, on the same domain
    duplicate_of      INTEGER REFERENCES finds,   -- earlier page with the same content or canonical
    near_duplicate_of INTEGER REFERENCES finds,   -- earlier page with nearly the same text
    target_id         INTEGER REFERENCES finds,   -- where a redirect leads
    fetched_at        REAL NOT NULL,             -- when the last visit ended
    captured_at       REAL NOT NULL,             -- when its content was asked for: the date of its WARC record
    seconds           REAL NOT NULL,             -- that the exchange took
    bytes             INTEGER NOT NULL,          -- of the body as received
    etag              TEXT,                      -- validator for the next visit
    last_modified     TEXT,                      -- validator for the next visit
    archive_file      TEXT,                      -- file that holds the WARC record
    archive_offset    INTEGER,                   -- first byte of the record in it
    archive_length    INTEGER                    -- bytes of the record
) STRICT;
CREATE INDEX pages_digest ON pages (digest, n) WHERE ending = 'page' AND digest <> '';
CREATE INDEX pages_canonical ON pages (canonical_id, n) WHERE ending = 'page' AND canonical_id IS NOT NULL;
-- The most relevant pages without a scan of all.
CREATE INDEX pages_relevance ON pages (relevance DESC) WHERE ending = 'page' AND relevance IS NOT NULL;

-- What critics read of each page: its terms with their counts, packed (scenthound.parse.terms).
CREATE TABLE terms (
    url_id INTEGER PRIMARY KEY REFERENCES finds, -- whose they are
    packed BLOB NOT NULL                         -- deflated; unpack with scenthound.parse.terms.unpack
) STRICT;

-- The further topics of pages that belong to several. The likeliest is in pages.topic; see the view page_belongs.
CREATE TABLE page_topics (
    url_id INTEGER NOT NULL REFERENCES finds,    -- the page
    place  INTEGER NOT NULL,                     -- 1 for the second likeliest, 2 for the third
    topic  TEXT NOT NULL,                        -- path of the topic
    PRIMARY KEY (url_id, place)
) STRICT, WITHOUT ROWID;

-- Every critic that has judged pages: a trained model, and the topics that were good.
CREATE TABLE critics (
    version    INTEGER PRIMARY KEY,              -- the greatest is the one at work
    kind       TEXT NOT NULL,                    -- critic.kind in the settings
    model      TEXT NOT NULL,                    -- folder with the trained model, in the crawl directory
    lessons    TEXT NOT NULL,                    -- digest of the examples that it learnt from
    good       TEXT NOT NULL,                    -- good topics, a JSON list of paths
    trained_at REAL NOT NULL,                    -- when
    said       TEXT NOT NULL                     -- what stood for the pages that are not wanted
) STRICT;

-- The fingerprints of pages that repeat no other, cut into four bands of 16 bits: two fingerprints that differ
-- in at most three bits agree in at least one band (Manku et al., WWW 2007).
CREATE TABLE bands (
    band        INTEGER NOT NULL,                -- number of the band (0 to 3) times 65536, plus its 16 bits
    n           INTEGER NOT NULL REFERENCES pages, -- page whose fingerprint it is
    fingerprint INTEGER NOT NULL,                -- repeated here: comparing must not read a page row each time
    PRIMARY KEY (band, n)
) STRICT, WITHOUT ROWID;

-- The links of each page in document order, redirects included.
CREATE TABLE links (
    src        INTEGER NOT NULL REFERENCES finds, -- page with the link
    position   INTEGER NOT NULL,                 -- among the links of src, from 0
    dst        INTEGER NOT NULL REFERENCES finds, -- where it leads
    kind       TEXT NOT NULL,                    -- anchor, area, frame, refresh, canonical, hreflang, redirect
    text       TEXT NOT NULL,                    -- words of the link
    first_leaf INTEGER NOT NULL,                 -- first leaf of the page's tree below the link, -1 without one
    last_leaf  INTEGER NOT NULL,                 -- last leaf below the link
    nofollow   INTEGER NOT NULL,                 -- 1 when the page asks not to follow it
    PRIMARY KEY (src, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_dst ON links (dst);

-- The log of lessons, one for each page, redirect and answer that there is nothing: all that an apprentice knows follows from it.
CREATE TABLE lessons (
    n         INTEGER PRIMARY KEY,               -- in the order of recording, without a gap
    url_id    INTEGER NOT NULL UNIQUE REFERENCES finds, -- what was asked for
    relevance REAL,                              -- that the critic at work gives the page, NULL when not judged
    topics    TEXT NOT NULL,                     -- that it gives the page, likeliest first, a JSON list
    score     REAL,                              -- relevance that the apprentice expected before the fetch, if it said one
    reasons   BLOB NOT NULL                      -- what that was made of, in the apprentice's own numbers
) STRICT;

-- What the apprentice sees of the page of a lesson. Apart from the lesson, because pages are judged again, and nothing here
-- changes then: in one row with it, that wrote 3,500 bytes a page to the log and not 170.
CREATE TABLE lesson_pages (
    n      INTEGER PRIMARY KEY REFERENCES lessons, -- of the lesson
    packed BLOB NOT NULL,                        -- its links, deflated; unpack with scenthound.store.sqlite.lessons.unpack
    stream BLOB NOT NULL                         -- its words; unpack with scenthound.parse.word_stream.unpack
) STRICT;

-- The log of distillations beside the crawl: which hubs counted from which lesson on, so that an apprentice who goes through
-- the log of lessons again sees what it saw.
CREATE TABLE distillations (
    version   INTEGER PRIMARY KEY,               -- counts from 1; the scores in prestige are of the greatest
    at        REAL NOT NULL,                     -- moment at which the crawl was looked at
    critic    INTEGER NOT NULL,                  -- critics.version that had judged the pages
    lesson    INTEGER NOT NULL,                  -- lessons.n after which it counted, 0 before the first
    pages     INTEGER NOT NULL,                  -- judged pages that were looked at, duplicates counted once
    links     INTEGER NOT NULL,                  -- of all pages at that moment
    relevance REAL NOT NULL,                     -- of all pages together at that moment
    site      TEXT NOT NULL,                     -- what counted as one site: domain, host, page
    hubs      TEXT NOT NULL                      -- those that count for the crawl, best first, a JSON list of [url_id, score]
) STRICT;

-- Hubs and authorities as the last distillation beside the crawl found them. Scores are shares: of all hubs together 1, of
-- all authorities too; the rest of both, which is not here, has less each.
CREATE TABLE prestige (
    url_id    INTEGER PRIMARY KEY REFERENCES finds, -- the page, which stands for its duplicates too
    hub       REAL NOT NULL,                     -- its score as a hub, 0 where it is not among the best
    authority REAL NOT NULL                      -- its score as an authority
) STRICT;
CREATE INDEX prestige_hub ON prestige (hub DESC, url_id);
CREATE INDEX prestige_authority ON prestige (authority DESC, url_id);

-- One row a try, the ones that came to nothing included.
CREATE TABLE fetches (
    id      INTEGER PRIMARY KEY,                 -- in the order of recording
    url_id  INTEGER NOT NULL REFERENCES finds,    -- what was wanted
    at      REAL NOT NULL,                       -- when it was begun
    errand  TEXT NOT NULL,                       -- page, robots
    ending  TEXT NOT NULL,                       -- page, redirect, unchanged, failed, retry, return
    reason  TEXT,                                -- what went wrong
    detail  TEXT NOT NULL,                       -- that reason in more words
    status  INTEGER NOT NULL,                    -- HTTP status, 0 without a response
    seconds REAL NOT NULL,                       -- that it took
    ip      TEXT NOT NULL                        -- address that was asked
) STRICT;
CREATE INDEX fetches_url ON fetches (url_id);

-- What each visit to a page found, compared with the visit before, for pages visited more than once. Of all others there was
-- one visit, at pages.fetched_at, and no row: a crawl that visits no page again pays nothing for this table.
CREATE TABLE visits (
    url_id INTEGER NOT NULL REFERENCES finds,    -- the page
    number INTEGER NOT NULL,                     -- counts its visits from 0
    at     REAL NOT NULL,                        -- when the visit ended
    change TEXT NOT NULL,                        -- appeared, unchanged, changed, moved, vanished, gone, unseen
    gained INTEGER NOT NULL,                     -- addresses that it links to and did not before
    lost   INTEGER NOT NULL,                     -- addresses that it linked to before and does no longer
    PRIMARY KEY (url_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_at ON visits (at);

-- Links that were gone when their page was visited again.
CREATE TABLE lost_links (
    dst INTEGER NOT NULL REFERENCES finds,       -- where the link led
    src INTEGER NOT NULL REFERENCES finds,       -- page on which it stood
    at  REAL NOT NULL,                           -- the visit that missed it
    PRIMARY KEY (dst, src, at)
) STRICT, WITHOUT ROWID;

-- What was found backwards: URLs of which a source says that they cite a good page.
CREATE TABLE backlinks (
    citing INTEGER NOT NULL REFERENCES finds,    -- the URL that was found so
    number INTEGER NOT NULL,                     -- counts the pages that it is said to cite from 0
    cited  INTEGER NOT NULL REFERENCES finds,    -- the good page
    PRIMARY KEY (citing, number)
) STRICT, WITHOUT ROWID;

-- Good pages about which a source was asked who cites them.
CREATE TABLE asked_backwards (
    url_id INTEGER PRIMARY KEY REFERENCES finds, -- the page
    at     REAL NOT NULL,                        -- when
    found  INTEGER NOT NULL                      -- URLs named that had not been known
) STRICT;

-- The robots.txt of each origin. The text comes last: a claim reads only the expiry.
CREATE TABLE robots (
    origin  TEXT PRIMARY KEY,                    -- https://example.org
    expires REAL NOT NULL,                       -- not believed from this moment on
    fetched REAL NOT NULL,                       -- when it was fetched
    status  INTEGER NOT NULL,                    -- HTTP status, 0 without a response
    text    TEXT NOT NULL                        -- the rules in force
) STRICT;

-- What fetching URLs of one shape has brought on a host: many fetched and few novel is a trap. An empty shape stands
-- for the whole host.
CREATE TABLE shapes (
    host_id INTEGER NOT NULL REFERENCES hosts,   -- where
    shape   TEXT NOT NULL,                       -- a URL with its variable parts blanked
    fetched INTEGER NOT NULL,                    -- pages of that shape
    novel   INTEGER NOT NULL,                    -- of them, those that repeat no other page
    PRIMARY KEY (host_id, shape)
) STRICT, WITHOUT ROWID;

-- The length of each archive file as recorded: what lies beyond it was never recorded.
CREATE TABLE archive_files (
    file   TEXT PRIMARY KEY,                     -- its name in the archive folder
    length INTEGER NOT NULL                      -- bytes
) STRICT, WITHOUT ROWID;

-- Archive files that were uploaded to archive.url, read back there and compared.
CREATE TABLE uploads (
    file   TEXT PRIMARY KEY,                     -- archive_files.file
    digest TEXT NOT NULL,                        -- SHA-256 of the file
    at     REAL NOT NULL                         -- when
) STRICT, WITHOUT ROWID;

-- Small facts about the crawl.
CREATE TABLE notes (
    key   TEXT PRIMARY KEY,                      -- what it is about
    value TEXT NOT NULL                          -- what is remembered
) STRICT, WITHOUT ROWID;

-- The limits of the last claim: hosts.state is true under these.
CREATE TABLE limits (
    only           INTEGER PRIMARY KEY CHECK (only = 1), -- there is one row
    delay          REAL NOT NULL,                -- least seconds between requests to a host
    per_host       INTEGER NOT NULL,             -- requests in flight to a host
    per_domain     INTEGER NOT NULL,             -- to a registered domain, 0 without limit
    per_ip         INTEGER NOT NULL,             -- to an address, 0 without limit
    pages_per_host INTEGER NOT NULL,             -- pages of one host, 0 without limit
    robots         INTEGER NOT NULL              -- 1 when robots.txt is obeyed
) STRICT;

-- Totals kept up with every change, so that `status` does not count millions of rows.
-- url:STATE, host:STATE, reason:REASON, and pages, duplicates, near_duplicates, judged, relevance_sum, waiting_on_bad.
CREATE TABLE counters (
    name  TEXT PRIMARY KEY,                      -- of the total
    value REAL NOT NULL                          -- as of the last transaction
) STRICT, WITHOUT ROWID;

-- Every URL ever seen, with all that finds and standings say about it. Made to be joined by id; to look one up by its
-- host and key, or all of a host, ask standings. CROSS JOIN keeps the planner from reading all standings first.
CREATE VIEW urls AS
SELECT f.id, f.host_id, f.key, f.url,
       CASE s.state WHEN 0 THEN 'waiting' WHEN 1 THEN 'claimed' WHEN 2 THEN 'page' WHEN 3 THEN 'redirect'
           WHEN 4 THEN 'failed' ELSE 'refused' END AS state,
       s.priority, s.demoted, s.depth, s.hops, s.tries, f.found_at, f.found_by, f.referrer_id, s.via_id, f.reason,
       f.detail, f.fetched_before, s.counted, s.example
FROM finds f CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key;

-- What is waiting, best first, whether or not its host may be asked now.
CREATE VIEW frontier AS
SELECT s.id, f.url, s.priority, s.demoted, s.depth, s.tries, h.name AS host, h.state AS host_state,
       datetime(h.due, 'unixepoch') AS host_due
FROM standings s JOIN finds f ON f.id = s.id JOIN hosts h ON h.id = s.host_id
WHERE s.state = 0
ORDER BY s.demoted + s.tries, s.priority DESC, s.id;

-- Pages with their addresses, in fetch order.
CREATE VIEW fetched AS
SELECT p.n, u.url, h.name AS host, p.status, p.mime, p.title, p.language, p.relevance, p.topic, u.depth,
       datetime(p.fetched_at, 'unixepoch') AS fetched, d.url AS duplicate_of, e.url AS near_duplicate_of
FROM pages p JOIN urls u ON u.id = p.url_id JOIN hosts h ON h.id = u.host_id
LEFT JOIN finds d ON d.id = p.duplicate_of LEFT JOIN finds e ON e.id = p.near_duplicate_of
WHERE p.ending = 'page'
ORDER BY p.n;

-- Every judged page with every topic that it belongs to; place 0 is the likeliest.
CREATE VIEW page_belongs AS
SELECT p.n, f.url, 0 AS place, p.topic, p.relevance, p.url_id
FROM pages p JOIN finds f ON f.id = p.url_id WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.topic <> ''
UNION ALL
SELECT p.n, f.url, t.place, t.topic, p.relevance, p.url_id
FROM page_topics t JOIN pages p ON p.url_id = t.url_id JOIN finds f ON f.id = t.url_id;

-- Who cites whom, with addresses.
CREATE VIEW citations AS
SELECT s.url AS source, d.url AS target, l.kind, l.text, l.nofollow
FROM links l JOIN finds s ON s.id = l.src JOIN finds d ON d.id = l.dst;

-- What was seen of pages and when: each visit that found something else than the one before. at is in seconds, seen the
-- same to be read; gained and lost count links. A page visited once has appeared then, and nothing else.
CREATE VIEW changes AS
SELECT f.url, h.name AS host, v.change, v.at, datetime(v.at, 'unixepoch') AS seen, v.gained, v.lost, p.title, p.relevance,
       p.topic, v.url_id
FROM visits v JOIN finds f ON f.id = v.url_id JOIN hosts h ON h.id = f.host_id LEFT JOIN pages p ON p.url_id = v.url_id
WHERE v.change NOT IN ('unchanged', 'gone', 'unseen')
UNION ALL
SELECT f.url, h.name, 'appeared', p.fetched_at, datetime(p.fetched_at, 'unixepoch'), 0, 0, p.title, p.relevance, p.topic,
       p.url_id
FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.url_id = p.url_id);

-- Why URLs have no page.
CREATE VIEW errors_by_reason AS
SELECT substr(name, 8) AS reason, CAST(value AS INTEGER) AS urls
FROM counters WHERE name GLOB 'reason:*' AND value > 0 ORDER BY value DESC, reason;

-- How many hosts are in which state.
CREATE VIEW hosts_by_state AS
SELECT substr(name, 6) AS state, CAST(value AS INTEGER) AS hosts
FROM counters WHERE name GLOB 'host:*' AND value > 0 ORDER BY value DESC, state;
