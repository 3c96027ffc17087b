"""The server's own programs as players: accounts, levels, and the boards that wait for them.

The thinking itself is in `workers.thinking`; nothing here imports NumPy or Numba.
"""
