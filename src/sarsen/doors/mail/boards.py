"""A board in plain text, as mails show it."""

from __future__ import annotations

from sarsen import drawing
from sarsen.services.viewing import BoardView, PlayedMove

_COLUMN = 24


def board_text(view: BoardView, drawn: str = "") -> str:
    """Write a board: who plays, the moves in columns, the board, what happened.

    `drawn` is the text board, for a caller who has it drawn already.
    """
    parts = [headline(view), seats_line(view)]
    if view.shown_moves:
        parts.append(moves_text(view))
    parts.append(drawn or drawing.text(view.position))
    effects = "\n".join(view.position.effects())
    if effects and view.ply:
        parts.append(effects)
    return "\n\n".join(parts)


def headline(view: BoardView) -> str:
    """Say how the board stands: `Druid Board 123, after 14 plies: ann moves.`"""
    name = f"{view.title}{f' ({view.options})' if view.options else ''}"
    tried = f" and then {' '.join(view.previewed)}" if view.previewed else ""
    after = f"after {view.ply} {'ply' if view.ply == 1 else 'plies'}{tried}"
    if view.result:
        return f"{name}, finished {after}: {result_line(view)}"
    if view.to_move is not None:
        side = view.position.sides[view.to_move]
        return f"{name}, {after}: {view.players[view.to_move]} ({side}) moves."
    return f"{name}, {after}."


def result_line(view: BoardView) -> str:
    """Say who won and why: `bob wins. V resigned.`"""
    scores = view.scores or ()
    if 1.0 in scores:
        return f"{view.players[scores.index(1.0)]} wins. {view.result}"
    return f"a draw. {view.result}"


def seats_line(view: BoardView) -> str:
    """Say who plays which side: `V: ann    H: bob`."""
    sides = view.position.sides
    return "    ".join(
        f"{side}: {player}" for side, player in zip(sides, view.players, strict=True)
    )


def moves_text(view: BoardView) -> str:
    """Write the numbered moves in one column a seat."""
    lines = []
    for row in move_rows(view):
        cells = [f"{move.ply:>4} {move.text}" if move else "" for move in row]
        lines.append("".join(cell.ljust(_COLUMN) for cell in cells).rstrip())
    heads = "".join(f"     {side}".ljust(_COLUMN) for side in view.game.seats).rstrip()
    return "\n".join([heads, *lines])


def move_rows(view: BoardView) -> list[list[PlayedMove | None]]:
    """Arrange the moves shown in rows with one cell a seat.

    A seat that moves again, or before its turn in the row, begins a new row.
    """
    rows: list[list[PlayedMove | None]] = []
    last_seat = len(view.game.seats)
    for move in view.shown_moves:
        if move.seat <= last_seat:
            rows.append([None] * len(view.game.seats))
        rows[-1][move.seat] = move
        last_seat = move.seat
    return rows
