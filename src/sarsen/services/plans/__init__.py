"""Plans: a tree of variations per player and board, of which marked lines are played by themselves.

Open `tree` first: the tree itself, pure.
"""
