"""Matches: begun, loaded, and carried from one event to the next, with the offer of a side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.services.board_cache import BoardCache, RuledMove, position_after
from sarsen.services.matches import history
from sarsen.services.matches.terms import CONTEST, playing_time, with_weekends
from sarsen.services.request import OFFER, START, BoardEvent, Chain, Request, Subscriber
from sarsen.storage import move_path, statements
from sarsen.storage.models import Contest, Match, MatchEvent, MatchSeat, Player

# Columns that subscribers set, and that are written with the event.
CLOCK_COLUMNS = ("turn_began_at", "due_at", "look_at", "reminders", "warned_at")
_SET_BY_SUBSCRIBERS = ("bot_level", *CLOCK_COLUMNS)
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
    *_SET_BY_SUBSCRIBERS,
)
DRAW, UNDO = "draw", "undo"  # what one side asks the other


@dataclass(frozen=True)
class Offer:
    """The one offer of a board, open or answered with a no.

    Attributes:
        kind: `draw` or `undo`.
        seat: Who made it.
        ply: How many moves would stand when a request to take back is granted; for a
            draw, how many had been played.
        event: How many events the match had when it was made.
        agreed: The seats that agree, the asker's own among them.
        is_open: False after a no, or when it was withdrawn: the same may then be
            asked again only after the next move of who asked.
    """

    kind: str
    seat: int
    ply: int
    event: int
    agreed: tuple[int, ...]
    is_open: bool = True

    def agreed_by(self, seats: Iterable[int]) -> Offer:
        """Add seats to those that agree."""
        return replace(self, agreed=tuple(sorted({*self.agreed, *seats})))

    def closed(self) -> Offer:
        """Return the offer after a no."""
        return replace(self, is_open=False)


def start(
    named: str, options: str, agreed: Mapping[str, Any], players: Sequence[Player], request: Request
) -> BoardEvent:
    """Begin a match.

    Args:
        named: The game.
        agreed: The terms, as stored.
        players: By seat.
    """
    game = load(named)
    position = game.start(options)
    terms = with_weekends(agreed, all(player.weekends_are_off for player in players))
    match = Match.objects.create(
        game=named,
        rules_version=game.info.rules_version,
        options=options,
        terms=terms,
        started_at=request.now,
        moved_at=request.now,
        seat_to_move=position.seat,
        position=position.write(),
        bots=_bots(players),
    )
    total = playing_time(terms).total
    reserve = None if total is None else total.total_seconds()
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, player=player, reserve=reserve)
        for seat, player in enumerate(players)
    )
    event = BoardEvent(match, START, match.seat_to_move, request)
    _notify_subscribers(request.after_events.columns, event)
    match.save(update_fields=_SET_BY_SUBSCRIBERS)
    _notify_subscribers(request.after_events.each, event)
    return event


def find(
    board: int,
    game: str = "",
    *,
    viewer: Player | None = None,
    lock: bool = False,
    boards: BoardCache | None = None,
) -> Match:
    """Return a match by its board number, if the viewer may see it.

    Args:
        game: What the sender thinks it is; "" when they named none.
        lock: Lock the match until the transaction ends.
        boards: Where it may be loaded already.

    Raises:
        UserError: No such board, one of another game, or a private one of others.
    """
    cache = boards or BoardCache()
    match = cache.pop_locked(board) if lock else cache.loaded.get(board)
    if match is None:
        # Locked where it is changed: of two moves at once the second is judged after the first.
        match = move_path.lock_match(board) if lock else move_path.find_match(board)
    if match is None:
        raise unknown_board(board)
    check_visible(match, viewer)
    check_game(match.pk, match.game, game)
    return match


def find_any(board: int, boards: BoardCache | None = None) -> Match:
    """Return a match to a caller who knows that it may be seen.

    Args:
        boards: Where it may be loaded already.

    Raises:
        UserError: No such board.
    """
    match = (boards.loaded.get(board) if boards else None) or move_path.find_match(board)
    if match is None:
        raise unknown_board(board)
    return match


def check_visible(match: Match, viewer: Player | None) -> None:
    """Refuse a private board to anyone who does not play on it, as if it did not exist."""
    if not match.terms.get("private"):
        return
    if viewer is None or viewer.pk not in [seat.player_id for seat in match.seat_rows]:
        raise unknown_board(match.pk)


def unknown_board(board: int) -> UserError:
    """Return the refusal of a board that does not exist, or that the sender may not see."""
    return UserError("There is no board {board}.", code="unknown-board", hint="list", board=board)


def check_game(board: int, game: str, named: str) -> None:
    """Refuse a board of another game than the sender named; "" names none."""
    if named and game != named:
        raise UserError(
            "Board {board} is a {game} board, not {named}.",
            code="other-game",
            hint=f"{game} show {board}",
            board=board,
            game=game,
            named=named,
        )


def position_of(match: Match) -> AnyPosition:
    """Return the present position, from the line kept with the match."""
    return load(match.game).read(match.position)


def record_move(match: Match, ruling: RuledMove, request: Request) -> BoardEvent:
    """Add a move to a match, and end the match if the game is over."""
    match.ply += 1
    match.offer = write_offer(offer_after_move(read_offer(match.offer), ruling.seat))
    outcome = ruling.outcome
    if outcome is not None:
        match.ended_at = request.now
        match.scores = list(outcome.scores)
        match.reason = outcome.reason
        match.offer = None
    kind, seat = MatchEvent.Kind.MOVE, ruling.seat
    event = BoardEvent(match, kind, seat, request, turn_of=seat, text=ruling.text)
    _record_position(event, ruling.line, ruling.to_move)
    return event


def take_back(match: Match, ply: int, seat: int, request: Request) -> BoardEvent:
    """Take back all moves after `ply`; the record keeps that they were played."""
    moves = history.moves_of(match)
    texts = tuple(move.text for move in moves[:ply])
    undone = [f"{move.ply} {move.text}" for move in moves[ply:]]
    facts = {"undone": undone, "by": match.seat_rows[seat].player.userid}
    late = match.seat_to_move
    match.ply = ply
    match.offer = None
    position = position_after(match.game, match.options, texts)
    event = BoardEvent(match, MatchEvent.Kind.UNDO, seat, request, turn_of=late, facts=facts)
    _record_position(event, position.write(), position.seat)
    return event


def keep_offer(match: Match, offer: Offer, request: Request) -> None:
    """Store what one side asks the other, or that it was declined."""
    match.offer = write_offer(offer)
    event = BoardEvent(match, OFFER, offer.seat, request)
    _notify_subscribers(request.after_events.columns, event)
    match.save(update_fields=["offer", "bot_level"])
    _notify_subscribers(request.after_events.each, event)


def record_resignation(match: Match, seat: int, request: Request) -> BoardEvent:
    """End a match by a seat's resignation; the others share the points."""
    return _record_loss(match, MatchEvent.Kind.RESIGN, seat, "resigned", request)


