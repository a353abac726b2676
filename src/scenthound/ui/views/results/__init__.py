"""The Results view: pages with filters and search, cards, feedback for groups. May import services."""
