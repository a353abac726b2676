"""The server of a crawl for assistants: the Model Context Protocol over standard input and output, by its own library.

Standard output carries the protocol alone: the library keeps it for itself, and everything else goes to stderr.
"""

import sys
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from scenthound.assistant.bounded_answer import SECONDS, WARNING, Table
from scenthound.assistant.crawl_tools import CrawlTools
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError, UsageError
from scenthound.terminal import say

try:
    import anyio
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
    from pydantic import ValidationError
except ImportError as error:
    raise UsageError(
        f"scenthound mcp needs the package mcp ({error}); install it with: pip install 'scenthound[mcp]'"
    ) from None


def serve_assistant(directory: CrawlDirectory) -> int:
    """Answer on standard input and output until the input closes."""
    if sys.stdin.isatty():
        say(
            f"An assistant starts this server itself, for {directory.path}; see docs/how-to/connect-an-assistant.md. "
            "Ctrl-C ends it.",
            file=sys.stderr,
        )
    server_of(directory).run()
    return 0


def server_of(directory: CrawlDirectory) -> MCPServer[Any]:
    """Return the server with its tools."""
    from scenthound import __version__

    name = directory.path.resolve().name
    good = ", ".join(topic.path for topic in directory.topics().good) or "none yet"
    server = _Server(
        name="scenthound",
        title=f"scenthound: {name}",
        version=__version__,
        instructions=f"The pages of the web crawl {name}. Good topics: {good}. Cite pages by their URL. {WARNING}",
        log_level="WARNING",
        subscriptions=False,
    )
    tools = CrawlTools(directory)
    for work in (
        tools.search,
        tools.page_text,
        tools.topics,
        tools.hubs,
        tools.authorities,
        tools.sites,
        tools.sql,
        tools.tables,
        tools.status,
    ):
        hints = ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        )
        server.add_tool(_in_time(work), annotations=hints)
    return server


class _Server(MCPServer[Any]):
    """Refuses what a tool does not take, in one line: a model that misspells an argument should know it."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        known = {tool.name: tool for tool in await self.list_tools()}
        if name not in known:
            raise ToolError(f"there is no tool {name}; there are {', '.join(known)}")
        takes = known[name].input_schema.get("properties", {})
        if unknown := [argument for argument in arguments if argument not in takes]:
            raise ToolError(f"{name} does not take {', '.join(unknown)}; it takes {', '.join(takes) or 'nothing'}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            said = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.__cause__.errors()]
            raise ToolError(f"{name}: {'; '.join(said)}") from None


def _in_time(work: Callable[..., Table]) -> Callable[..., Any]:
    """Return a tool that runs in a thread and gives up when it takes too long; what is wrong is said in one line."""

    @wraps(work)
    async def answer(**arguments: Any) -> Table:
        try:
            with anyio.fail_after(SECONDS):
                return await anyio.to_thread.run_sync(partial(work, **arguments), abandon_on_cancel=True)
        except TimeoutError:
            raise ToolError(_too_late(work.__name__)) from None
        except ScenthoundError as error:
            raise ToolError(" ".join(str(error).split())) from None

    return answer


def _too_late(name: str) -> str:
    if name == "search":
        return f"no answer within {SECONDS:g} s: the search index is still being built; ask again in a minute"
    return f"no answer within {SECONDS:g} s; ask for less"
