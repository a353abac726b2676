"""`scenthound mcp`: serve a crawl to an assistant."""

from scenthound.cli.shared.options import Dir


def mcp(path: Dir) -> int:
    """Serve a crawl to assistants (Model Context Protocol).

    The assistant starts this command itself and talks to it over stdin and stdout. Its tools only read: search, page
    text, topics, hubs, authorities, sites, SQL, status.
    """
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory

    directory = CrawlDirectory.open(path)
    from scenthound.assistant.tool_server import serve_assistant  # which needs the extra `mcp`

    return serve_assistant(directory)
