"""The declaration of an experiment: its file, its topics and tasks, and the values of the lab.

Imports: `lab.world`, `lab.strategies`, `crawl.directory`, `settings`, `parse` and below; nothing here crawls.
"""
