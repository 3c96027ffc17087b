"""Confirm a sign-up by the link in its mail."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.drafts import keep_draft, kept_draft
from sarsen.doors.web.logins import begin_session
from sarsen.doors.web.refusals import explains_refusals
from sarsen.language.commands import ConfirmSignup
from sarsen.language.replies import AddressConfirmed
from sarsen.services.call import NOBODY
from sarsen.services.dispatch import perform
from sarsen.services.players import find_player
from sarsen.services.signups import find_signup

LONGEST_CODE = 40


@explains_refusals
def show_welcome(request: HttpRequest, code: str) -> HttpResponse:
    """Ask whether the sign-up is meant; a POST confirms it."""
    code = code.lower()[:LONGEST_CODE]
    now = timezone.now()
    if request.method == "POST":
        return confirm(request, code, now)
    response = render(request, "web/welcome.html", {"signup": find_signup(code, now)})
    response["Cache-Control"] = "no-store"
    return response


def confirm(request: HttpRequest, code: str, now: datetime) -> HttpResponse:
    """Confirm a sign-up, log its player in, and say welcome.

    Raises:
        UserError: None waits with this code.
    """
    is_fresh = _waits(code, now)
    line, text = kept_draft(request) if is_fresh else ("", "")
    # The code names the request: a double click confirms once and is told so twice.
    reply = perform(ConfirmSignup(code), NOBODY, f"web:welcome:{code}", now)
    if is_fresh and isinstance(reply, AddressConfirmed) and reply.is_new:
        # Once: whoever finds the old mail later is told the same, and not let in.
        begin_session(request, find_player(reply.userid))
        if line or text:  # the session of a guest is not carried over
            keep_draft(request, line, text, reply.userid)
    facts = {"reply": reply, "kept": "" if text else line}
    response = render(request, "web/welcomed.html", facts)
    response["Cache-Control"] = "no-store"
    return response


def _waits(code: str, now: datetime) -> bool:
    try:
        find_signup(code, now)
    except UserError:
        return False
    return True