def record_forfeit(match: Match, request: Request) -> BoardEvent:
    """End a match because the time of the seat to move is used up; the others share the points."""
    late = match.seat_to_move
    return _record_loss(match, MatchEvent.Kind.FORFEIT, late, "ran out of time", request)


def _record_loss(
    match: Match, kind: MatchEvent.Kind, seat: int, what: str, request: Request
) -> BoardEvent:
    seats = match.seats.count()
    scores = [0.0 if other == seat else 1.0 / (seats - 1) for other in range(seats)]
    reason = f"{position_of(match).sides[seat]} {what}."
    return _record_end(match, kind, seat, scores, reason, request)


def resume(match: Match, why: str, request: Request) -> BoardEvent:
    """Resume a match that was lost on time, as if its last event had not happened.

    The turn begins anew: what it had cost of the reserve was never charged.
    """
    match.ended_at = match.scores = None
    match.reason = ""
    event = BoardEvent(
        match, MatchEvent.Kind.RESUME, match.seat_to_move, request, facts={"reason": why}
    )
    _record_position(event, match.position, match.seat_to_move)
    return event


def record_draw(match: Match, seat: int, request: Request) -> BoardEvent:
    """End a match by agreement; `seat` is the last one that agreed."""
    seats = match.seats.count()
    scores = [1.0 / seats] * seats
    return _record_end(match, MatchEvent.Kind.DRAW, seat, scores, "Agreed a draw.", request)


def is_past_end_date(match: Match, now: datetime) -> bool:
    """Return whether the contest of a board has reached its end date: its law decides the board."""
    number = match.terms.get(CONTEST)
    return bool(number) and Contest.objects.filter(pk=number, ends_at__lte=now).exists()


def check_end_date(match: Match, now: datetime) -> None:
    """Refuse what would end or change a board whose contest has reached its end date (E5)."""
    if is_past_end_date(match, now):
        raise UserError(
            "Contest {number} has reached its end date, and board {board} is decided by its law.",
            code="contest.ended",
            hint=f"contest {match.terms[CONTEST]}",
            number=match.terms[CONTEST],
            board=match.pk,
        )


