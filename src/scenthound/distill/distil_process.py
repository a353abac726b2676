"""Distil one crawl in a process of its own, beside the running crawl: `python -m scenthound.distill.distil_process`.

It reads its order from standard input and answers on standard output. It ends at once when its input closes: then
its parent is gone, killed or not.
"""

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from scenthound.distill.distiller import distil, only_site
from scenthound.distill.scores import Found, Rules
from scenthound.distill.site import Site
from scenthound.store.sqlite.connection import open_reader
from scenthound.store.sqlite.queries.distil_statements import BEST_SCORES, URL_OF_ID
from scenthound.types import PageScore

NICE: Final = 19  # the crawl comes first


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What to do: one line of JSON."""

    database: str
    rules: Rules


def main() -> None:
    os.nice(NICE)
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_input, daemon=True).start()
    with closing(open_reader(Path(order.database))) as con:
        found = distil_beside(con, order.rules)
    sys.stdout.buffer.write(msgspec.msgpack.encode(found))
    sys.stdout.buffer.flush()


def distil_beside(con: sqlite3.Connection, rules: Rules) -> Found:
    """Distil, and return the best pages by their addresses. If all pages are of one site, each is taken for a site."""
    if rules.site is Site.DOMAIN and only_site(con):
        rules = replace(rules, site=Site.PAGE)
    told = distil(con, rules)
    hubs, authorities = (
        dict(con.execute(BEST_SCORES.format(table), (rules.kept,)).fetchall()) for table in ("HUBS", "AUTH")
    )
    return Found(pages=told.pages, scores=tuple(_named(con, hubs, authorities)), site=rules.site)


def _named(con: sqlite3.Connection, hubs: dict[int, float], authorities: dict[int, float]) -> Iterator[PageScore]:
    for id in dict.fromkeys([*hubs, *authorities]):
        [url] = con.execute(URL_OF_ID, (id,)).fetchone()
        yield PageScore(url=url, hub=hubs.get(id, 0.0), authority=authorities.get(id, 0.0))


def _end_with_input() -> None:
    while os.read(0, 1):  # not by sys.stdin: Python cannot end while a thread waits in there
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
