"""Matches: begun, loaded, and carried from one event to the next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.services import clocks, ratings, reviews
from sarsen.services.bots import due_boards
from sarsen.services.challenges.terms import with_weekends
from sarsen.services.events import streams
from sarsen.services.matches import history, offers, rulings
from sarsen.services.matches.offers import Offer
from sarsen.services.matches.prefetch import board_at_hand, take_held
from sarsen.services.matches.rulings import Judged
from sarsen.storage import move_path
from sarsen.storage.models import Challenge, Match, MatchEvent, MatchSeat, Player
from sarsen.storage.move_path import Given, KeptQuery

_CHANGED_BY_EVENTS = (
    "event_count",
    "ply",
    "position",
    "seat_to_move",
    "moved_at",
    "ended_at",
    "scores",
    "reason",
    "offer",
    "bot_level",
    *clocks.FIELDS,
)
_FOUND = KeptQuery(lambda: Match.objects.filter(pk=Given("board")))
# Without the key: rows that name the match, such as a letter, need not wait for us.
_HELD = KeptQuery(lambda: Match.objects.select_for_update(no_key=True).filter(pk=Given("board")))


def start(challenge: Challenge, players: Sequence[Player], now: datetime) -> Match:
    """Begin the match that a challenge proposed."""
    game = load(challenge.game)
    position = game.start(challenge.options)
    terms = with_weekends(challenge.terms, all(player.weekends_are_off for player in players))
    match = Match.objects.create(
        game=challenge.game,
        rules_version=game.info.rules_version,
        options=challenge.options,
        terms=terms,
        started_at=now,
        moved_at=now,
        seat_to_move=position.seat,
        position=position.write(),
        bots=_bots(players),
    )
    reserve = clocks.first_reserve(terms)
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, player=player, reserve=reserve)
        for seat, player in enumerate(players)
    )
    clocks.turn_begins(match, now)
    due_boards.assign(match)
    match.save(update_fields=("bot_level", *clocks.FIELDS))
    streams.record(match, "start", {"options": match.options, **_turn(match)}, now)
    return match


def find(board: int, game: str = "", *, viewer: Player | None = None, lock: bool = False) -> Match:
    """Return a match by its board number, if the viewer may see it.

    Args:
        game: What the sender thinks it is; "" when he named none.
        lock: Hold the match until the transaction ends.

    Raises:
        UserError: No such board, one of another game, or a private one of others.
    """
    match = _held(board) if lock else _found(board)
    if match is None:
        raise unknown(board)
    check_visible(match, viewer)
    check_game(match.pk, match.game, game)
    return match


def _held(board: int) -> Match | None:
    held = take_held(board)
    return _HELD.first(board=board) if held is None else held


def _found(board: int) -> Match | None:
    at_hand = board_at_hand(board)
    return _FOUND.first(board=board) if at_hand is None else at_hand.match


def check_visible(match: Match, viewer: Player | None) -> None:
    """Refuse a private board to whoever does not play on it, as if it did not exist."""
    if not match.terms.get("private"):
        return
    if viewer is None or viewer.pk not in [seat.player_id for seat in match.sitting]:
        raise unknown(match.pk)


def unknown(board: int) -> UserError:
    """Return the refusal of a board that does not exist, or is none of the sender's business."""
    return UserError(f"There is no board {board}.", code="unknown-board", hint="list")


def check_game(board: int, game: str, named: str) -> None:
    """Refuse a board of another game than the sender named; "" names none."""
    if named and game != named:
        raise UserError(
            f"Board {board} is a {game} board, not {named}.",
            code="other-game",
            hint=f"{game} show {board}",
        )


def position_of(match: Match) -> AnyPosition:
    """Return the present position, from the line kept with the match."""
    return rulings.position_at(match.game, match.position)


def record_move(match: Match, ruling: Judged, now: datetime) -> None:
    """Add a move to a match, and end the match if the game is over."""
    clocks.turn_ends(match, ruling.seat, now)
    match.ply += 1
    _add_event(match, MatchEvent.Kind.MOVE, ruling.seat, now, ruling.text)
    match.offer = offers.write(offers.after_move(offers.read(match.offer), ruling.seat))
    outcome = ruling.outcome
    if outcome is not None:
        match.ended_at = now
        match.scores = list(outcome.scores)
        match.reason = outcome.reason
        match.offer = None
    _stand(match, ruling.line, ruling.to_move, now)
    streams.record(match, "move", _news(match, ruling.seat, text=ruling.text), now)
    if outcome is not None:
        streams.record(match, "end", _result(match, "move", ruling.seat), now)
        ratings.count(match, now)
        reviews.wish_for_players(match, now)


