"""Matches of Druid that end and are rated, and commands asked about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sarsen.language.commands import Command, PlayMove
from sarsen.language.replies import Table
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import Match, Player

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)
DAY = timedelta(days=1)
MOVES = ("a1", "d4", "a2", "c4")


def player(name: str, **more: object) -> Player:
    found = Player.objects.filter(key=name).first()
    return found or Player.objects.create(key=name, userid=name, joined_at=MONDAY, **more)


def match_of(*names: str, at: datetime = MONDAY, plies: int = 4, **terms: object) -> Match:
    """Begin a match and play some of its moves."""
    players = [player(name) for name in names]
    request = Request(NOBODY, at, AFTER_EVENTS)
    match = matches.start("druid", "-size=4", terms, players, request).match
    for text in MOVES[:plies]:
        mover = match.seats.get(seat=match.seat_to_move).player
        perform(PlayMove("", match.pk, text), Actor(mover), "", at)
        match.refresh_from_db()
    return match


def won(*names: str, at: datetime = MONDAY, plies: int = 4, **terms: object) -> Match:
    """Let the first named win, the second resign; the first named moves first."""
    match = match_of(*names, at=at, plies=plies, **terms)
    matches.record_resignation(match, 1, Request(NOBODY, at, AFTER_EVENTS))
    return match


def ask(command: Command, name: str = "", at: datetime = MONDAY) -> Table:
    reply = perform(command, Actor(player(name)) if name else Actor(), "", at)
    assert isinstance(reply, Table)
    return reply
