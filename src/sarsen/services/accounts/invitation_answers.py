"""Answers to invitations by mail: a seat taken, a first move, or a no for good.

The code of an invitation stands only in the mail to its address, so it proves the address.
Nothing exists of them until they accept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.hashers import make_password

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.games import load
from sarsen.language.commands import Accept, AnswerInvitation, PlayMove
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.typography import normalise
from sarsen.language.invitations import (
    ACCEPT,
    DECLINE,
    InvitationAccepted,
    InvitationDeclined,
    InvitationReply,
)
from sarsen.services.accounts import guests
from sarsen.services.accounts.mail_invitations import LASTS, digests_of, free_userid
from sarsen.services.accounts.signups import check_free
from sarsen.services.challenges.challenges import accept_challenge
from sarsen.services.mail import outgoing
from sarsen.services.matches import matches, moves
from sarsen.services.notices import Event
from sarsen.services.request import Player, Request
from sarsen.services.userids import check_userid
from sarsen.storage.models import Address, InvitedAddress, MailInvitation, Match, OutgoingMail


@dataclass(frozen=True)
class WaitingInvitation:
    """An invitation that its code would answer.

    Attributes:
        userid: The name that a new account would have; "" where the address has an account.
    """

    challenge: int
    userid: str


def find_invitation(code: str, now: datetime) -> WaitingInvitation:
    """Return the invitation of a code.

    Raises:
        UserError: None waits with this code.
    """
    invitation = _waiting(MailInvitation.objects.filter(code=code.lower()).first(), now)
    is_known = Address.objects.filter(address__iexact=invitation.address).exists()
    userid = "" if is_known else free_userid(invitation.address)
    return WaitingInvitation(invitation.challenge_id, userid)


def answer(command: AnswerInvitation, request: Request) -> InvitationReply:
    """Accept, or play the first move, for the owner of the invited address; or decline for good.

    Raises:
        UserError: No invitation waits with this code, or the answer is none; nothing is made.
    """
    # Locked: an answer that comes twice makes one account.
    codes = MailInvitation.objects.select_for_update(of=("self",)).filter(code=command.code)
    if command.answer == DECLINE:
        codes.delete()
        return InvitationDeclined()
    invitation = _waiting(codes.first(), request.now)
    move = _first_move(command, invitation, request)
    player, is_new = _player(command, invitation, request)
    # Without the address of a mail, so that no letter but the one below tells them of the start.
    speaks = replace(request, actor=replace(request.actor, player=player, address=""))
    challenge = invitation.challenge
    stands = accept_challenge(Accept(challenge.pk, key=challenge.link_key), speaks)
    assert stands.board is not None  # its maker has accepted, and there is one more seat
    if move:
        moves.play(PlayMove(challenge.game, stands.board, move), speaks)
        # The letter of the move tells of the start, too.
        started = OutgoingMail.objects.filter(match=stands.board, event=Event.STARTED)
        started.filter(state=OutgoingMail.State.WAITING).delete()
    address = invitation.address
    invitation.delete()
    if player != request.actor.player or is_new:
        _tell_of_start(player, address, matches.find_any(stands.board), is_new, request.now)
    return InvitationAccepted(player.userid, stands.board, is_new)


def _waiting(invitation: MailInvitation | None, now: datetime) -> MailInvitation:
    if invitation is None or invitation.sent_at + LASTS < now:
        raise UserError(
            "This invitation was already answered, or has expired.",
            code="invitation-gone",
            hint="signup USERID",
        )
    return invitation


def _first_move(command: AnswerInvitation, invitation: MailInvitation, request: Request) -> str:
    """Return the move that an answer is; "" for a plain yes.

    Raises:
        UserError: It is neither, or the other side moves first.
    """
    if command.answer.lower() == ACCEPT:
        return ""
    challenge = invitation.challenge
    position = load(challenge.game).start(challenge.options)
    try:
        text = read_phrase(normalise(command.answer)) or command.answer
        ruling = request.boards.judge(challenge.game, position.write(), text)
    except UserError as refusal:
        raise UserError(
            "Reply with `accept`, with `decline`, or with your first move. {refusal}",
            code="invitation-answer",
            hint=ACCEPT,
            refusal=refusal.text,
        ) from None
    seat = challenge.seats.filter(player=None).values_list("seat", flat=True).first()
    if seat != position.seat:
        raise UserError(
            "The other player moves first in this game.",
            code="invitation-answer",
            hint=ACCEPT,
        )
    return ruling.text


def _player(
    command: AnswerInvitation, invitation: MailInvitation, request: Request
) -> tuple[Player, bool]:
    """Return who accepts: the speaker, the player with that address, or a new one.

    A guest becomes the new one, and keeps its games.
    """
    if request.actor.player is not None and not request.actor.player.is_guest:
        return request.actor.player, False
    owners = Address.objects.select_related("player").filter(address__iexact=invitation.address)
    if owner := owners.order_by("pk").first():
        if not owner.player.is_active:
            raise UserError("This address belongs to a suspended account.", code="barred")
        return owner.player, False
    userid = command.userid or free_userid(invitation.address)
    if command.userid:
        _check_name(command.userid)
    player = guests.lock(request.actor.player)
    player = guests.become_account(player) if player else Player(password=make_password(None))
    player.key, player.userid, player.joined_at = userid.lower(), userid, request.now
    if inviter := invitation.challenge.challenger:
        player.language = player.language or inviter.language  # of the letter that is answered
    player.save()
    Address.objects.create(player=player, address=invitation.address, confirmed_at=request.now)
    InvitedAddress.objects.filter(digest__in=digests_of(invitation.address)).update(player=player)
    return player, True


def _check_name(userid: str) -> None:
    """Refuse a name that cannot be had; the hint is an answer that would do."""
    try:
        check_userid(userid)
        check_free(userid)
    except UserError as refusal:
        free = refusal.hint.split()[1]
        raise UserError(refusal.text, code=refusal.code, hint=Typed(f"{ACCEPT} {free}")) from None


def _tell_of_start(player: Player, address: str, match: Match, is_new: bool, now: datetime) -> None:
    """Queue the one letter that answers: the board, and what a new account needs."""
    facts = {**match.facts, "is_over": match.ended_at is not None, "is_new": is_new}
    letter = outgoing.NewLetter(address, "joined", facts, player=player, match=match)
    outgoing.queue(letter, now)
