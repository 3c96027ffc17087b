"""Reviews of finished games: what a search says of each position, from the end back.

Pure: positions and a function that thinks go in, frozen findings come out, and a review that
was interrupted continues. No NumPy, no Numba: code that shows a review imports this freely.
"""
