"""Distil one crawl in a process of its own, beside the running crawl: `python -m scenthound.distill.distil_process`.

It reads orders from standard input, and leaves the answer to the last one in the file that is its standard output. It
stays between orders, because to start it costs more than to distil a hundred thousand links, and it remembers links
that it has read. It ends at once when its input closes: then its parent is gone, killed or not.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from queue import SimpleQueue
from typing import Final

import msgspec

from scenthound.distill.distiller import distil, only_site
from scenthound.distill.link_memory import LinkMemory
from scenthound.distill.scores import LENGTH, Found, Order, Rules
from scenthound.distill.site import Site
from scenthound.store.sqlite.queries.distil_statements import BEST_SCORES, URL_OF_ID
from scenthound.store.store_place import place_of, reader_at
from scenthound.types import PageScore

NICE: Final = 19  # the crawl comes first


def main() -> None:
    os.nice(NICE)
    orders, links = SimpleQueue[bytes](), LinkMemory()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        order = msgspec.json.decode(orders.get(), type=Order)
        with closing(reader_at(place_of(order.database))) as con:
            answer = msgspec.msgpack.encode(distil_beside(con, order.rules, links))
        _write(answer, LENGTH.size)
        _write(LENGTH.pack(len(answer)), 0)


def _write(data: bytes, offset: int) -> None:
    while data:
        written = os.pwrite(1, data, offset)
        data, offset = data[written:], offset + written


def distil_beside(con: sqlite3.Connection, rules: Rules, links: LinkMemory | None = None) -> Found:
    """Distil, and return the best pages by their addresses. If all pages are of one site, each is taken for a site."""
    if rules.site is Site.DOMAIN and only_site(con):
        rules = replace(rules, site=Site.PAGE)
    told = distil(con, rules, links=links)
    hubs, authorities = (
        dict(con.execute(BEST_SCORES.format(table), (rules.kept,)).fetchall()) for table in ("HUBS", "AUTH")
    )
    return Found(pages=told.pages, scores=tuple(_named(con, hubs, authorities)), site=rules.site)


def _named(con: sqlite3.Connection, hubs: dict[int, float], authorities: dict[int, float]) -> Iterator[PageScore]:
    for id in dict.fromkeys([*hubs, *authorities]):
        [url] = con.execute(URL_OF_ID, (id,)).fetchone()
        yield PageScore(url=url, hub=hubs.get(id, 0.0), authority=authorities.get(id, 0.0))


def _listen(orders: SimpleQueue[bytes]) -> None:
    """Take orders, one a line, until the input closes."""
    line = b""
    while some := os.read(0, 65_536):  # not by sys.stdin: Python cannot end while a thread waits in there
        *whole, line = (line + some).split(b"\n")
        for one in whole:
            orders.put(one)
    os._exit(1)


if __name__ == "__main__":
    main()
