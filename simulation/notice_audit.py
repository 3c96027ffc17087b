"""The notices once more: who should have heard of which turn, and how."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sarsen.storage.models import MatchEvent, OutgoingMail

if TYPE_CHECKING:
    from simulation.book import BookedTurn
    from simulation.month import Month

SEEN_WITHIN = timedelta(hours=27)  # a digest is daily; quiet hours are not set


def notices(month: Month) -> list[str]:
    """Every turn was told once by the channel its player chose, and by no other.

    Nothing is told at an address whose letters the relay has refused for some time.
    """
    told = _told("turn", "started")
    faults = []
    for turn in month.book.turns:
        is_mailed = month.people[turn.userid].channel == "mail" or turn.ply == 0
        times = told.pop(turn.key, 0)
        if times not in (_letters_due(month, turn) if is_mailed else (0,)):
            faults.append(
                f"{turn.userid} was told {times} times of board {turn.board} at ply {turn.ply}"
            )
    faults += [f"{key} was told {times} times for nothing" for key, times in told.items()]
    plans = _told("plan")
    faults += [
        f"{turn.key} heard {plans[turn.key]} times of a planned move"
        for turn in month.book.planned
        if plans[turn.key] not in _letters_due(month, turn)
    ]
    return faults + _digests(month)


def _letters_due(month: Month, turn: BookedTurn) -> tuple[int, ...]:
    """Return how many letters there may be about a turn of somebody who is told by mail."""
    since = month.book.unreached_since(turn.userid)
    if since is None or turn.at < month.hour_before(since):
        return (1,)
    # A mail of the hour before is answered in the same hour in which the address is given up.
    return (0,) if turn.at >= since else (0, 1)


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
        since = month.book.unreached_since(userid)
        faults += [
            f"{userid} got a digest at a dead address"
            for letter in got
            if since is not None and letter.queued_at > since
        ]
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
        since = month.book.unreached_since(userid)
        is_unreached = since is not None and since < began + SEEN_WITHIN
        is_down = began < month.down_until and ended > month.down_from
        if ended - began < SEEN_WITHIN or is_down or is_unreached:
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
