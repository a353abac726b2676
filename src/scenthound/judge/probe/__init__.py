"""Classification inside a database: naive Bayes as the tables and joins of RELATIONAL §2.1.3."""
