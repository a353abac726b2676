"""The work of `scenthound cluster`: run engines on a Ray cluster, and drain them on Ctrl-C or SIGTERM."""

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from scenthound.settings.server_url import ServerUrl
from scenthound.store.store_place import need_driver
from scenthound.terminal import say


def crawl_on_cluster(
    url: str,
    folder: Path | None,
    *,
    engines: int,
    ray: str,
    cpus: float,
    overrides: Sequence[str],
    quiet: bool,
    trust: bool,
) -> int:
    """Run engines until they end. Return 130 if they were asked to, and 1 if one failed."""
    need_driver()
    from scenthound.services.cluster.ray_cluster import ClusterWish, run_engines

    where = (folder or Path(ServerUrl.read(url).schema)).absolute()
    wish = ClusterWish(address=url, engines=engines, folder=where, ray=ray, cpus=cpus, overrides=overrides, trust=trust)
    with _asked_to_stop() as asked:
        endings = run_engines(wish, tell=_silent if quiet else _tell, stops=lambda: bool(asked))
    failed = [ending for ending in endings if ending.error]
    pages = sum(ending.pages for ending in endings)
    say(f"{len(endings) - len(failed)} of {len(endings)} engines ended well; they fetched {pages:,} pages.")
    for error in dict.fromkeys(ending.error for ending in failed):
        say(error, file=sys.stderr)
    return 1 if failed else 128 + signal.SIGINT if asked else 0


@contextmanager
def _asked_to_stop() -> Iterator[list[int]]:
    """Collect the signals that ask to stop."""
    asked: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(text: str) -> None:
    say(text, file=sys.stderr, flush=True)


def _silent(_text: str) -> None:
    """Say nothing."""
