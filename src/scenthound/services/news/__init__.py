"""Questions that stay asked: saved, run by a schedule, and what is new sent where its reader wants it."""
