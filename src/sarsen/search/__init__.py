"""Opponents: kernels, searches, and the bots made of them.

Open `contract` first: what a game gives the searches, as functions on arrays of
integers. `kernels/` holds one file (or folder) a game: the rules once more, for speed;
`games/*/rules.py` stays the only referee. The searches are written once for all games.
`bots/` says which search plays which game at which level; start at `bots.load`.

Only this part uses NumPy and Numba. Importing `sarsen.search` or `sarsen.search.bots`
imports neither: both come with the first thought, in processes that live long.
"""
