"""What makes a puzzle at Vasco; see `sarsen.lab.puzzles.settings.PuzzleModule`."""

from sarsen.core.game import AnyPosition
from sarsen.games.vasco.rules import VascoPosition

# Measured: on 54 tiles "within 2" takes 0.4 s a move, "within 3" 0.75. On 24 tiles a fifth of the
# puzzles has three own moves, on 54 hardly any.
WITHIN = {"-size=18": 3, "-size=24": 3, "-size=30": 3, "-size=36": 3, "-size=54": 2}
OPENING, PER_OPENING = 4, 5
NODES = 500_000
MAX_TILES = 40  # on the board: more do not fit a letter


def fits(position: AnyPosition) -> bool:
    """Return whether the board is small enough for a letter and a phone."""
    assert isinstance(position, VascoPosition)
    return len(position.tiles) <= MAX_TILES
