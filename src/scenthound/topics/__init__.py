"""Topics: reading and writing the topics file, edits with their history, and imports from bookmarks, folders and dumps.

May import `parse`, `settings` and the modules below them. It does not know crawls.
"""
