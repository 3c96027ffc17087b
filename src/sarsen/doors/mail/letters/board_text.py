"""A board in plain text, as mails show it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.language.clocks import away_words, clock_sentence, reserve_words
from sarsen.language.facts import PlayedMove, Words
from sarsen.language.grammar.kept_text import named
from sarsen.language.grammar.typography import WIDTH, wrap
from sarsen.language.moves import warming_words
from sarsen.language.ratings import reason_words
from sarsen.language.translating import _, _n, translated
from sarsen.services.boards.view import BoardView
from sarsen.services.matches.history import rows_by_seat
from sarsen.services.request import Player

_COLUMN = 26  # room for the longest userid and a blank


def board_text(view: BoardView, reader: Player | None, *, with_coordinates: bool) -> str:
    """Return a board in words: how it stands, the drawing, who plays, the moves.

    Args:
        reader: In whose time zone the clock is told; None for anybody.
    """
    board = draw_text(view.position, with_coordinates=with_coordinates)
    below = details(view, seats_line(view), clock_line(view, reader))
    parts = (wrap(headline(view)), board, effects_text(view), below)
    return "\n\n".join(filter(None, parts))


def draw_text(position: AnyPosition, *, with_coordinates: bool) -> str:
    """Draw the text board of a position as a letter shows it."""
    return translated(drawing.text(position) if with_coordinates else drawing.bare_text(position))


def wants_coordinates(reader: Player | None) -> bool:
    """Return whether the reader of a letter wants coordinates around text boards."""
    return reader is None or reader.wants_coordinates


def details(view: BoardView, seats: str, clock: str, moves: str = "") -> str:
    """Return what stands below a board: who plays, until when, the moves.

    Args:
        seats, clock: As `seats_line` and `clock_line` return them.
        moves: The moves in columns, where they are written already.
    """
    parts = [wrap(seats), wrap(clock)]
    if view.shown_moves or view.ending:
        parts.append(moves or moves_text(view, move_rows(view)))
    return "\n\n".join(filter(None, parts))


def effects_text(view: BoardView) -> str:
    """Return what the last move brought about, a line for each effect."""
    return wrap("\n".join(map(translated, view.position.effects()))) if view.ply else ""


def headline(view: BoardView, news: str = "") -> str:
    """Return one sentence about a board: `Druid Board 123, after 14 moves: ann moves.`

    Args:
        news: What is said above it; a result told there is not told again.
    """
    agreed = " ".join(filter(None, (view.options, view.terms)))
    name = f"{translated(view.title)}{f' ({agreed})' if agreed else ''}"
    after = _n("after {count} move", "after {count} moves", view.ply).format(count=view.ply)
    if view.previewed:
        after = _("{after} and then {moves}").format(after=after, moves=" ".join(view.previewed))
    if view.result:
        if winner_line(view) in news:
            return _("{board}, finished {after}.").format(board=name, after=after)
        ended = _("{board}, finished {after}: {result}")
        return ended.format(board=name, after=after, result=result_line(view))
    if view.to_move is not None:
        side, player = view.position.sides[view.to_move], view.players[view.to_move]
        moves = _("{board}, {after}: {player} ({side}) to move.")
        line = moves.format(board=name, after=after, player=player, side=side)
        return f"{line} {warming_words(view.warming_up)}" if view.warming_up else line
    return f"{name}, {after}."


def result_line(view: BoardView) -> str:
    """Return the result and its reason: `bob wins. V resigned.`"""
    return f"{winner_line(view)} {reason_words(view.result)}".strip()


def winner_line(view: BoardView) -> str:
    """Return the result of a finished board: `bob wins.`"""
    scores = view.scores
    if scores is None:
        return ""  # a contest has closed it, or it was imported as it was broken off
    if 1.0 in scores:
        return _("{player} wins.").format(player=view.players[scores.index(1.0)])
    return _("a draw.")


def chat_text(view: BoardView) -> str:
    """Write what was said lately: `bob: Good luck!`, a drawing below the name."""
    lines = (named(line.by, line.text) for line in recent_chat(view))
    return "\n".join(line.replace("\n", "\n    ") for line in lines)


def recent_chat(view: BoardView) -> tuple[Words, ...]:
    """Return what was said since the move before the last."""
    return tuple(line for line in view.chat if line.ply + 1 >= view.ply)


def clock_line(view: BoardView, reader: Player | None) -> str:
    """Return until when the move must come, in the reader's time zone; "" where no clock runs."""
    if view.clock is None:
        return ""
    return clock_sentence(view.clock, reader.timezone if reader else "", timezone.now())


def seats_line(view: BoardView) -> str:
    """Return the players with their sides: `V: ann    H: bob (on vacation until …)`."""
    sides, clock, now = view.position.sides, view.clock, timezone.now()
    seats = []
    for seat, (side, player) in enumerate(zip(sides, view.players, strict=True)):
        words = [f"{side}: {player}", _("(a program)") if player in view.programs else ""]
        if clock:
            words += [reserve_words(clock, seat), away_words(clock, player, now)]
        seats.append(" ".join(filter(None, words)))
    side_by_side = "    ".join(seats)
    return side_by_side if len(side_by_side) <= WIDTH else "\n".join(seats)


def moves_text(view: BoardView, rows: Sequence[Sequence[PlayedMove | None]]) -> str:
    """Return the numbered moves in one column a seat; in one for all where that is too wide."""
    written = [[f"{move.ply:>4} {move.text}" if move else "" for move in row] for row in rows]
    # By player: after a swap the sides would stand above the wrong moves.
    heads = [f"     {player}" for player in view.players]
    columns = [
        max(_COLUMN, *(len(cell) + 2 for cell in cells))
        for cells in zip(heads, *written, strict=True)
    ]
    if sum(columns) > WIDTH:
        moves = (move for row in rows for move in row if move)
        return "\n".join(f"{move.ply:>4} {view.players[move.seat]}: {move.text}" for move in moves)
    return "\n".join(
        "".join(cell.ljust(width) for cell, width in zip(row, columns, strict=True)).rstrip()
        for row in (heads, *written)
    )


def move_rows(view: BoardView) -> tuple[tuple[PlayedMove | None, ...], ...]:
    """Return the moves shown by seat; `forfeit` stands in the place of a move that did not come."""
    end = view.ending
    ended = (PlayedMove(view.ply + 1, end.seat, end.kind, end.at, 0),) if end else ()
    return rows_by_seat((*view.shown_moves, *ended), len(view.game.seats))
