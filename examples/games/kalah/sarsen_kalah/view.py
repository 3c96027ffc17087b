"""What a position of Kalah looks like."""

from sarsen.drawing import register
from sarsen.drawing.boards import pit_board
from sarsen.drawing.pits import PitView
from sarsen_kalah.rules import GAME

VIEW = PitView(
    board=lambda position: pit_board(position.pits),
    counts=lambda position: position.seeds,
)
register(GAME.info.name, VIEW)
