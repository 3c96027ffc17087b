"""Boards that many letters will show, or many mails are about, asked for at once.

A letter asks a dozen small questions of its board. While the letters of a sweep are worded,
those of all their boards are answered together beforehand: no letter shows an older board than
the first of them would have shown. Whoever asks of another board asks the database as ever.

The boards of a group of mails are asked for once they are held. What is found of each serves
the first who holds it, and nobody after him: he may change it, and may be undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import structlog
from django.db import DatabaseError
from django.db.models import Exists, OuterRef, Q, QuerySet

from sarsen.storage.models import ChatLine, Match, MatchEvent, MatchSeat, Note, Plan
from sarsen.storage.models.matches import seats_with_players
from sarsen.storage.move_path import KeptForSeveral

EventRow = tuple[int, str, int, int, str, datetime]  # number, kind, ply, seat, text, at
log = structlog.get_logger()


@dataclass(frozen=True)
class AtHand:
    """One board, as it stood when it was asked for.

    Attributes:
        match: With its seats.
        events: In order.
    """

    match: Match
    events: tuple[EventRow, ...]
    has_chat: bool
    has_notes: bool
    has_plans: bool


@contextmanager
def boards_at_hand(boards: Iterable[int]) -> Iterator[None]:
    """Ask for boards now, and use what is found while the block lasts."""
    token = _at_hand.set(_found(boards, _ask_to_show) or {})
    try:
        yield
    finally:
        _at_hand.reset(token)


@contextmanager
def boards_held(boards: Iterable[int]) -> Iterator[None]:
    """Ask for boards that the caller's transaction holds, to be taken while the block lasts."""
    token = _held.set(_found(boards, _ask_to_play) or {})
    try:
        yield
    finally:
        _held.reset(token)


def take_held(board: int) -> Match | None:
    """Return a board loaded by `boards_held`, with its seats; None for others, and the next time.

    The caller need not ask whether anything is planned there: `Match.has_plans` says so.
    """
    return _held.get().pop(board, None)


def board_at_hand(board: int) -> AtHand | None:
    """Return a board that was asked for before; None for any other."""
    return _at_hand.get().get(board)


Found = TypeVar("Found")
# Never changed: a context begins with a dictionary of its own.
_at_hand: ContextVar[dict[int, AtHand]] = ContextVar("boards at hand", default={})  # noqa: B039
_held: ContextVar[dict[int, Match]] = ContextVar("boards held", default={})  # noqa: B039


def _found(boards: Iterable[int], ask: Callable[[list[int]], Found]) -> Found | None:
    try:
        return ask(sorted(set(boards)))
    except DatabaseError:
        raise
    except Exception:
        # A row that cannot be read is the matter of whoever needs it, and of nobody else.
        log.exception("boards could not be asked for at once")
        return None


def _ask_to_play(boards: list[int]) -> dict[int, Match]:
    seats: dict[int, list[MatchSeat]] = defaultdict(list)
    for seat in _SEATS.all(boards):
        seats[seat.match_id].append(seat)
    found = {match.pk: match for match in _MATCHES.all(boards)}
    for board, match in found.items():
        match.sitting = seats[board]
    return found


def _ask_to_show(boards: list[int]) -> dict[int, AtHand]:
    matches: Any = _ask_to_play(boards).values()
    events: dict[int, list[EventRow]] = defaultdict(list)
    for board, *event in _EVENTS.all(boards):
        events[board].append(tuple(event))
    return {
        match.pk: AtHand(
            match, tuple(events[match.pk]), match.has_chat, match.has_notes, match.has_plans
        )
        for match in matches
    }


def _matches(wanted: Q) -> QuerySet[Any, Any]:
    of_match = {"match": OuterRef("pk")}
    matches: Any = Match.objects.filter(wanted)
    found: QuerySet[Any, Any] = matches.annotate(
        has_chat=Exists(ChatLine.objects.filter(**of_match)),
        has_notes=Exists(Note.objects.filter(**of_match)),
        has_plans=Exists(Plan.objects.filter(is_active=True, **of_match)),
    )
    return found


def _events(wanted: Q) -> QuerySet[Any, Any]:
    names = ("match_id", "number", "kind", "ply", "seat", "text", "at")
    return MatchEvent.objects.filter(wanted).order_by("match_id", "number").values_list(*names)


_MATCHES = KeptForSeveral("pk", _matches)
_SEATS = KeptForSeveral(
    "match", lambda wanted: seats_with_players(wanted).order_by("match_id", "seat")
)
_EVENTS = KeptForSeveral("match", _events)
