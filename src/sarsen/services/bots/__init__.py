"""The server's own programs as players: accounts, manners, bounds, and what they have to do.

`accounts` makes them; `duty` says which boards wait for one, and `waking` tells the
process that thinks; `playing` hands a board out and performs what was thought, through
the same door as everybody's moves. `manners` is how they answer people, `bounds` how many
games people have with them, `pages` what lists show. The thinking itself is
`workers.thinking`; nothing here imports NumPy or Numba.
"""
