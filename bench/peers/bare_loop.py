"""The least that fetching can cost in Python: an aiohttp client that gets a list of URLs and does nothing with them.

No robots.txt, no parsing, no store. `python bare_loop.py PROXY FILE` with one URL a line; no crawler can be faster.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import aiohttp
import uvloop
from yarl import URL

CONCURRENCY = 64


async def fetch_all(urls: Iterator[str], session: aiohttp.ClientSession, proxy: str) -> int:
    """Take URLs from the common list until there are none; return how many were answered with 200."""
    pages = 0
    for url in urls:
        # The URL goes out as it stands: yarl would decode and encode again what the list has escaped twice.
        async with session.get(URL(url, encoded=True), proxy=proxy) as response:
            await response.read()
            pages += response.status == 200
    return pages


async def main(proxy: str, file: str) -> None:
    urls = iter(Path(file).read_text(encoding="utf-8").split())
    began = perf_counter()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONCURRENCY)) as session:
        counts = await asyncio.gather(*(fetch_all(urls, session, proxy) for _ in range(CONCURRENCY)))
    print(json.dumps({"pages": sum(counts), "seconds": perf_counter() - began}))


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
