"""The Topics view: the tree, its dialogs, and the critic before a crawl. May import services and judge."""
