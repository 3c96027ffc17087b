"""What a position of Y looks like."""

from sarsen.drawing import register
from sarsen.drawing.boards import triangle_board
from sarsen.drawing.kits import BoardView
from sarsen_ygame.rules import GAME

VIEW = BoardView(
    board=lambda position: triangle_board(position.size),
    contents=lambda position: position.stones,
)
register(GAME.info.name, VIEW)
