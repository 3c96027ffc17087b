"""A player's account: how it is set, a form for everything that can be changed, the log."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.replies import lay_out
from sarsen.doors.web.site.visitors import actor, local_path, needs_account, speaker
from sarsen.games import find
from sarsen.language.commands import (
    Account,
    ChangeLanguage,
    ChangeNotices,
    Command,
    Deliveries,
    Subscribe,
)
from sarsen.language.grammar.dates import zone_names
from sarsen.language.notices import NoticesStand, Watching
from sarsen.language.replies import Reply, Table
from sarsen.language.translating import ENGLISH, LANGUAGES, _, later, speaking
from sarsen.services import players
from sarsen.services.accounts import tokens
from sarsen.services.accounts.bounces import suspended
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.accounts.login_methods import end_others, open_sessions
from sarsen.services.accounts.passkeys import are_possible, passkeys_of
from sarsen.services.accounts.tokens import MEANINGS, NewToken, Scope
from sarsen.services.clocks.vacations import planned
from sarsen.services.dispatch import perform
from sarsen.services.notices.notice_preferences import feed_addresses
from sarsen.services.notices.push_devices import end_other_devices
from sarsen.services.request import Player

CHANNELS = ("mail", "digest", "none")
SETTING_MEANINGS = {
    "turn": later("It is your move"),
    "moved": later("A move after which others are to move"),
    "started": later("A game of yours has begun"),
    "ended": later("A game of yours is over"),
    "invitation": later("Somebody challenges you"),
    "challenge": later("What became of a challenge"),
    "offer": later("Draw offers, moves to be taken back"),
    "chat": later("Words at a board of yours"),
    "reminder": later("Your clock is running out"),
    "plan": later("A queued move was played, or dropped"),
    "message": later("Private words from a player"),
    "broadcast": later("Words to everybody"),
    "review": later("The review of a game is done"),
    "watched": later("What happens at boards you watch"),
    "weekly": later("The weekly letter"),
    "account": later("The security of your account"),
}
FIXED = ("account",)


@needs_account
def show_account(request: HttpRequest) -> HttpResponse:
    """Show how the account is set."""
    player = _player(request)
    settings = _ask(request, Account())
    notices = _ask(request, ChangeNotices())
    watching = _ask(request, Subscribe())
    facts = {
        "player": player,
        "settings": settings.rows if isinstance(settings, Table) else (),
        "vacations": planned(player, timezone.now()),
        "addresses": list(player.addresses.values_list("address", flat=True)),
        "suspended": suspended(player),
        "notices": notices if isinstance(notices, NoticesStand) else None,
        "rows": _rows(notices),
        "channels": CHANNELS,
        "watching": watching if isinstance(watching, Watching) else None,
        "feeds": feed_addresses(player),
        "zones": zone_names(),
        "games": list(find()),
        "passkeys": passkeys_of(player),
        "takes_passkeys": are_possible(),
        "sessions": open_sessions(player, request.session.session_key or "", timezone.now()),
    }
    return render(request, "web/account/page.html", facts)


@needs_account
def show_deliveries(request: HttpRequest) -> HttpResponse:
    """Show what was sent to the player lately, and how it went."""
    answer = lay_out(_ask(request, Deliveries()), speaker(request))
    return render(
        request, "web/site/report.html", {"title": _("What was sent to you"), "answer": answer}
    )


@require_POST
@needs_account
def send_export(request: HttpRequest) -> HttpResponseBase:
    """Send all that is kept of the player, as a file."""
    player = _player(request)
    lines = (f"{line}\n".encode() for line in export_lines(player))
    name = f'attachment; filename="sarsen-{player.userid}.jsonl"'
    return StreamingHttpResponse(
        lines, content_type="application/jsonl", headers={"Content-Disposition": name}
    )


@require_POST
@needs_account
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Log the player out in all other browsers."""
    ended = end_others(_player(request), request.session.session_key or "")
    end_other_devices(_player(request), request.session.get("device"))
    messages.success(request, _("Logged out elsewhere: {count}.").format(count=ended))
    return redirect("account")


def _player(request: HttpRequest) -> Player:
    player = speaker(request)
    assert player is not None  # every view here needs one
    return player


def _ask(request: HttpRequest, command: Command) -> Reply:
    return perform(command, actor(request), "", timezone.now())


