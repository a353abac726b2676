"""Other crawlers on the same pages, each a program of its own that prints one line of JSON when it is done."""
