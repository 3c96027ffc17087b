"""Passkeys: log in with one, add and remove one. The device is asked by `passkey.js`."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.logins import enter, login_page
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import needs_account, speaker
from sarsen.doors.web.visiting import keep
from sarsen.language.translating import _
from sarsen.services import attempts, passkeys
from sarsen.services.call import Player

_KEY = "passkeys"
_NUMBER = re.compile("[0-9]{1,9}")
MOST_QUESTIONS = 4  # that wait in one browser: each open page asks one


@require_POST
def ask_who(request: HttpRequest) -> HttpResponse:
    """Return the question to a device that logs in."""
    return _question(request, passkeys.ask_who(timezone.now()))


@require_POST
def take_login(request: HttpRequest) -> HttpResponse:
    """Log in with the answer of a device."""
    now = timezone.now()
    try:
        attempts.count("login", attempts.place_of(request.META), now)
        player = passkeys.bearer(_state(request), request.POST.get("answer", ""), now)
    except UserError as refusal:
        return login_page(request, name="", refusal=refusal)
    return enter(request, player, request.POST.get("next", ""))


@require_POST
@needs_account
def ask_for_new(request: HttpRequest) -> HttpResponse:
    """Return the question to a device that shall make a key."""
    return _question(request, passkeys.ask_for_new(_player(request), timezone.now()))


@require_POST
@needs_account
@explains_refusals
def add(request: HttpRequest) -> HttpResponse:
    """Keep the key that a device has made."""
    state, answer = _state(request), request.POST.get("answer", "")
    label = request.POST.get("label", "")
    passkeys.add(_player(request), state, answer, label, timezone.now())
    messages.success(request, _("The passkey is added; log in with it from now on."))
    return redirect(f"{reverse('account')}#passkeys")


@require_POST
@needs_account
@explains_refusals
def remove(request: HttpRequest) -> HttpResponse:
    """Take a passkey no more."""
    number = request.POST.get("number", "")
    is_number = _NUMBER.fullmatch(number) is not None
    passkeys.remove(_player(request), int(number) if is_number else 0, timezone.now())
    messages.success(request, _("The passkey is removed."))
    return redirect(f"{reverse('account')}#passkeys")


def _question(request: HttpRequest, asked: passkeys.Asked) -> HttpResponse:
    waiting: dict[str, Any] = dict(request.session.get(_KEY, {}))
    waiting[asked.state["challenge"]] = asked.state
    keep(request, _KEY, dict(list(waiting.items())[-MOST_QUESTIONS:]))
    return JsonResponse(asked.options, headers={"Cache-Control": "private, no-store"})


def _state(request: HttpRequest) -> dict[str, Any]:
    """Return what was kept for the question that is answered; it can be answered once."""
    waiting: dict[str, Any] = dict(request.session.get(_KEY, {}))
    state: dict[str, Any] = waiting.pop(request.POST.get("challenge", ""), {})
    request.session[_KEY] = waiting
    # Before the answer is looked at, and whatever becomes of it.
    request.session.save()
    return state


def _player(request: HttpRequest) -> Player:
    player = speaker(request)
    assert player is not None  # every view that asks needs one
    return player
