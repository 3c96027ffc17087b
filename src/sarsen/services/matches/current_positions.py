"""A board as it now stands, from what is kept with it: nothing is played again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.language.clocks import ClockView
from sarsen.language.replies import ShownBoard
from sarsen.services import clocks
from sarsen.services.matches import matches, rulings
from sarsen.services.matches.view import sitters_of, title_of, view_board
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


def present(board: int, viewer: Player | None) -> CurrentPosition:
    """Return how a board stands.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer)
    is_private = bool(match.terms.get("private"))
    return CurrentPosition(match.game, match.position, match.event_count, is_private)


@dataclass(frozen=True)
class Glance:
    """A board after some plies; the attributes are those of a `BoardView`."""

    title: str
    players: tuple[str, ...]
    position: AnyPosition
    to_move: int | None
    result: str
    clock: ClockView | None


@contextmanager
def remembered_plays() -> Iterator[None]:
    """Let what is played in this block be drawn in it as it was written."""
    token = _remembered.set({})
    try:
        yield
    finally:
        _remembered.reset(token)


def remember_play(match: Match) -> None:
    """Keep a match that stands as this transaction will leave it."""
    remembered = _remembered.get()
    if remembered is not None:
        remembered[match.pk] = match


def glance(shown: ShownBoard, viewer: Player | None) -> Glance:
    """Return a board that a reply shows.

    Raises:
        UserError: No such board or ply, or a private board of others.
    """
    match = _match_of(shown, viewer)
    position = None if match is None else rulings.played(match.game, match.position)
    if match is not None and position is not None:
        return _glance(match, position)
    view = view_board(shown.board, shown.ply, viewer=viewer, tried=shown.tried, event=shown.event)
    return Glance(view.title, view.players, view.position, view.to_move, view.result, view.clock)


def _match_of(shown: ShownBoard, viewer: Player | None) -> Match | None:
    """Return the match just played on, if it is to be shown as it stands to one of its players."""
    match = (_remembered.get() or {}).get(shown.board)
    if match is None or shown.tried or (shown.ply, shown.event) != (match.ply, match.event_count):
        return None
    seated = [seat.player_id for seat in match.sitting]
    if viewer is None or viewer.pk not in seated:
        return None
    # A vacation may have begun, or ended, behind the player's back: that is looked up.
    return None if any(seat.has_vacations for seat in match.sitting) else match


def _glance(match: Match, position: AnyPosition) -> Glance:
    is_over = match.ended_at is not None
    sitters = sitters_of(match)
    return Glance(
        title=title_of(load(match.game).info, match.pk),
        players=tuple(one.userid for one in sitters),
        position=position,
        to_move=None if is_over else position.seat,
        result=match.reason if is_over else "",
        # The turn has just begun: nothing but a vacation can have stopped its clock.
        clock=None if is_over else clocks.view_clock(match, sitters, ()),
    )


_remembered: ContextVar[dict[int, Match] | None] = ContextVar(
    "matches just played on", default=None
)
