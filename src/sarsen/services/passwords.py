"""Prove a speaker by userid and password, and pause an account that is guessed at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F, Q

from sarsen.core.errors import UserError
from sarsen.language.sentence import Credentials
from sarsen.services import background, letters
from sarsen.storage.models import Player

MOST_WRONG = 5
PAUSE = timedelta(minutes=15)
LONGEST_USERID = 20
MOST_WORDS = 10_000  # of one mail: fifty lines of two hundred words


def prove(credentials: Credentials, now: datetime) -> Player:
    """Give the player whose userid and password these are.

    A wrong userid, a wrong password and an account without one are refused in
    the same words and after the same time.

    Raises:
        UserError: Refused; the count of wrong passwords has gone up.
    """
    may_speak = Q(is_active=True) | Q(banned_at__isnull=False, left_at=None)
    player = Player.objects.filter(may_speak, key=credentials.userid.lower()).first()
    if player is None or not player.has_usable_password() or not player.speaks_by_password:
        make_password(credentials.password)  # takes as long as a check
        raise _wrong()
    if player.paused_until and player.paused_until > now:
        minutes = int((player.paused_until - now).total_seconds() // 60) + 1
        raise UserError(
            f"Too many wrong passwords for {player.userid}: passwords are not taken for another "
            f"{minutes} minutes. Answering a mail from the server works all the same.",
            code="password-pause",
        )
    if not check_password(credentials.password, player.password):
        _count_wrong(player, now)
        raise _wrong()
    if not player.is_active:
        # Said to whoever has proved it, and to nobody else.
        raise UserError(
            f"This server is closed to {player.userid}: {player.ban_reason}", code="barred"
        )
    if player.wrong_passwords:
        Player.objects.filter(pk=player.pk).update(wrong_passwords=0)
    return player


def userids_among(words: Iterable[str]) -> frozenset[str]:
    """Give the words that are userids, in lower case: a password stands behind one."""
    keys = {word.lower() for word in words if len(word) <= LONGEST_USERID}
    found = Player.objects.filter(key__in=sorted(keys)[:MOST_WORDS])
    return frozenset(found.values_list("key", flat=True))


def _count_wrong(player: Player, now: datetime) -> None:
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(wrong_passwords=F("wrong_passwords") + 1)
        player.refresh_from_db(fields=["wrong_passwords"])
        if player.wrong_passwords < MOST_WRONG:
            return
        until = now + PAUSE
        Player.objects.filter(pk=player.pk).update(wrong_passwords=0, paused_until=until)
        letters.queue_for(player, "paused", {"minutes": int(PAUSE.total_seconds() // 60)}, now)
        background.wake(background.SEND_MAIL)


def _wrong() -> UserError:
    return UserError(
        "This userid and password do not belong together.",
        code="wrong-password",
        hint="Answer any mail the server sent you: then no password is needed.",
    )
