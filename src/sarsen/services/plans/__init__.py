"""Plans: one tree of variations per player and board; lines of it are played by themselves.

Open `tree.py` first: the tree itself, pure. Then
`text.py`       a plan's text becomes lines of the tree, every known move judged
`stored.py`     the tree in the store, and who may have one
`queueing.py`   the command `queue`
`following.py`  after a move: queued answers are played at once
`previewed.py`  a line that was tried, as a plan's text
`paths.py`      places of a tree on their board
`exploring.py`  for pages: look at a tree, add, mark and cut variations

May import what services may; `services.moves` calls `following`, never the other way.
"""
