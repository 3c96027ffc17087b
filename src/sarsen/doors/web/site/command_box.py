"""The command box: every command of the language, and where every form arrives."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.account.logins import begin_session
from sarsen.doors.web.board.in_words import is_in_words, show_refused_in_words
from sarsen.doors.web.board.page import show_refused_move
from sarsen.doors.web.site.posted_lines import (
    Posted,
    forget_draft,
    keep_draft,
    kept_draft,
    read_post,
)
from sarsen.doors.web.site.replies import asks, destination, lay_out, said
from sarsen.doors.web.site.visitors import actor, guest, speaker
from sarsen.language.commands import ChangePassword, MakeChallenge, PlayMove, Preview
from sarsen.language.grammar.grammar import LONGEST_LINE
from sarsen.language.replies import ChallengeStands, Previewed, Refusal, Reply, SignupAsked
from sarsen.services.accounts import guests
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.command_lines import LineResult, speak
from sarsen.services.redaction import without_secrets

# Refusals after which the typed words are kept until somebody has logged in.
NEED_LOGIN = ("who-speaks", "session-over", "guest")
NO_MORE_GUESTS = ("too-many-attempts", "too-many-guests")
# Refusals of a button whose page was older than what it was about: that page tells the rest.
OVERTAKEN = ("challenge-started", "challenge-over", "accepted-already", "rematch-started")


def show_box(request: HttpRequest) -> HttpResponse:
    """Show the box; a POST does what is typed into it."""
    if request.method == "POST":
        posted = read_post(request)
        return answer(request, posted, _hear_visitor(request, hear(request, posted)))
    line, body = request.GET.get("line", "")[:LONGEST_LINE], ""
    if not line:
        line, body = kept_draft(request)
    return _page(request, line=line, body=body)


def answer(request: HttpRequest, posted: Posted, heard: LineResult) -> HttpResponse:
    """Go where what was done is to be seen, or show it, or what was refused."""
    if isinstance(heard.reply, Refusal):
        if posted.back and heard.reply.code in OVERTAKEN:
            messages.info(request, heard.reply.text)
            return redirect(posted.back)
        if needs_login(heard):
            author = "" if guest(request) else posted.speaker  # a guest joins under another name
            keep_draft(request, heard.line, posted.body, author)
        elif _is_move_at_board(heard, posted):
            return _board_again(request, posted, heard, heard.reply)
        return _page(
            request, line=heard.line, body=heard.body, heard=heard, back=posted.back, status=422
        )
    if not isinstance(heard.reply, SignupAsked):  # who joins to send it has still to send it
        forget_draft(request)
    if isinstance(heard.command, ChangePassword):
        _stay_logged_in(request)
    where = destination(heard.reply, posted.back)
    if where and not asks(heard.reply):
        if not _tells_itself(heard.reply, posted):
            messages.success(request, said(heard.reply))
        return redirect(where)
    return _page(request, heard=heard, back=posted.back)


def _tells_itself(reply: Reply, posted: Posted) -> bool:
    """Return whether the page of what was done says all.

    The page of a challenge does, that of a board that a button has started, and a preview.
    """
    if isinstance(reply, ChallengeStands):
        return reply.board is None or bool(posted.back)
    return isinstance(reply, Previewed)


def hear(request: HttpRequest, posted: Posted) -> LineResult:
    """Do what a form says."""
    who = actor(request)
    if posted.speaker and posted.speaker != who.name:
        refusal = Refusal(
            f"This page was made for {posted.speaker}, who is not logged in here any more. "
            "Nothing was done; what you typed is kept.",
            "session-over",
            f"Log in as {posted.speaker}, and send it again.",
        )
        return LineResult(without_secrets(posted.line, None), posted.body, who, None, refusal)
    request_id = posted.request_id(who.player)
    return speak(posted.line, posted.body, who, request_id, timezone.now(), posted.about)


def _hear_visitor(request: HttpRequest, heard: LineResult) -> LineResult:
    """Let a visitor who asked for a game with a program play it as a guest."""
    is_visitor = isinstance(heard.reply, Refusal) and heard.reply.code == "who-speaks"
    command = heard.command
    if not is_visitor or not isinstance(command, MakeChallenge) or speaker(request):
        return heard
    if not guests.is_game_with_program(command):
        return heard
    try:
        player, reply = guests.play(command, heard.actor.place, timezone.now(), AFTER_EVENTS)
    except UserError as refused:
        if refused.code in NO_MORE_GUESTS:
            return heard  # an account is needed after all
        return replace(heard, reply=Refusal(refused.text, refused.code, refused.hint))
    begin_session(request, player)
    return replace(heard, actor=actor(request), reply=reply)


def needs_login(heard: LineResult) -> bool:
    """Return whether only somebody who is logged in is missing."""
    return isinstance(heard.reply, Refusal) and heard.reply.code in NEED_LOGIN


def _is_unknown(heard: LineResult) -> bool:
    """Return whether only the speaker is missing; after a button, lines to type are no help."""
    return isinstance(heard.reply, Refusal) and heard.reply.code in ("who-speaks", "guest")


def _is_move_at_board(heard: LineResult, posted: Posted) -> bool:
    """Return whether a move was typed on the page of its board."""
    moves = isinstance(heard.command, PlayMove | Preview)
    return moves and posted.about.board is not None and bool(posted.back)


def _board_again(
    request: HttpRequest, posted: Posted, heard: LineResult, refusal: Refusal
) -> HttpResponse:
    """Show the board to who was refused a move there: the next one is typed where this one was."""
    command = heard.command
    assert isinstance(command, PlayMove | Preview)  # see the question above
    typed = command.text if isinstance(command, PlayMove) else " ".join(command.moves)
    show = show_refused_in_words if is_in_words(posted.back) else show_refused_move
    try:
        response = show(request, command.board, refusal, typed)
    except UserError:  # it is no board of this viewer's
        return _page(request, line=heard.line, body=heard.body, heard=heard, status=422)
    response["Cache-Control"] = "private, no-store"
    return response


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
    heard: LineResult | None = None,
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
        "is_joining": heard is not None and isinstance(heard.reply, SignupAsked),
        "needs_login": heard is not None and needs_login(heard),
        "is_unknown": heard is not None and bool(back) and _is_unknown(heard),
        "here": reverse("do"),
    }
    response = render(request, "web/site/command.html", facts, status=status)
    response["Cache-Control"] = "private, no-store"
    return response
