"""What all tests have in common."""

from hypothesis import settings

# How long one example takes says more about what else the machine does than about the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