def record_decision(
    match: Match, scores: Sequence[float], reason: str, request: Request
) -> BoardEvent:
    """End a match as the law of its contest decides it."""
    text = f"{' '.join(f'{score:g}' for score in scores)} {reason}"
    kind, seat = MatchEvent.Kind.DECIDE, match.seat_to_move
    return _record_end(match, kind, seat, list(scores), reason, request, text=text)


def record_claim(match: Match, seat: int, request: Request, *, is_draw: bool) -> BoardEvent:
    """End a match because a claim of a seat is proven."""
    if is_draw:
        scores, reason = [0.5, 0.5], "Drawn by proof."
    else:
        scores = [float(other == seat) for other in range(2)]
        reason = f"{position_of(match).sides[seat]} wins by proof."
    text = f"{' '.join(f'{score:g}' for score in scores)} {reason}"
    return _record_end(match, MatchEvent.Kind.CLAIM, seat, scores, reason, request, text=text)


def record_closing(match: Match, reason: str, request: Request) -> BoardEvent:
    """End a match without a result, because its contest has no use for it."""
    kind, seat = MatchEvent.Kind.CLOSE, match.seat_to_move
    return _record_end(match, kind, seat, None, reason, request, text=reason)


def read_decision(kind: str, text: str) -> tuple[list[float] | None, str]:
    """Return the scores and the reason that the text of an event says which decides or closes."""
    if kind == MatchEvent.Kind.CLOSE:
        return None, text
    first, second, reason = text.split(" ", 2)
    return [float(first), float(second)], reason


def _record_end(
    match: Match,
    kind: MatchEvent.Kind,
    seat: int,
    scores: list[float] | None,
    reason: str,
    request: Request,
    *,
    text: str = "",
) -> BoardEvent:
    """End a match by something else than a move."""
    match.moved_at = match.ended_at = request.now
    match.scores = scores
    match.reason = reason
    match.offer = None
    event = BoardEvent(match, kind, seat, request, text=text)
    _notify_subscribers(request.after_events.columns, event)
    _add_event(event)
    match.save(update_fields=_CHANGED_BY_EVENTS)
    _notify_subscribers(request.after_events.each, event)
    return event


def _bots(players: Sequence[Player]) -> list[int | None]:
    levels = [player.level for player in players]
    return levels if any(levels) else []


def follow_up(event: BoardEvent) -> Chain:
    """Run what follows once from the event of a command: plans play, then people are told."""
    after_events = event.request.after_events
    chain = after_events.plans(event)
    after_events.letters(event, chain)
    return chain


def _record_position(event: BoardEvent, line: str, seat: int) -> None:
    """Record an event with the position after it, as it is written, and whose turn it is."""
    match = event.match
    match.position = line
    match.seat_to_move = seat
    match.moved_at = event.now
    _notify_subscribers(event.request.after_events.columns, event)
    _add_event(event)
    statements.update(match, _CHANGED_BY_EVENTS)
    for row in match.seat_rows:
        # A player who plays on has not resigned, and a move put forward was for another position.
        if row.submitted or row.resign_asked_at is not None:
            row.resign_asked_at, row.submitted, row.submitted_ply = None, "", None
            row.save(update_fields=["resign_asked_at", "submitted", "submitted_ply"])
    _notify_subscribers(event.request.after_events.each, event)


def _add_event(event: BoardEvent) -> None:
    """Add a row to the log, and count it."""
    match = event.match
    match.event_count += 1
    row = MatchEvent(
        match=match,
        number=match.event_count,
        kind=event.kind,
        ply=match.ply,
        seat=event.seat,
        text=event.text,
        at=event.now,
    )
    statements.insert([row])


def _notify_subscribers(subscribers: Iterable[Subscriber], event: BoardEvent) -> None:
    for subscriber in subscribers:
        subscriber(event)


def read_offer(stored: dict[str, Any] | None) -> Offer | None:
    """Read an offer as it is kept with its match."""
    return Offer(**{**stored, "agreed": tuple(stored["agreed"])}) if stored else None


def write_offer(offer: Offer | None) -> dict[str, Any] | None:
    """Write an offer to be kept with its match."""
    return None if offer is None else {**asdict(offer), "agreed": list(offer.agreed)}


def offer_after_move(offer: Offer | None, seat: int) -> Offer | None:
    """Return what is left of an offer after a move of a seat.

    A player who moves instead of agreeing to a draw has declined it. A player who moves while
    a request of their own waits has a new last move, and the request is void.
    """
    if offer is None:
        return None
    is_own = seat in offer.agreed
    stands = is_own if offer.is_open and offer.kind == DRAW else not is_own
    return offer if stands else None
