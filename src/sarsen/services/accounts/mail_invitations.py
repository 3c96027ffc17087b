"""Invite somebody by a mail address: one letter ever, and nothing about the owner of the address.

The letter brings the link of an ordinary challenge. So its maker sees the same for an address of a
player, of somebody new, and of nobody.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import salted_hmac

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.games import load
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import MakeChallenge
from sarsen.language.replies import ChallengeAsked, ChallengeStands
from sarsen.services.accounts import attempts
from sarsen.services.accounts.account_forms import clean_address
from sarsen.services.accounts.signups import check_free
from sarsen.services.challenges import challenges
from sarsen.services.limits import daily, mail_answers
from sarsen.services.mail import outgoing
from sarsen.services.matches.terms import line
from sarsen.services.matches.wanted import check_wanted
from sarsen.services.notices import Event, notify
from sarsen.services.request import Player, Request
from sarsen.services.userids import check_userid
from sarsen.storage.models import (
    Address,
    Challenge,
    InvitedAddress,
    MailInvitation,
)

LASTS = timedelta(days=14)  # from the letter on; later the seat is given up
EXAMPLE_ADDRESS = "bob@example.org"
_LINK, _PAIR = "--link", "--pair"
# Mailboxes of a domain and not of a person (RFC 2142), or of a machine: none of them plays.
_NOBODYS = frozenset(
    {
        *("abuse", "admin", "bounce", "bounces", "daemon", "hostmaster", "info", "mailer-daemon"),
        *("marketing", "no-reply", "noc", "noreply", "postmaster", "root", "sales", "security"),
        *("support", "usenet", "uucp", "webmaster", "www"),
    }
)
_SEATS = 2
MAX_TRIED = 100  # numbers behind a name that is taken


def challenge(command: MakeChallenge, request: Request) -> ChallengeStands | ChallengeAsked:
    """Make a challenge; one that names a mail address sends an invitation there."""
    if not any("@" in name for name in command.names):
        return challenges.make(command, request)
    return _invite(command, request)


def decline_for_good(code: str) -> None:
    """Delete an invitation; its address is known as one that is not invited again."""
    MailInvitation.objects.filter(code=code.lower()).delete()


def _invite(command: MakeChallenge, request: Request) -> ChallengeStands:
    """Make a challenge with a link, and mail it where that may be done.

    Every refusal is about the speaker or the line, and none about the address.
    """
    game = load(command.game)
    player = request.player(line(game, ("USERID", "PASSWORD", ME, EXAMPLE_ADDRESS)))
    address = _address(command, player, len(game.info.seats))
    _check_inviter(player)
    if request.actor.client_address:
        attempts.count("invite", request.actor.client_address, request.now)
    daily.check(player, "invite", request.now)
    if not mail_answers.may_invite(address, request.now):
        raise UserError(
            "Too many invitations were mailed today.",
            code="invitations-flood",
            hint=line(game, (*command.options.split(), _LINK, ME, ANYONE)),
        )
    terms = (*(term for term in command.terms if term != _LINK), _LINK)
    names = tuple(ANYONE if "@" in name else name for name in command.names)
    stands = challenges.make(replace(command, terms=terms, names=names), request)
    assert isinstance(stands, ChallengeStands)  # its speaker is proved
    _write_to(address, Challenge.objects.get(pk=stands.number), player, request.now)
    return replace(stands, is_mailed=True)


def _address(command: MakeChallenge, player: Player, seats: int) -> str:
    """Return the one address of a challenge between its speaker and the owner of that address.

    Raises:
        UserError: It names others, too, or is for more than one board.
    """
    typed = [name for name in command.names if "@" in name]
    others = [name for name in command.names if name not in typed]
    words = [*command.options.split(), *(term for term in command.terms if term != _PAIR)]
    hint = Typed(" ".join([command.game, "challenge", *words, ME, EXAMPLE_ADDRESS]))
    is_own = len(others) == 1 and others[0].lower() in (ME, player.key)
    if len(typed) != 1 or not is_own or seats != _SEATS:
        raise UserError(
            "An invitation by mail is for a game of two: you and one address.",
            code="invitation-names",
            hint=hint,
        )
    if _PAIR in command.terms:
        raise UserError(
            "An invitation by mail is for one board, not for a pair.",
            code="invitation-pair",
            hint=hint,
        )
    return clean_address(typed[0], hint=hint)


def _check_inviter(player: Player) -> None:
    """Refuse programs, and players whom nobody could ask what they have done."""
    if player.is_bot or not player.addresses.exists():
        raise UserError(
            "Only people with a confirmed mail address can invite others by mail.",
            code="invitation-address",
            hint="change address ann@example.org",
        )


def _write_to(address: str, challenge: Challenge, inviter: Player, now: datetime) -> None:
    """Mail the challenge to an address, if that may be done; say nothing of it."""
    owners = Address.objects.select_related("player").filter(address__iexact=address)
    if owner := owners.order_by("pk").first():
        _write_to_player(owner.player, challenge, inviter, now)
        return
    local, _, domain = _normalised(address).rpartition("@")
    if domain == settings.SARSEN_DOMAIN.lower() or local in _NOBODYS:
        return
    if InvitedAddress.objects.filter(digest__in=digests_of(address)).exists():
        return
    _, is_new = InvitedAddress.objects.get_or_create(digest=_digest(address))
    if is_new:
        invitation = MailInvitation.objects.create(
            address=address, challenge=challenge, sent_at=now
        )
        facts = {
            "code": invitation.code,
            "challenge": challenge.pk,
            "userid": free_userid(address),
            "language": inviter.language,
        }
        outgoing.queue(outgoing.NewLetter(address, "mail-invitation", facts), now)


def _write_to_player(player: Player, challenge: Challenge, inviter: Player, now: datetime) -> None:
    """Send a player the notice of a challenge, unless they refuse its challenger."""
    if player == inviter or not player.is_active:
        return
    try:
        check_wanted(player, inviter, challenge.game)
    except UserError:
        return
    notify(player, Event.INVITATION, "link-invitation", {"challenge": challenge.pk}, now)


def free_userid(address: str) -> str:
    """Return a userid that can be had, and that looks like the name before an address's @."""
    local = address.partition("@")[0].partition("+")[0]
    plain = unicodedata.normalize("NFKD", local).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9_-]", "", plain.lower()).lstrip("0123456789_-")[:14]
    name = name if len(name) > 1 else "player"
    for number in range(1, MAX_TRIED):
        userid = f"{name}{number}" if number > 1 else name
        try:
            check_userid(userid)
            check_free(userid)
        except UserError:
            continue
        return userid
    return free_userid(f"friend-{name[:7]}@")


def digests_of(address: str) -> list[str]:
    """Return by what an invited address is known, by each secret of the server."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [_digest(address, key) for key in keys]


def _digest(address: str, key: str | None = None) -> str:
    digest = salted_hmac("sarsen.invited", _normalised(address), key, algorithm="sha256")
    return str(digest.hexdigest())


def _normalised(address: str) -> str:
    """Return an address as one that is the same for all spellings of one mailbox."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
