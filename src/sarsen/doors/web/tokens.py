"""Tokens by which programs speak for a player: made here, shown once, revoked here."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import needs_account, speaker
from sarsen.language.translating import _
from sarsen.services import programs, tokens
from sarsen.services.call import Player
from sarsen.services.tokens import MEANINGS, NewToken, Scope

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
    return render(request, "web/tokens.html", facts, status=422 if refusal else 200)


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
    """Say whether a program plays for the player."""
    is_program = request.POST.get("is_program") == "on"
    programs.mark(_player(request), is_program)
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


def _player(request: HttpRequest) -> Player:
    player = speaker(request)
    assert player is not None  # every view here needs one
    return player
