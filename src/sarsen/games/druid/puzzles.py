"""What makes a puzzle at Druid; see `sarsen.lab.puzzles.settings.PuzzleModule`."""

from sarsen.core.game import AnyPosition

# Measured: "within 4" on 5 x 5 takes half a second a move, "within 3" on 8 x 8 nine tenths.
WITHIN = {"-size=5": 4, "-size=6": 3, "-size=7": 3, "-size=8": 2}
OPENING, PER_OPENING = 4, 5
NODES = 1_500_000


def fits(position: AnyPosition) -> bool:
    """Return True: the largest board has eight columns."""
    return True
