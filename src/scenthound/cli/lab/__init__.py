"""`scenthound lab …`: run experiments on archived webs and show their results."""
