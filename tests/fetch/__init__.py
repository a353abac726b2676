"""How a fetch behaves towards proper servers and the bad web."""
