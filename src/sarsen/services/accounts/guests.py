"""Guests: people who play the server's programs, or a friend, before they have an account.

A guest is a player without a mail address, known by the cookie of one browser. Its games are
unrated, against programs and against those with whom it shares a link. Joining turns it into an
account that keeps them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from secrets import randbelow

from django.contrib.auth.hashers import make_password
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from sarsen.core.errors import UserError
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import Accept, Command, Decline, MakeChallenge, Rematch
from sarsen.language.replies import ChallengeStands
from sarsen.search.bots import SEATS
from sarsen.services.accounts import attempts
from sarsen.services.accounts.forgetting import drop_account_rows
from sarsen.services.challenges import challenges
from sarsen.services.matches import agreements
from sarsen.services.request import Actor, AfterEvents, Request
from sarsen.storage import transactions
from sarsen.storage.models import Attempt, Challenge, ChallengeSeat, Match, MatchSeat, Player

KIND = "guest"
_BEGINS = "guest-"  # the names of guests, which `matches.lobby` looks for, too
# From all clients together: each takes a userid and a program's time, and has no address.
MAX_A_DAY = 1000
MAX_GAMES = 3  # of one guest at once, with those that a link offers: programs think for everybody
LASTS = timedelta(days=30)  # after the last move: the cookie is the only way back to it
LASTS_UNPLAYED = timedelta(days=1)  # for a guest that never moved, and whom no friend keeps waiting
MAX_EXPIRED = 200  # in one run, each in a transaction: other jobs get their turn
UNRATED, RATED = "--unrated", "--rated"


GuestGame = MakeChallenge | Accept


def play(
    command: GuestGame, client_address: str, now: datetime, after_events: AfterEvents
) -> tuple[Player, ChallengeStands]:
    """Make a guest and start its game with a program, make its link, or take up a friend's.

    Raises:
        UserError: Too many guests today, or the challenge is refused; then no guest is made.
    """
    return transactions.in_transaction(lambda: _play(command, client_address, now, after_events))


def is_for_guests(command: Command | None, userid: str = ME) -> bool:
    """Return whether a command asks for a game that needs no account.

    That is one with a program, or with whoever has a link: a guest's own, or one it was sent.

    Args:
        userid: Of the guest, who may be named by it, too.
    """
    if isinstance(command, Accept):
        return bool(command.key) and not command.game
    if not isinstance(command, MakeChallenge):
        return False
    others = [name.lower() for name in command.names if name.lower() not in (ME, userid.lower())]
    if len(others) != 1 or len(command.names) != SEATS:
        return False
    if "--link" in command.terms:
        # With any others the game could last for ever, and nothing would clear it away.
        return others == [ANYONE] and set(command.terms) <= {"--link", RATED, UNRATED}
    return Player.objects.filter(key=others[0], level__isnull=False).exists()


def check_may(command: Command, player: Player | None) -> None:
    """Refuse what guests may not do.

    Raises:
        UserError: The player is a guest, and the command needs an account.
    """
    if player is None or not player.is_guest:
        return
    if not _may(command, player):
        raise UserError(
            "Guests play programs, and friends by a link; for this you need an account.",
            code="guest",
            hint="Create an account: you keep your games.",
        )
    if isinstance(command, MakeChallenge | Accept | Rematch):
        running = MatchSeat.objects.filter(player=player, match__ended_at=None).count()
        offered = Challenge.objects.filter(challenger=player, state=Challenge.State.OPEN).count()
        if running + offered >= MAX_GAMES:
            raise UserError(
                "A guest has at most {most} games at once.",
                code="guest-games",
                hint="Create an account: you keep your games. Or finish one of them first.",
                most=MAX_GAMES,
            )


def _may(command: Command, guest: Player) -> bool:
    if is_for_guests(command, guest.userid) or _is_answer_to_rematch(command, guest):
        return True
    return command.for_guests and not isinstance(command, MakeChallenge)


def _is_answer_to_rematch(command: Command, guest: Player) -> bool:
    """Return whether a command answers, without words, a challenge that names the guest.

    Only a rematch does: guests refuse all others.
    """
    if isinstance(command, Accept):
        is_plain = not command.game
    else:
        is_plain = isinstance(command, Decline) and not command.reason
    if not is_plain:
        return False
    assert isinstance(command, Accept | Decline)
    return ChallengeSeat.objects.filter(challenge=command.number, player=guest).exists()


def unrated(command: Command, player: Player | None) -> Command:
    """Return the command as it is performed: the challenges of guests are unrated."""
    if player is None or not player.is_guest or not isinstance(command, MakeChallenge):
        return command
    terms = [term for term in command.terms if term not in (RATED, UNRATED)]
    return replace(command, terms=(UNRATED, *terms))


def expire(now: datetime, after_events: AfterEvents) -> int:
    """Delete guests whose time is over; return how many.

    Their unfinished games with programs go with them, and those with people they resign. Finished
    games stay for the others' figures, under the name the guest had.
    """
    own_moves = Q(seats__match__events__seat=F("seats__seat"))
    moved = Max("seats__match__events__at", filter=own_moves)
    old = Player.objects.filter(is_guest=True, joined_at__lt=now - LASTS_UNPLAYED)
    kept = Exists(_games_with_people(OuterRef("pk")).filter(match__moved_at__gt=now - LASTS))
    waits = Exists(
        Challenge.objects.filter(
            challenger=OuterRef("pk"), state=Challenge.State.OPEN, made_at__gt=now - LASTS
        )
    )
    idle = old.filter(~kept, ~waits).annotate(moved=moved)
    over = idle.filter(Q(moved=None) | Q(moved__lt=now - LASTS), is_guest=True)
    keys = list(over.order_by("joined_at").values_list("pk", flat=True)[:MAX_EXPIRED])
    for key in keys:
        transactions.in_transaction(lambda: _expire(key, now, after_events))  # noqa: B023
    return len(keys)


def lock(player: Player | None) -> Player | None:
    """Return a guest, locked: `expire` may be about to delete it. None for all others."""
    if player is None:
        return None
    same = Player.objects.filter(pk=player.pk, is_guest=True)
    return same.select_for_update(no_key=True).first()


def become_account(guest: Player) -> Player:
    """Lift the restrictions of a guest that joins, unsaved; its games stay with it."""
    guest.is_guest, guest.speaks_by_password, guest.refuses = False, True, []
    return guest


def _games_with_people(guest: int | OuterRef) -> QuerySet[MatchSeat]:
    """Return the seats of people other than a guest at the boards in play of the guest's."""
    seats = MatchSeat.objects.filter(match__seats__player=guest, match__ended_at=None)
    return seats.filter(player__level=None).exclude(player=guest)


