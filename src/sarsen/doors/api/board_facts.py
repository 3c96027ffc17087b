"""A board as the facts a program reads."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.language.clocks import ClockView
from sarsen.language.facts import (
    BoardFacts,
    ClockFacts,
    OfferFacts,
    OwnFacts,
    PlayedMove,
    SeatRating,
    Words,
)
from sarsen.language.finished import RatingChange
from sarsen.services import viewing
from sarsen.services.call import Player
from sarsen.services.ratings.changes import ratings_of
from sarsen.services.viewing import BoardView


def board_facts(view: BoardView, viewer: Player | None) -> BoardFacts:
    """Return what a viewer may see of a board."""
    return BoardFacts(
        number=view.number,
        game=view.game.name,
        rules_version=view.game.rules_version,
        options=view.options,
        terms=view.terms,
        is_private=view.is_private,
        players=view.players,
        programs=tuple(sorted(view.programs)),
        sides=view.position.sides,
        ply=view.ply,
        last_ply=view.last_ply,
        event=view.event,
        to_move=view.to_move,
        position=view.position.write(),
        text=drawing.text(view.position),
        words=drawing.describe(view.position, view.result),
        effects=view.position.effects(),
        legal_moves=_legal_moves(view),
        moves=tuple(
            PlayedMove(move.ply, move.seat, move.text, move.at, move.event) for move in view.moves
        ),
        result=view.result,
        scores=view.scores,
        ending=view.ending.kind if view.ending else "",
        started_at=view.started_at,
        moved_at=view.moved_at,
        clock=_clock(view.clock),
        offer=_offer(view),
        pair=view.pair,
        chat=_words(view.chat),
        own=_own(view, viewer),
        warming_up=bool(view.warming_up),
        ratings=_ratings(view),
    )


def _ratings(view: BoardView) -> tuple[SeatRating | None, ...]:
    shows_result = view.scores is not None
    return tuple(map(_rating, ratings_of(view.number, timezone.now(), shows_result=shows_result)))


def _rating(one: RatingChange | None) -> SeatRating | None:
    if one is None or one.after is None:
        return None
    change = None if one.before is None else round(one.after - one.before, 1)
    return SeatRating(round(one.after, 1), one.is_provisional, change)


def _legal_moves(view: BoardView) -> tuple[str, ...]:
    """Return the moves of the position; none when the game was ended there by something else."""
    position: AnyPosition = view.position
    if view.ply == view.last_ply and view.to_move is None:
        return ()
    return tuple(position.format(move) for move in position.legal_moves())


def _clock(clock: ClockView | None) -> ClockFacts | None:
    if clock is None:
        return None
    reserves = tuple(one.total_seconds() if one is not None else None for one in clock.reserves)
    away = tuple(dict.fromkeys(one.userid for one in clock.away))
    return ClockFacts(clock.userid, clock.due_at, reserves, away)


def _offer(view: BoardView) -> OfferFacts | None:
    offer = view.offer
    if offer is None:
        return None
    return OfferFacts(offer.kind, view.players[offer.seat], offer.event, offer.ply)


def _own(view: BoardView, viewer: Player | None) -> OwnFacts | None:
    if view.own is None or viewer is None:
        return None
    seats = tuple(seat for seat, userid in enumerate(view.players) if userid == viewer.userid)
    return OwnFacts(seats, _words(view.own.notes), view.own.submitted, view.own.plan)


def _words(said: Iterable[viewing.Words]) -> tuple[Words, ...]:
    return tuple(Words(one.by, one.ply, one.text, one.at) for one in said)
