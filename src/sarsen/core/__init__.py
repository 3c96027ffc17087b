"""The contract of a game, its options, the referee and the errors people see.

Open `game` first. Standard library only; imports no other part of sarsen.
"""

from sarsen.core.renamed import keep_module

keep_module("sarsen.core.perft", {"perft": "sarsen.core.referee.perft"})
