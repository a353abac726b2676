"""RELATIONAL §3.8, fig. 8: the cost of classification and distillation in the database.

Times differ from run to run. Imports: the rest of `papers`, `scenthound.judge.probe` and `scenthound.distill`.
"""
