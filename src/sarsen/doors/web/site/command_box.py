"""The command box: every command of the language, and where every form arrives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.doors.web.account import logins
from sarsen.doors.web.board.in_words import is_in_words, show_refused_in_words
from sarsen.doors.web.board.page import show_refused
from sarsen.doors.web.site.posted_lines import (
    Posted,
    forget_draft,
    keep_draft,
    kept_draft,
    read_post,
)
from sarsen.doors.web.site.replies import destination, done_sentence, question_of, render_reply
from sarsen.doors.web.site.visitors import PRIVATE, actor, guest, render_private, speaker
from sarsen.language.commands import ChangePassword, MakeChallenge, PlayMove, Preview
from sarsen.language.grammar.grammar import MAX_LINE
from sarsen.language.replies import ChallengeStands, Previewed, Refusal, Reply, SignupAsked
from sarsen.services.accounts import guests
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.command_lines import LineResult, read_and_perform
from sarsen.services.quoting import line_to_keep

# Refusals after which the typed words are kept until the next login.
NEED_LOGIN = ("who-speaks", "session-over", "guest")
NO_MORE_GUESTS = ("too-many-attempts", "too-many-guests")
# Refusals of a button whose page was older than what it was about: that page shows how it stands.
OVERTAKEN = ("challenge-started", "challenge-over", "accepted-already", "rematch-started")
# Fields of the command box, whose line is shown whole; and fields that are not typed, or secret.
_COMMAND_FIELDS = ("line", "body", "rest")
_UNTYPED = (
    *("csrfmiddlewaretoken", "token", "as", "back", "next", "answer", "challenge", "number"),
    *("password", "code", "digits", "mode", "palette", "striped", "board", "ply", "event"),
    *("matter", "is_program", "scope"),
)
MAX_FIELD = 20_000  # characters of one field
MAX_FIELDS = 10  # fields


def show_box(request: HttpRequest) -> HttpResponse:
    """Show the box; a POST performs the line typed into it."""
    if request.method == "POST":
        posted = read_post(request)
        return answer(request, posted, _play_as_guest(request, perform_posted(request, posted)))
    line, body = request.GET.get("line", "")[:MAX_LINE], ""
    if not line:
        line, body = kept_draft(request)
    return _page(request, line=line, body=body)


def answer(request: HttpRequest, posted: Posted, result: LineResult) -> HttpResponse:
    """Redirect to the page that shows the result, or show the result or the refusal here."""
    if isinstance(result.reply, Refusal):
        if posted.back and result.reply.code in OVERTAKEN:
            messages.info(request, result.reply.text)
            return redirect(posted.back)
        if needs_login(result):
            author = "" if guest(request) else posted.speaker  # a guest joins under another name
            keep_draft(request, result.line, posted.body, author)
        elif _is_move_at_board(result, posted):
            return _show_board_again(request, posted, result, result.reply)
        return _page(
            request, line=result.line, body=result.body, result=result, back=posted.back, status=422
        )
    if not isinstance(result.reply, SignupAsked):  # after joining it is still to be sent
        forget_draft(request)
    if isinstance(result.command, ChangePassword):
        _stay_logged_in(request)
    path = destination(result.reply, posted.back)
    if path and not question_of(result.reply):
        if not _needs_no_message(result.reply, posted):
            messages.success(request, done_sentence(result.reply))
        return redirect(path)
    return _page(request, result=result, back=posted.back)


def _needs_no_message(reply: Reply, posted: Posted) -> bool:
    """Return whether the page that follows shows what was done.

    The page of a challenge does, that of a board that a button has started, and a preview.
    """
    if isinstance(reply, ChallengeStands):
        return reply.board is None or bool(posted.back)
    return isinstance(reply, Previewed)


def perform_posted(request: HttpRequest, posted: Posted) -> LineResult:
    """Perform the line of a form."""
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
    return read_and_perform(
        posted.line, posted.body, requester, request_id, timezone.now(), posted.about
    )


def _play_as_guest(request: HttpRequest, result: LineResult) -> LineResult:
    """Start a game with a program for a visitor without an account, as a guest."""
    is_visitor = isinstance(result.reply, Refusal) and result.reply.code == "who-speaks"
    command = result.command
    if not is_visitor or not isinstance(command, MakeChallenge) or speaker(request):
        return result
    if not guests.is_game_with_program(command):
        return result
    try:
        player, reply = guests.play(command, result.actor.place, timezone.now(), AFTER_EVENTS)
    except UserError as refused:
        if refused.code in NO_MORE_GUESTS:
            return result  # an account is needed after all
        return replace(result, reply=Refusal(refused.text, refused.code, refused.hint))
    logins.begin_session(request, player)
    return replace(result, actor=actor(request), reply=reply)


def needs_login(result: LineResult) -> bool:
    """Return whether the line was refused only because the visitor is not logged in."""
    return isinstance(result.reply, Refusal) and result.reply.code in NEED_LOGIN


def _is_unknown(result: LineResult) -> bool:
    """Return whether only the speaker is missing; after a button, lines to type are no help."""
    return isinstance(result.reply, Refusal) and result.reply.code in ("who-speaks", "guest")


def _is_move_at_board(result: LineResult, posted: Posted) -> bool:
    """Return whether a move was typed on the page of its board."""
    moves = isinstance(result.command, PlayMove | Preview)
    return moves and posted.about.board is not None and bool(posted.back)


def _show_board_again(
    request: HttpRequest, posted: Posted, result: LineResult, refusal: Refusal
) -> HttpResponse:
    """Show the board again after a refused move: the next one is typed where this one was."""
    command = result.command
    assert isinstance(command, PlayMove | Preview)  # see the question above
    typed = command.text if isinstance(command, PlayMove) else " ".join(command.moves)
    show = show_refused_in_words if is_in_words(posted.back) else show_refused
    try:
        response = show(request, command.board, refusal, typed)
    except UserError:  # it is no board of this viewer's
        return _page(request, line=result.line, body=result.body, result=result, status=422)
    response["Cache-Control"] = PRIVATE
    return response


def _stay_logged_in(request: HttpRequest) -> None:
    """Keep this session after a change of the password, which ends all others."""
    player = speaker(request)
    if player is not None:
        player.refresh_from_db()
        update_session_auth_hash(request, player)


def _page(
    request: HttpRequest,
    *,
    line: str = "",
    body: str = "",
    result: LineResult | None = None,
    back: str = "",
    status: int = 200,
) -> HttpResponse:
    facts = {
        "line": line,
        "body": body,
        "result": result,
        "answer": render_reply(result.reply, result.actor.player) if result else None,
        "question": question_of(result.reply) if result else None,
        "back": back,
        "is_joining": result is not None and isinstance(result.reply, SignupAsked),
        "needs_login": result is not None and needs_login(result),
        "is_unknown": result is not None and bool(back) and _is_unknown(result),
        "page_path": reverse("do"),
    }
    return render_private(request, "web/site/command.html", facts, status=status)


@dataclass(frozen=True)
class FieldContent:
    """The content of one field."""

    name: str
    text: str
    is_long: bool


def show_stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer that nothing was changed, with the typed text in its fields again."""
    if request.path == reverse("join"):
        return logins.show_stale_join(request)
    if request.path == reverse("login"):
        return logins.show_stale_login(request)
    posted = read_post(request)
    facts = {
        "line": line_to_keep(posted.line, posted.speaker),
        "body": posted.body,
        "back": posted.back,
        "typed": _typed_fields(request),
    }
    return render_private(request, "403_csrf.html", facts, status=403)


def _typed_fields(request: HttpRequest) -> list[FieldContent]:
    """Return the text typed into a form other than those of the command box."""
    fields = []
    for name, text in request.POST.items():
        if name.startswith("was-") or text == request.POST.get(f"was-{name}"):
            continue  # a setting that nobody changed
        is_option = name.startswith("-")
        if (
            not is_option
            and name not in _COMMAND_FIELDS + _UNTYPED
            and isinstance(text, str)
            and text
        ):
            is_long = "\n" in text or len(text) > 80
            fields.append(FieldContent(name[:40], text[:MAX_FIELD], is_long))
    return fields[:MAX_FIELDS]
