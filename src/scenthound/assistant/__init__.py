"""A crawl for assistants, by the Model Context Protocol: tools that only read, with limits and provenance.

May import services and everything below; the package `mcp` is imported in `tool_server` alone.
"""
