"""What a position of Dots and Boxes looks like."""

from sarsen.drawing import register
from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import BoardView, Piece
from sarsen_dots.rules import GAME, DotsPosition

LINES, BOXES = ([Piece(side, name=name) for side in (0, 1)] for name in ("line", "box"))


def contents(position: DotsPosition) -> dict[str, Piece]:
    lines = {line: LINES[side] for line, side in position.lines.items()}
    return lines | {box: BOXES[side] for box, side in position.boxes.items()}


VIEW = BoardView(
    board=lambda position: square_board(position.size + 1, on_points=True, has_gaps=True),
    contents=contents,
)
register(GAME.info.name, VIEW)
