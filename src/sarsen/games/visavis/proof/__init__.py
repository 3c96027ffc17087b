"""Visavis solved: who wins a position, and how.

Open `cells` first: the board cut into cells of six bridges, within which alone bridges
cross. `strategy` is the first player's win; `weaving` and `clumps` find what a side holds
no matter who moves; `verdict` judges any position; `sense` and `swindle` play what is not won.
The theorem behind all of them is proved in `docs/visavis-proof.md`: `facts` looks up its
facts on a board, `gauntlet` plays the strategy against `rivals`, `survey` tries verdicts
on positions of many kinds, `picture` draws the proof.
"""
