"""The measurements: each module measures one promise of scenthound, and `python -m bench` prints all of them again."""
