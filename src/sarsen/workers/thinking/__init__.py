"""The thinker: the process that thinks for the server's own programs.

Open `thinker` first: threads, each with boards of its own, so that a quick move never waits
behind a deep one. Reviews are made while no board waits. No other process loads NumPy or
Numba.
"""
