"""The analysis board: who may ask what, how much of it, and what was found before."""
