"""Join: a form, a letter, and six digits of it typed here; or the link in it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.posted import read_post
from sarsen.doors.web.speaker import guest, speaker
from sarsen.doors.web.visiting import keep
from sarsen.doors.web.welcome import confirm
from sarsen.language.zones import UTC_NAME, zone_names
from sarsen.services import attempts, joining

_KEY = "joining"
LONGEST_USERID = 60  # of what is shown again; what is too long for one is refused in words
LONGEST_ADDRESS = 254
LONGEST_ZONE = 60


def show_join(request: HttpRequest) -> HttpResponse:
    """Show the form; a POST sends the letter."""
    if request.method != "POST":
        return _form(request, status=200)
    wish = joining.Wish(
        userid=request.POST.get("userid", "").strip(),
        address=request.POST.get("address", "").strip(),
        zone=request.POST.get("zone", "").strip(),
        form=read_post(request).token,
    )
    try:
        name = joining.ask(wish, attempts.place_of(request.META), timezone.now(), guest(request))
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
        code = joining.confirming_code(name, request.POST.get("digits", "")[:40], now)
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
    return _private(render(request, "web/join.html", facts, status=status))


def _code_page(
    request: HttpRequest, address: str, refusal: UserError | None = None
) -> HttpResponse:
    minutes = joining.DIGITS_LAST.seconds // 60
    facts = {"address": address, "refusal": refusal, "minutes": minutes}
    return _private(render(request, "web/join_code.html", facts, status=422 if refusal else 200))


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response
