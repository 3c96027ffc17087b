"""Fill a server's database with very many boards, by doubling a few real ones in SQL.

The few are made through the services, so that they are what the server makes; the many are
copies with other numbers, other times and other players. Twenty people to a hundred boards, of
which ten are in play and a fifth is played against one of the server's programs: programs are
not doubled, so that they have played more games than any person.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

FIRST_BOARDS = 250
FIRST_PEOPLE = 50
PLIES = 8
GAME = "druid"
PROGRAM = "bot3"
RUNNING = 10  # one board of so many; and so many lie between two boards with a program
PLAYERS = 8  # of the contest
NEWS = 60
OPEN = 5  # challenges that anybody may take, of the first ones


@dataclass(frozen=True)
class Filled:
    """What is stored: boards from 1 on, players from 1 on, programs first."""

    boards: int
    programs: int
    people: int


def is_running(board: int) -> bool:
    """Return whether a board of a filled database is in play."""
    return (board - 1) % FIRST_BOARDS % RUNNING == 0


def fill_first(now: datetime) -> Filled:
    """Make the boards that the others are copies of."""
    from django.db import transaction

    from sarsen.language import commands
    from sarsen.services.bots.accounts import make_accounts
    from sarsen.services.dispatch import perform
    from sarsen.services.matches import openings
    from sarsen.services.ratings.rating import rate_all
    from sarsen.services.request import Actor
    from sarsen.storage.models import Address, OutgoingMail, Player

    dice = random.Random(1)
    with transaction.atomic():
        programs = make_accounts(now)
        program = Player.objects.get(userid=PROGRAM)
        people = []
        for number in range(FIRST_PEOPLE):
            userid = f"p{number}"
            player = Player.objects.create(key=userid, userid=userid, joined_at=now)
            Address.objects.create(
                player=player, address=f"{userid}@players.example", confirmed_at=now
            )
            people.append(player)
        for board in range(1, FIRST_BOARDS + 1):
            pair = dice.sample(people, 2)
            if board // 2 % 5 == 0:
                pair[1] = program
            _play(board, pair, now - timedelta(minutes=board))
        _keep_mails(now)
        rate_all(lambda _: None)
        for player in people[:OPEN]:
            perform(commands.MakeChallenge(GAME, "", (), ("me", "anyone")), Actor(player), "", now)
        OutgoingMail.objects.exclude(state=OutgoingMail.State.SENT).delete()
    while openings.is_any_due(now):
        openings.store_some()
    return Filled(FIRST_BOARDS, programs, FIRST_PEOPLE)


def _play(board: int, pair: list[Any], at: datetime) -> None:
    """Play a board, and end it unless it is one of those in play."""
    from bench.games import random_record
    from sarsen.games import load
    from sarsen.language import commands
    from sarsen.services.dispatch import perform
    from sarsen.services.request import Actor

    names = tuple(player.userid for player in pair)
    made: Any = perform(commands.MakeChallenge(GAME, "", (), names), Actor(pair[0]), "", at)
    if made.board is None:
        made = perform(commands.Accept(made.number), Actor(pair[1]), "", at)
    assert made.board == board
    record = random_record(load(GAME), board, PLIES)
    for text, position in zip(record.moves, record.positions, strict=True):
        perform(commands.PlayMove(GAME, board, text), Actor(pair[position.seat]), "", at)
    if not is_running(board):
        perform(commands.Resign(GAME, board, confirmed=True), Actor(pair[board % 2]), "", at)


def _keep_mails(now: datetime) -> None:
    """Keep a mail that was answered and a letter that was sent for each board in play."""
    from sarsen.storage.models import InboundMail, Match, OutgoingMail

    for board in Match.objects.filter(ended_at=None):
        InboundMail.objects.create(
            identity=f"mail {board.pk}",
            recipient="druid@example.org",
            raw=b"",
            received_at=now,
            state=InboundMail.State.ANSWERED,
        )
        letter = OutgoingMail.objects.filter(match=board).latest("pk")
        letter.state, letter.sent_at = OutgoingMail.State.SENT, now
        letter.save()


def double(filled: Filled) -> Filled:
    """Copy every board and every person once."""
    from django.db import connection, transaction

    from sarsen.storage import models

    copied = (
        *(models.Player, models.Address, models.Match, models.Challenge, models.ChallengeSeat),
        *(models.MatchSeat, models.MatchEvent, models.Result, models.Rating, models.Standing),
        *(models.Encounter, models.InboundMail, models.OutgoingMail),
    )
    with transaction.atomic(), connection.cursor() as cursor:
        for model in copied:
            cursor.execute(_copy(model, filled, connection.vendor))
            if connection.vendor == "postgresql":
                table = model._meta.db_table
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table}"
                )
    return Filled(filled.boards * 2, filled.programs, filled.people * 2)


def add_contest_and_news(now: datetime) -> int:
    """Start a contest among some people, and let them send broadcasts; return its number."""
    from sarsen.language import commands
    from sarsen.services.after_events import AFTER_EVENTS
    from sarsen.services.contests.course import running
    from sarsen.services.dispatch import perform
    from sarsen.services.request import Actor
    from sarsen.storage.models import News, Player

    people = list(Player.objects.filter(userid__in=[f"p{number}" for number in range(PLAYERS)]))
    settings = (f"--most={PLAYERS}",)
    made: Any = perform(
        commands.MakeContest(GAME, "round-robin", "", settings), Actor(people[0]), "", now
    )
    for player in people[1:]:
        perform(commands.JoinContest(made.number), Actor(player), "", now)
    while running.is_any_due(now):
        running.sweep(now, AFTER_EVENTS)
    for number in range(NEWS):
        News.objects.create(
            author=people[number % PLAYERS],
            kind=News.Kind.BROADCAST,
            text=f"Broadcast {number}: who plays?",
            at=now - timedelta(hours=number),
        )
    return int(made.number)


def fill_digests(players: int, now: datetime) -> int:
    """Let up to three boards wait in the digest of each of the first players; return how many."""
    from django.db import connection, transaction

    as_json = "::jsonb" if connection.vendor == "postgresql" else ""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO storage_digestitem (player_id, event, facts, match_id, at)
            SELECT player_id, 'turn',
                ('{{"kind": "board", "facts": {{"board": ' || id || ', "ply": ' || ply || '}}}}')
                    {as_json}, id, %s
            FROM (
                SELECT s.player_id, m.id, m.ply,
                    ROW_NUMBER() OVER (PARTITION BY s.player_id ORDER BY m.id) AS number
                FROM storage_match m
                JOIN storage_matchseat s ON s.match_id = m.id AND s.seat = m.seat_to_move
                WHERE s.player_id <= %s
            ) AS waiting
            WHERE number <= 3
            """,
            [now, players],
        )
        items: int = cursor.rowcount
        cursor.execute(
            "UPDATE storage_player SET digest_due_at = %s WHERE id <= %s", [now, players]
        )
    return items


