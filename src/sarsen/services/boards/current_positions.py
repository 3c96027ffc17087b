"""A board at its current position, from the stored line: no moves are replayed."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.language.clocks import ClockView
from sarsen.language.replies import ShownBoard
from sarsen.services import clocks
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import clock_seats_of, title_of, view_board
from sarsen.services.matches import matches
from sarsen.services.request import Player
from sarsen.storage.models import Match


@dataclass(frozen=True)
class CurrentPosition:
    """The present position of a board, as its game writes it.

    Attributes:
        event: How many events the board has seen.
    """

    game: str
    position: str
    event: int
    is_private: bool


def current_position(board: int, viewer: Player | None) -> CurrentPosition:
    """Return how a board stands.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer)
    is_private = bool(match.terms.get("private"))
    return CurrentPosition(match.game, match.position, match.event_count, is_private)


@dataclass(frozen=True)
class BoardSummary:
    """A board after some plies; the attributes are those of a `BoardView`."""

    title: str
    players: tuple[str, ...]
    position: AnyPosition
    to_move: int | None
    result: str
    clock: ClockView | None


def summarize_board(shown: ShownBoard, viewer: Player | None, boards: BoardCache) -> BoardSummary:
    """Return a board that a reply shows.

    Args:
        boards: Those of the request; what it has just played is drawn as it was written.

    Raises:
        UserError: No such board or ply, or a private board of others.
    """
    match = _match_of(shown, viewer, boards)
    position = None if match is None else boards.position_played(match.game, match.position)
    if match is not None and position is not None:
        return _glance(match, position)
    view = view_board(
        shown.board,
        shown.ply,
        viewer=viewer,
        tried=shown.tried,
        event=shown.event,
        boards=boards,
    )
    return BoardSummary(
        view.title, view.players, view.position, view.to_move, view.result, view.clock
    )


def _match_of(shown: ShownBoard, viewer: Player | None, boards: BoardCache) -> Match | None:
    """Return the match just played on, if it is to be shown as it stands to one of its players."""
    match = boards.played.get(shown.board)
    if match is None or shown.tried or (shown.ply, shown.event) != (match.ply, match.event_count):
        return None
    seated = [seat.player_id for seat in match.seat_rows]
    if viewer is None or viewer.pk not in seated:
        return None
    # A vacation may have begun or ended meanwhile: the view looks that up.
    return None if any(seat.has_vacations for seat in match.seat_rows) else match


def _glance(match: Match, position: AnyPosition) -> BoardSummary:
    is_over = match.ended_at is not None
    clock_seats = clock_seats_of(match)
    return BoardSummary(
        title=title_of(load(match.game).info, match.pk),
        players=tuple(seat.userid for seat in clock_seats),
        position=position,
        to_move=None if is_over else position.seat,
        result=match.reason if is_over else "",
        # The turn has just begun: nothing but a vacation can have stopped its clock.
        clock=None if is_over else clocks.view_clock(match, clock_seats, ()),
    )
