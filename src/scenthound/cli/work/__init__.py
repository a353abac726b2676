"""The work of single commands: what each does and prints. The files above have the arguments."""
