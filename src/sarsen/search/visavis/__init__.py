"""Visavis solved: who wins a position, and how.

Open `cells` first (the board cut into cells of six bridges, within which alone bridges
cross), then `strategy` (the first player's win) and `clumps` (what a side holds whoever
moves), `verdict` (any position), `swindle` (lost ones). The theorem behind all of them
is proved in `docs/visavis-proof.md`; `facts` checks its facts on a board.
"""
