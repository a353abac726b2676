"""Sessions: a token, printed once, gives access to a session, and guessing it is slow.

A token has 192 bits: nobody guesses it. Wrong ones are still counted, so that who guesses learns that it is seen. The
right one always opens, or anybody could lock its owner out.
"""

import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Final

HOURS: Final = 24 * 7  # that a session lasts
GUESSES: Final = 10  # wrong tokens in a minute, from all together, before more are answered otherwise
_MOST_SESSIONS: Final = 1000


class TooManyGuessesError(Exception):
    """Another wrong token, after many."""


class Sessions:
    """The token and its sessions. All end with the server."""

    def __init__(self, token: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._token = token
        self._clock = clock
        self._ends: dict[bytes, float] = {}
        self._wrong: deque[float] = deque()

    def enter(self, token: str) -> str | None:
        """Return a new session for the right token, None for a wrong one."""
        if not self.is_token(token):
            return None
        session = secrets.token_urlsafe(24)
        while len(self._ends) >= _MOST_SESSIONS:
            del self._ends[next(iter(self._ends))]
        self._ends[_digest(session)] = self._clock() + 3600 * HOURS
        return session

    def is_token(self, token: str) -> bool:
        """Return whether a token is right. Raise an error after too many wrong ones in a minute."""
        if hmac.compare_digest(token.encode(), self._token.encode()):
            return True
        now = self._clock()
        while self._wrong and now - self._wrong[0] > 60:
            self._wrong.popleft()
        if len(self._wrong) >= GUESSES:
            raise TooManyGuessesError
        self._wrong.append(now)
        return False

    def holds(self, session: str) -> bool:
        """Return whether a session is open."""
        end = self._ends.get(_digest(session))
        return end is not None and self._clock() < end


def new_token() -> str:
    return secrets.token_urlsafe(24)


def _digest(session: str) -> bytes:
    """Look sessions up by digest, so the time of a lookup reveals nothing about them."""
    return hashlib.sha256(session.encode()).digest()
