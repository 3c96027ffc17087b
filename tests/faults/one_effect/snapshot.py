"""What the server holds, read from its tables in one go, as plain facts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sarsen.storage.models import (
    Challenge,
    ChatLine,
    InboundMail,
    Match,
    MatchEvent,
    MatchSeat,
    Note,
    OutgoingMail,
    Plan,
    Player,
    Result,
    Standing,
    Vacation,
)


@dataclass(frozen=True)
class Event:
    """One event of a board."""

    number: int
    kind: str
    ply: int
    seat: int
    text: str
    at: datetime


@dataclass(frozen=True)
class BoardState:
    """One board.

    Attributes:
        waiting: What waits there for a yes: offer, moves put forward, questions.
        cached: The count of events, the ply, the position, the seat to move, the scores.
    """

    number: int
    game: str
    options: str
    terms: str
    players: tuple[str, ...]
    started_at: datetime
    events: tuple[Event, ...]
    waiting: str
    cached: tuple[int, int, str, int, bool, str]
    reserves: tuple[float | None, ...]
    chat: tuple[tuple[str, str], ...]
    plans: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LetterRow:
    """A letter in the outbox."""

    number: int
    kind: str
    state: str
    player: str | None
    address: str
    in_reply_to: str
    queued_at: datetime
    board: int | None
    event: int | None
    text: str


@dataclass(frozen=True)
class Snapshot:
    """All of it."""

    boards: dict[int, BoardState]
    challenges: dict[int, str]
    mails: dict[int, tuple[str, str]]
    letters: tuple[LetterRow, ...]
    players: frozenset[str]
    results: Counter[int]
    standings: int
    others: str

    def effects(self) -> tuple[object, ...]:
        """Return all that a refused or repeated request must not change."""
        return (self.boards, self.challenges, self.results, self.standings, self.others)


def take() -> Snapshot:
    """Read the tables."""
    counts = Standing.objects.values_list("won", "lost", "drawn")
    others = [
        list(Vacation.objects.order_by("pk").values_list("player_id", "first_day", "last_day")),
        list(Note.objects.order_by("pk").values_list("player_id", "match_id", "text")),
    ]
    challenges: dict[int, str] = {}
    fields = ("pk", "state", "seats__player_id", "seats__has_accepted")
    for pk, *how in Challenge.objects.order_by("pk", "seats__seat").values_list(*fields):
        challenges[pk] = f"{challenges.get(pk, '')} {how}"
    return Snapshot(
        boards=_boards(),
        challenges=challenges,
        mails={pk: (state, note) for pk, state, note in _mails()},
        letters=tuple(_letters()),
        players=frozenset(Player.objects.values_list("key", flat=True)),
        results=Counter(Result.objects.values_list("match_id", flat=True)),
        standings=sum(map(sum, counts)),
        others=json.dumps(others, default=str),
    )


def _mails() -> Any:
    return InboundMail.objects.order_by("pk").values_list("pk", "state", "note")


def _letters() -> Any:
    fields = ("pk", "kind", "state", "player__key", "address", "in_reply_to", "queued_at", "facts")
    for *row, facts in OutgoingMail.objects.order_by("pk").values_list(*fields):
        said = (facts.get("board"), facts.get("event"), str(facts.get("text", "")))
        yield LetterRow(*row, *said)


def _boards() -> dict[int, BoardState]:
    events: dict[int, list[Event]] = defaultdict(list)
    fields = ("match_id", "number", "kind", "ply", "seat", "text", "at")
    for match, *rest in MatchEvent.objects.order_by("match_id", "number").values_list(*fields):
        events[match].append(Event(*rest))
    chat: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for match, player, text in ChatLine.objects.order_by("pk").values_list(
        "match_id", "player__key", "text"
    ):
        chat[match].append((player, text))
    seats: dict[int, list[MatchSeat]] = defaultdict(list)
    for seat in MatchSeat.objects.select_related("player").order_by("match_id", "seat"):
        seats[seat.match_id].append(seat)
    plans: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for plan in Plan.objects.select_related("player").order_by("pk"):
        plans[plan.match_id].append((plan.player.key, json.dumps(plan.tree)))
    return {
        match.pk: _board(match, events[match.pk], seats[match.pk], chat[match.pk], plans[match.pk])
        for match in Match.objects.order_by("pk")
    }


def _board(
    match: Match,
    events: list[Event],
    seats: list[MatchSeat],
    chat: list[tuple[str, str]],
    plans: list[tuple[str, str]],
) -> BoardState:
    asked = [(seat.submitted, seat.submitted_ply, seat.resign_asked_at) for seat in seats]
    return BoardState(
        number=match.pk,
        game=match.game,
        options=match.options,
        terms=json.dumps(match.terms),
        players=tuple(seat.player.key for seat in seats),
        started_at=match.started_at,
        events=tuple(events),
        waiting=json.dumps([match.offer, asked], default=str),
        cached=(
            match.event_count,
            match.ply,
            match.position,
            match.seat_to_move,
            match.ended_at is not None,
            json.dumps(match.scores),
        ),
        reserves=tuple(seat.reserve for seat in seats),
        chat=tuple(chat),
        plans=tuple(plans),
    )
