"""How a player gets in, by mail, by a password or by a passkey, and the sessions of browsers.

One way in always remains. The settings SESSION_ENGINE and AUTHENTICATION_BACKENDS name this module.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import randbelow, token_hex
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.db import transaction
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.translating import spoken
from sarsen.services import limits, task_queue
from sarsen.services.accounts import attempts
from sarsen.services.mail import outgoing
from sarsen.storage import statements
from sarsen.storage.models import Address, Player, Question, Signup, WebSession

BEGAN = "began"  # the key under which a session keeps when its player logged in


def check_another_way(
    player: Player, *, without_password: bool = False, without_passkey: int = 0
) -> None:
    """Refuse to remove the last login method.

    Args:
        without_passkey: The number of the one that goes, 0 for none.

    Raises:
        UserError: Nothing else remains.
    """
    has_password = player.has_usable_password() and not without_password
    passkeys = player.passkeys.exclude(pk=without_passkey)
    if player.addresses.exists() or has_password or passkeys.exists():
        return
    raise UserError(
        "Without this you could no longer log in.",
        code="last-way-in",
        hint=f"change address {player.userid} PASSWORD ann@example.org",
    )


_SESSION = """
SELECT {WebSession.session_data} FROM storage_websession WHERE session_key = %s AND expire_date > %s
"""


_PLAYER = "SELECT {Player} FROM storage_player WHERE id = %s AND NOT is_elsewhere"


class PlayerBackend(ModelBackend):
    """Find the player of a session; each page of a player does."""

    def get_user(self, user_id: Any) -> Any:
        """Return an active player, or None."""
        user = next((player for (player,) in statements.select(_PLAYER, user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None


class SessionStore(db.SessionStore):
    """Store with each session whose it is."""

    @classmethod
    def get_model_class(cls) -> type[WebSession]:
        """Return the table."""
        return WebSession

    def load(self) -> dict[str, Any]:
        """Return the content of a session; each page of a player reads one."""
        rows = statements.select(_SESSION, self.session_key, timezone.now())
        content: dict[str, Any] = self.decode(rows[0][0]) if rows else super().load()
        return content

    def create_model_instance(self, data: dict[str, Any]) -> WebSession:
        """Make the row of a session."""
        row = super().create_model_instance(data)
        assert isinstance(row, WebSession)  # of the table above
        row.player_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.began_at = datetime.fromisoformat(data[BEGAN]) if BEGAN in data else None
        return row


@dataclass(frozen=True)
class OpenSession:
    """One browser that is logged in; `is_this` marks the one that asks."""

    began_at: datetime | None
    ends_at: datetime
    is_this: bool


def open_sessions(player: Player, key: str, now: datetime) -> tuple[OpenSession, ...]:
    """List the browsers in which a player is logged in; `key` is that of the one asking."""
    sessions = WebSession.objects.filter(player=player, expire_date__gt=now).order_by(
        "-expire_date"
    )
    return tuple(
        OpenSession(session.began_at, session.expire_date, session.session_key == key)
        for session in sessions[:50]
    )


def end_others(player: Player, key: str) -> int:
    """Log a player out everywhere but in the session `key`; return how many ended."""
    ended: int = WebSession.objects.filter(player=player).exclude(session_key=key).delete()[0]
    return ended


def drop_account_rows(player: Player) -> None:
    """Delete what lets a player in, what reaches them, and what they asked for."""
    for rows in (
        player.addresses,
        player.subscriptions,
        player.watchers,
        player.digest_items,
        player.vacations,
        player.tokens,
        player.passkeys,
        player.stream,
        player.devices,
    ):
        rows.all().delete()
    Question.objects.filter(player=player).delete()
    # An address that answers later would belong to an account that is closed.
    Signup.objects.filter(player=player).delete()


LASTS = timedelta(minutes=30)
MOST_WRONG_CODES = 5  # typed at the place that asked for the letter
MOST_WRONG_ELSEWHERE = 30  # typed at all other places; a letter's link holds all the same
MOST_PLAYERS = 5  # that share one address
_KIND = "login"
_TOKEN = re.compile(r"([0-9]{1,9})-([0-9a-f]{32})")


@dataclass(frozen=True)
class LoggedIn:
    """The player that logs in, and the local path they were going to; "" for none."""

    player: Player
    path: str


def read_name(typed: str) -> str:
    """Return the userid or mail address that was typed to log in.

    Raises:
        UserError: It is not one word.
    """
    name = typed.strip()
    if len(name.split()) != 1:
        raise UserError(
            "A userid or a mail address is one word.", code="login-name", hint="ann@example.org"
        )
    return name


@transaction.atomic
def ask(name: str, path: str, place: str, now: datetime) -> None:
    """Send the players of a userid or an address a letter to log in with.

    A second letter makes the first one from the same place void, and no other.

    Args:
        path: Where to go afterwards, on this server; "" for nowhere in particular.
        place: Where on the net it is asked; see `attempts`.
    """
    name = name.strip()
    for player in _players_called(name):
        try:
            attempts.count("letter", place, now, about=str(player.pk))
            limits.check(player, _KIND, now)
        except UserError:
            continue  # told to nobody: it would tell that there is such an account
        secret, code = token_hex(16), f"{randbelow(10**8):08d}"
        _store_letter(player, place, _letter(secret, code, path, now), now)
        facts = {
            "userid": player.userid,
            "token": f"{player.pk}-{secret}",
            "code": code,
            "language": spoken(),
        }
        addresses = player.addresses.order_by("pk")
        if "@" in name:
            addresses = addresses.filter(address__iexact=name)
        for address in addresses:
            outgoing.queue(
                address.address, _KIND, facts, now, player=player, event="account", haste=0
            )
    task_queue.wake(task_queue.SEND_MAIL)


@transaction.atomic
def player_of_link(token: str, now: datetime) -> Player:
    """Return the player a link would log in; the link still holds afterwards.

    Raises:
        UserError: It is used, too old, or nobody's.
    """
    question, _ = _by_token(token, now)
    return question.player


@transaction.atomic
def use_link(token: str, now: datetime) -> LoggedIn:
    """Log in by a link, once.

    Raises:
        UserError: It is used, too old, or nobody's.
    """
    return _use(*_by_token(token, now))


def use_code(name: str, code: str, place: str, now: datetime) -> LoggedIn:
    """Log in by the code of a letter; some wrong ones make codes void, and never links.

    Raises:
        UserError: Wrong, used, or too old: in the same words as for an unknown name.
    """
    code = _digest(re.sub(r"[\s-]", "", code))
    with transaction.atomic():
        for player in _players_called(name.strip()):
            question = _login_question(player.pk)
            if question is None:
                continue
            if key := _place_of_code(question, code, _place_digest(place), now):
                return _use(question, key)
            question.save(update_fields=["facts"])
    raise UserError(
        "This code is wrong, already used, or expired.",
        code="login-code",
        hint="Enter the eight digits from the newest mail, or ask for a new one.",
    )


def _place_of_code(question: Question, code: str, asking_place: str, now: datetime) -> str:
    """Return the place of the letter that has a code; "" for none, which is counted.

    Wrong codes typed at one place do not void what another place has asked for and types.
    """
    letters = _valid_letters(question, now)
    own_letter = letters.pop(asking_place, None)
    if own_letter and own_letter["wrong"] < MOST_WRONG_CODES:
        if hmac.compare_digest(own_letter["code"], code):
            return asking_place
        own_letter["wrong"] += 1
    wrong = question.facts.get("elsewhere", 0)
    if letters and wrong < MOST_WRONG_ELSEWHERE:
        for place, letter in letters.items():
            if hmac.compare_digest(letter["code"], code):
                return place
        question.facts["elsewhere"] = wrong + 1
    return ""


def _letter(secret: str, code: str, path: str, now: datetime) -> dict[str, Any]:
    digests = {"secret": _digest(secret), "code": _digest(code), "path": path}
    return {**digests, "wrong": 0, "at": now.timestamp()}


def _store_letter(player: Player, place: str, letter: dict[str, Any], now: datetime) -> None:
    """Store what a letter says beside what the letters from other places say."""
    Question.objects.get_or_create(player=player, kind=_KIND, defaults={"asked_at": now})
    question = _login_question(player.pk)
    assert question is not None  # just made, in this transaction
    fresh = _valid_letters(question, now)
    wrong = question.facts.get("elsewhere", 0) if fresh else 0
    question.facts = {"letters": {**fresh, _place_digest(place): letter}, "elsewhere": wrong}
    question.asked_at = now
    question.save(update_fields=["facts", "asked_at"])


def _players_called(name: str) -> list[Player]:
    if "@" in name:
        addresses = Address.objects.filter(address__iexact=name, player__is_active=True)
        return [
            address.player
            for address in addresses.select_related("player").order_by("pk")[:MOST_PLAYERS]
        ]
    return list(Player.objects.filter(key=name.lower(), is_active=True))


def _by_token(token: str, now: datetime) -> tuple[Question, str]:
    """Return the question of a link, and the place where its letter was asked for."""
    token_match = _TOKEN.fullmatch(token)
    question = _login_question(int(token_match[1])) if token_match else None
    if token_match and question:
        secret = _digest(token_match[2])
        for place, letter in _valid_letters(question, now).items():
            if hmac.compare_digest(letter["secret"], secret):
                return question, place
    raise UserError(
        "This link has been used, has expired, or was replaced by a newer one.",
        code="login-link",
        hint="Ask for a new login mail.",
    )


def _login_question(player: int) -> Question | None:
    questions = Question.objects.select_related("player").filter(
        player_id=player, player__is_active=True, kind=_KIND
    )
    return questions.select_for_update(of=("self",)).first()


def _valid_letters(question: Question, now: datetime) -> dict[str, dict[str, Any]]:
    """Return the letters that still hold, by a digest of the place that asked for each."""
    since = (now - LASTS).timestamp()
    letters: dict[str, dict[str, Any]] = question.facts.get("letters", {})
    return {place: letter for place, letter in letters.items() if letter["at"] > since}


def _use(question: Question, place: str) -> LoggedIn:
    letter = question.facts["letters"].pop(place)
    question.save(update_fields=["facts"])
    return LoggedIn(question.player, str(letter["path"]))


def _place_digest(place: str) -> str:
    return attempts.digest_of(place)[:16]


def _digest(secret: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"login:{secret}".encode(), sha256).hexdigest()
