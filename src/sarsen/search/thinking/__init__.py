"""Search a position of the rules, and answer with a move of the rules.

A search takes a kernel module, a position, a budget and an event that ends it early; it is
loaded when it is first asked for.
"""

from sarsen.search.thinking.by_alphabeta import Tuning, alphabeta
from sarsen.search.thinking.by_exhausting import find_claimed_within
from sarsen.search.thinking.by_mcts import Exploring, mcts
from sarsen.search.thinking.by_proof import ProvedResult, find_answers, find_claimed, prove

__all__ = [
    "Exploring",
    "ProvedResult",
    "Tuning",
    "alphabeta",
    "find_answers",
    "find_claimed",
    "find_claimed_within",
    "mcts",
    "prove",
]
