"""Opponents: kernels, searches, and the bots made of them.

Open `contract` first: what a game gives the searches, as functions on arrays of
integers. `kernels/` holds one file (or folder) a game: the rules once more, for speed;
`games/*/rules.py` stays the only referee. The searches are written once for all games:
`alphabeta`, `mcts`, `proof`; `thinking/` runs them on positions of the rules, and `plain`
lets them search a game that has no kernel. `bots/` says which search plays which game at
which level; start at `bots.load`. `python -m sarsen.search` says what loading it all takes.

Only this part uses NumPy and Numba; `compiling` says how. Importing `sarsen.search` or
`sarsen.search.bots` imports neither: both come with the first thought, in processes that
live long.
"""
