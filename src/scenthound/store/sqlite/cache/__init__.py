"""Rows that a transaction has looked up: hosts and URLs while it works on them, and a memo between transactions.

Imports: rules of the store, and types.
"""
