"""The process that thinks for the server's own programs.

Open `thinker` first: threads side by side, each in a lane of its own, so that a quick
move never waits behind a deep one. `desk` hands the boards out, `watching` ends thoughts
that take too long, `warming` loads the searches at the start, `reviewing` makes reviews
while no board waits. NumPy and Numba come with the first thought; no other process of
the server ever loads them.
"""
