"""What a position of Amazons looks like."""

from sarsen.drawing import register
from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import WHITE_AND_BLACK, BoardView, Piece
from sarsen_amazons.rules import ARROW, GAME

KINDS = {0: Piece(0, name="amazon"), 1: Piece(1, name="amazon"), ARROW: Piece(None, name="arrow")}
VIEW = BoardView(
    board=lambda position: square_board(position.size, is_chequered=True),
    contents=lambda position: {cell: KINDS[kind] for cell, kind in position.taken.items()},
    prompt_texts=("Tap your amazon.", "Tap where it goes.", "Tap where it shoots."),
    roles=WHITE_AND_BLACK,
)
register(GAME.info.name, VIEW)
