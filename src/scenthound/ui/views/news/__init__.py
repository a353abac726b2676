"""News: saved questions, what is new, and the schedule of the watch."""
