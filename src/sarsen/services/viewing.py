"""A board at any ply, with all that a door needs to show it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, GameInfo
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.services import matches, replays
from sarsen.storage.models import Match, MatchEvent, Player


@dataclass(frozen=True)
class PlayedMove:
    """One ply of a record."""

    ply: int
    seat: int
    text: str
    at: datetime


@dataclass(frozen=True)
class BoardView:
    """A board after some plies.

    Attributes:
        players: Userids by seat.
        ply: Plies shown.
        last_ply: Plies played so far.
        moves: All moves of the match, also those after `ply`.
        to_move: The seat to move; None when the match is over or `ply` is not the last.
        result: How the match ended, at its last ply; "" before.
        scores: By seat, or None while it runs.
        previewed: Moves in full form that were only tried, after `ply`.
    """

    number: int
    game: GameInfo
    options: str
    players: tuple[str, ...]
    position: AnyPosition
    ply: int
    last_ply: int
    moves: tuple[PlayedMove, ...]
    to_move: int | None
    result: str
    scores: tuple[float, ...] | None
    started_at: datetime
    moved_at: datetime
    is_private: bool
    previewed: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """`Druid Board 123`, the subject of all mail about it."""
        return f"{self.game.title} Board {self.number}"

    @property
    def shown_moves(self) -> tuple[PlayedMove, ...]:
        """The moves up to the ply shown."""
        return self.moves[: self.ply]


def view_board(
    board: int,
    ply: int | None = None,
    *,
    game: str = "",
    viewer: Player | None = None,
    tried: tuple[str, ...] = (),
) -> BoardView:
    """Give a board after `ply` plies, None for all, and after moves only tried.

    Raises:
        UserError: No such board or ply, a private board, an illegal tried move.
    """
    remembered = _remembered.get()
    view = remembered.get((board, ply, tried)) if remembered is not None else None
    if view is None:
        view = _view(matches.find(board), ply, tried, viewer)
        if remembered is not None:
            remembered[board, ply, tried] = view
    if view.is_private and (viewer is None or viewer.userid not in view.players):
        raise _hidden(board)
    matches.check_game(board, view.game.name, game)
    return view


@contextmanager
def remembered_views() -> Iterator[None]:
    """Remember views while many are shown at once, such as both letters of a move."""
    token = _remembered.set({})
    try:
        yield
    finally:
        _remembered.reset(token)


_remembered: ContextVar[dict[tuple[int, int | None, tuple[str, ...]], BoardView] | None]
_remembered = ContextVar("remembered views", default=None)


def check_visible(match: Match, viewer: Player | None) -> None:
    """Refuse a private board to whoever does not play on it, as if it did not exist."""
    if not match.terms.get("private"):
        return
    if viewer is None or not match.seats.filter(player=viewer).exists():
        raise _hidden(match.pk)


def _hidden(board: int) -> UserError:
    return UserError(f"There is no board {board}.", code="unknown-board", hint="list")


def _view(
    match: Match, ply: int | None, tried: tuple[str, ...], viewer: Player | None
) -> BoardView:
    check_visible(match, viewer)
    if ply is not None and not 0 <= ply <= match.ply:
        raise UserError(
            f"Board {match.pk} has {match.ply} moves: there is no position before ply {ply + 1}.",
            code="unknown-ply",
            hint=f"{match.game} show {match.pk}#{match.ply + 1}",
        )
    shown = match.ply if ply is None else ply
    moves = _moves(match)
    texts = tuple(move.text for move in moves[:shown])
    position = replays.position_after(match.game, match.options, texts)
    previewed = []
    for text in tried:
        ruling = judge(position, text)
        position = ruling.position
        previewed.append(ruling.text)
    is_last = shown == match.ply and not tried
    is_over = match.ended_at is not None
    return BoardView(
        number=match.pk,
        game=load(match.game).info,
        options=match.options,
        players=tuple(match.seats.values_list("player__userid", flat=True)),
        position=position,
        ply=shown,
        last_ply=match.ply,
        moves=moves,
        to_move=position.seat if is_last and not is_over else None,
        result=match.reason if is_over and is_last else "",
        scores=tuple(match.scores) if is_over and is_last and match.scores else None,
        started_at=match.started_at,
        moved_at=match.moved_at,
        is_private=bool(match.terms.get("private")),
        previewed=tuple(previewed),
    )


def _moves(match: Match) -> tuple[PlayedMove, ...]:
    events = match.events.filter(kind=MatchEvent.Kind.MOVE)
    return tuple(PlayedMove(*event) for event in events.values_list("ply", "seat", "text", "at"))
