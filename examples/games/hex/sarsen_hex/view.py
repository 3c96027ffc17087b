"""What a position of Hex looks like."""

from sarsen.drawing import register
from sarsen.drawing.boards import rhombus_board
from sarsen.drawing.kits import BoardView
from sarsen_hex.rules import GAME

OWNERS = (("top", 0), ("bottom", 0), ("left", 1), ("right", 1))
VIEW = BoardView(
    board=lambda position: rhombus_board(position.size, owners=OWNERS),
    contents=lambda position: position.stones,
)
register(GAME.info.name, VIEW)