def _copy(model: Any, filled: Filled, vendor: str) -> str:
    """Write the statement that copies a table's rows with other numbers.

    The tables that others point at are doubled before them, and their numbers go from 1 without
    a hole.
    """
    from sarsen.storage.models import InboundMail, Match, Player, Rating, Result, Standing

    table, programs = model._meta.db_table, filled.programs
    columns, values = [], []
    for field in model._meta.concrete_fields:
        column = f'"{field.column}"'
        value = column
        if model is Player and field.primary_key:
            value = f"{column} + {filled.people}"
        elif field.primary_key:
            value = f"{column} + (SELECT MAX(id) FROM {table})"
        elif field.related_model is Player:
            value = (
                f"CASE WHEN {column} > {programs} THEN {column} + {filled.people} ELSE {column} END"
            )
        elif field.related_model is not None:
            value = f"{column} + (SELECT MAX(id) / 2 FROM {field.related_model._meta.db_table})"
        elif model is Player and field.column in ("key", "userid"):
            value = f"'p' || (id + {filled.people})"
        elif model is InboundMail and field.column == "identity":
            value = f"{column} || '-{filled.boards}'"
        elif (model, field.column) in ((Match, "moved_at"), (Match, "ended_at"), (Result, "at")):
            value = (
                f"{column} - INTERVAL '{filled.boards} minutes'"
                if vendor == "postgresql"
                else f"datetime({column}, '-{filled.boards} minutes')"
            )
        columns.append(column)
        values.append(value)
    where = ""
    if model is Player:
        where = f"WHERE id > {programs}"
    elif model in (Rating, Standing) or model.__name__ == "Address":
        where = f"WHERE player_id > {programs}"
    names = ", ".join(columns)
    return f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} FROM {table} {where}"
