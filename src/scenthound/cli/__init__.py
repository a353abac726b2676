"""The command line. `commands.py` lists the commands; each has a file here with its arguments.

A command imports its work when it runs, so `scenthound --help` stays fast: `work` has what one command does, `shared`
has what several need, `topics` and `lab` have the commands with forms. It may import everything below it; nothing
imports it except `__main__`, tests and benches.
"""
