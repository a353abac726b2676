"""What led to a breach: which engine sent the request, what had been done to it, and what else was asked then.

Each engine of a crew sends its name with its requests, as the contact, so that the log of the web's server tells them
apart.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.politeness import Breach
from bench.ring_web import address_of, domain_of
from scenthound.demo.protocol import LogEntry

BEFORE = 30.0  # seconds: seven leases of a crew
AROUND = 1.5  # seconds of the log that are shown
MOST = 12  # requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that was done to one engine."""

    engine: str
    kind: str
    began: float
    ended: float


def engine_of(entry: LogEntry) -> str:
    """Return the name that an engine sends.

    >>> engine_of(LogEntry(started=0, finished=0, host="", path="", status=0, client_port=0,
    ...     user_agent="scenthound/1 (+https://example.org; engine3)"))
    'engine3'
    """
    return entry.user_agent.rpartition(" ")[2].removesuffix(")")


def told(breach: Breach, log: Sequence[LogEntry], deeds: Sequence[Deed]) -> str:
    """Tell a breach, and below it what was done to the engines in question and what was asked around it."""
    return "\n      ".join((f"{breach.kind}: {breach.host} {breach.detail}", *_causes(breach, log, deeds)))


def _causes(breach: Breach, log: Sequence[LogEntry], deeds: Sequence[Deed]) -> Iterator[str]:
    late = breach.visit
    if late is None:
        return
    near = _near(breach, late, log)
    begin = min(entry.started for entry in log)
    for name in sorted({engine_of(entry) for entry in near}):
        done = [deed for deed in deeds if deed.engine == name and late.started - BEFORE < deed.ended]
        for deed in done:
            if deed.began < late.finished:
                yield f"{name} {deed.kind} from {deed.began - begin:.3f} to {deed.ended - begin:.3f}"
    for entry in near:
        mark = "  <" if entry is late else ""
        yield (
            f"{entry.started - begin:.3f} to {entry.finished - begin:.3f} {engine_of(entry)} asked "
            f"{entry.host}{entry.path}, {entry.status}{mark}"
        )


def _near(breach: Breach, late: LogEntry, log: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the requests just before and during the breach, of the same host, domain or address."""
    same = _SAME.get(breach.kind, _host)
    near = [
        entry
        for entry in log
        if same(entry) == same(late) and late.started - AROUND < entry.finished and entry.started <= late.started
    ]
    return sorted(near, key=lambda entry: entry.started)[-MOST:]


def _host(entry: LogEntry) -> str:
    return entry.host


def kept(log: Sequence[LogEntry], deeds: Sequence[Deed]) -> Path:
    """Write everything that happened to a file, for who wants to look closer."""
    path = Path(tempfile.mkdtemp(prefix="scenthound-deeds-"), "log.jsonl")
    rows = [{"what": "request", "engine": engine_of(entry)} | asdict(entry) for entry in log]
    rows += [{"what": "deed"} | asdict(deed) for deed in deeds]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


_SAME: dict[str, Callable[[LogEntry], str]] = {
    "requests beyond the limit of one domain": lambda entry: domain_of(entry.host),
    "requests beyond the limit of one address": lambda entry: address_of(entry.host),
}
