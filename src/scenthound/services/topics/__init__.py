"""Topics and feedback: edits, samples to judge, what the critic says before a crawl."""
