"""Archive files of a crawl on a server that are neither here nor uploaded, and what to do if their machine is lost.

Other engines take over the hosts of an engine that is silent, but not its pages: most silent machines come back, with
their disks, and upload what they had. Only a person knows that one will not. So losing files takes a command.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import cast

from scenthound.archive.files import engine_of, files_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.store.roles.engines import Engines
from scenthound.store.store_place import store_at


def missing_archives(directory: CrawlDirectory) -> dict[int, list[str]]:
    """Return the files that are recorded and neither here nor uploaded, by engine; files of engines at work are not
    missing."""
    with store_at(directory.store, engine="repair") as store:
        here = {path.name for path in files_of(directory.archive)}
        at_work = {engine.number for engine in cast(Engines, store).engines()}
        found: defaultdict[int, list[str]] = defaultdict(list)
        for name in sorted(store.archived().keys() - store.uploaded() - here):
            if engine_of(name) not in at_work:
                found[engine_of(name)].append(name)
    return dict(found)


def lose_archives(directory: CrawlDirectory, engines: Collection[int]) -> Mapping[str, int]:
    """Strike off the missing files of engines; return how many pages of each wait again."""
    missing = missing_archives(directory)
    for engine in engines:
        if engine not in missing:
            known = ", ".join(map(str, missing)) or "none"
            raise UsageError(f"no archive file of engine {engine} is missing; engines with missing files: {known}")
    with store_at(directory.store, engine="repair") as store:
        return {name: store.lose_file(name, now=time.time()) for engine in engines for name in missing[engine]}
