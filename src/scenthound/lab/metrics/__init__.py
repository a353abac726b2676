"""The scores of crawls and their statistics: metrics, intervals, paired tests.

Imports: `lab.experiment.values` and numbers; nothing here reads a world or crawls.
"""
