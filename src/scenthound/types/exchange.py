"""What comes of asking a server: an HTTP exchange, a robots.txt, and where they lie in the archive."""

from dataclasses import dataclass

from scenthound.types.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """What one HTTP exchange gave. `reason` is None for a response that may be read or a redirect to follow.

    `head` is the status line and headers as received (transfer coding removed, body length corrected by the
    archive), `body` the payload with its content coding still on it.
    """

    url: str
    started: float
    finished: float
    reason: Reason | None = None
    detail: str = ""
    status: int = 0
    head: bytes = b""
    request_head: bytes = b""
    body: bytes = b""
    mime: str = ""
    charset: str = ""
    coding: str = ""
    location: str = ""
    etag: str | None = None
    last_modified: str | None = None
    retry_after: float | None = None
    ip: str = ""
    first_byte: float = 0.0

    @property
    def seconds(self) -> float:
        return self.finished - self.started


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsAnswer:
    """A robots.txt as remembered: the text that rules an origin, and until when (RFC 9309 §2.4)."""

    origin: str
    status: int
    text: str
    fetched: float
    expires: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSpot:
    """Where a record lies in the archive."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A page in the archive, as later revisit records refer to it: its date, and the digest of its body as sent."""

    url: str
    captured_at: float
    payload: str
