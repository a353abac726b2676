"""Commands that rank what was found: hubs, authorities and sites."""
