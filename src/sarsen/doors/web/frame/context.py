"""What every template knows of the site and its visitor."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from sarsen.doors.web.frame.colour_choice import colours_of
from sarsen.doors.web.frame.posted_forms import new_token
from sarsen.doors.web.frame.style_sheet import style_version
from sarsen.doors.web.frame.visitors import may_read_mail, speaker, zone_of
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.events.live_updates import new_key


def server(request: HttpRequest) -> dict[str, object]:
    """Return what every template knows, under the name `site`; a context processor."""
    player = speaker(request)
    site: dict[str, object] = {
        "address": main_address(),
        "shows_mail": may_read_mail(request),
        "colours": colours_of(request),
        "style": style_version(),  # changes when the colours of boards do
        "token": new_token(timezone.now()),  # names the forms of this page
        "messages": _messages(request),
        "player": "",
        "zone": zone_of(request),
        "waiting": 0,  # boards
        "news": "",  # where the page asks whether that number has changed
    }
    if player is not None:
        site |= {
            "player": player.userid,
            "is_guest": player.is_guest,
            "waiting": len(waiting_boards(player)),
            "news": reverse("live", args=[new_key(None, player)]),
            "is_unreached": player.is_unreached,  # mail came back, and is not sent any more
        }
    return {"site": site}


def _messages(request: HttpRequest) -> list[str]:
    """Return what a form has done; a page fetched in the background leaves it for the next one."""
    if "Sarsen-Background" in request.headers:
        return []
    return [str(message) for message in messages.get_messages(request)]


def main_address() -> str:
    """Return the address that takes commands from anybody."""
    return f"sarsen@{settings.SARSEN_DOMAIN}"
