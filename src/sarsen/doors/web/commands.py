"""The command box: every command of the language, and where every form arrives."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from sarsen.doors.web.answers import asks, destination, lay_out, said
from sarsen.doors.web.drafts import forget_draft, keep_draft, kept_draft
from sarsen.doors.web.posted import Posted, read_post
from sarsen.doors.web.speaker import actor, speaker
from sarsen.language.commands import ChangePassword
from sarsen.language.grammar import LONGEST_LINE
from sarsen.language.replies import Refusal
from sarsen.services.speaking import Heard, hidden, speak

# Refusals after which the typed words are kept until somebody has logged in.
NEED_LOGIN = ("who-speaks", "session-over")


def show_box(request: HttpRequest) -> HttpResponse:
    """Show the box; a POST does what is typed into it."""
    if request.method == "POST":
        return _do(request, read_post(request))
    line, body = request.GET.get("line", "")[:LONGEST_LINE], ""
    if not line:
        line, body = kept_draft(request)
    return _page(request, line=line, body=body)


def _do(request: HttpRequest, posted: Posted) -> HttpResponse:
    heard = _heard(request, posted)
    if isinstance(heard.reply, Refusal):
        if _needs_login(heard):
            keep_draft(request, heard.line, posted.body, posted.speaker)
        return _page(
            request, line=heard.line, body=heard.body, heard=heard, back=posted.back, status=422
        )
    forget_draft(request)
    if isinstance(heard.command, ChangePassword):
        _stay_logged_in(request)
    where = destination(heard.reply, posted.back)
    if where and not asks(heard.reply):
        messages.success(request, said(heard.reply))
        return redirect(where)
    return _page(request, heard=heard, back=posted.back)


def _heard(request: HttpRequest, posted: Posted) -> Heard:
    who = actor(request)
    if posted.speaker and posted.speaker != who.name:
        refusal = Refusal(
            f"This page was made for {posted.speaker}, who is not logged in here any more. "
            "Nothing was done; what you typed is kept.",
            "session-over",
            f"Log in as {posted.speaker}, and send it again.",
        )
        return Heard(hidden(posted.line, None), posted.body, who, None, refusal)
    request_id = posted.request_id(who.player)
    return speak(posted.line, posted.body, who, request_id, timezone.now(), posted.about)


def _needs_login(heard: Heard) -> bool:
    return isinstance(heard.reply, Refusal) and heard.reply.code in NEED_LOGIN


def _stay_logged_in(request: HttpRequest) -> None:
    """Let this session live on under the new password; all others have ended."""
    player = speaker(request)
    if player is not None:
        player.refresh_from_db()
        update_session_auth_hash(request, player)


def _page(
    request: HttpRequest,
    *,
    line: str = "",
    body: str = "",
    heard: Heard | None = None,
    back: str = "",
    status: int = 200,
) -> HttpResponse:
    facts = {
        "line": line,
        "body": body,
        "heard": heard,
        "answer": lay_out(heard.reply, heard.actor.player) if heard else None,
        "asked": asks(heard.reply) if heard else None,
        "back": back,
        "needs_login": heard is not None and _needs_login(heard),
        "here": reverse("do"),
    }
    response = render(request, "web/do.html", facts, status=status)
    response["Cache-Control"] = "private, no-store"
    return response
