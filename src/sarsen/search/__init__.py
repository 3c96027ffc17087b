"""Searches, and what bots are made of.

Open `contract` first: what a kernel gives the searches, as functions on arrays of
integers. The searches are written once for all games: `alphabeta`, `mcts`, `proof_number`;
`thinking/` runs them on positions of the rules. No game is known here by name: its package
brings a kernel (`games/druid/kernel`: the rules once more, for speed; `rules.py` stays the
only referee) and a bot (`bot.py`: which search plays it at which level). `rules_kernel` lets
a game be searched that has no kernel, and `general_bot` plays it; start at `bots.load`.
`python -m sarsen.search` says what loading it all takes.

Only this part and those modules of games use NumPy and Numba; `compiling` says how. Importing
`sarsen.search` or `sarsen.search.bots` imports neither: both come with the first thought, in
processes that live long.
"""
