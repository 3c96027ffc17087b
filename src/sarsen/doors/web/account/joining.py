"""Join: a form, a letter, and six digits of it typed here; or the link in it."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.account.logins import begin_session
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.posted_lines import keep_draft, kept_draft, read_post
from sarsen.doors.web.site.visitors import guest, keep, render_private, speaker
from sarsen.language.commands import ConfirmSignup
from sarsen.language.grammar.dates import UTC_NAME, zone_names
from sarsen.language.replies import AddressConfirmed
from sarsen.services.accounts import attempts, signups
from sarsen.services.accounts.signups import find_signup
from sarsen.services.dispatch import perform
from sarsen.services.players import find_player
from sarsen.services.request import NOBODY

_KEY = "joining"
LONGEST_USERID = 60  # of what is shown again; what is too long for one is refused in words
LONGEST_ADDRESS = 254
LONGEST_ZONE = 60
LONGEST_CODE = 40


def show_join(request: HttpRequest) -> HttpResponse:
    """Show the form; a POST sends the letter."""
    if request.method != "POST":
        return _form(request, status=200)
    wish = signups.JoinForm(
        userid=request.POST.get("userid", "").strip(),
        address=request.POST.get("address", "").strip(),
        zone=request.POST.get("zone", "").strip(),
        form=read_post(request).token,
    )
    try:
        name = signups.ask(wish, attempts.place_of(request.META), timezone.now(), guest(request))
    except UserError as refusal:
        return _form(request, refusal=refusal, status=422)
    keep(request, _KEY, [name, wish.address], is_bounded=True)
    return redirect("join-code")


def show_stale(request: HttpRequest) -> HttpResponse:
    """Show a form that was too old again, with what was typed into it."""
    return _form(request, is_stale=True, status=403)


def take_digits(request: HttpRequest) -> HttpResponse:
    """Ask for the digits of the letter; with them the account is made."""
    name, address = request.session.get(_KEY, ("", ""))
    if not name:
        return redirect("my" if speaker(request) else "join")
    if request.method != "POST":
        return _code_page(request, address)
    now = timezone.now()
    try:
        code = signups.confirming_code(name, request.POST.get("digits", "")[:40], now)
        response = confirm(request, code, now)
    except UserError as refusal:
        return _code_page(request, address, refusal)
    request.session.pop(_KEY, None)
    return response


def _form(
    request: HttpRequest,
    *,
    refusal: UserError | None = None,
    is_stale: bool = False,
    status: int,
) -> HttpResponse:
    facts = {
        "refusal": refusal,
        "is_stale": is_stale,
        "userid": request.POST.get("userid", "")[:LONGEST_USERID],
        "address": request.POST.get("address", "")[:LONGEST_ADDRESS],
        "zone": request.POST.get("zone", UTC_NAME)[:LONGEST_ZONE],
        "zones": zone_names(),
        "already": speaker(request),
    }
    return render_private(request, "web/account/join.html", facts, status)


def _code_page(
    request: HttpRequest, address: str, refusal: UserError | None = None
) -> HttpResponse:
    minutes = signups.DIGITS_LAST.seconds // 60
    facts = {"address": address, "refusal": refusal, "minutes": minutes}
    return render_private(request, "web/account/join_code.html", facts, 422 if refusal else 200)


@explains_refusals
def show_welcome(request: HttpRequest, code: str) -> HttpResponse:
    """Ask whether the sign-up is meant; a POST confirms it."""
    code = code.lower()[:LONGEST_CODE]
    now = timezone.now()
    if request.method == "POST":
        return confirm(request, code, now)
    facts = {"signup": find_signup(code, now)}
    return render_private(request, "web/account/confirm_join.html", facts)


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
        # Once: anyone who finds the old mail later is told the same, and not let in.
        begin_session(request, find_player(reply.userid))
        if line or text:  # the session of a guest is not carried over
            keep_draft(request, line, text, reply.userid)
    facts = {"reply": reply, "kept": "" if text else line}
    return render_private(request, "web/account/joined.html", facts)


def _waits(code: str, now: datetime) -> bool:
    try:
        find_signup(code, now)
    except UserError:
        return False
    return True