def take_back(match: Match, ply: int, seat: int, now: datetime) -> None:
    """Take back all moves after `ply`; the record keeps that they were played."""
    texts = tuple(move.text for move in history.moves_of(match)[:ply])
    clocks.turn_ends(match, match.seat_to_move, now, has_moved=False)
    match.ply = ply
    _add_event(match, MatchEvent.Kind.UNDO, seat, now)
    match.offer = None
    position = rulings.position_after(match.game, match.options, texts)
    _stand(match, position.write(), position.seat, now)
    streams.record(match, "undo", _news(match, seat), now)


def keep_offer(match: Match, offer: Offer, now: datetime) -> None:
    """Keep what one side asks the other, or that it was answered with a no."""
    match.offer = offers.write(offer)
    due_boards.assign(match)
    match.save(update_fields=["offer", "bot_level"])
    asked = {"what": offer.kind, "is_open": offer.is_open, "offer_event": offer.event}
    streams.record(match, "offer", _news(match, offer.seat, **asked), now)


def record_resignation(match: Match, seat: int, now: datetime) -> None:
    """End a match by a seat's resignation; the others share the points."""
    seats = match.seats.count()
    scores = [0.0 if one == seat else 1.0 / (seats - 1) for one in range(seats)]
    reason = f"{position_of(match).sides[seat]} resigned."
    record_end(match, MatchEvent.Kind.RESIGN, seat, scores, reason, now)


def record_forfeit(match: Match, now: datetime) -> None:
    """End a match because the time of the seat to move is used up; the others share the points."""
    seats, late = match.seats.count(), match.seat_to_move
    scores = [0.0 if one == late else 1.0 / (seats - 1) for one in range(seats)]
    reason = f"{position_of(match).sides[late]} ran out of time."
    record_end(match, MatchEvent.Kind.FORFEIT, late, scores, reason, now)


def resume(match: Match, now: datetime) -> None:
    """Let a match go on that was lost on time, as if its last event had not been.

    The turn begins anew: what it had cost of the reserve was never charged.
    """
    match.ended_at = match.scores = None
    match.reason = ""
    _add_event(match, MatchEvent.Kind.RESUME, match.seat_to_move, now)
    _stand(match, match.position, match.seat_to_move, now)
    streams.record(match, "resume", _news(match, match.seat_to_move), now)


def record_draw(match: Match, seat: int, now: datetime) -> None:
    """End a match as the players agreed; `seat` is who said the last yes."""
    seats = match.seats.count()
    record_end(match, MatchEvent.Kind.DRAW, seat, [1.0 / seats] * seats, "Agreed a draw.", now)


def record_end(
    match: Match,
    kind: MatchEvent.Kind,
    seat: int,
    scores: list[float],
    reason: str,
    now: datetime,
) -> None:
    """End a match by something else than a move."""
    _add_event(match, kind, seat, now)
    match.moved_at = match.ended_at = now
    match.scores = scores
    match.reason = reason
    match.offer = None
    clocks.stop(match)
    due_boards.assign(match)
    match.save(update_fields=_CHANGED_BY_EVENTS)
    streams.record(match, "end", _result(match, str(kind), seat), now)
    ratings.count(match, now)
    reviews.wish_for_players(match, now)


def _turn(match: Match) -> dict[str, Any]:
    """Return whose turn it is, as the stream tells it; None when the match is over."""
    to_move = match.seat_to_move if match.ended_at is None else None
    return {"ply": match.ply, "event": match.event_count, "to_move": to_move}


def _news(match: Match, seat: int, **more: Any) -> dict[str, Any]:
    return {**_turn(match), "seat": seat, **more}


def _result(match: Match, how: str, seat: int) -> dict[str, Any]:
    return _news(match, seat, how=how, scores=match.scores, reason=match.reason)


def _bots(players: Sequence[Player]) -> list[int | None]:
    levels = [player.level for player in players]
    return levels if any(levels) else []


def _add_event(
    match: Match, kind: MatchEvent.Kind, seat: int, now: datetime, text: str = ""
) -> None:
    match.event_count += 1
    event = MatchEvent(
        match=match,
        number=match.event_count,
        kind=kind,
        ply=match.ply,
        seat=seat,
        text=text,
        at=now,
    )
    move_path.insert([event])


def _stand(match: Match, line: str, seat: int, now: datetime) -> None:
    """Keep a new position, as it is written, and whose turn it is."""
    match.position = line
    match.seat_to_move = seat
    match.moved_at = now
    if match.ended_at is None:
        clocks.turn_begins(match, now)
    else:
        clocks.stop(match)
    due_boards.assign(match)
    move_path.update(match, _CHANGED_BY_EVENTS)
    for row in match.sitting:
        # Who plays on has not resigned, and a move put forward was for another position.
        if row.submitted or row.resign_asked_at is not None:
            row.resign_asked_at, row.submitted, row.submitted_ply = None, "", None
            row.save(update_fields=["resign_asked_at", "submitted", "submitted_ply"])
