"""The specification: a store in plain Python objects. The files named after roles hold the verbs; `state.py` holds the
data.
"""
