"""News: questions that stay asked, what is new, and the schedule of the watch."""
