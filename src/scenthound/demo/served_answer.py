"""The answer of a demo server: a function from host and path to an `Answer`, which may misbehave on purpose.

Generated and archived webs are such functions; `server` puts any of them on a real socket.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Behaviour(StrEnum):
    """How an answer is sent."""

    PLAIN = "plain"
    CHUNKED = "chunked"  # in chunks, without a length
    CUT = "cut"  # the connection ends in the middle of the body
    RESET = "reset"  # the connection ends before a byte is sent
    SILENT = "silent"  # nothing is ever sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One response. `delay` is the server's thinking time in seconds."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delay: float = 0.0
    behaviour: Behaviour = Behaviour.PLAIN


AnsweringFunction = Callable[[str, str], Answer]
"""From a host as the client named it (with its port, if not 80) and a path with its query, to the answer."""
