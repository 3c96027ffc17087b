"""What a position of Breakthrough looks like."""

from sarsen.drawing import register
from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import WHITE_AND_BLACK, BoardView
from sarsen_breakthrough.rules import GAME

VIEW = BoardView(
    board=lambda position: square_board(position.size, is_chequered=True),
    contents=lambda position: position.men,
    roles=WHITE_AND_BLACK,
)
register(GAME.info.name, VIEW)
