"""The page of an invitation that came by mail: play, or say no for good."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from sarsen.core.errors import UserError
from sarsen.doors.web.account.logins import MAX_CODE, MAX_USERID, begin_session, remember
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.visitors import actor, guest, render_private, speaker
from sarsen.games import load
from sarsen.language.challenges import terms_words
from sarsen.language.commands import AnswerInvitation
from sarsen.language.invitations import ACCEPT, DECLINE
from sarsen.language.replies import InvitationAccepted
from sarsen.services.accounts.invitation_answers import find_invitation
from sarsen.services.challenges.invitations import view_invitation
from sarsen.services.dispatch import perform
from sarsen.services.players import find_player
from sarsen.services.request import NOBODY


@with_refusal_pages
def show_invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Show who invites to what; a POST accepts, and logs a new player in."""
    code = code.lower()[:MAX_CODE]
    found = find_invitation(code, timezone.now())
    player = None if guest(request) else speaker(request)
    refusal, userid = None, found.userid
    if request.method == "POST":
        userid = request.POST.get("userid", "")[:MAX_USERID].strip()
        try:
            return _accept(request, AnswerInvitation(code, ACCEPT, userid if found.userid else ""))
        except UserError as refused:
            refusal = refused
    invitation = view_invitation(found.challenge)
    facts = {
        "invitation": invitation,
        "game": load(invitation.game).info,
        "terms": terms_words(invitation.terms),
        "code": code,
        "userid": userid,
        "is_new": bool(found.userid) and player is None,
        "refusal": refusal,
    }
    return render_private(request, "web/account/invited.html", facts, 422 if refusal else 200)


def _accept(request: HttpRequest, command: AnswerInvitation) -> HttpResponse:
    speaks = NOBODY if speaker(request) is None else actor(request)
    # The invitation is gone afterwards, so that a double click makes one account.
    reply = perform(command, speaks, "", timezone.now())
    assert isinstance(reply, InvitationAccepted)  # what accepting is answered with
    page = redirect("board", board=reply.board)
    if not reply.is_new:
        return page
    player = find_player(reply.userid)
    begin_session(request, player)
    return remember(request, page, player)


# RFC 8058: a mail program posts here without a cookie; see `settings.show_unsubscribe`.
@csrf_exempt
@with_refusal_pages
def stop_invitations(request: HttpRequest, code: str) -> HttpResponse:
    """Ask whether the reader wants no invitations; a POST declines for good.

    A code that is gone is answered alike: its address was invited, and is not again.
    """
    is_done = request.method == "POST"
    if is_done:
        perform(AnswerInvitation(code.lower()[:MAX_CODE], DECLINE), NOBODY, "", timezone.now())
    return render_private(request, "web/account/no_invitations.html", {"is_done": is_done})
