"""Thinking about a position of the rules: run a search, and answer in the rules' moves.

`alphabeta`, `mcts` and `prove` take a kernel module (a game's, or a new `PlainModule`), a
position, a budget, and an event that ends them early. Each search is loaded when it is
first asked for. Open `by_alphabeta` first.
"""

from sarsen.search.thinking.by_alphabeta import Tuning, alphabeta
from sarsen.search.thinking.by_mcts import Exploring, mcts
from sarsen.search.thinking.by_proof import ProvedResult, prove

__all__ = ["Exploring", "ProvedResult", "Tuning", "alphabeta", "mcts", "prove"]
