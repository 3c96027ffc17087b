"""Notices on the devices of a player: which devices, and what they show."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.account.settings import SETTING_MEANINGS
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.visitors import needs_account, speaker
from sarsen.language.notices import event_words
from sarsen.services.accounts.preferences import mail_preference, set_mails
from sarsen.services.notices import push
from sarsen.services.notices.events import CHOSEN
from sarsen.services.notices.push_devices import add_device, devices_of, end_device, renew_device
from sarsen.services.request import Player

DEVICE = "device"  # the key under which a session keeps its device's number
_KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
_BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")


@needs_account
def show_devices(request: HttpRequest) -> HttpResponse:
    """Show on which devices notices appear, and which."""
    return _page(request, _player(request))


@require_POST
@needs_account
def take_device(request: HttpRequest) -> HttpResponse:
    """Show notices on the device of this browser from now on."""
    player, post = _player(request), request.POST
    try:
        number = add_device(
            player,
            post.get("endpoint", ""),
            post.get("public", ""),
            post.get("secret", ""),
            _label(request.headers.get("User-Agent", "")),
            timezone.now(),
        )
    except UserError as refusal:
        return _page(request, player, refusal)
    request.session[DEVICE] = number
    messages.success(request, "Notices appear on this device from now on.")
    return redirect("devices")


@csrf_exempt
@require_POST
def follow_device(request: HttpRequest) -> HttpResponse:
    """Follow a browser to its new endpoint.

    Its worker asks, while nobody may be logged in: what proves who asks is the secret of the
    endpoint before, which no other page knows.
    """
    words = ("former", "former_secret", "endpoint", "public", "secret")
    try:
        renew_device(*(request.POST.get(word, "")[:2000] for word in words))
    except UserError as refusal:
        return JsonResponse({"text": refusal.text}, status=404)
    return HttpResponse(status=204)


@require_POST
@needs_account
def leave_device(request: HttpRequest) -> HttpResponse:
    """Show notices on a device no more."""
    number = request.POST.get("number", "")
    if number.isascii() and number.isdigit() and len(number) < 10:
        end_device(_player(request), int(number))
        messages.success(request, "Notices appear there no more.")
    return redirect("devices")


def forget_device(request: HttpRequest) -> None:
    """End the notices of a browser in which somebody logs out."""
    player, number = speaker(request), request.session.get(DEVICE)
    if player is not None and number is not None:
        end_device(player, number)


def _page(request: HttpRequest, player: Player, refusal: UserError | None = None) -> HttpResponse:
    wanted = push.wanted(player)
    facts = {
        "key": push.public_key(),
        "devices": devices_of(player, request.session.get(DEVICE)),
        "events": [(str(one), SETTING_MEANINGS[one], one in wanted) for one in CHOSEN],
        "refusal": refusal,
    }
    return render(request, "web/account/devices.html", facts, status=422 if refusal else 200)


def _player(request: HttpRequest) -> Player:
    player = speaker(request)
    assert player is not None  # every view here needs one
    return player


def _label(agent: str) -> str:
    """Name a device for people: `Chrome, Android`."""
    browser = next((one for one in _BROWSERS if one in agent), "A browser")
    kind = next((one for one in _KINDS if one in agent), "")
    browser = {"Edg": "Edge", "OPR": "Opera"}.get(browser, browser)
    kind = {"Macintosh": "Mac", "CrOS": "Chromebook"}.get(kind, kind)
    return ", ".join(filter(None, (browser, kind)))


# RFC 8058: a mail program posts here without a cookie, and only that switches;
# scanners that follow links with GET change nothing. The token is the proof.
@csrf_exempt
@explains_refusals
def show_unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the bearer wants; a POST switches these letters off."""
    if request.method == "POST":
        preference = set_mails(token, timezone.now(), wanted=False)
    else:
        preference = mail_preference(token)
    facts = {
        "preference": preference,
        "what": event_words(preference.event),
        "token": token,
        "is_done": request.method == "POST",
    }
    return _private(render(request, "web/account/unsubscribe.html", facts))


@require_POST
@explains_refusals
def switch_on(request: HttpRequest, token: str) -> HttpResponse:
    """Switch these letters on again."""
    set_mails(token, timezone.now(), wanted=True)
    return redirect("unsubscribe", token=token)


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
