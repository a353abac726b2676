"""The measurements: each module measures one promise of scenthound, and `python -m bench` prints all of them.

Imports: anything of scenthound, and helpers of the tests; the product does not import it.
"""
