"""Prove a speaker by userid and password, and pause an account that is guessed at.

A check takes long on purpose. So much of it is done in a second, no matter who asks: past that
one is told, or a mail put off, while all that needs no password goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache

from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.db import transaction
from django.db.models import F, Q

from sarsen.core.errors import UserError
from sarsen.language.grammar.tokens import Credentials
from sarsen.services import task_queue
from sarsen.services.accounts import attempts
from sarsen.services.limits.mail_answers import is_known_address
from sarsen.services.limits.rates import RateLimit
from sarsen.services.mail import outgoing
from sarsen.storage import move_path
from sarsen.storage.models import Player

# Slips of a hand are fewer; more are guesses (decision 0004).
MAX_WRONG = 5
# Five guesses in this time find no password; the owner can still answer mails.
PAUSE = timedelta(minutes=15)
MAX_USERID = 20  # characters that a userid may have: longer words are not looked up
MAX_WORDS = 10_000  # of one mail: fifty lines of two hundred words
MAX_PAIRS = 5  # of a userid and a password, in one mail: each check costs 20 ms
# A fifth of a core, at 20 ms each (decision 0004).
CHECKS_A_SECOND = 10  # of each process; it bounds what guessing costs
AT_ONCE = 5  # seconds' worth of checks: players who come together do not wait
# Words of one mail that are compared with its reader's own password, at 20 ms each.
MAX_OWN_CHECKS = 3


class Busy(UserError):
    """Refuse to check a password now; the same works a little later."""


class Proofs:
    """Prove the speakers of one mail, each pair of userid and password once."""

    def __init__(self, source: str, now: datetime) -> None:
        self._source = source
        self._now = now
        self._proved: dict[tuple[str, str], Player | UserError] = {}

    def prove(self, credentials: Credentials) -> Player:
        """Return the player whose userid and password these are.

        Raises:
            UserError: As `prove` says, or there were too many pairs.
        """
        pair = (credentials.userid.lower(), credentials.password)
        if pair not in self._proved:
            if len(self._proved) >= MAX_PAIRS:
                raise UserError(
                    "One mail may use at most {most} userids or passwords.",
                    code="too-many-passwords",
                    hint="Send the rest in another mail.",
                    most=MAX_PAIRS,
                )
            self._proved[pair] = self._result(credentials)
        result = self._proved[pair]
        if isinstance(result, UserError):
            raise result
        return result

    def _result(self, credentials: Credentials) -> Player | UserError:
        try:
            return prove(credentials, self._now, self._source)
        except Busy:
            raise
        except WrongPassword as refusal:
            return self._without_name(credentials) or refusal
        except UserError as refusal:
            return refusal

    def _without_name(self, credentials: Credentials) -> UserError | None:
        """Return the refusal of a mail whose words are nobody's name and password; else None.

        Any two words of a line may stand where those belong. It says no more than a page of a
        player does, and of the address only what its owner reads; it is made after the check, so
        that each mail takes as long. The word is not repeated: it may be a password.
        """
        if userids_among([credentials.userid]):
            return None
        if self._source and not is_known_address(self._source):
            return UserError(
                "The server does not know the address that you write from, and no player is named "
                "in your command. If you have an account, reply to one of its mails, or put your "
                "name and password into the command; if not, sign up first.",
                code="who-speaks",
                hint="help signup",
            )
        return UserError(
            "The server needs to know who you are: no player is named in your command. Reply to "
            "one of its mails, or put your name and password into the command.",
            code="who-speaks",
            hint="help signup",
        )


def prove(
    credentials: Credentials, now: datetime, source: str = "", kind: str = "password"
) -> Player:
    """Return the player whose userid and password these are.

    A wrong userid, a wrong password and an account without one are refused in
    the same words and after the same time.

    Args:
        source: Where a mail claims to come from, or a request does, whose wrong
            passwords are counted; "" for neither.
        kind: As what they are counted, see `attempts.count`.

    Raises:
        UserError: Refused; the count of wrong passwords has gone up.
        Busy: Too many are checked just now; nothing was counted.
    """
    if source:
        attempts.look(kind, source, now)
    try:
        return _prove(credentials, now)
    except WrongPassword:
        if source:
            attempts.count(kind, source, now)
        raise


def spend_check(now: datetime) -> None:
    """Count one of the checks that this process makes in a second.

    Raises:
        Busy: None is left.
    """
    if not _checks(CHECKS_A_SECOND).take(now):
        raise Busy(
            "Too many passwords are being checked just now.",
            code="password-busy",
            hint=(
                "Try again in a minute, or reply to a mail from the server: that needs no password."
            ),
        )


def is_password_of(player: Player, word: str, now: datetime) -> bool | None:
    """Return whether a word that somebody typed is a player's password.

    It proves nothing and counts as no attempt, so only this player may ever learn the result.

    Returns:
        None where half the checks of this moment are used up: the others are kept for those who
        log in, so that a flood of words cannot keep anybody out.
    """
    if not player.has_usable_password():
        return False
    if not _checks(CHECKS_A_SECOND).take(now, keep=AT_ONCE * CHECKS_A_SECOND / 2):
        return None
    return check_password(word.strip("\"'<>()[]"), player.password)


@lru_cache(maxsize=1)
def _checks(a_second: int) -> RateLimit:
    return RateLimit(AT_ONCE * a_second, a_second)


class WrongPassword(UserError):
    """Refuse a userid and a password that do not belong together."""


def _prove(credentials: Credentials, now: datetime) -> Player:
    may_speak = Q(is_active=True) | Q(banned_at__isnull=False, left_at=None)
    player = Player.objects.filter(may_speak, key=credentials.userid.lower()).first()
    if player is None or not player.has_usable_password() or not player.speaks_by_password:
        spend_check(now)
        make_password(credentials.password)  # takes as long as a check
        attempts.write_for_nobody(now)  # as much as `_count_wrong`
        raise _wrong_password()
    if player.paused_until and player.paused_until > now:
        minutes = int((player.paused_until - now).total_seconds() // 60) + 1
        raise UserError(
            "Too many wrong passwords for {player}: none is accepted for another {minutes} "
            "minutes. Replying to a mail from the server still works.",
            code="password-pause",
            player=player.userid,
            minutes=minutes,
        )
    spend_check(now)
    if not check_password(credentials.password, player.password):
        _count_wrong(player, now)
        raise _wrong_password()
    if not player.is_active:
        # Said to anyone who has proved it, and to nobody else.
        raise UserError(
            "The account {player} is suspended: {reason}",
            code="barred",
            player=player.userid,
            reason=player.ban_reason,
        )
    if player.wrong_passwords:
        Player.objects.filter(pk=player.pk).update(wrong_passwords=0)
    return player


def userids_among(words: Iterable[str]) -> frozenset[str]:
    """Return the words that are userids, in lower case: a password stands behind one."""
    keys = {word.lower() for word in words if len(word) <= MAX_USERID}
    return move_path.userids_among(sorted(keys)[:MAX_WORDS])


def _count_wrong(player: Player, now: datetime) -> None:
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(wrong_passwords=F("wrong_passwords") + 1)
        player.refresh_from_db(fields=["wrong_passwords"])
        if player.wrong_passwords < MAX_WRONG:
            return
        until = now + PAUSE
        Player.objects.filter(pk=player.pk).update(wrong_passwords=0, paused_until=until)
        outgoing.queue_for(player, "paused", {"minutes": int(PAUSE.total_seconds() // 60)}, now)
        task_queue.wake(task_queue.SEND_MAIL)


def _wrong_password() -> WrongPassword:
    return WrongPassword(
        "The name or the password is wrong.",
        code="wrong-password",
        hint="Reply to any mail from this server, and you need no password.",
    )


class MailPasswordHasher(Argon2PasswordHasher):
    """Use argon2id with the smallest parameters that OWASP recommends.

    A mail command of the old style costs one verification. With Django's own
    parameters a core checks about 6 a second, with these about 50; guessing is
    held back by the pause in `passwords`, not by the price alone.
    """

    memory_cost = 19456  # KiB
    time_cost = 2
    parallelism = 1
