"""`sarsen new-game NAME`: write the package of a game that works, to be changed.

Open `writing` first. `template/` is the package, of a game named `tryout`.
"""
