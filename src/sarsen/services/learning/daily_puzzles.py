"""The puzzle of the day by mail: who gets it, and its letters, written once a day."""

from __future__ import annotations

from datetime import date, datetime

from django.db import transaction
from django.db.models import QuerySet

from sarsen.language.learning.puzzles import ChangeDailyPuzzle, DailyPuzzleSet
from sarsen.learning.puzzles.shelf import daily_puzzle, game_with_puzzles, has_daily, puzzle_of_day
from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.notices import Channel, Event, channel_of, notify_all
from sarsen.services.notices.channels import with_choice
from sarsen.services.players import lock_player
from sarsen.services.request import Player, Request
from sarsen.storage.models import PuzzleSubscription, PuzzleTry

LETTER = "puzzle"  # its kind
BATCH = 200  # players of one transaction, for which other writers wait
MAX_BATCHES = 10  # of one run: other jobs get their turn


def change(command: ChangeDailyPuzzle, request: Request) -> DailyPuzzleSet:
    """Begin or end to send a player the puzzle of the day of a game; a repeat changes nothing."""
    player = request.player("puzzle daily USERID PASSWORD druid on")
    info = game_with_puzzles(command.game)
    rows = PuzzleSubscription.objects.filter(player=player)
    today = request.now.date()
    if command.is_on:
        daily_puzzle(info.name, today)  # is refused where there is none
        rows.get_or_create(player=player, game=info.name, defaults={"sent_on": today})
        _open_channel(player)
    else:
        rows.filter(game=info.name).delete()
    games = tuple(rows.order_by("game").values_list("game", flat=True))
    return DailyPuzzleSet(info.name, info.title, command.is_on, games)


def subscribed_games(player: Player) -> tuple[str, ...]:
    """Return the games whose puzzle of the day a player gets."""
    if channel_of(player, Event.PUZZLE) is Channel.NONE:
        return ()
    rows = PuzzleSubscription.objects.filter(player=player)
    return tuple(rows.order_by("game").values_list("game", flat=True))


def _open_channel(player: Player) -> None:
    """Set the event to mail for a player who asks for it but had switched it off."""
    if channel_of(player, Event.PUZZLE) is Channel.NONE:
        lock_player(player, "channels")  # one choice is added to those of other events
        player.channels = with_choice(player.channels, (Event.PUZZLE,), Channel.MAIL)
        player.save(update_fields=["channels"])


def sweep(now: datetime) -> int:
    """Write the letters of today that are not written; return how many."""
    written = 0
    for _ in range(MAX_BATCHES):
        crash_log.note_progress()
        count = _write_batch(now)
        if count is None:
            return written
        written += count
    task_queue.wake(task_queue.SEND_PUZZLES)
    return written


def _write_batch(now: datetime) -> int | None:
    """Write some letters, and mark them written in the same transaction: never two."""
    today, written = now.date(), 0
    with transaction.atomic():
        speakers.hold_everybody()
        # Players whom another worker has are left to it.
        locked = _due(today).select_for_update(skip_locked=True, of=("self",))
        due = list(locked.select_related("player").order_by("game", "pk")[:BATCH])
        if not due:
            return None
        for game in dict.fromkeys(row.game for row in due):
            if has_daily(game):  # a game may have been taken off since
                written += _write(game, [row.player for row in due if row.game == game], now)
        PuzzleSubscription.objects.filter(pk__in=[row.pk for row in due]).update(sent_on=today)
    return written


def _write(game: str, players: list[Player], now: datetime) -> int:
    puzzle = puzzle_of_day(game, now.date())
    # Their reply addresses hold the numbers of these rows.
    PuzzleTry.objects.bulk_create(
        [PuzzleTry(player=player, game=game, puzzle=puzzle.id, seen_at=now) for player in players],
        ignore_conflicts=True,
    )
    facts = {"game": game, "puzzle": puzzle.id, "day": now.date().isoformat()}
    notify_all(players, Event.PUZZLE, LETTER, facts, now, priority=2)
    task_queue.wake(task_queue.SEND_MAIL)
    return len(players)


def is_any_due(now: datetime) -> bool:
    """Return whether a letter of today is not written."""
    return _due(now.date()).exists()


def _due(today: date) -> QuerySet[PuzzleSubscription]:
    return PuzzleSubscription.objects.filter(sent_on__lt=today)