def _play(
    command: GuestGame, client_address: str, now: datetime, after_events: AfterEvents
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
    request = Request(Actor(guest, client_address=client_address), now, after_events)
    if isinstance(command, Accept):
        return guest, challenges.accept_challenge(command, request)
    challenge = unrated(command, guest)
    assert isinstance(challenge, MakeChallenge)  # it was one before
    stands = challenges.make(challenge, request)
    assert isinstance(stands, ChallengeStands)  # its speaker is proved
    return guest, stands


def is_guest_name(userid: str) -> bool:
    """Return whether this is a name of guests; nobody else may take one (`services.userids`)."""
    return userid.startswith(_BEGINS)


def _free_userid() -> str:
    while True:
        userid = f"{_BEGINS}{randbelow(10**6):06d}"
        if not Player.objects.filter(key=userid).exists():
            return userid


def _expire(key: int, now: datetime, after_events: AfterEvents) -> None:
    # Locked: a guest who joins at this moment becomes an account, or is deleted, not both.
    guest = Player.objects.select_for_update().filter(pk=key, is_guest=True).first()
    if guest is None:  # it has joined meanwhile
        return
    # Locked: a program that thinks must not move at a board while it is deleted.
    running = Match.objects.select_for_update().filter(seats__player=guest, ended_at=None)
    unfinished = [match.pk for match in running.order_by("pk")]
    Challenge.objects.filter(challenger=guest, state=Challenge.State.OPEN).delete()
    with_people = set(_games_with_people(key).values_list("match", flat=True))
    for board in unfinished:
        if board in with_people:
            agreements.leave_board(board, guest, Request(Actor(guest), now, after_events))
    Match.objects.filter(pk__in=set(unfinished) - with_people).delete()
    Challenge.objects.filter(challenger=guest).delete()
    drop_account_rows(guest)
    guest.web_sessions.all().delete()
    if not guest.seats.exists():
        guest.delete()
        return
    guest.is_guest, guest.is_active, guest.left_at = False, False, now
    guest.save(update_fields=["is_guest", "is_active", "left_at"])
