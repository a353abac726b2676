"""`scenthound questions DIR …` and its answers in lines."""
