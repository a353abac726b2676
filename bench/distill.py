"""Distilling a graph of 10 million links: rounds in memory against bare sparse products, and SQL in little memory.

The made-up crawl has 500,000 pages on 25,000 hosts of 10,000 domains; few pages are cited by many. Rounds and bare
products are timed in turns, in processor time, with every page a possible authority, so that all links take part. The
whole way from the database to the scores is gone in ten rounds, otherwise as it ships, in memory and in SQL, each in a
process of its own. At last the demo web is crawled, in turns alone and beside the distiller that ships.
By hand: `python -m bench.distill MODE FILE`, with MODE one of make, rounds, memory, sql.
"""

import argparse
import json
import resource
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from time import process_time

import numpy as np

from bench.distill_beside import beside
from bench.figures import Figure, Report, at_least, at_most
from bench.running import measured, python_module
from scenthound.distill.distiller import distil_by
from scenthound.distill.graph import merged
from scenthound.distill.in_memory import read_web
from scenthound.distill.recursion import endorsements, recursion
from scenthound.distill.score_tables import sites, snapshot
from scenthound.distill.scores import Method, Rules
from scenthound.store.sqlite.connection import APPLICATION_ID, VERSION

LINKS, QUICK_LINKS = 10_000_000, 200_000
LINKS_PER_PAGE = 20
PAGES_PER_HOST = 20
HOSTS_PER_DOMAIN = 2.5
ROUNDS = 10
TURNS = 5
LIMIT = 3600.0
MEMORY = 300  # megabytes for the database's way; the modules alone take 100
PLENTY = 100_000


