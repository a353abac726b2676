"""Tests of a critic: cross-validation, the report in words, and the comparison with its predecessor.

Imports: the rest of `judge`; nothing here fetches or stores.
"""
