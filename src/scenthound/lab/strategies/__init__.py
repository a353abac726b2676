"""The strategies that the lab compares, one idea a file; `lab.kinds` knows them by name."""
