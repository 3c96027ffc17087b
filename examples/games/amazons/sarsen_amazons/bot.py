"""How programs judge a position of Amazons."""

from sarsen_amazons.rules import AmazonsPosition


def evaluate(position: AmazonsPosition) -> float:
    """Count the squares that a side reaches in fewer moves than the other (Lieberum, 2005)."""
    value, seen = 0, set(position.taken)
    fronts = [set(position.amazons(side)) for side in (position.side, 1 - position.side)]
    while any(fronts):
        fronts = [{to for at in front for to in position.reach(at)} - seen for front in fronts]
        value += len(fronts[0]) - len(fronts[1])
        seen.update(*fronts)
    return value / 8
