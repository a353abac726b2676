"""A process that claims and records until it is killed, and says what it has recorded.

python -m tests.store.crawling_child DATABASE SEED
"""

import random
import sys
from itertools import count
from pathlib import Path

from scenthound.store.base import Store
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Discovery, Limits, Outcome, Reason
from tests.store.small_world import back, claim, failed, found, later, moved, page, taught

LIMITS = Limits(delay=0.0, per_host=2, per_domain=3, per_ip=4, robots=False)


def turn(store: Store, chance: random.Random, now: float) -> int:
    """Claim some URLs, record some outcomes of all kinds; return the greatest page number."""
    claims = claim(store, now=now, limit=12, limits=LIMITS, lease=30.0)
    outcomes: list[Outcome] = []
    for taken in claims:
        links = [_somewhere(chance) for _ in range(chance.randrange(12))]
        outcomes.append(
            chance.choice(
                [
                    page(taken, at=now, links=links, digest=f"d{chance.randrange(99)}", relevance=0.5, ip="192.0.2.1"),
                    page(taken, at=now, links=links, fingerprint=chance.getrandbits(63), ip="192.0.2.2"),
                    moved(taken, _somewhere(chance).link.url, at=now),
                    failed(taken, Reason.HTTP_ERROR, at=now, status=404),
                    later(taken, Reason.SERVER_ERROR, at=now, rest=1.0),
                    back(taken, at=now),
                ]
            )
        )
    outcomes = [taught(outcome, stream=chance.randbytes(2000), score=chance.random()) for outcome in outcomes]
    recorded = store.record(outcomes[1:], now=now, archived={"a.warc.gz": int(now)})  # the first stays claimed
    return max((one.n or 0 for one in recorded), default=0)


def _somewhere(chance: random.Random) -> Discovery:
    host = chance.randrange(30)
    return found(f"http://h{host}.d{host // 4}.test/{chance.randrange(10**6)}", chance.random())


def main() -> None:
    chance = random.Random(int(sys.argv[2]))
    with SqliteStore(Path(sys.argv[1]), bad_after=10**9, log_mb=1) as store:
        now = float(store.note("now") or 0.0)
        store.add([_somewhere(chance) for _ in range(30)], now=now)
        for step in count(1):
            number = turn(store, chance, now + step)
            print(number, flush=True)
            if step % 50 == 0:
                store.note("now", str(now + step))


if __name__ == "__main__":
    main()
