"""The command box: every command of the language, and where every form arrives."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.account import logins
from sarsen.doors.web.board.in_words import is_in_words, show_refused_in_words
from sarsen.doors.web.board.page import show_refused
from sarsen.doors.web.challenges.quick_start import quick_start
from sarsen.doors.web.frame.answers import answer, needs_login, perform_posted, show_answer
from sarsen.doors.web.frame.drafts import Draft, kept_draft
from sarsen.doors.web.frame.posted_forms import Posted, read_post
from sarsen.doors.web.frame.visitors import PRIVATE, actor, render_private, speaker
from sarsen.language.commands import Accept, MakeChallenge, PlayMove, Preview
from sarsen.language.grammar.grammar import MAX_LINE
from sarsen.language.replies import Refusal
from sarsen.services.accounts import guests
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.command_lines import LineResult
from sarsen.services.quoting import line_to_keep

NO_MORE_GUESTS = ("too-many-attempts", "too-many-guests")
# Fields of the command box, whose line is shown whole; and fields that are not typed, or secret.
_COMMAND_FIELDS = ("line", "body", "rest")
_UNTYPED = (
    *("csrfmiddlewaretoken", "token", "as", "back", "next", "answer", "challenge", "number"),
    *("password", "code", "digits", "mode", "palette", "striped", "board", "ply", "event"),
    *("matter", "is_program", "scope"),
)
MAX_FIELD = 20_000  # characters of one field, as of the text of a command (`grammar.MAX_BODY`)
MAX_FIELDS = 10  # fields of a form that is shown again; no form of ours has more


def show_box(request: HttpRequest) -> HttpResponse:
    """Show the box; a POST performs its line, or the command of a form."""
    if request.method == "POST":
        posted = quick_start(request, read_post(request))
        result = _play_as_guest(request, perform_posted(request, posted))
        if isinstance(result.reply, Refusal) and _is_move_at_board(result, posted):
            return _show_board_again(request, posted, result, result.reply)
        return answer(request, posted, result)
    line = request.GET.get("line", "")[:MAX_LINE]
    kept = Draft(line) if line else kept_draft(request)
    return show_answer(request, kept=kept)


def _play_as_guest(request: HttpRequest, result: LineResult) -> LineResult:
    """Start a game that needs no account for a visitor without one, as a guest."""
    is_visitor = isinstance(result.reply, Refusal) and result.reply.code == "who-speaks"
    command = result.command
    if not is_visitor or not isinstance(command, MakeChallenge | Accept) or speaker(request):
        return result
    if not guests.is_for_guests(command):
        return result
    try:
        player, reply = guests.play(
            command, result.actor.client_address, timezone.now(), AFTER_EVENTS
        )
    except UserError as refused:
        if refused.code in NO_MORE_GUESTS:
            return result  # an account is needed after all
        return replace(result, reply=Refusal(refused.text, refused.code, refused.hint))
    logins.begin_session(request, player)
    return replace(result, actor=actor(request), reply=reply)


def _is_move_at_board(result: LineResult, posted: Posted) -> bool:
    """Return whether a move was typed on the page of its board."""
    moves = isinstance(result.command, PlayMove | Preview) and not needs_login(result)
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
        return show_answer(request, kept=Draft(result.line, result.body), result=result, status=422)
    response["Cache-Control"] = PRIVATE
    return response


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
        "kept": posted.draft(),
        "back": posted.back,
        "typed": [] if posted.command else _typed_fields(request),
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
