"""The lab: tools for those who make games and bots. Matches, ladders, engines, proofs.

`commands` is what `sarsen` offers; start there.
"""
