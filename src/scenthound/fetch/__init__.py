"""Fetching: one HTTP exchange a call, nothing private reached, whatever goes wrong told as a value."""

from scenthound.fetch.base import Fetcher, Request
from scenthound.fetch.guard import Guard
from scenthound.fetch.http import HttpFetcher, user_agent_of

__all__ = ["Fetcher", "Guard", "HttpFetcher", "Request", "user_agent_of"]
