"""The pages of the window. Each module adds one, over the frame that all have in common."""
