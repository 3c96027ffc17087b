"""Contests as operators see them: what stands still there, and two forms to put things right."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.command import Command
from sarsen.language.contests.commands import RESULTS, CorrectContest, WithdrawFromContest
from sarsen.language.translating import sentence
from sarsen.server.operators.actions import MAX_DIGITS
from sarsen.services.admin.actions import MAX_REASON, clean_reason
from sarsen.services.contests.log import find
from sarsen.services.contests.views import standing
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player

_FIELDS = ("contest", "board", "result", "player", "reason")


def show_contests(request: HttpRequest) -> HttpResponse:
    """Show what stands still in contests; correct a board, or withdraw a player, and log it."""
    refusal: UserError | None = None
    if request.method == "POST":
        try:
            messages.success(request, _carry_out(request))
            return redirect("admin:contests")
        except UserError as refused:
            refusal = refused
    # A row leads to a form by an address with its contest, board and player.
    filled = request.POST if refusal else request.GET
    facts: dict[str, Any] = {
        "title": "Contests",
        "site_header": "sarsen: operators",
        "has_permission": True,
        "standing": standing.view_standing(timezone.now()),
        "results": RESULTS,
        "filled": {name: filled.get(name, "") for name in _FIELDS},
        "action": filled.get("action", ""),
        "refusal": refusal,
        "longest": MAX_REASON,
        "token": token_urlsafe(12),
    }
    status = 422 if refusal else 200
    return TemplateResponse(request, "operators/contests.html", facts, status=status)


@transaction.atomic
def _carry_out(request: HttpRequest) -> str:
    operator = request.user
    assert isinstance(operator, Player)  # of this site
    reason = clean_reason(request.POST.get("reason", ""))
    number = _number(request.POST.get("contest", ""), "contest")
    find(number)
    command: Command
    if request.POST.get("action") == "correct":
        board = _number(request.POST.get("board", ""), "board")
        command = CorrectContest(number, board, request.POST.get("result", ""), reason)
    else:
        command = WithdrawFromContest(number, request.POST.get("player", "").strip(), reason)
    # The same form sent twice does it once.
    request_id = f"operator {operator.pk} {request.POST.get('token', '')[:40]}"
    return sentence(perform(command, Actor(operator), request_id, timezone.now()))


def _number(text: str, name: str) -> int:
    stripped = text.strip()
    if not (stripped.isdecimal() and len(stripped) < MAX_DIGITS):
        raise UserError(
            "The number of the {name} is missing.", code="number-missing", hint="12", name=name
        )
    return int(stripped)
