-- One crawl in a schema of a PostgreSQL server: the tables and views of store/sqlite/schema.sql, which explains them at
-- length. Read it with any client while the crawl runs; do not write to it. Times are seconds since the epoch:
-- datetime(found_at, 'unixepoch') makes them readable, as in SQLite.
-- No column REFERENCES another: the store keeps them right itself, and checking would cost a look-up for each link.
-- Tables whose rows change all the time leave room on their pages (fillfactor), so that an update finds place beside
-- the old row, and are vacuumed after few changes: otherwise indexes and tables would swell.

-- What the statements of SQLite know and PostgreSQL does not.
CREATE FUNCTION datetime(seconds DOUBLE PRECISION, kind TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT to_char(to_timestamp(seconds) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') $$;
CREATE FUNCTION strftime(form TEXT, seconds DOUBLE PRECISION, kind TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT to_char(to_timestamp(seconds) AT TIME ZONE 'UTC',
       replace(replace(replace(form, '%Y', 'YYYY'), '%m', 'MM'), '%d', 'DD')) $$;
CREATE FUNCTION instr(whole TEXT, part TEXT) RETURNS INTEGER LANGUAGE sql IMMUTABLE AS $$ SELECT strpos(whole, part) $$;
CREATE FUNCTION printf(form TEXT, number INTEGER) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT lpad(number::text, substr(form, 3, 1)::integer, '0') $$;
CREATE FUNCTION json_each(list TEXT) RETURNS TABLE (value BIGINT) LANGUAGE sql IMMUTABLE AS
$$ SELECT e::bigint FROM json_array_elements_text(list::json) e $$;
CREATE AGGREGATE total(DOUBLE PRECISION) (SFUNC = float8pl, STYPE = DOUBLE PRECISION, INITCOND = '0');

-- The version of these tables (one row).
CREATE TABLE store_version (
    version           INTEGER NOT NULL,                        -- 0 while it is being moved here, -1 when it was moved away
    moved_to          TEXT NOT NULL DEFAULT ''                 -- where it was moved to
);

-- One row a host. The frontier is a queue of hosts, each with its best waiting URL, so that choosing the next
-- URL never looks at URLs that cannot be asked for now.
CREATE TABLE hosts (
    id                BIGINT PRIMARY KEY,                      -- in the order of discovery
    name              TEXT COLLATE "C" NOT NULL UNIQUE,        -- as in its URLs, with the port if that is not the default one
    domain            TEXT COLLATE "C" NOT NULL,               -- registered domain: places are shared by all hosts of one
    state             TEXT NOT NULL,                           -- idle, ready, resting, busy, parked, capped, bad
    due               DOUBLE PRECISION NOT NULL DEFAULT 0,     -- not to be asked before this moment
    delay             DOUBLE PRECISION NOT NULL DEFAULT 0,     -- its own least gap between requests (Crawl-delay, or it is slow)
    failures          INTEGER NOT NULL DEFAULT 0,              -- in a row
    bad               BOOLEAN NOT NULL DEFAULT false,          -- true when it failed too often: nothing more is asked of it
    reason            TEXT NOT NULL DEFAULT '',                -- of the last failure
    ip                TEXT NOT NULL DEFAULT '',                -- address that answered last
    pages             INTEGER NOT NULL DEFAULT 0,              -- its URLs in state page
    waiting           INTEGER NOT NULL DEFAULT 0,              -- its URLs in state waiting
    busy              INTEGER NOT NULL DEFAULT 0,              -- its URLs in state claimed
    errand            BIGINT,                                  -- urls.id of the claim that is fetching its robots.txt
    parked_on         TEXT COLLATE "C",                        -- places.name that has no room, when state is parked
    best_demoted      INTEGER,                                 -- demoted plus tries of its best waiting URL
    best_priority     DOUBLE PRECISION,                        -- priority of its best waiting URL
    best_id           BIGINT,                                  -- urls.id of its best waiting URL
    shard             INTEGER GENERATED ALWAYS AS (hashtext(domain) & 1023) STORED  -- shards.shard: which engine asks it
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
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
    name              TEXT COLLATE "C" PRIMARY KEY,            -- d: and a registered domain, or i: and an address
    busy              INTEGER NOT NULL DEFAULT 0,              -- requests in flight
    head_demoted      INTEGER,                                 -- demoted plus tries of the best URL of all hosts parked on it
    head_priority     DOUBLE PRECISION,                        -- priority of that URL
    head_pages        INTEGER,                                 -- pages of its host
    head_id           BIGINT,                                  -- urls.id of that URL
    head_host         BIGINT                                   -- hosts.id of that URL
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX places_heads ON places (head_demoted, head_priority DESC, head_pages, head_id) WHERE head_id IS NOT NULL;

-- Every URL ever seen, with how it was found: what seldom changes about it. The view urls adds where it stands.
CREATE TABLE finds (
    id                BIGINT PRIMARY KEY,                      -- in the order of discovery
    host_id           BIGINT NOT NULL,                         -- whose it is
    key               BIGINT NOT NULL,                         -- first 64 bits of BLAKE2b of the URL
    url               TEXT COLLATE "C" NOT NULL,               -- in canonical form
    found_at          DOUBLE PRECISION NOT NULL,               -- when it became known
    found_by          TEXT NOT NULL,                           -- kind of the first link to it; 'seed' for seeds, 'backward' where a source named it
    referrer_id       BIGINT,                                  -- the page with that link
    reason            TEXT,                                    -- why there is no page (failed, refused)
    detail            TEXT,                                    -- that reason in more words
    fetched_before    BOOLEAN NOT NULL DEFAULT false           -- true when it is visited again
);

-- Where every URL stands: what links to it and visits change, in rows apart from the long ones of finds.
CREATE TABLE standings (
    host_id           BIGINT NOT NULL,                         -- whose it is
    key               BIGINT NOT NULL,                         -- first 64 bits of BLAKE2b of the URL
    id                BIGINT NOT NULL,                         -- of the URL
    state             INTEGER NOT NULL,                        -- 0 waiting, 1 claimed, 2 page, 3 redirect, 4 failed, 5 refused
    priority          DOUBLE PRECISION NOT NULL,               -- greater is sooner: the greatest that a citing page gave, or a blend
    promise           DOUBLE PRECISION,                        -- greatest of the citing pages, where these are counted
    cited             DOUBLE PRECISION NOT NULL DEFAULT 0,     -- sum of their relevance
    citing            INTEGER NOT NULL DEFAULT 0,              -- how many they are
    via_id            BIGINT,                                  -- the page with the greatest promise
    demoted           INTEGER NOT NULL,                        -- behind all with a smaller number, whatever the priority
    tries             INTEGER NOT NULL DEFAULT 0,              -- that failed and may be repeated; each puts it further behind
    depth             INTEGER NOT NULL,                        -- links from the seeds
    hops              INTEGER NOT NULL,                        -- redirects in a row that led here
    counted           INTEGER NOT NULL DEFAULT 0,              -- 1 when it has counted against the page budget
    example           BOOLEAN NOT NULL DEFAULT false,          -- true for examples of topics
    PRIMARY KEY (host_id, key)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
-- Which URL of a host comes next; which hosts have examples that wait.
CREATE INDEX standings_waiting ON standings (host_id, (demoted + tries), priority DESC, id) WHERE state = 0;
CREATE INDEX standings_examples ON standings (host_id) WHERE example AND state = 0;

-- URLs being fetched now. A claim whose lease has run out goes back to the frontier at the next claim.
CREATE TABLE claims (
    url_id            BIGINT PRIMARY KEY,                      -- what is fetched
    host_id           BIGINT NOT NULL,                         -- from where
    key               BIGINT NOT NULL,                         -- of the URL, with host_id the key of its standing
    owner             TEXT NOT NULL,                           -- the process that fetches it
    until             DOUBLE PRECISION NOT NULL,               -- end of the lease
    paced             DOUBLE PRECISION NOT NULL,               -- what the claim made hosts.due
    errand            TEXT NOT NULL                            -- page, robots
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX claims_until ON claims (until);

-- What each URL came to, in fetch order: pages, redirects and failures.
CREATE TABLE pages (
    n                 BIGINT PRIMARY KEY,                      -- fetch order; a page visited again gets a new number
    url_id            BIGINT NOT NULL UNIQUE,                  -- what was fetched
    ending            TEXT NOT NULL,                           -- page, redirect, failed
    counts            BOOLEAN NOT NULL,                        -- false for examples
    status            INTEGER NOT NULL,                        -- HTTP status, 0 without a response
    mime              TEXT NOT NULL,                           -- type of the content
    charset           TEXT NOT NULL,                           -- coding of its characters
    title             TEXT NOT NULL,                           -- of the page
    language          TEXT NOT NULL,                           -- that it declares
    words             INTEGER NOT NULL,                        -- in its text
    relevance         DOUBLE PRECISION,                        -- the critic's, NULL when not judged
    topic             TEXT COLLATE "C" NOT NULL,               -- most likely topic; of a redirect, that of the page that leads to it
    critic            INTEGER NOT NULL,                        -- critics.version that judged it, 0 when not judged
    promise           DOUBLE PRECISION,                        -- priority that it gives to its links, NULL when they are not followed
    tunnel            INTEGER,                                 -- pages off topic in a row up to this one, 0 when it is on topic
    digest            TEXT COLLATE "C" NOT NULL,               -- of the content
    payload           TEXT NOT NULL,                           -- digest of the body as sent, with its content coding
    fingerprint       BIGINT,                                  -- 64-bit similarity hash, signed
    canonical_id      BIGINT,                                  -- what the page declares itself to be, on the same domain
    duplicate_of      BIGINT,                                  -- earlier page with the same content or canonical
    near_duplicate_of BIGINT,                                  -- earlier page with nearly the same text
    target_id         BIGINT,                                  -- where a redirect leads
    fetched_at        DOUBLE PRECISION NOT NULL,               -- when the last visit ended
    captured_at       DOUBLE PRECISION NOT NULL,               -- when its content was asked for: the date of its WARC record
    seconds           DOUBLE PRECISION NOT NULL,               -- that the exchange took
    bytes             INTEGER NOT NULL,                        -- of the body as received
    etag              TEXT,                                    -- validator for the next visit
    last_modified     TEXT,                                    -- validator for the next visit
    archive_file      TEXT COLLATE "C",                        -- file that holds the WARC record
    archive_offset    BIGINT,                                  -- first byte of the record in it
    archive_length    INTEGER                                  -- bytes of the record
);
CREATE INDEX pages_digest ON pages (digest, n) WHERE ending = 'page' AND digest <> '';
CREATE INDEX pages_canonical ON pages (canonical_id, n) WHERE ending = 'page' AND canonical_id IS NOT NULL;
-- The most relevant pages without a scan of all.
CREATE INDEX pages_relevance ON pages (relevance DESC) WHERE ending = 'page' AND relevance IS NOT NULL;

-- What critics read of each page: its terms with their counts, packed (scenthound.parse.terms).
CREATE TABLE terms (
    url_id            BIGINT PRIMARY KEY,                      -- whose they are
    packed            BYTEA NOT NULL                           -- deflated; unpack with scenthound.parse.terms.unpack
);

-- The further topics of pages that belong to several. The likeliest is in pages.topic; see the view page_belongs.
CREATE TABLE page_topics (
    url_id            BIGINT NOT NULL,                         -- the page
    place             INTEGER NOT NULL,                        -- 1 for the second likeliest, 2 for the third
    topic             TEXT COLLATE "C" NOT NULL,               -- path of the topic
    PRIMARY KEY (url_id, place)
);

-- Every critic that has judged pages: a trained model, and the topics that were good.
CREATE TABLE critics (
    version           INTEGER PRIMARY KEY,                     -- the greatest is the one at work
    kind              TEXT NOT NULL,                           -- critic.kind in the settings
    model             TEXT NOT NULL,                           -- folder with the trained model, in the crawl directory
    lessons           TEXT NOT NULL,                           -- digest of the examples that it learnt from
    good              TEXT NOT NULL,                           -- good topics, a JSON list of paths
    trained_at        DOUBLE PRECISION NOT NULL,               -- when
    said              TEXT NOT NULL                            -- what stood for the pages that are not wanted
);

-- The fingerprints of pages that repeat no other, cut into four bands of 16 bits: two fingerprints that differ
-- in at most three bits agree in at least one band (Manku et al., WWW 2007).
CREATE TABLE bands (
    band              INTEGER NOT NULL,                        -- number of the band (0 to 3) times 65536, plus its 16 bits
    n                 BIGINT NOT NULL,                         -- page whose fingerprint it is
    fingerprint       BIGINT NOT NULL,                         -- repeated here: comparing must not read a page row each time
    PRIMARY KEY (band, n)
);

-- The links of each page in document order, redirects included.
CREATE TABLE links (
    src               BIGINT NOT NULL,                         -- page with the link
    position          INTEGER NOT NULL,                        -- among the links of src, from 0
    dst               BIGINT NOT NULL,                         -- where it leads
    kind              TEXT NOT NULL,                           -- anchor, area, frame, refresh, canonical, hreflang, redirect
    text              TEXT NOT NULL,                           -- words of the link
    first_leaf        INTEGER NOT NULL,                        -- first leaf of the page's tree below the link, -1 without one
    last_leaf         INTEGER NOT NULL,                        -- last leaf below the link
    nofollow          BOOLEAN NOT NULL,                        -- true when the page asks not to follow it
    PRIMARY KEY (src, position)
);
CREATE INDEX links_dst ON links (dst);

-- The log of lessons, one for each page, redirect and answer that there is nothing: all that an apprentice knows follows from it.
CREATE TABLE lessons (
    n                 BIGINT PRIMARY KEY,                      -- in the order of recording, without a gap
    url_id            BIGINT NOT NULL UNIQUE,                  -- what was asked for
    relevance         DOUBLE PRECISION,                        -- that the critic at work gives the page, NULL when not judged
    topics            TEXT NOT NULL,                           -- that it gives the page, likeliest first, a JSON list
    score             DOUBLE PRECISION,                        -- relevance that the apprentice expected before the fetch, if it said one
    reasons           BYTEA NOT NULL                           -- what that was made of, in the apprentice's own numbers
);

-- What the apprentice sees of the page of a lesson. Apart from the lesson, because pages are judged again, and nothing here
-- changes then: in one row with it, that wrote 3,500 bytes a page to the log and not 170.
CREATE TABLE lesson_pages (
    n                 BIGINT PRIMARY KEY,                      -- of the lesson
    packed            BYTEA NOT NULL,                          -- its links, deflated; unpack with scenthound.store.sqlite.lessons.unpack
    stream            BYTEA NOT NULL                           -- its words; unpack with scenthound.parse.word_stream.unpack
);

-- The log of distillations beside the crawl: which hubs counted from which lesson on, so that an apprentice who goes through
-- the log of lessons again sees what it saw.
CREATE TABLE distillations (
    version           INTEGER PRIMARY KEY,                     -- counts from 1; the scores in prestige are of the greatest
    at                DOUBLE PRECISION NOT NULL,               -- moment at which the crawl was looked at
    critic            INTEGER NOT NULL,                        -- critics.version that had judged the pages
    lesson            BIGINT NOT NULL,                         -- lessons.n after which it counted, 0 before the first
    pages             INTEGER NOT NULL,                        -- judged pages that were looked at, duplicates counted once
    links             BIGINT NOT NULL,                         -- of all pages at that moment
    relevance         DOUBLE PRECISION NOT NULL,               -- of all pages together at that moment
    site              TEXT NOT NULL,                           -- what counted as one site: domain, host, page
    hubs              TEXT NOT NULL                            -- those that count for the crawl, best first, a JSON list of [url_id, score]
);

-- Hubs and authorities as the last distillation beside the crawl found them. Scores are shares: of all hubs together 1, of
-- all authorities too; the rest of both, which is not here, has less each.
CREATE TABLE prestige (
    url_id            BIGINT PRIMARY KEY,                      -- the page, which stands for its duplicates too
    hub               DOUBLE PRECISION NOT NULL,               -- its score as a hub, 0 where it is not among the best
    authority         DOUBLE PRECISION NOT NULL                -- its score as an authority
);
CREATE INDEX prestige_hub ON prestige (hub DESC, url_id);
CREATE INDEX prestige_authority ON prestige (authority DESC, url_id);

-- One row a try, the ones that came to nothing included.
CREATE TABLE fetches (
    id                BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,                      -- in the order of recording
    url_id            BIGINT NOT NULL,                         -- what was wanted
    at                DOUBLE PRECISION NOT NULL,               -- when it was begun
    errand            TEXT NOT NULL,                           -- page, robots
    ending            TEXT NOT NULL,                           -- page, redirect, unchanged, failed, retry, return
    reason            TEXT,                                    -- what went wrong
    detail            TEXT NOT NULL,                           -- that reason in more words
    status            INTEGER NOT NULL,                        -- HTTP status, 0 without a response
    seconds           DOUBLE PRECISION NOT NULL,               -- that it took
    ip                TEXT NOT NULL                            -- address that was asked
);
CREATE INDEX fetches_url ON fetches (url_id);

-- What each visit to a page found, compared with the visit before, for pages visited more than once. Of all others there was
-- one visit, at pages.fetched_at, and no row: a crawl that visits no page again pays nothing for this table.
CREATE TABLE visits (
    url_id            BIGINT NOT NULL,                         -- the page
    number            INTEGER NOT NULL,                        -- counts its visits from 0
    at                DOUBLE PRECISION NOT NULL,               -- when the visit ended
    change            TEXT NOT NULL,                           -- appeared, unchanged, changed, moved, vanished, gone, unseen
    gained            INTEGER NOT NULL,                        -- addresses that it links to and did not before
    lost              INTEGER NOT NULL,                        -- addresses that it linked to before and does no longer
    PRIMARY KEY (url_id, number)
);
CREATE INDEX visits_at ON visits (at);

-- Links that were gone when their page was visited again.
CREATE TABLE lost_links (
    dst               BIGINT NOT NULL,                         -- where the link led
    src               BIGINT NOT NULL,                         -- page on which it stood
    at                DOUBLE PRECISION NOT NULL,               -- the visit that missed it
    PRIMARY KEY (dst, src, at)
);

-- What was found backwards: URLs of which a source says that they cite a good page.
CREATE TABLE backlinks (
    citing            BIGINT NOT NULL,                         -- the URL that was found so
    number            INTEGER NOT NULL,                        -- counts the pages that it is said to cite from 0
    cited             BIGINT NOT NULL,                         -- the good page
    PRIMARY KEY (citing, number)
);

-- Good pages about which a source was asked who cites them.
CREATE TABLE asked_backwards (
    url_id            BIGINT PRIMARY KEY,                      -- the page
    at                DOUBLE PRECISION NOT NULL,               -- when
    found             INTEGER NOT NULL                         -- URLs named that had not been known
);

-- The robots.txt of each origin. The text comes last: a claim reads only the expiry.
CREATE TABLE robots (
    origin            TEXT COLLATE "C" PRIMARY KEY,            -- https://example.org
    expires           DOUBLE PRECISION NOT NULL,               -- not believed from this moment on
    fetched           DOUBLE PRECISION NOT NULL,               -- when it was fetched
    status            INTEGER NOT NULL,                        -- HTTP status, 0 without a response
    text              TEXT NOT NULL                            -- the rules in force
);

-- What fetching URLs of one shape has brought on a host: many fetched and few novel is a trap. An empty shape stands
-- for the whole host.
CREATE TABLE shapes (
    host_id           BIGINT NOT NULL,                         -- where
    shape             TEXT COLLATE "C" NOT NULL,               -- a URL with its variable parts blanked
    fetched           INTEGER NOT NULL,                        -- pages of that shape
    novel             INTEGER NOT NULL,                        -- of them, those that repeat no other page
    PRIMARY KEY (host_id, shape)
);

-- The length of each archive file as recorded: what lies beyond it was never recorded.
CREATE TABLE archive_files (
    file              TEXT COLLATE "C" PRIMARY KEY,            -- its name in the archive folder
    length            BIGINT NOT NULL                          -- bytes
);

-- Archive files that were uploaded to archive.url, read back there and compared.
CREATE TABLE uploads (
    file              TEXT COLLATE "C" PRIMARY KEY,            -- archive_files.file
    digest            TEXT NOT NULL,                           -- SHA-256 of the file
    at                DOUBLE PRECISION NOT NULL                -- when
);

-- Small facts about the crawl.
CREATE TABLE notes (
    key               TEXT COLLATE "C" PRIMARY KEY,            -- what it is about
    value             TEXT NOT NULL                            -- what is remembered
);

-- The limits of the last claim: hosts.state is true under these.
CREATE TABLE limits (
    "only"            INTEGER PRIMARY KEY CHECK ("only" = 1),    -- there is one row
    delay             DOUBLE PRECISION NOT NULL,               -- least seconds between requests to a host
    per_host          INTEGER NOT NULL,                        -- requests in flight to a host
    per_domain        INTEGER NOT NULL,                        -- to a registered domain, 0 without limit
    per_ip            INTEGER NOT NULL,                        -- to an address, 0 without limit
    pages_per_host    INTEGER NOT NULL,                        -- pages of one host, 0 without limit
    robots            INTEGER NOT NULL                         -- 1 when robots.txt is obeyed
);

-- Totals kept up with every change, so that `status` does not count millions of rows.
-- url:STATE, host:STATE, reason:REASON, and pages, duplicates, near_duplicates, judged, relevance_sum, waiting_on_bad.
CREATE TABLE counters (
    name              TEXT COLLATE "C" PRIMARY KEY,            -- of the total
    value             DOUBLE PRECISION NOT NULL                -- as of the last transaction
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- The tables from here to the views are on a server only: several engines may share a crawl there.

-- The engines at work. An engine whose row is gone records nothing more.
CREATE TABLE engines (
    id                BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,  -- never given twice; the least one teaches
    name              TEXT NOT NULL,                           -- machine and process
    joined            DOUBLE PRECISION NOT NULL,               -- when, by the clock of the server
    renewed           DOUBLE PRECISION NOT NULL,               -- last sign of life
    until             DOUBLE PRECISION NOT NULL,               -- end of its lease
    pages             BIGINT NOT NULL DEFAULT 0,               -- that it has recorded
    speed             DOUBLE PRECISION NOT NULL DEFAULT 0      -- pages a second, lately
) WITH (fillfactor = 50);

-- Which engine asks the hosts of a shard. A shard without a row belongs to nobody.
CREATE TABLE shards (
    shard             INTEGER PRIMARY KEY,                     -- 0 to 1023
    engine            BIGINT NOT NULL                          -- engines.id
);

-- The engine that wrote last (one row, or none): what another one remembers of URLs may not be true any more.
CREATE TABLE last_writer (
    "only"            INTEGER PRIMARY KEY CHECK ("only" = 1),
    engine            BIGINT NOT NULL                          -- engines.id
);

-- Files that all engines need: settings, topics, examples, critics.
CREATE TABLE shared_files (
    name              TEXT COLLATE "C" PRIMARY KEY,            -- its path in the crawl directory
    version           BIGINT NOT NULL,                         -- counts from 1
    content           BYTEA NOT NULL,                          -- all of it
    at                DOUBLE PRECISION NOT NULL,               -- when it was put there
    by_engine         TEXT NOT NULL                            -- engines.name
);

-- Every URL ever seen, with all that finds and standings say about it. Made to be joined by id; to look one up by its
-- host and key, or all of a host, ask standings.
CREATE VIEW urls AS
SELECT f.id, f.host_id, f.key, f.url,
       CASE s.state WHEN 0 THEN 'waiting' WHEN 1 THEN 'claimed' WHEN 2 THEN 'page' WHEN 3 THEN 'redirect'
           WHEN 4 THEN 'failed' ELSE 'refused' END AS state,
       s.priority, s.demoted, s.depth, s.hops, s.tries, f.found_at, f.found_by, f.referrer_id, s.via_id, f.reason,
       f.detail, f.fetched_before, s.counted, s.example
FROM finds f JOIN standings s ON s.host_id = f.host_id AND s.key = f.key;

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
FROM counters WHERE name LIKE 'reason:%' AND value > 0 ORDER BY value DESC, reason;

-- How many hosts are in which state.
CREATE VIEW hosts_by_state AS
SELECT substr(name, 6) AS state, CAST(value AS INTEGER) AS hosts
FROM counters WHERE name LIKE 'host:%' AND value > 0 ORDER BY value DESC, state;

-- The crawl under the names of RELATIONAL fig. 1; sites (sid) are registered domains, topics (kcid) their paths, pages
-- (oid) the ids of their URLs. TAXONOMY and DOCUMENT, which SQLite works out for a question, are not here.

-- Every URL ever seen. relevance and kcid are the critic's, NULL before the URL was fetched and judged; numtries is how
-- often it was asked for, serverload how many pages its host has given. lastmodified is what the server said, as a
-- date.
CREATE VIEW CRAWL AS
SELECT f.id AS oid, h.domain AS sid, f.url, p.title, p.relevance,
       CASE WHEN p.relevance IS NOT NULL THEN p.topic END AS kcid,
       (SELECT count(*) FROM fetches t WHERE t.url_id = f.id AND t.errand = 'page') AS numtries,
       h.pages AS serverload, s.priority, p.fetched_at AS lastvisited,
       CASE WHEN p.last_modified LIKE '___, __ ___ ____ %' THEN
           substr(p.last_modified, 13, 4) || '-'
           || printf('%02d', (instr('JanFebMarAprMayJunJulAugSepOctNovDec', substr(p.last_modified, 9, 3)) + 2) / 3)
           || '-' || substr(p.last_modified, 6, 2) END AS lastmodified
FROM finds f LEFT JOIN hosts h ON h.id = f.host_id
LEFT JOIN standings s ON s.host_id = f.host_id AND s.key = f.key LEFT JOIN pages p ON p.url_id = f.id;

-- Every link that somebody wrote to be followed. wgt_fwd and wgt_rev are E_F and E_B of FOCUS §3.2, before they are
-- divided among the links of one site.
CREATE VIEW LINK AS
SELECT l.src AS oid_src, hs.domain AS sid_src, l.dst AS oid_dst, hd.domain AS sid_dst,
       pd.relevance AS wgt_fwd, ps.relevance AS wgt_rev, l.text
FROM links l
LEFT JOIN finds fs ON fs.id = l.src LEFT JOIN hosts hs ON hs.id = fs.host_id
LEFT JOIN finds fd ON fd.id = l.dst LEFT JOIN hosts hd ON hd.id = fd.host_id
LEFT JOIN pages ps ON ps.url_id = l.src LEFT JOIN pages pd ON pd.url_id = l.dst
WHERE l.kind IN ('anchor', 'area') AND NOT l.nofollow;

-- Hubs and authorities of the last distillation beside the crawl.
CREATE VIEW HUBS AS SELECT url_id AS oid, hub AS score FROM prestige WHERE hub > 0;
CREATE VIEW AUTH AS SELECT url_id AS oid, authority AS score FROM prestige WHERE authority > 0;
