"""Fetching: one HTTP exchange per call. Nothing private is reached, and every failure is a value.

`fetcher.py` is the seam, `http.py` the real fetcher, `guard.py` and `connect.py` check addresses. Imports: `parse`,
`settings`, `types` and below; nothing of stores or crawls.
"""

from scenthound.fetch.fetcher import Fetcher, Request
from scenthound.fetch.guard import Guard
from scenthound.fetch.http import HttpFetcher, user_agent_of

__all__ = ["Fetcher", "Guard", "HttpFetcher", "Request", "user_agent_of"]