def _rows(notices: Reply) -> list[tuple[str, str, str, bool]]:
    """Return each event with its meaning, its channel, and whether that can be changed."""
    if not isinstance(notices, NoticesStand):
        return []
    return [
        (event, _(SETTING_MEANINGS.get(event, event)), channel, event not in FIXED)
        for event, channel in notices.rows
    ]


COOKIE = "language"
A_YEAR = 365 * 86_400  # seconds
LONGEST_HEADER = 500
# The same for everybody who asks, and so without a look at who that is: what programs read,
# pictures, and what stands on other people's pages.
SAME_FOR_ALL = re.compile(r"/api/|.*(?:/embed/|\.svg$|\.css$)")
Answering = Callable[[HttpRequest], HttpResponseBase]


def speak_language(answer: Answering) -> Answering:
    """Answer in the visitor's language; what is alike for all is English."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        if SAME_FOR_ALL.match(request.path):
            return answer(request)
        language = language_of(request)
        with speaking(language), translation.override(language):
            response = answer(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Content-Language", language)
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return answering


def language_of(request: HttpRequest) -> str:
    """Return the code of the visitor's language."""
    player = speaker(request)
    wanted = [player.language if player else "", request.COOKIES.get(COOKIE, "")]
    header = request.META.get("HTTP_ACCEPT_LANGUAGE", "")[:LONGEST_HEADER]
    wanted += [code.partition("-")[0] for code, _ in parse_accept_lang_header(header)]
    return next((code for code in wanted if code in LANGUAGES), ENGLISH)


def show_languages(request: HttpRequest) -> HttpResponse:
    """Show which languages there are; a POST chooses one, here and for the account."""
    back = local_path(request.POST.get("back", request.GET.get("back", "")))
    code = request.POST.get("language", "")
    if request.method != "POST" or code not in LANGUAGES:
        facts = {"languages": LANGUAGES, "chosen": language_of(request), "back": back}
        response = render(request, "web/account/languages.html", facts)
        response["Cache-Control"] = "private, no-cache"
        return response
    if speaker(request) is not None:
        try:
            perform(ChangeLanguage(code), actor(request), "", timezone.now())
        except UserError as refusal:
            refused = {"refusal": refusal, "languages": LANGUAGES, "back": back}
            return render(request, "web/account/languages.html", refused, status=422)
    response = redirect(back or reverse("home"))
    response.set_cookie(
        COOKIE,
        code,
        max_age=A_YEAR,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


_NUMBER = re.compile("[0-9]{1,9}")
USUAL = (Scope.READ, Scope.PLAY, Scope.CHAT)


@needs_account
def show_tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens there are; a POST makes one, and shows it this once."""
    made, refusal = None, None
    if request.method == "POST":
        try:
            made = _make(request)
        except UserError as refused:
            refusal = refused
    facts = {
        "tokens": tokens.tokens_of(_player(request), timezone.now()),
        "made": made,
        "refusal": refusal,
        "scopes": [(str(one), MEANINGS[one], one in USUAL) for one in Scope],
        "is_program": _player(request).is_bot,
        "longest_label": tokens.LONGEST_LABEL,
        "longest_days": tokens.LONGEST_DAYS,
    }
    return render(request, "web/account/tokens.html", facts, status=422 if refusal else 200)


@require_POST
@needs_account
@explains_refusals
def end_token(request: HttpRequest) -> HttpResponse:
    """End a token."""
    number = request.POST.get("number", "")
    tokens.revoke(_player(request), int(number) if _NUMBER.fullmatch(number) else 0)
    messages.success(request, _("The token is revoked."))
    return redirect("tokens")


@require_POST
@needs_account
def mark_program(request: HttpRequest) -> HttpResponse:
    """Set whether a program plays for the player."""
    is_program = request.POST.get("is_program") == "on"
    players.mark(_player(request), is_program)
    said = (
        _("Everybody sees now that a program plays.")
        if is_program
        else _("A person plays here now.")
    )
    messages.success(request, said)
    return redirect("tokens")


def _make(request: HttpRequest) -> NewToken:
    days = request.POST.get("days", "").strip()
    if days and not _NUMBER.fullmatch(days):
        days = "0"  # refused as one that is no number of days
    return tokens.make(
        _player(request),
        request.POST.get("label", "")[:200],
        request.POST.getlist("scope")[: len(Scope)],
        timezone.now(),
        int(days) if days else None,
    )
