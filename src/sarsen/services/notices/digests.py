"""Digests: one letter a day instead of ten, made when a player's hour has come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.notices.digest_contents import (
    BoardState,
    ChallengeState,
    WaitingNotice,
    digest_facts,
)
from sarsen.storage.models import (
    Address,
    Challenge,
    ChallengeSeat,
    DigestItem,
    Match,
    MatchSeat,
    OutgoingMail,
    Player,
)

BATCH = 500  # players of one transaction, for which other writers wait
MAX_PLAYERS = 5_000  # of one run: other jobs get their turn
MAX_ITEMS = 100_000  # of one batch, the newest: what is read is held in memory
DIGEST = "digest"


def is_any_due(now: datetime) -> bool:
    """Return whether the hour of a player's digest has come."""
    return Player.objects.filter(digest_due_at__lte=now).exists()


def sweep_digests(now: datetime) -> int:
    """Write the digests that are due; return how many."""
    done = written = 0
    while done < MAX_PLAYERS:
        crash_log.note_progress()
        players, letters = _write_batch(now)
        if not players:
            return written
        done += players
        written += letters
    task_queue.wake(task_queue.SEND_DIGESTS)
    return written


def _write_batch(now: datetime) -> tuple[int, int]:
    """Write the digests of some players; return how many players and letters.

    The letters are queued and the items deleted in one transaction, so that a process that
    is killed has done both or neither.
    """
    with transaction.atomic():
        speakers.hold_everybody()
        # Locked: two workers must not write the same digest. What one has, others skip.
        due = Player.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
        rows = due.filter(digest_due_at__lte=now).order_by("digest_due_at", "pk")
        players = list(rows.values_list("pk", flat=True)[:BATCH])
        if not players:
            return 0, 0
        items, newest = _items(players)
        letters = _letters(players, items, now)
        OutgoingMail.objects.bulk_create(letters, batch_size=1000)
        DigestItem.objects.filter(player_id__in=players, pk__lte=newest).delete()
        Player.objects.filter(pk__in=players).update(digest_due_at=None)
        if letters:
            task_queue.wake(task_queue.SEND_MAIL)
        return len(players), len(letters)


def _items(players: Sequence[int]) -> tuple[dict[int, list[WaitingNotice]], int]:
    """Return what waits for some players, in order, and the id of the newest item."""
    # Not as models: for a hundred thousand players their making took most of the time.
    newest_first = DigestItem.objects.filter(player_id__in=players).order_by("-pk")
    rows = list(
        newest_first.values_list("pk", "player_id", "event", "facts", "match_id", "at")[:MAX_ITEMS]
    )
    items: dict[int, list[WaitingNotice]] = defaultdict(list)
    for _, player, event, stored, board, at in reversed(rows):
        items[player].append(
            WaitingNotice(event, stored["kind"], stored["facts"], board, at.isoformat())
        )
    return items, rows[0][0] if rows else 0


def _letters(
    players: Sequence[int], items: dict[int, list[WaitingNotice]], now: datetime
) -> list[OutgoingMail]:
    all_items = [item for player_items in items.values() for item in player_items]
    boards = _boards({item.board for item in all_items if item.board})
    challenges = _challenges({item.challenge for item in all_items if item.challenge})
    reachable = Address.objects.filter(suspended_at=None, player__is_active=True)
    rows = reachable.filter(player_id__in=players).order_by("pk")
    addresses: dict[int, list[str]] = defaultdict(list)
    for player, address in rows.values_list("player_id", "address"):
        addresses[player].append(address)
    letters = []
    for player in players:
        facts = digest_facts(player, items[player], boards, challenges)
        for address in addresses[player] if facts["entries"] else ():
            letters.append(
                OutgoingMail(
                    kind=DIGEST,
                    event=DIGEST,
                    facts=facts,
                    address=address,
                    player_id=player,
                    queued_at=now,
                    due_at=now,
                    priority=2,
                )
            )
    return letters


def _boards(keys: set[int]) -> dict[int, BoardState]:
    """Return boards as they now stand."""
    seats: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = MatchSeat.objects.filter(match_id__in=keys).order_by("match_id", "seat")
    for board, key, userid in rows.values_list("match_id", "player_id", "player__userid"):
        seats[board].append((key, userid))
    matches = Match.objects.filter(pk__in=keys).values_list(
        "pk", "game", "ply", "seat_to_move", "due_at", "offer", "reason", "scores", "ended_at"
    )
    return {
        key: BoardState(
            number=key,
            game=game,
            player_ids=tuple(player for player, _ in seats[key]),
            players=tuple(userid for _, userid in seats[key]),
            ply=ply,
            seat_to_move=seat,
            due_at=due_at.isoformat() if due_at else "",
            offer=offer,
            reason=reason if ended_at else "",
            scores=tuple(scores) if ended_at and scores else (),
            is_over=ended_at is not None,
        )
        for key, game, ply, seat, due_at, offer, reason, scores, ended_at in matches
    }


def _challenges(keys: set[int]) -> dict[int, ChallengeState]:
    """Return challenges as they now stand."""
    names: dict[int, list[str]] = defaultdict(list)
    waiting: dict[int, set[int]] = defaultdict(set)
    seats = ChallengeSeat.objects.filter(challenge_id__in=keys).order_by("challenge_id", "seat")
    for challenge, key, userid, has_accepted in seats.values_list(
        "challenge_id", "player_id", "player__userid", "has_accepted"
    ):
        names[challenge].append(userid or "anyone")
        if key and not has_accepted:
            waiting[challenge].add(key)
    challenges = Challenge.objects.filter(pk__in=keys).select_related("challenger")
    return {
        challenge.pk: ChallengeState(
            number=challenge.pk,
            game=f"{challenge.game} {challenge.options}".strip(),
            by=challenge.challenger.userid if challenge.challenger else "",
            names=tuple(names[challenge.pk]),
            waiting_for=frozenset(waiting[challenge.pk]),
            is_open=challenge.state == Challenge.State.OPEN,
        )
        for challenge in challenges
    }
