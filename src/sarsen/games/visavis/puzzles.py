"""What makes a puzzle at Visavis; see `sarsen.lab.puzzles.settings.PuzzleModule`."""

from sarsen.core.game import AnyPosition
from sarsen.games.visavis.rules import VisavisPosition

# On larger boards seven positions in eight have more right moves than three.
WITHIN = {"-size=7": 3, "-size=9": 3, "-size=11": 3}
OPENING, PER_OPENING = 2, 12
NODES = 200  # positions judged


def fits(position: AnyPosition) -> bool:
    """Return True: the boards of these puzzles are twelve columns wide at most."""
    return True


def winner(position: AnyPosition) -> tuple[int, str] | None:
    """Return the seat that wins, and a winning move of the seat to move or "".

    See `sarsen.games.visavis.proof.verdict`: each step of it is a lemma.
    """
    # Not before it is needed: it is compiled.
    from sarsen.games.visavis.proof.verdict import JudgingBudget, judge
    from sarsen.search.thought import Budget

    assert isinstance(position, VisavisPosition)
    found = judge(position, allowance=JudgingBudget(Budget(NODES)))
    if found.winner is None:
        return None
    winner = position.seat if found.winner == position.side else 1 - position.seat
    return winner, found.moves[0] if found.moves else ""
