"""What the questions of a crawl have seen and said, in a small database of its own. It may import types and errors."""
