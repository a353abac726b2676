"""The work of `scenthound why`: everything known about one URL, in lines or as JSON."""

import sys
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.why.url_story import known_of
from scenthound.terminal import say, say_json


def tell_why(path: Path, url: str, *, as_json: bool) -> int:
    known = known_of(CrawlDirectory.open(path), url)
    if isinstance(known, str):
        say(f"scenthound: {known}", file=sys.stderr)
        return 1
    if as_json:
        say_json(known.as_table())
    else:
        say("\n".join(known.lines()))
    return 0
