"""What an administrator watches of a crawl on a server: the server's work, sizes, and rows that wait for vacuum."""

import sqlite3
from dataclasses import dataclass

# active_time is there from PostgreSQL 14 on. All crawls of one database share it.
_WORK = """
SELECT coalesce((to_jsonb(d) ->> 'active_time')::float8, 0) / 1000, d.xact_commit::float8
FROM pg_stat_database d WHERE d.datname = current_database()"""
_TABLES = """
SELECT coalesce(sum(pg_total_relation_size(s.relid)), 0)::float8, coalesce(sum(s.n_dead_tup), 0)::float8,
       coalesce(sum(s.n_live_tup), 0)::float8
FROM pg_stat_user_tables s WHERE s.schemaname = current_schema()"""
_CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
_ARCHIVE = """
SELECT coalesce(sum(a.length), 0)::float8, count(*) FILTER (WHERE u.file IS NULL),
       coalesce(sum(a.length) FILTER (WHERE u.file IS NULL), 0)::float8
FROM archive_files a LEFT JOIN uploads u ON u.file = a.file"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFigures:
    """Figures of one crawl; `active_seconds`, `commits` and `connections` are those of its whole database."""

    active_seconds: float
    commits: float
    connections: int
    bytes: float
    dead_rows: float
    live_rows: float
    archive_bytes: float
    archive_files_here: int  # that were not uploaded
    archive_bytes_here: float


def server_figures(con: sqlite3.Connection) -> ServerFigures:
    """Ask the server; `con` is a connection to it."""
    active, commits = con.execute(_WORK).fetchone()
    size, dead, live = con.execute(_TABLES).fetchone()
    [connections] = con.execute(_CONNECTIONS).fetchone()
    [is_old] = con.execute("SELECT to_regclass('uploads') IS NULL").fetchone()  # tables of an older program
    archived, files, waiting = (0.0, 0, 0.0) if is_old else con.execute(_ARCHIVE).fetchone()
    return ServerFigures(
        active_seconds=active,
        commits=commits,
        connections=connections,
        bytes=size,
        dead_rows=dead,
        live_rows=live,
        archive_bytes=archived,
        archive_files_here=files,
        archive_bytes_here=waiting,
    )
