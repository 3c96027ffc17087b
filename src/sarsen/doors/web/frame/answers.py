"""Perform a posted form, and answer with the page that shows the result."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.drafts import EMPTY, Draft, forget_draft, keep_draft
from sarsen.doors.web.frame.posted_forms import Posted
from sarsen.doors.web.frame.replies import destination, done_sentence, question_of, render_reply
from sarsen.doors.web.frame.visitors import actor, guest, render_private, speaker
from sarsen.language.commands import ChangePassword, Command
from sarsen.language.replies import ChallengeStands, Previewed, Refusal, Reply, SignupAsked
from sarsen.language.reviews import ReviewAsked, ReviewShown
from sarsen.language.schema.schemas import FieldRefused, command_from_form
from sarsen.language.translating import translated
from sarsen.services.command_lines import LineResult, read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.quoting import line_to_keep, with_working_hint
from sarsen.services.request import Actor

# Refusals after which the typed words are kept until the next login.
NEED_LOGIN = ("who-speaks", "session-over", "guest")
# Refusals of a button whose page was older than what it was about: that page shows how it stands.
OVERTAKEN = ("challenge-started", "challenge-over", "accepted-already", "rematch-started")


def answer(request: HttpRequest, posted: Posted, result: LineResult) -> HttpResponse:
    """Redirect to the page that shows the result, or show the result or the refusal here."""
    if result.note:
        messages.info(request, translated(result.note))
    if isinstance(result.reply, Refusal):
        if posted.back and result.reply.code in OVERTAKEN:
            messages.info(request, result.reply.text)
            return redirect(posted.back)
        kept = posted.draft(result.line, result.body)
        if needs_login(result):
            author = "" if guest(request) else posted.speaker  # a guest joins under another name
            keep_draft(request, kept, author)
        return show_answer(request, kept=kept, result=result, back=posted.back, status=422)
    if not isinstance(result.reply, SignupAsked):  # after joining it is still to be sent
        forget_draft(request)
    if isinstance(result.command, ChangePassword):
        _stay_logged_in(request)
    path = destination(result.reply, posted.back)
    if path and not question_of(result.reply):
        if not _needs_no_message(result.reply, posted):
            messages.success(request, done_sentence(result.reply))
        return redirect(path)
    return show_answer(request, result=result, back=posted.back)


def _needs_no_message(reply: Reply, posted: Posted) -> bool:
    """Return whether the page that follows shows what was done.

    The page of a challenge does, that of a board that a button has started, a review and a
    preview.
    """
    if isinstance(reply, ChallengeStands):
        return (reply.board is None and not reply.is_mailed) or bool(posted.back and reply.board)
    return isinstance(reply, Previewed | ReviewAsked | ReviewShown)


def perform_posted(request: HttpRequest, posted: Posted) -> LineResult:
    """Perform the command of a form, or its line."""
    requester = actor(request)
    if posted.speaker and posted.speaker != requester.name:
        refusal = Refusal(
            Phrase(
                "This page belongs to {player}, who is no longer logged in here. Nothing was "
                "done; what you typed is still here.",
                player=posted.speaker,
            ),
            "session-over",
            Phrase("Log in as {player}, and send it again.", player=posted.speaker),
        )
        line = line_to_keep(posted.line, posted.speaker)
        return LineResult(line, posted.body, requester, None, refusal)
    request_id = posted.request_id(requester.player)
    if posted.command:
        return _perform_fields(posted.command, posted, requester, request_id)
    return read_and_perform(
        posted.line, posted.body, requester, request_id, timezone.now(), posted.about
    )


def _perform_fields(
    asked: type[Command], posted: Posted, requester: Actor, request_id: str
) -> LineResult:
    """Perform the command of a form that sends its fields."""
    command, refused = None, None
    reply: Reply | Refusal
    try:
        command = command_from_form(asked, posted.fields, requester.name)
        key = "" if asked.is_query else request_id
        reply = perform(command, requester, key, timezone.now())
    except UserError as refusal:
        shown = Refusal(refusal.text, refusal.code, refusal.hint)
        is_known, board = requester.player is not None, getattr(command, "board", None)
        reply, refused = with_working_hint(shown, is_known=is_known, board=board), refusal
    return LineResult("", "", requester, command, reply, refused)


def needs_login(result: LineResult) -> bool:
    """Return whether the line was refused only because the visitor is not logged in."""
    return isinstance(result.reply, Refusal) and result.reply.code in NEED_LOGIN


def _is_unknown(result: LineResult) -> bool:
    """Return whether only the speaker is missing; after a button, lines to type are no help."""
    return isinstance(result.reply, Refusal) and result.reply.code in ("who-speaks", "guest")


def _stay_logged_in(request: HttpRequest) -> None:
    """Keep this session after a change of the password, which ends all others."""
    player = speaker(request)
    if player is not None:
        player.refresh_from_db()
        update_session_auth_hash(request, player)


def show_answer(
    request: HttpRequest,
    *,
    kept: Draft = EMPTY,
    result: LineResult | None = None,
    back: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the page of the command box, with the result of a form if there is one.

    Args:
        kept: What is shown in the fields again.
    """
    refused = result.refused if result else None
    facts = {
        "line": kept.line,
        "body": kept.body,
        "kept": kept,
        "result": result,
        "answer": render_reply(result.reply, result.actor.player) if result else None,
        "question": question_of(result.reply) if result else None,
        "back": back,
        "is_joining": result is not None and isinstance(result.reply, SignupAsked),
        "needs_login": result is not None and needs_login(result),
        "is_unknown": result is not None and bool(back) and _is_unknown(result),
        "refused_field": refused.field if isinstance(refused, FieldRefused) else "",
        "page_path": reverse("do"),
    }
    return render_private(request, "web/site/command.html", facts, status=status)