def run(*, quick: bool = False) -> Report:
    """Make the crawl, and let each way work on it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "crawl.db")
        _told("make", file, "--links", str(QUICK_LINKS if quick else LINKS))
        rounds = _told("rounds", file)
        memory, sql = _told("memory", file), _told("sql", file, "--memory", str(MEMORY))
        print("  beside a crawl", flush=True)
        crawls = beside(file, rounds=1, pages=200) if quick else beside(file)
        return report(rounds, memory, sql, _greatest_difference(file), crawls)


def _told(mode: str, file: Path, *arguments: str) -> dict[str, float]:
    print(f"  {mode}", flush=True)
    return measured(python_module("bench.distill", mode, str(file), *arguments), limit=LIMIT).json()


def _greatest_difference(file: Path) -> float:
    memory, sql = (np.load(_scores_file(file, method)) for method in Method)
    return float(np.abs(memory - sql).max())


def report(
    rounds: dict[str, float],
    memory: dict[str, float],
    sql: dict[str, float],
    difference: float,
    crawls: dict[str, float],
) -> Report:
    return Report(
        figures=(
            Figure(name="links in the rounds", value=rounds["links"]),
            Figure(name="ten rounds over ten bare products", value=rounds["ratio"], unit="×", goal=at_most(3)),
            Figure(name="ten rounds", value=rounds["seconds"], unit="s of processor"),
            Figure(name="from database to scores, in memory", value=memory["seconds"], unit="s of processor"),
            Figure(name="from database to scores, in SQL", value=sql["seconds"], unit="s of processor"),
            Figure(name="resident memory, in memory", value=memory["peak"], unit="MB"),
            Figure(name="resident memory, in SQL", value=sql["peak"], unit="MB", goal=at_most(MEMORY)),
            Figure(name="greatest difference of two scores", value=difference, goal=at_most(1e-9)),
            Figure(name="crawl of the demo web, alone", value=crawls["alone"], unit="pages/s"),
            Figure(name="the same beside a distillation", value=crawls["beside"], unit="pages/s"),
            Figure(name="speed that it keeps, median of turns", value=crawls["ratio"], unit="×", goal=at_least(0.8)),
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["make", "rounds", "memory", "sql"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--links", type=int, default=LINKS)
    parser.add_argument("--memory", type=int, default=PLENTY)
    asked = parser.parse_args()
    if asked.mode == "make":
        print(json.dumps(make(asked.file, asked.links)))
        return
    rules = Rules(rounds=ROUNDS, memory=asked.memory)
    with closing(sqlite3.connect(f"file:{asked.file}?mode=ro", uri=True, isolation_level=None)) as con:
        if asked.mode == "rounds":
            print(json.dumps(rounds_against_products(con, rules)))
        else:
            method = Method.MEMORY if asked.mode == "memory" else Method.SQL
            print(json.dumps(whole_way(con, method, rules, _scores_file(asked.file, method))))


def rounds_against_products(con: sqlite3.Connection, rules: Rules) -> dict[str, float]:
    """Time ten rounds and ten products of the same matrix in turns; the ratio is the median over turns."""
    with snapshot(con), sites(con, rules):
        web = read_web(con, rules)
    found = endorsements(merged(web), replace(rules, share=1.0))
    vector = np.full(len(found.hubs), 1 / len(found.hubs))
    pairs = []
    for _ in range(TURNS):
        began = process_time()
        recursion(found.forward, found.backward, rounds=ROUNDS)
        between = process_time()
        for _ in range(ROUNDS):
            found.forward @ vector
        pairs.append((between - began, process_time() - between))
    return {
        "links": len(found.forward),
        "seconds": statistics.median(rounds for rounds, _ in pairs),
        "ratio": statistics.median(rounds / products for rounds, products in pairs),
    }


def whole_way(con: sqlite3.Connection, method: Method, rules: Rules, scores: Path) -> dict[str, float]:
    """Distil, keep the scores to be compared, and tell what it took."""
    began = process_time()
    distil_by(method, con, rules)
    seconds = process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    rows = (
        con.execute("SELECT score FROM HUBS ORDER BY oid").fetchall()
        + con.execute("SELECT score FROM AUTH ORDER BY oid").fetchall()
    )
    np.save(scores, np.array(rows))
    return {"seconds": seconds, "peak": peak}


def _scores_file(file: Path, method: Method) -> Path:
    return file.with_suffix(f".{method.value}.npy")


# -- the made-up crawl


def make(file: Path, links: int) -> dict[str, float]:
    """Write a crawl with so many links. Its pages are judged by chance.

    A page in ten thousand gets a hundredth of all links.
    """
    chance = np.random.default_rng(7)
    pages = links // LINKS_PER_PAGE
    hosts = pages // PAGES_PER_HOST
    with closing(sqlite3.connect(file, isolation_level=None)) as con:
        con.executescript((files("scenthound.store.sqlite") / "schema.sql").read_text(encoding="utf-8"))
        con.execute(
            "DROP INDEX links_dst"
        )  # the distiller does without it, and making it takes longer than all the rest
        con.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        con.execute(f"PRAGMA user_version = {VERSION}")
        con.execute("PRAGMA synchronous = OFF")
        con.execute("BEGIN")
        con.executemany(
            "INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')",
            (
                (id, f"h{id}.d{int(id / HOSTS_PER_DOMAIN)}.test", f"d{int(id / HOSTS_PER_DOMAIN)}.test")
                for id in range(hosts)
            ),
        )
        con.executemany(
            "INSERT INTO finds (id, host_id, key, url, found_at, found_by) VALUES (?, ?, ?, ?, 0, 'anchor')",
            ((id, id % hosts, id, f"http://h{id % hosts}/{id}") for id in range(1, pages + 1)),
        )
        con.executemany(_PAGE, _pages(chance, pages))
        con.executemany(
            "INSERT INTO links VALUES (?, ?, ?, 'anchor', 'words of a link', 3, 4, 0)", _links(chance, pages)
        )
        con.execute("COMMIT")
    return {"bytes": file.stat().st_size}


_PAGE = """
INSERT INTO pages (n, url_id, ending, counts, status, mime, charset, title, language, words, relevance, topic, critic,
    digest, payload, duplicate_of, fetched_at, captured_at, seconds, bytes)
VALUES (:id, :id, 'page', 1, 200, 'text/html', '', 'A page', '', 100, :relevance, '', 1, '', '', :same, 0, 0, 0, 0)"""


def _pages(chance: np.random.Generator, pages: int) -> Iterator[dict[str, float | None]]:
    """Yield pages judged by chance, one in fifty of them the duplicate of an earlier one."""
    relevance, repeats = chance.random(pages), chance.random(pages) < 0.02
    for id in range(1, pages + 1):
        same = int(chance.integers(1, id)) if repeats[id - 1] and id > 1 else None
        yield {"id": id, "relevance": float(relevance[id - 1]), "same": same}


def _links(chance: np.random.Generator, pages: int) -> Iterator[tuple[int, int, int]]:
    """Yield links whose targets' popularity falls off as on the web: the fourth power of chance crowds near 0."""
    places = chance.permutation(pages) + 1
    for source in range(1, pages + 1):
        targets = places[(pages * chance.random(LINKS_PER_PAGE) ** 4).astype(np.int64)]
        for position, target in enumerate(targets.tolist()):
            yield source, position, target


if __name__ == "__main__":
    main()
