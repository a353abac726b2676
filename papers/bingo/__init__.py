"""The experiments of BINGO: what feature spaces and their votes are worth."""
