"""Who may set a setting that takes free text: anybody, or only somebody who can edit crawl.toml."""

from typing import Final

from msgspec import Struct


class Guard(Struct, frozen=True, kw_only=True):
    """Why the window and the API may not set a setting; an empty `why` means that they may.

    With `values`, a regular expression, this holds only for values that it matches.
    """

    why: str = ""
    values: str = ""


# Every setting that takes free text declares one of these. Otherwise its help cannot be made, and tests fail.
HARMLESS: Final = {"guard": Guard()}
RUNS_FUNCTION: Final = {"guard": Guard(why="a function runs code", values=":")}
RUNS_COMMAND: Final = {"guard": Guard(why="it reads a file or runs a command", values=r"^(?!(links)?$)")}
PRIVATE: Final = {"guard": Guard(why="it opens private networks to the crawl")}
ELSEWHERE: Final = {"guard": Guard(why="it names another server, and nothing of the crawl goes there by itself")}
RIGHTS: Final = {"guard": Guard(why="it decides what questions may see and do on the server")}
PROXY: Final = {"guard": Guard(why="it sends every request somewhere else")}
