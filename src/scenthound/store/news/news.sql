-- questions.db: what the questions of a crawl have seen, what was new, and where that has been sent.

-- Small facts, by key: the identity of the feed, its secret address, the schedule of `watch`.
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The last run of each question. `digest` stands for what was asked.
CREATE TABLE runs (
    question TEXT PRIMARY KEY, at REAL NOT NULL, digest TEXT NOT NULL, rows INTEGER NOT NULL, new INTEGER NOT NULL,
    error TEXT NOT NULL
) WITHOUT ROWID;

-- Every row that a question has answered with, by a digest of its key.
CREATE TABLE seen (question TEXT NOT NULL, key BLOB NOT NULL, at REAL NOT NULL, PRIMARY KEY (question, key))
    WITHOUT ROWID;

-- What was new. AUTOINCREMENT: no number is used twice, so that a channel's place stays right when rows are deleted.
CREATE TABLE news (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, question TEXT NOT NULL, at REAL NOT NULL,
    url TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, row TEXT NOT NULL
);
CREATE INDEX news_of_question ON news (question, n);

-- Webhooks and commands: `sent` is the last item that arrived. It moves only after the receiver has said so.
CREATE TABLE channels (
    channel TEXT PRIMARY KEY, sent INTEGER NOT NULL, tries INTEGER NOT NULL, due REAL NOT NULL, said TEXT NOT NULL
) WITHOUT ROWID;
