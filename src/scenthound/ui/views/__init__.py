"""The pages of the window. Each module has one page, inside the common frame."""
