"""Signing up: nothing exists until an address has answered."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import randbelow

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Expression, F, Value
from django.db.models.functions import Replace

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, Typed
from sarsen.language.commands import ConfirmSignup, SignUp
from sarsen.language.grammar.placeholders import is_password_placeholder
from sarsen.language.grammar.time_zones import UTC_NAME, read_zone
from sarsen.language.replies import AddressConfirmed, SignupAsked
from sarsen.language.schema.fields import MAX_ADDRESSES
from sarsen.language.translating import ENGLISH, current_language
from sarsen.services import task_queue
from sarsen.services.accounts import attempts, changes, guests
from sarsen.services.accounts.account_forms import (
    check_flood,
    check_password_form,
    clean_address,
)
from sarsen.services.accounts.passwords import spend_check
from sarsen.services.limits.mail_answers import may_sign_up
from sarsen.services.mail import outgoing
from sarsen.services.request import Request
from sarsen.services.userids import ALIKE, check_userid, lookalike_key, was_forgotten
from sarsen.storage.models import Address, Player, Signup
from sarsen.storage.models.players import new_key

# A mail may lie unread for days; then the userid is free for others again.
SIGNUP_LASTS = timedelta(days=7)


def ask_signup(command: SignUp, request: Request) -> SignupAsked:
    """Send one letter to answer: to the sender of a mail, else to the first address.

    The other addresses are asked once that one has answered: anyone who forges a sender makes the
    server write one letter.
    """
    check_userid(command.userid)
    check_password_form(
        command.password, command.userid, Typed(f"signup {command.userid} PASSWORD")
    )
    example = f"signup {command.userid} ann@example.org"
    sender = (request.actor.address,) if request.actor.address else ()
    typed = (*sender, *command.addresses)
    cleaned = (clean_address(address, hint=example) for address in typed)
    addresses = tuple({address.lower(): address for address in cleaned}.values())
    if not addresses:
        raise UserError(
            "Which address should the server write to?",
            code="address-missing",
            hint=example,
        )
    if max(len(addresses), len(command.addresses)) > MAX_ADDRESSES:  # the API counts what is sent
        raise UserError(
            "An account begins with at most {most} addresses.",
            code="too-many-addresses",
            hint=Typed(f"signup {command.userid} {addresses[0]}"),
            most=MAX_ADDRESSES,
        )
    check_free(command.userid)
    if source := request.actor.address or request.actor.client_address:
        attempts.count("signup", source, request.now)
    if is_password_placeholder(command.password):
        raise UserError(
            "The help pages use this word as a placeholder for a password. Choose another, or "
            "none.",
            code="placeholder",
            hint=Typed(f"signup {command.userid}"),
        )
    check_flood(addresses[0], request.now)
    if request.actor.address and not may_sign_up(addresses[0], request.now):
        raise UserError(
            "Too many sign-ups came by mail today.",
            code="signup-flood",
            hint=Phrase("Join at {url}/join/", url=settings.SARSEN_URL),
        )
    if command.password:
        spend_check(request.now)
    password = make_password(command.password or None)
    group = new_key()
    speaker = request.actor.player
    guest = speaker if speaker is not None and speaker.is_guest else None
    signups = [
        Signup.objects.create(
            userid=command.userid,
            key=command.userid.lower(),
            password=password,
            address=address,
            group=group,
            asked_at=request.now,
            language=_language(),
            guest=guest,
        )
        for address in addresses
    ]
    _send_confirmation(signups[0], request.now)
    return SignupAsked(command.userid, addresses[:1], addresses[1:])


def confirm_signup(command: ConfirmSignup, request: Request) -> AddressConfirmed:
    """Make the account, or add the address to the account of the same sign-up."""
    # Locked: a link that is opened twice makes one account.
    signup = Signup.objects.select_for_update(of=("self",)).filter(code=command.code).first()
    if signup is None or signup.asked_at + SIGNUP_LASTS < request.now:
        raise UserError(
            "This sign-up was already confirmed, or has expired.",
            code="signup-gone",
            hint="signup USERID PASSWORD",
        )
    _check_not_barred(signup)
    if signup.player is not None:
        return changes.confirm_address(signup, request)
    player, is_new = _player_of(signup, request.now)
    Address.objects.get_or_create(
        player=player, address=signup.address, defaults={"confirmed_at": request.now}
    )
    Signup.objects.filter(pk=signup.pk).delete()
    outgoing.queue(
        outgoing.NewLetter(signup.address, "welcome", {"is_new": is_new}, player=player),
        request.now,
    )
    if is_new:
        for other_signup in Signup.objects.filter(group=signup.group, player=None).order_by("pk"):
            _ask_further(other_signup, request.now)
    return AddressConfirmed(player.userid, is_new)


def _send_confirmation(signup: Signup, now: datetime) -> None:
    """Send an address the letter whose answer confirms it."""
    facts = {"userid": signup.userid, "code": signup.code, "language": signup.language}
    outgoing.queue(outgoing.NewLetter(signup.address, "signup", facts), now)


def _language() -> str:
    """Return the language of the page that asks; "" for English, or where no page asks.

    An account without a language reads pages in the language of its browser.
    """
    return "" if current_language() == ENGLISH else current_language()


def _ask_further(signup: Signup, now: datetime) -> None:
    """Send the confirmation to an address of a new account, unless too many were sent today."""
    try:
        check_flood(signup.address, now, waiting=1)
    except UserError:
        return  # `change address` asks it on another day
    if may_sign_up(signup.address, now):
        _send_confirmation(signup, now)


def check_free(userid: str) -> None:
    """Refuse a userid that somebody has; the hint begins with `signup` and a free one.

    Raises:
        UserError: It is taken.
    """
    if _looks_taken(userid) or was_forgotten(userid):
        raise _userid_taken(userid)


def _looks_taken(userid: str) -> bool:
    """Return whether somebody has a userid that looks the same."""
    key: Expression | F = F("key")
    for character, alike in ALIKE:
        key = Replace(key, Value(character), Value(alike))
    return Player.objects.annotate(outline=key).filter(outline=lookalike_key(userid)).exists()


def _check_not_barred(signup: Signup) -> None:
    """Refuse the address of somebody who is barred; its owner has just proved that it is theirs."""
    barred = Address.objects.filter(address__iexact=signup.address, player__banned_at__isnull=False)
    if barred.exists():
        raise UserError("This address belongs to a suspended account.", code="barred")


def _player_of(signup: Signup, now: datetime) -> tuple[Player, bool]:
    player = Player.objects.filter(key=signup.key).first()
    if player is None:
        check_free(signup.userid)
        player = _new_account(signup, now)
        # What is left of this sign-up may still add its addresses; the sign-ups
        # of others for the same name are void.
        Signup.objects.filter(key=signup.key).exclude(group=signup.group).delete()
        return player, True
    if player.password != signup.password:
        raise _userid_taken(signup.userid)
    return player, False


def _new_account(signup: Signup, now: datetime) -> Player:
    """Return the account of a sign-up: the guest that asked for it, or a new player."""
    guest = guests.lock(signup.guest)
    player = guests.become_account(guest) if guest else Player()
    player.key, player.userid, player.password = signup.key, signup.userid, signup.password
    player.joined_at = now
    player.timezone = signup.timezone or player.timezone
    player.language = signup.language or player.language
    player.save()
    return player


def _userid_taken(userid: str) -> UserError:
    for number in range(2, 100):
        free = f"{userid[:14]}{number}"
        if not _looks_taken(free):
            break
    return UserError(
        "The name {player} is taken.",
        code="userid-taken",
        hint=Typed(f"signup {free} PASSWORD"),
        player=userid,
    )


@dataclass(frozen=True)
class WaitingSignup:
    """A sign-up that its code would confirm."""

    userid: str
    address: str


def find_signup(code: str, now: datetime) -> WaitingSignup:
    """Return the sign-up of a code.

    Raises:
        UserError: None waits with this code.
    """
    signup = Signup.objects.filter(code=code.lower()).first()
    if signup is None or signup.asked_at + SIGNUP_LASTS < now:
        raise UserError(
            "There is no sign-up for this code: it was already confirmed, or has expired.",
            code="signup-gone",
            hint="signup USERID PASSWORD",
        )
    return WaitingSignup(signup.userid, signup.address)


# Six digits can be guessed, given time; the link of the mail holds for `SIGNUP_LASTS`.
DIGITS_LAST = timedelta(minutes=30)
MAX_WRONG = 5  # of a million: after these only the link of the mail confirms


@dataclass(frozen=True)
class JoinForm:
    """The form of the sign-up page as typed.

    Attributes:
        zone: Where they live; "" when they did not say.
        key: Identifies the form: sent twice, it is one sign-up.
    """

    userid: str
    address: str
    zone: str
    key: str


@transaction.atomic
def ask(form: JoinForm, client_address: str, now: datetime, guest: Player | None = None) -> str:
    """Send the address a letter; return the name of the sign-up, for its session alone.

    Nobody learns whether the address belongs to an account already: it may have several.

    Args:
        guest: The guest of this session, which becomes the account and keeps its games.

    Raises:
        UserError: The userid cannot be had, the address is none, or there were too many.
    """
    address, zone = _checked(form)
    name = _digest("form", f"{form.key} {form.userid.lower()} {address}")[:20]
    if Signup.objects.filter(group=name).exists():
        return name
    attempts.count("signup", client_address, now)
    check_flood(address, now, on_page=True)
    digits = f"{randbelow(10**6):06d}"
    signup = Signup.objects.create(
        userid=form.userid,
        key=form.userid.lower(),
        password=make_password(None),
        address=address,
        group=name,
        asked_at=now,
        timezone=zone,
        language=_language(),
        digits=_digest(name, digits),
        guest=guest,
    )
    facts = {
        "userid": form.userid,
        "code": signup.code,
        "digits": digits,
        "language": signup.language,
    }
    outgoing.queue(outgoing.NewLetter(address, "signup", facts, priority=0), now)
    task_queue.wake(task_queue.SEND_MAIL)
    return name


def confirming_code(name: str, digits: str, now: datetime) -> str:
    """Return the code that confirms a sign-up, for the digits of its letter.

    Raises:
        UserError: They are wrong, or there were too many wrong ones, or they are too old.
    """
    typed_digits = re.sub(r"[\s-]", "", digits)
    with transaction.atomic():
        # Locked: guesses that come at once are each counted.
        signup = Signup.objects.select_for_update().filter(group=name, player=None).first()
        if signup is None or not name or signup.asked_at + DIGITS_LAST < now:
            raise UserError(
                "This sign-up was already confirmed, or has expired.",
                code="signup-gone",
                hint="Log in, or sign up again.",
            )
        if signup.wrong < MAX_WRONG:
            if hmac.compare_digest(signup.digits, _digest(name, typed_digits)):
                return signup.code
            signup.wrong += 1
            signup.save(update_fields=["wrong"])
        tries_left = MAX_WRONG - signup.wrong
    raise UserError(
        "These are not the six digits from the mail.",
        code="signup-digits",
        hint="Look at the newest mail." if tries_left else "Open the link in the mail instead.",
    )


def _checked(form: JoinForm) -> tuple[str, str]:
    """Return the address and the zone as they are kept; hints are what the field would take."""
    address = clean_address(form.address.strip(), hint="ann@example.org")
    zone = read_zone(form.zone) if form.zone else UTC_NAME
    try:
        check_userid(form.userid)
        check_free(form.userid)
    except UserError as refusal:
        # Elsewhere it is typed behind `signup`, here into a field of its own.
        free = refusal.hint.split()[1]
        raise UserError(
            refusal.text, code=refusal.code, hint=Phrase("{player} is free.", player=free)
        ) from None
    return address, zone


def _digest(name: str, text: str) -> str:
    return hmac.new(
        settings.SECRET_KEY.encode(), f"joining:{name}:{text}".encode(), sha256
    ).hexdigest()
