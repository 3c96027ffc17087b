"""The notices once more: who should have heard of which turn, and how."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sarsen.storage.models import MatchEvent, OutgoingMail

if TYPE_CHECKING:
    from simulation.month import Month

SEEN_WITHIN = timedelta(hours=27)  # a digest is daily; quiet hours are not set


def notices(month: Month) -> list[str]:
    """Every turn was told once by the channel its player chose, and by no other."""
    told = _told("turn", "started")
    faults = []
    for userid, board, ply in month.book.turns:
        is_mailed = month.people[userid].channel == "mail" or ply == 0
        times = told.pop((userid, board, ply), 0)
        if times != int(is_mailed):
            faults.append(f"{userid} was told {times} times of board {board} at ply {ply}")
    faults += [f"{key} was told {times} times for nothing" for key, times in told.items()]
    plans = _told("plan")
    faults += [
        f"{key} heard {plans[key]} times of a planned move"
        for key in month.book.planned
        if plans[key] != 1
    ]
    return faults + _digests(month)


def _told(*events: str) -> Counter[tuple[str, int | None, int]]:
    """Count the board letters of some events by player, board and ply."""
    mails = OutgoingMail.objects.filter(event__in=events, kind="board")
    return Counter(
        (letter.player.userid, letter.match_id, letter.facts["ply"])
        for letter in mails.select_related("player")
        if letter.player is not None
    )


def _digests(month: Month) -> list[str]:
    """One a day at most, and every board that waits longer than a day is in one.

    The one that the server's absence held back comes when it is there again.
    """
    faults = []
    letters: dict[str, list[OutgoingMail]] = {}
    for letter in OutgoingMail.objects.filter(kind="digest").select_related("player"):
        if letter.player is not None:
            letters.setdefault(letter.player.userid, []).append(letter)
    for userid, got in letters.items():
        zone = ZoneInfo(month.people[userid].zone)
        days = Counter(
            letter.queued_at.astimezone(zone).date()
            for letter in got
            if letter.queued_at != month.down_until
        )
        faults += [
            f"{userid} got {count} digests on {day}" for day, count in days.items() if count > 1
        ]
    month.book.counts["digests"] = sum(map(len, letters.values()))
    for board in month.book.boards.values():
        faults += _missed(month, board.number, letters)
    return faults


def _missed(month: Month, number: int, letters: dict[str, list[OutgoingMail]]) -> list[str]:
    board = month.book.boards[number]
    events = MatchEvent.objects.filter(match_id=number).order_by("number")
    times = [board.started_at, *(event.at for event in events)]
    faults = []
    for ply in range(1, len(board.moves)):
        userid = board.players[board.moves[ply][1]]
        if month.people[userid].channel != "digest":
            continue
        began, ended = times[ply], times[ply + 1]
        is_down = began < month.down_until and ended > month.down_from
        if ended - began < SEEN_WITHIN or is_down:
            continue
        listed = any(
            entry.get("board") == number
            for letter in letters.get(userid, [])
            if began <= letter.queued_at <= ended
            for entry in letter.facts["entries"]
        )
        if not listed:
            faults.append(f"no digest told {userid} of board {number} at ply {ply}")
    return faults
