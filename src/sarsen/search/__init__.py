"""Searches, and what bots are made of; no game is known here by name.

Open `contract` first: what a kernel gives the searches, as functions on arrays of integers.
A game's package brings a kernel (its rules once more, for speed; `rules.py` stays the only
referee) and a bot, which says which search plays at which level. A game without them is
searched through its rules. `python -m sarsen.search` compiles everything and says what it took.

Only this part and those modules of games use NumPy and Numba. Importing `sarsen.search` or
`sarsen.search.bots` imports neither: both are loaded with the first search, in processes that
live long.
"""
