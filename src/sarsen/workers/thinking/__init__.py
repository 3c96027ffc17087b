"""The process that thinks for the server's own programs.

Open `thinker` first: threads side by side, each in a lane of its own, so that a quick
move never waits behind a deep one. `desk` hands the boards out, `watching` ends thoughts
that take too long, `reviewing` makes reviews while no board waits. `warming` compiles the
searches at a first start, in a child, and loads them; `searches` says which are ready. No
other process of the server loads NumPy or Numba.
"""
