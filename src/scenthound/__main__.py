"""`python -m scenthound` is the program `scenthound`."""

from scenthound.cli.main import run

run()
