"""How programs judge a position of Breakthrough."""

from sarsen_breakthrough.rules import BreakthroughPosition


def evaluate(position: BreakthroughPosition) -> float:
    """Count men, those nearer to the far row for more; 1 is worth winning three games of four."""
    value, size = 0.0, position.size
    for square, side in position.men.items():
        row = int(square[1:]) if side == 0 else size + 1 - int(square[1:])
        value += (1 if side == position.side else -1) * (1 + row**2 / size**2)
    return value / 2
