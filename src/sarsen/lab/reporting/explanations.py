"""What the figures of a report mean, in a line each, for readers of the page."""

from __future__ import annotations

from sarsen.lab.reporting.statistics import Figure

# By the name of a figure, or by its first word: `gain 3`.
EXPLAINED = {
    "first": "Above 50 %, the first seat has the advantage. A draw counts as half a win.",
    "length": "A ply is one move by one player. Half of the games are longer.",
    "long": "One game in ten is at least so long.",
    "gain": "100 Elo more mean a score of 64 %, 200 mean 76 %.",
    "beats": "A score near 50 % means that skill hardly matters.",
    "skill": "The sum of the gains above: how much these searches have to learn.",
    "steps": "A player one step better scores 60 %. More steps mean a deeper game.",
    "slope": "The mean of the last two gains. Near 0, more thinking no longer helps.",
    "drama": "How badly winners stood while behind, on average. 0: never behind. 1: lost.",
    "comeback": "The winner's worst moment. 0: never behind. 1: lost.",
    "decided": "The winner's chances stay above 90 % from then on. Near 0: decided late.",
    "killer": "0: no move changes anything. 2: one move turns a lost game into a won one.",
    "changes": "How often the lead passes to the other side: 0.1 is once in ten plies.",
    "uncertainty": "1: equal chances throughout. 0: the winner is known all along.",
    "branching": "Half of the positions have more legal moves.",
    "forced": "The player has no choice there.",
    "near": "Good moves to choose from, while neither side has less than 5 % of the chances.",
    "only": "There, each other move is worse by more than 5 % of the score.",
    "clarity": "High: a short look finds the best move. Low: good moves are hard to see.",
    "balanced": "What is left of the first seat's advantage if the other player may swap sides.",
}


def explanation(figure: Figure) -> str:
    """Return what a figure means, "" where its label says it."""
    return EXPLAINED.get(figure.name, EXPLAINED.get(figure.name.split()[0], ""))
