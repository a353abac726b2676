"""The Monitor view: the plot of relevance, the findings, the apprentice. May import services."""
