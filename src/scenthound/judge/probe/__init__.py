"""Classification inside a database: naive Bayes as the tables and joins of RELATIONAL §2.1.3.

Imports: `judge.models` and sqlite3. The database is temporary or a file of the user, never that of a crawl.
"""
