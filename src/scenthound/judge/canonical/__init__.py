"""The built-in topic tree, made-up negatives, and where pages belong in a tree.

Imports: `judge.critic` and what `judge` may import.
"""
