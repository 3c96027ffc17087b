"""Guests: people who play the server's programs before they have an account.

A guest is a player without a mail address, known by the cookie of one browser. Its games are
unrated and against programs only. Joining turns it into an account that keeps them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from secrets import randbelow

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F, Max, Q

from sarsen.core.errors import UserError
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import Command, MakeChallenge, Rematch
from sarsen.language.replies import ChallengeStands
from sarsen.services.accounts import attempts
from sarsen.services.accounts.forgetting import drop_account_rows
from sarsen.services.challenges import challenges
from sarsen.services.request import Actor, AfterEvents, Request
from sarsen.storage import transactions
from sarsen.storage.models import Attempt, Challenge, Match, MatchSeat, Player

KIND = "guest"
# From all clients together: each takes a userid and a program's time, and has no address.
MAX_A_DAY = 1000
MAX_GAMES = 3  # of one guest at once: programs think for everybody
LASTS = timedelta(days=30)  # after the last move: the cookie is the only way back to it
LASTS_UNPLAYED = timedelta(days=1)  # for a guest that never moved
MAX_EXPIRED = 200  # in one run, each in a transaction: other jobs get their turn
UNRATED, RATED = "--unrated", "--rated"


def play(
    command: MakeChallenge, client_address: str, now: datetime, after_events: AfterEvents
) -> tuple[Player, ChallengeStands]:
    """Make a guest and start its game with a program.

    Raises:
        UserError: Too many guests today, or the challenge is refused; then no guest is made.
    """
    return transactions.in_transaction(lambda: _play(command, client_address, now, after_events))


def is_game_with_program(command: Command | None) -> bool:
    """Return whether a command asks for a game between the speaker and one program."""
    if not isinstance(command, MakeChallenge) or "--link" in command.terms:
        return False
    others = [name.lower() for name in command.names if name.lower() != ME]
    is_one = len(others) == 1 and len(command.names) == 2
    return is_one and Player.objects.filter(key=others[0], level__isnull=False).exists()


def check_may(command: Command, player: Player | None) -> None:
    """Refuse what guests may not do.

    Raises:
        UserError: The player is a guest, and the command needs an account.
    """
    if player is None or not player.is_guest:
        return
    is_challenge = isinstance(command, MakeChallenge)
    if not command.for_guests or (is_challenge and not _is_own_game(command, player)):
        raise UserError(
            "Guests play programs; for this you need an account.",
            code="guest",
            hint="Create an account: you keep your games.",
        )
    if isinstance(command, MakeChallenge | Rematch):
        running = MatchSeat.objects.filter(player=player, match__ended_at=None)
        if running.count() >= MAX_GAMES:
            raise UserError(
                "A guest has at most {most} games at once.",
                code="guest-games",
                hint="Create an account: you keep your games. Or finish one of them first.",
                most=MAX_GAMES,
            )


def unrated(command: Command, player: Player | None) -> Command:
    """Return the command as it is performed: the challenges of guests are unrated."""
    if player is None or not player.is_guest or not isinstance(command, MakeChallenge):
        return command
    terms = [term for term in command.terms if term not in (RATED, UNRATED)]
    return replace(command, terms=(UNRATED, *terms))


def expire(now: datetime) -> int:
    """Delete guests whose time is over, with their unfinished games; return how many.

    Finished games stay for the programs' figures, under the name the guest had.
    """
    own_moves = Q(seats__match__events__seat=F("seats__seat"))
    moved = Max("seats__match__events__at", filter=own_moves)
    old = Player.objects.filter(is_guest=True, joined_at__lt=now - LASTS_UNPLAYED)
    idle = old.annotate(moved=moved).filter(Q(moved=None) | Q(moved__lt=now - LASTS), is_guest=True)
    keys = list(idle.order_by("joined_at").values_list("pk", flat=True)[:MAX_EXPIRED])
    for key in keys:
        _expire(key, now)
    return len(keys)


def become_account(guest: Player) -> Player:
    """Lift the restrictions of a guest that joins, unsaved; its games stay with it."""
    guest.is_guest, guest.speaks_by_password, guest.refuses = False, True, []
    return guest


def _play(
    command: MakeChallenge, client_address: str, now: datetime, after_events: AfterEvents
) -> tuple[Player, ChallengeStands]:
    attempts.count(KIND, client_address, now)
    today = Attempt.objects.filter(kind=KIND, at__gt=now - attempts.DAY)
    if today.count() > MAX_A_DAY:
        raise UserError(
            "There were too many new guests today.",
            code="too-many-guests",
            hint="Create an account, or try again tomorrow.",
        )
    userid = _free_userid()
    guest = Player.objects.create(
        key=userid,
        userid=userid,
        password=make_password(None),
        speaks_by_password=False,
        is_guest=True,
        refuses=[ANYONE],
        joined_at=now,
    )
    challenge = unrated(command, guest)
    assert isinstance(challenge, MakeChallenge)  # it was one before
    stands = challenges.make(
        challenge, Request(Actor(guest, client_address=client_address), now, after_events)
    )
    assert isinstance(stands, ChallengeStands)  # its speaker is proved
    return guest, stands


def _free_userid() -> str:
    while True:
        userid = f"guest-{randbelow(10**6):06d}"
        if not Player.objects.filter(key=userid).exists():
            return userid


def _is_own_game(command: Command, player: Player) -> bool:
    if not isinstance(command, MakeChallenge):
        return False
    names = tuple(ME if name.lower() == player.key else name for name in command.names)
    return is_game_with_program(replace(command, names=names))


@transaction.atomic
def _expire(key: int, now: datetime) -> None:
    # Locked: a guest who joins at this moment becomes an account, or is deleted, not both.
    guest = Player.objects.select_for_update().filter(pk=key, is_guest=True).first()
    if guest is None:  # it has joined meanwhile
        return
    # Locked: a program that thinks must not move at a board while it is deleted.
    unfinished = Match.objects.select_for_update().filter(seats__player=guest, ended_at=None)
    Challenge.objects.filter(challenger=guest).delete()
    Match.objects.filter(pk__in=[match.pk for match in unfinished]).delete()
    drop_account_rows(guest)
    guest.web_sessions.all().delete()
    if not guest.seats.exists():
        guest.delete()
        return
    guest.is_guest, guest.is_active, guest.left_at = False, False, now
    guest.save(update_fields=["is_guest", "is_active", "left_at"])
