"""The boards that wait for one of the server's own programs, and how the thinker is woken.

`Match.bot_level` is worked out wherever the turn or the offer of a board changes, so that
a worker that looks for work finds it by an index.

The thinker on this machine is called by a pipe (`services.task_queue`). The supervisor starts it
when there is something in the pipe and no thinker. By a file the thinker tells for which games
searches are still being compiled: until then their weaker levels are played by
`search.plain_bots`, and the stronger ones wait.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from sarsen.games import find
from sarsen.search.plain_bots import STRONGEST
from sarsen.services import wake_pipes
from sarsen.services.board_cache import BoardCache
from sarsen.services.matches import matches
from sarsen.services.notices.channels import Channel, Event, channel_of
from sarsen.services.notices.notify import quiet_end
from sarsen.services.request import BoardEvent
from sarsen.storage import move_path
from sarsen.storage.models import Match, Player

MAX_COMPARED = 200  # boards that wait, the oldest, of which the next one is chosen
LOOK_EVERY = 0.1  # seconds: no delay that a person notices, and a small query


@dataclass(frozen=True)
class DueBoard:
    """A board that waits for a program, as it stood after so many events."""

    board: int
    event: int
    level: int


def is_bots_turn(match: Match) -> bool:
    """Return whether one of the server's own programs is to move."""
    return bool(match.bots) and match.bots[match.seat_to_move] is not None


def assign(event: BoardEvent) -> None:
    """Work out which program has something to do at a board after an event."""
    match = event.match
    match.bot_level = _level_due(match)
    if match.bot_level is not None:
        wake_pipes.call(wake_pipes.THINKER)


def boards_due(
    least: int, most: int, *, but: Collection[int], limit: int, warming: Collection[str] = ()
) -> list[DueBoard]:
    """Return the boards that have waited longest for programs of some levels.

    Boards at which a person waits come before those of programs alone.

    Args:
        but: Boards to leave out.
        warming: Games whose stronger levels cannot play yet.
    """
    due = Match.objects.filter(bot_level__gte=least, bot_level__lte=most).order_by("moved_at", "pk")
    if warming:
        due = due.exclude(game__in=warming, bot_level__gt=STRONGEST)
    rows = due.values_list("pk", "event_count", "bot_level", "bots")[: MAX_COMPARED + len(but)]
    due_rows = [row for row in rows if row[0] not in but]
    due_rows.sort(key=lambda row: None not in row[3])  # keeps the order of those that are alike
    return [DueBoard(board, event, level or least) for board, event, level, _ in due_rows[:limit]]


def is_any_due() -> bool:
    """Return whether a board waits for a program."""
    return Match.objects.filter(bot_level__isnull=False, game__in=find()).exists()


def games_waiting(games: Collection[str]) -> list[str]:
    """List those of some games at which a stronger level is to move, longest waiting first."""
    due = Match.objects.filter(game__in=games, bot_level__gt=STRONGEST).order_by("moved_at", "pk")
    return list(dict.fromkeys(due.values_list("game", flat=True)))


def games_in_play(games: Collection[str]) -> list[str]:
    """List those of some games that are played with a program, the newest boards first."""
    played = Match.objects.filter(game__in=games, ended_at=None).exclude(bots=[])
    return list(dict.fromkeys(played.order_by("-pk").values_list("game", flat=True)[:MAX_COMPARED]))


def has_program_moved(board: int, event: int, seconds: float) -> bool:
    """Wait up to `seconds` for a program to move; return whether it has.

    Args:
        event: How many events the board had before.
    """
    limit = time.monotonic() + seconds
    match = Match.objects.get(pk=board)
    while match.bot_level is not None and time.monotonic() < limit:
        time.sleep(LOOK_EVERY)  # the thinker is another process, and calls only streams and pages
        match.refresh_from_db(fields=["bot_level", "event_count"])
    return match.event_count > event


def is_answer_near(board: int, player: Player, now: datetime, boards: BoardCache) -> bool:
    """Return whether a program is about to move at a board, and a player gets its move by mail.

    Args:
        boards: Has the match that a move was just played at, as it left it.
    """
    match = boards.played.get(board) or move_path.find_match(board)
    if match is None or match.bot_level is None or not is_bots_turn(match):
        return False
    is_slow = is_warming_up(match.game, match.bot_level)
    if is_slow or not settings.SARSEN_BOTS or quiet_end(player, now) is not None:
        return False
    is_mailed = channel_of(player, Event.TURN) is Channel.MAIL
    return is_mailed and any(seat.player_id == player.pk for seat in match.seat_rows)


def wake() -> None:
    """Wake the thinker of this machine, or have one started."""
    wake_pipes.signal(wake_pipes.THINKER)


def note_warming(warming: Iterable[str], missing: Iterable[str] = ()) -> None:
    """Publish for which games searches are still being compiled, or cannot be."""
    path = _warming_path()
    new_path = path.with_suffix(".new")
    content = {"warming": sorted(warming), "missing": sorted(missing)}
    new_path.write_text(json.dumps(content), encoding="ascii")
    os.replace(new_path, path)


def noted_games() -> tuple[frozenset[str], frozenset[str]]:
    """Return the games whose searches are still being compiled, and those where they cannot be."""
    try:
        content = json.loads(_warming_path().read_text(encoding="ascii"))
        return frozenset(content["warming"]), frozenset(content["missing"])
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset(), frozenset()


def is_warming_up(game: str, level: int) -> bool:
    """Return whether a level of a game waits until its search is compiled."""
    return level > STRONGEST and game in noted_games()[0]


def _level_due(match: Match) -> int | None:
    if match.ended_at is not None or not match.bots:
        return None
    if is_bots_turn(match):
        return int(match.bots[match.seat_to_move])
    offer = matches.read_offer(match.offer)
    if offer is None or not offer.is_open:
        return None
    levels = (level for seat, level in enumerate(match.bots) if seat not in offer.agreed)
    return next((level for level in levels if level is not None), None)


def _warming_path() -> Path:
    data: Path = settings.DATA
    return data / "warming.json"
