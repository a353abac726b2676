"""The papers' experiments repeated: the result of each paper, ours, and a page with both.

Run them with `python -m papers`. The package stands beside the product, as `bench` does. It imports the lab and
everything below it; the product does not import it.
"""
