"""URLs given up because of a setting come back when that setting has changed.

A URL that was refused as locked, too deep or private stays in the store with its reason. At the start of a run, each
setting that decides about such reasons is compared with its value at the last run. If it differs, the URLs return to
the frontier. Those that are still forbidden are refused again when their turn comes, and nothing is sent.
"""

import json
from collections.abc import Iterator
from hashlib import sha256

import msgspec

from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.types import Reason

GOVERNED_BY: dict[Reason, tuple[str, ...]] = {
    Reason.URL_TOO_LONG: ("fetch.max_url", "fetch.max_host"),
    Reason.LOCKED: ("fetch.locked",),
    Reason.OUTSIDE: ("fetch.only",),
    Reason.NOFOLLOW: ("crawl.nofollow",),
    Reason.TOO_DEEP: ("crawl.depth",),
    Reason.TRAP: ("crawl.traps",),
    Reason.OFF_TOPIC: ("critic.kind",),
    Reason.ROBOTS: ("fetch.robots", "fetch.user_agent"),
    Reason.PRIVATE_ADDRESS: ("fetch.allow_private", "fetch.resolve", "fetch.proxy"),
    Reason.TLS: ("fetch.verify_tls",),
    Reason.TOO_LARGE: ("fetch.max_body",),
    Reason.BOMB: ("fetch.max_unpacked",),
    Reason.UNSUPPORTED_TYPE: ("fetch.types",),
    Reason.READ_TIMEOUT: ("read.timeout",),
    Reason.READ_MEMORY: ("read.memory",),
}


def reconsider(store: Store, settings: Settings, *, now: float) -> int:
    """Put URLs back whose fate depends on a setting that has changed since the last run; return how many."""
    reasons = sorted(_changed(store, settings))
    return store.reconsider(reasons, now=now) if reasons else 0


def _changed(store: Store, settings: Settings) -> Iterator[Reason]:
    values = msgspec.to_builtins(settings)
    for reason, keys in GOVERNED_BY.items():
        note = f"settings behind {reason}"
        chosen = [values[section][key] for section, key in (name.split(".") for name in keys)]
        value = sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()  # a proxy's address may hold a password
        before = store.note(note)
        if before == value:
            continue
        store.note(note, value)
        if reason is Reason.OFF_TOPIC:
            # A critic finds out by itself what is on topic. Without one nothing is off topic, and nothing would look
            # again.
            if settings.critic.kind == "none":
                yield reason
            continue
        # Links marked nofollow are not told from others once they wait, so obeying the mark brings none of them back.
        if before is not None and not (reason is Reason.NOFOLLOW and settings.crawl.nofollow == "obey"):
            yield reason
