"""The lab: crawl archived webs with the loop that ships, compare strategies fairly, and report what was found."""
