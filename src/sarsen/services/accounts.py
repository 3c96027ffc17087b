"""Signing up: nothing exists until an address has answered."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db.models import Expression, F, Q, Value
from django.db.models.functions import Replace

from sarsen.core.errors import UserError
from sarsen.language.commands import ConfirmSignup, SignUp
from sarsen.language.placeholders import is_password_placeholder
from sarsen.language.replies import AddressConfirmed, SignupAsked
from sarsen.services import attempts, changing, guests, letters
from sarsen.services.call import Call
from sarsen.services.credentials import (
    MOST_ADDRESSES,
    check_flood,
    check_password_form,
    clean_address,
)
from sarsen.services.former_userids import was_forgotten
from sarsen.services.passwords import spend_check
from sarsen.services.strangers import may_sign_up
from sarsen.services.userids import ALIKE, check_userid, outline
from sarsen.storage.models import Address, Player, Signup
from sarsen.storage.models.players import new_key

SIGNUP_LASTS = timedelta(days=7)


def ask_signup(command: SignUp, call: Call) -> SignupAsked:
    """Send one letter to answer: to the sender of a mail, else to the first address.

    The other addresses are asked once that one has answered: whoever forges a sender makes the
    server write one letter.
    """
    check_userid(command.userid)
    check_password_form(command.password, command.userid, f"signup {command.userid} PASSWORD")
    like = f"signup {command.userid} ann@example.org"
    sender = (call.actor.address,) if call.actor.address else ()
    named = (*sender, *command.addresses)
    cleaned = (clean_address(one, hint=like) for one in named)
    addresses = tuple({one.lower(): one for one in cleaned}.values())
    if not addresses:
        raise UserError(
            "To which address shall the server write?",
            code="address-missing",
            hint=like,
        )
    if len(addresses) > MOST_ADDRESSES:
        raise UserError(
            f"An account begins with at most {MOST_ADDRESSES} addresses.",
            code="too-many-addresses",
            hint=f"signup {command.userid} {addresses[0]}",
        )
    check_free(command.userid)
    if source := call.actor.address or call.actor.place:
        attempts.count("signup", source, call.now)
    if is_password_placeholder(command.password):
        raise UserError(
            "This word holds the place of a password in the help pages. Take another one, or none.",
            code="placeholder",
            hint=f"signup {command.userid}",
        )
    check_flood(addresses[0], call.now)
    if call.actor.address and not may_sign_up(addresses[0], call.now):
        raise UserError(
            "Too many sign-ups came by mail today.",
            code="signup-flood",
            hint=f"Join at {settings.SARSEN_URL}/join/",
        )
    if command.password:
        spend_check(call.now)
    password = make_password(command.password or None)
    wish = new_key()
    speaker = call.actor.player
    guest = speaker if speaker is not None and speaker.is_guest else None
    signups = [
        Signup.objects.create(
            userid=command.userid,
            key=command.userid.lower(),
            password=password,
            address=address,
            wish=wish,
            asked_at=call.now,
            guest=guest,
        )
        for address in addresses
    ]
    _ask(signups[0], call.now)
    return SignupAsked(command.userid, addresses[:1], addresses[1:])


def confirm_signup(command: ConfirmSignup, call: Call) -> AddressConfirmed:
    """Make the account, or add the address to the account of the same sign-up."""
    signup = Signup.objects.select_for_update(of=("self",)).filter(code=command.code).first()
    if signup is None or signup.asked_at + SIGNUP_LASTS < call.now:
        raise UserError(
            "This sign-up is not waiting any more: it was confirmed already, or is too old.",
            code="signup-gone",
            hint="signup USERID PASSWORD",
        )
    _check_not_barred(signup)
    if signup.player is not None:
        return changing.confirm_address(signup, call)
    player, is_new = _player_of(signup, call.now)
    Address.objects.get_or_create(
        player=player, address=signup.address, defaults={"confirmed_at": call.now}
    )
    Signup.objects.filter(pk=signup.pk).delete()
    letters.queue(signup.address, "welcome", {"is_new": is_new}, call.now, player=player)
    if is_new:
        for further in Signup.objects.filter(wish=signup.wish, player=None).order_by("pk"):
            _ask_further(further, call.now)
    return AddressConfirmed(player.userid, is_new)


def _ask(signup: Signup, now: datetime) -> None:
    """Send an address the letter whose answer confirms it."""
    facts = {"userid": signup.userid, "code": signup.code}
    letters.queue(signup.address, "signup", facts, now)


def _ask_further(signup: Signup, now: datetime) -> None:
    """Ask an address that a new account has named, unless too many were asked today."""
    try:
        check_flood(signup.address, now, waiting=1)
    except UserError:
        return  # `change address` asks it on another day
    if may_sign_up(signup.address, now):
        _ask(signup, now)


def check_free(userid: str) -> None:
    """Refuse a userid that somebody has; the hint begins with `signup` and a free one.

    Raises:
        UserError: It is taken.
    """
    if _looks_taken(userid) or was_forgotten(userid):
        raise _taken(userid)


def _looks_taken(userid: str) -> bool:
    """Return whether somebody has a userid that looks the same."""
    look: Expression | F = F("key")
    for sign, alike in ALIKE:
        look = Replace(look, Value(sign), Value(alike))
    return Player.objects.annotate(look=look).filter(look=outline(userid)).exists()


def _check_not_barred(signup: Signup) -> None:
    """Refuse the address of somebody who is barred; its owner has just proved that it is his."""
    known = Address.objects.filter(address__iexact=signup.address, player__banned_at__isnull=False)
    if known.exists():
        raise UserError("This server is closed to the owner of this address.", code="barred")


def _player_of(signup: Signup, now: datetime) -> tuple[Player, bool]:
    player = Player.objects.filter(key=signup.key).first()
    if player is None:
        check_free(signup.userid)
        player = _new_account(signup, now)
        # What is left of this sign-up may still add its addresses; the wishes of
        # others for the same name are void.
        Signup.objects.filter(key=signup.key).exclude(wish=signup.wish).delete()
        return player, True
    if player.password != signup.password:
        raise _taken(signup.userid)
    return player, False


def _new_account(signup: Signup, now: datetime) -> Player:
    """Return the account of a sign-up: the guest that asked for it, or a new player."""
    asked_by = Q(pk=signup.guest_id, is_guest=True)
    guest = Player.objects.select_for_update(no_key=True).filter(asked_by).first()
    player = guests.become_account(guest) if guest else Player()
    player.key, player.userid, player.password = signup.key, signup.userid, signup.password
    player.joined_at = now
    player.timezone = signup.timezone or player.timezone
    player.save()
    return player


def _taken(userid: str) -> UserError:
    for number in range(2, 100):
        free = f"{userid[:14]}{number}"
        if not _looks_taken(free):
            break
    return UserError(
        f"The userid {userid} is taken.", code="userid-taken", hint=f"signup {free} PASSWORD"
    )
