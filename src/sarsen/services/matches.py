"""Matches: begun, loaded, and carried from one event to the next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling
from sarsen.games import load
from sarsen.storage.models import Challenge, Match, MatchEvent, MatchSeat, Player

_CHANGED_BY_EVENTS = (
    "event_count",
    "ply",
    "position",
    "seat_to_move",
    "moved_at",
    "ended_at",
    "scores",
    "reason",
)


def start(challenge: Challenge, players: Sequence[Player], now: datetime) -> Match:
    """Begin the match that a challenge proposed."""
    game = load(challenge.game)
    position = game.start(challenge.options)
    match = Match.objects.create(
        game=challenge.game,
        rules_version=game.info.rules_version,
        options=challenge.options,
        terms=challenge.terms,
        started_at=now,
        moved_at=now,
        seat_to_move=position.seat,
        position=position.write(),
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, player=player) for seat, player in enumerate(players)
    )
    return match


def find(board: int, game: str = "", *, lock: bool = False) -> Match:
    """Give a match by its board number.

    Args:
        game: What the sender thinks it is; "" when he named none.
        lock: Hold the match until the transaction ends.

    Raises:
        UserError: No such board, or one of another game.
    """
    matches = Match.objects.select_for_update() if lock else Match.objects.all()
    match = matches.filter(pk=board).first()
    if match is None:
        raise UserError(f"There is no board {board}.", code="unknown-board", hint="list")
    if not match.terms.get("private"):
        check_game(match.pk, match.game, game)
    return match


def check_game(board: int, game: str, named: str) -> None:
    """Refuse a board of another game than the sender named; "" names none."""
    if named and game != named:
        raise UserError(
            f"Board {board} is a {game} board, not {named}.",
            code="other-game",
            hint=f"{game} show {board}",
        )


def position_of(match: Match) -> AnyPosition:
    """Give the present position, from the line kept with the match."""
    return load(match.game).read(match.position)


def record_move(match: Match, ruling: Ruling, now: datetime) -> None:
    """Add a move to a match, and end the match if the game is over."""
    match.event_count += 1
    match.ply += 1
    MatchEvent.objects.create(
        match=match,
        number=match.event_count,
        kind=MatchEvent.Kind.MOVE,
        ply=match.ply,
        seat=ruling.seat,
        text=ruling.text,
        at=now,
    )
    match.position = ruling.position.write()
    match.seat_to_move = ruling.position.seat
    match.moved_at = now
    outcome = ruling.position.outcome()
    if outcome is not None:
        match.ended_at = now
        match.scores = list(outcome.scores)
        match.reason = outcome.reason
    match.save(update_fields=_CHANGED_BY_EVENTS)
    # Who moves on has not resigned: an unanswered question is void.
    match.seats.exclude(resign_asked_at=None).update(resign_asked_at=None)


def record_resignation(match: Match, seat: int, now: datetime) -> None:
    """End a match by a seat's resignation; the others share the points."""
    seats = match.seats.count()
    match.event_count += 1
    MatchEvent.objects.create(
        match=match,
        number=match.event_count,
        kind=MatchEvent.Kind.RESIGN,
        ply=match.ply,
        seat=seat,
        at=now,
    )
    match.moved_at = match.ended_at = now
    match.scores = [0.0 if one == seat else 1.0 / (seats - 1) for one in range(seats)]
    match.reason = f"{position_of(match).sides[seat]} resigned."
    match.save(update_fields=_CHANGED_BY_EVENTS)
