"""Fill a server's database with very many boards, by doubling a few real ones in SQL.

The few are made through the services, so that they are what the server makes; the
many are copies with other numbers and other players. Ten players to a hundred boards.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

FIRST_BOARDS = 250
FIRST_PLAYERS = 50
PLIES = 8
GAME = "druid"


@dataclass(frozen=True)
class Filled:
    """Say what is stored: boards 1 to `boards`, all running, and the players of them."""

    boards: int
    players: int


def fill_first(now: Any, boards: int = FIRST_BOARDS, plies: int = PLIES) -> Filled:
    """Make the boards that the others are copies of."""
    from django.db import transaction

    from bench.games import random_record
    from sarsen.games import load
    from sarsen.language import commands
    from sarsen.services.dispatch import perform
    from sarsen.services.request import Actor
    from sarsen.storage.models import Address, Challenge, OutgoingMail, Player

    dice = random.Random(1)
    with transaction.atomic():
        players = []
        for number in range(FIRST_PLAYERS):
            userid = f"p{number}"
            player = Player.objects.create(key=userid, userid=userid, joined_at=now)
            Address.objects.create(
                player=player, address=f"{userid}@players.example", confirmed_at=now
            )
            players.append(player)
        for number in range(boards):
            pair = dice.sample(players, 2)
            names = tuple(player.userid for player in pair)
            made: Any = perform(
                commands.MakeChallenge(GAME, "", (), names), Actor(pair[0]), "", now
            )
            perform(commands.Accept(made.number), Actor(pair[1]), "", now)
            board = Challenge.objects.get(pk=made.number).match_id
            assert board is not None
            record = random_record(load(GAME), number, plies)
            for text, position in zip(record.moves, record.positions, strict=True):
                move = commands.PlayMove(GAME, board, text)
                perform(move, Actor(pair[position.seat]), "", now)
        OutgoingMail.objects.all().delete()
    return Filled(boards, FIRST_PLAYERS)


def double(filled: Filled) -> Filled:
    """Copy every board and every player once."""
    from django.db import connection, transaction

    from sarsen.storage.models import (
        Address,
        Challenge,
        ChallengeSeat,
        Match,
        MatchEvent,
        MatchSeat,
        Player,
    )

    with transaction.atomic(), connection.cursor() as cursor:
        for model in (Player, Address, Match, Challenge, ChallengeSeat, MatchSeat, MatchEvent):
            cursor.execute(_copy(model, filled))
    return Filled(filled.boards * 2, filled.players * 2)


def fill_digests(players: int, now: Any) -> int:
    """Let up to three boards wait in the digest of each of the first players; give how many."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO storage_digestitem (player_id, event, facts, match_id, at)
            SELECT player_id, 'turn',
                '{"kind": "board", "facts": {"board": ' || id || ', "ply": ' || ply || '}}', id, %s
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


def _copy(model: Any, filled: Filled) -> str:
    """Write the statement that copies a table's rows with other numbers.

    Numbers of each table go from 1 without a hole; the tables that others point at are
    doubled before them.
    """
    from sarsen.storage.models import Player

    columns, values = [], []
    for field in model._meta.concrete_fields:
        column = f'"{field.column}"'
        value = column
        if field.primary_key:
            value = f"{column} + (SELECT MAX(id) FROM {model._meta.db_table})"
        elif field.related_model is not None:
            value = f"{column} + (SELECT MAX(id) / 2 FROM {field.related_model._meta.db_table})"
        elif field.column in ("key", "userid") and model is Player:
            value = f"{column} || '-{filled.players}'"
        columns.append(column)
        values.append(value)
    table = model._meta.db_table
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {table}"
