"""`scenthound why`: all that is known about one URL, in lines for people or as JSON."""

import sys
from pathlib import Path

import msgspec

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.why import known_of


def tell_why(path: Path, url: str, *, as_json: bool) -> int:
    known = known_of(CrawlDirectory.open(path), url)
    if isinstance(known, str):
        print(f"scenthound: {known}", file=sys.stderr)
        return 1
    print(msgspec.json.encode(known.as_table()).decode() if as_json else "\n".join(known.lines()))
    return 0
