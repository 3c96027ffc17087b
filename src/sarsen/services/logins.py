"""Logging in by a letter: a link and a code that hold once, for half an hour.

Whether an account exists is said to nobody: an unknown name is answered in the same
words, and only the letter is missing.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import randbelow, token_hex

from django.conf import settings
from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.services import background, letters, limits
from sarsen.services.call import Player
from sarsen.storage.models import Address, Question

LASTS = timedelta(minutes=30)
MOST_WRONG_CODES = 5
MOST_PLAYERS = 5  # that share one address
_KIND = "login"
_TOKEN = re.compile(r"([0-9]{1,9})-([0-9a-f]{32})")


@dataclass(frozen=True)
class LoggedIn:
    """Who logs in, and the local path they were going to; "" for none."""

    player: Player
    path: str


@transaction.atomic
def ask(name: str, path: str, now: datetime) -> None:
    """Send whoever has this userid or address a letter to log in with.

    Args:
        path: Where to go afterwards, on this server; "" for nowhere in particular.
    """
    name = name.strip()
    for player in _called(name):
        try:
            limits.check(player, _KIND, now, what="letters to log in with")
        except UserError:
            continue  # said to nobody: that would tell that there is such an account
        secret, code = token_hex(16), f"{randbelow(10**8):08d}"
        kept = {"secret": _digest(secret), "code": _digest(code), "wrong": 0, "path": path}
        Question.objects.update_or_create(
            player=player, kind=_KIND, defaults={"facts": kept, "asked_at": now}
        )
        facts = {"userid": player.userid, "token": f"{player.pk}-{secret}", "code": code}
        found = player.addresses.order_by("pk")
        if "@" in name:
            found = found.filter(address__iexact=name)
        for address in found:
            letters.queue(
                address.address, _KIND, facts, now, player=player, event="account", haste=0
            )
    background.wake(background.SEND_MAIL)


@transaction.atomic
def bearer(token: str, now: datetime) -> Player:
    """Give whoever a link would log in; the link still holds afterwards.

    Raises:
        UserError: It is used, too old, or nobody's.
    """
    return _by_token(token, now).player


@transaction.atomic
def use_link(token: str, now: datetime) -> LoggedIn:
    """Log in by a link, once.

    Raises:
        UserError: It is used, too old, or nobody's.
    """
    return _used(_by_token(token, now))


def use_code(name: str, code: str, now: datetime) -> LoggedIn:
    """Log in by the code of the newest letter; some wrong ones make it void.

    Raises:
        UserError: Wrong, used, or too old: in the same words as for an unknown name.
    """
    code = re.sub(r"[\s-]", "", code)
    with transaction.atomic():
        for player in _called(name.strip()):
            question = _waiting(player.pk, now)
            if question is None or question.facts["wrong"] >= MOST_WRONG_CODES:
                continue
            if hmac.compare_digest(question.facts["code"], _digest(code)):
                return _used(question)
            question.facts["wrong"] += 1
            question.save(update_fields=["facts"])
    raise UserError(
        "This code is wrong, used, or too old.",
        code="login-code",
        hint="Type the eight digits of the newest letter, or ask for another one.",
    )


def _called(name: str) -> list[Player]:
    if "@" in name:
        found = Address.objects.filter(address__iexact=name, player__is_active=True)
        return [one.player for one in found.select_related("player").order_by("pk")[:MOST_PLAYERS]]
    return list(Player.objects.filter(key=name.lower(), is_active=True))


def _by_token(token: str, now: datetime) -> Question:
    found = _TOKEN.fullmatch(token)
    question = _waiting(int(found[1]), now) if found else None
    if found and question and hmac.compare_digest(question.facts["secret"], _digest(found[2])):
        return question
    raise UserError(
        "This link was used already, or is too old, or a newer one was sent.",
        code="login-link",
        hint="Ask for another letter to log in with.",
    )


def _waiting(player: int, now: datetime) -> Question | None:
    waiting = Question.objects.select_related("player").filter(
        player_id=player, player__is_active=True, kind=_KIND, asked_at__gt=now - LASTS
    )
    return waiting.select_for_update(of=("self",)).first()


def _used(question: Question) -> LoggedIn:
    player, path = question.player, str(question.facts["path"])
    question.delete()
    return LoggedIn(player, path)


def _digest(secret: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"login:{secret}".encode(), sha256).hexdigest()
