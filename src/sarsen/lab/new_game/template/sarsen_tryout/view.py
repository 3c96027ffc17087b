"""What a position of Tryout looks like: `BoardView` is a ready-made `sarsen.drawing.View`."""

from sarsen.drawing import register
from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import BoardView

from .rules import GAME

VIEW = BoardView(
    board=lambda position: square_board(position.size),
    contents=lambda position: position.stones,
)
register(GAME.info.name, VIEW)
