"""Questions in SQL from users, and the help on the tables."""
