"""The statements of classification inside a database (RELATIONAL §2.1.3): the critic, the pages, SingleProbe and
BulkProbe.
"""

from importlib.resources import files

# -- the critic and the pages as rows

OF_CRITIC = ("TAXONOMY", "BRANCH", "TERM", "FEATURE", "STAT", "BLOB")
OF_PAGES = ("PAGE", "DOCUMENT", "JUDGED")
INSERT_ROOT = "INSERT INTO TAXONOMY VALUES (?, NULL, '', 'path', 0, 0, 0.0, 0.0, 0.0)"
INSERT_CHOICE = "INSERT INTO TAXONOMY VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_BRANCH = "INSERT INTO BRANCH VALUES (?, ?, ?)"
INSERT_NAME = "INSERT INTO TERM VALUES (?, ?)"
INSERT_FEATURE = "INSERT INTO FEATURE VALUES (?, ?)"
INSERT_STAT = "INSERT INTO STAT VALUES (?, ?, ?, ?)"
INSERT_BLOB = "INSERT INTO BLOB VALUES (?, ?, ?)"
INSERT_PAGE = "INSERT INTO PAGE VALUES (?, ?)"
INSERT_TERM = "INSERT INTO DOCUMENT VALUES (?, ?, ?)"
INSERT_AT_ROOT = "INSERT INTO JUDGED VALUES (?, ?, 0.0)"
INSERT_JUDGED = "INSERT INTO JUDGED VALUES (?, ?, ?)"
JUDGED_BETWEEN = "SELECT lpr FROM JUDGED WHERE kcid = ? AND did BETWEEN ? AND ? ORDER BY did"
DELETE_ALL = "DELETE FROM {table}"
COPY_TO_KEPT = "INSERT INTO kept.{table} SELECT * FROM main.{table}"

# -- SingleProbe, RELATIONAL fig. 2

TERMS_OF_PAGE = "SELECT tid, freq FROM DOCUMENT WHERE did = ?"
PROBE_STAT = "SELECT kcid, logtheta FROM STAT WHERE pcid = ? AND tid = ?"
PROBE_BLOB = "SELECT kids FROM BLOB WHERE pcid = ? AND tid = ?"
BRANCHES = "SELECT pcid, temperature, warming FROM BRANCH ORDER BY pcid"
CHILDREN = "SELECT kcid, logdenom, logprior + balance FROM TAXONOMY WHERE pcid = ? ORDER BY kcid"

# -- BulkProbe, RELATIONAL fig. 3

# The order in which BulkProbe reads DOCUMENT. Made when the pages are there: that sorts them once.
BY_TERM = "CREATE INDEX IF NOT EXISTS DOCUMENT_terms ON DOCUMENT (tid, did, freq)"
# What one inner topic is worked out in. `both` is a page and a topic in one number.
WORK_TABLES = """
CREATE TEMP TABLE IF NOT EXISTS PARTIAL (both INTEGER PRIMARY KEY, lpr1 REAL);
CREATE TEMP TABLE IF NOT EXISTS DOCLEN (did INTEGER PRIMARY KEY, len REAL);
CREATE TEMP TABLE IF NOT EXISTS SCORE (did INTEGER, kcid INTEGER, score REAL, PRIMARY KEY (did, kcid)) WITHOUT ROWID;
"""
BRANCHES_DOWN = "SELECT pcid FROM BRANCH ORDER BY pcid"  # parents have smaller numbers than what is below them


def bulk_text() -> str:
    """Return the statements of BulkProbe at one inner topic, :c0."""
    return _read("bulk_probe.sql")


def tables_text(schema: str = "") -> str:
    """Return the statements that make the tables, in a schema that is named or in the main one."""
    text, prefix = _read("probe_tables.sql"), f"{schema}." if schema else ""
    return text.replace("CREATE TABLE ", f"CREATE TABLE {prefix}").replace("CREATE INDEX ", f"CREATE INDEX {prefix}")


def _read(name: str) -> str:
    return (files("scenthound.store.sqlite.queries") / name).read_text(encoding="utf-8")
