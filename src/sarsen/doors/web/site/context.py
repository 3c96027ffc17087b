"""What the frame around every page knows."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone

from sarsen.doors.web.account.colours import Chosen, chosen_by, style_version
from sarsen.doors.web.board.live_updates import news_path
from sarsen.doors.web.site.caught_mail import may_read_mail
from sarsen.doors.web.site.mail_forms import new_token
from sarsen.doors.web.site.visitors import speaker
from sarsen.services.boards.lists import waiting_boards


@dataclass(frozen=True)
class ServerAddress:
    """The addresses of this server, and the visitor's preferences.

    Attributes:
        address: Takes commands from anybody.
        shows_mail: Whether the visitor may read caught mail.
        colours: Those that the visitor has chosen.
        style: Changes when the colours of boards do.
        player: The userid that is logged in, or "".
        is_guest: That player is a guest, without an account.
        zone: Where that player lives.
        token: Names the forms of this page.
        said: What a form that was just sent has done.
        waiting: How many boards wait for a move of that player.
        news: Where the page asks whether that has changed; "" for nobody.
        is_unreached: Mail to that player came back, and is not sent any more.
    """

    address: str
    shows_mail: bool
    colours: Chosen
    style: str
    player: str
    is_guest: bool
    zone: str
    token: str
    said: tuple[str, ...]
    waiting: int
    news: str
    is_unreached: bool


def server(request: HttpRequest) -> dict[str, object]:
    """Return every template the site."""
    player = speaker(request)
    site = ServerAddress(
        address=main_address(),
        shows_mail=may_read_mail(request),
        colours=chosen_by(request),
        style=style_version(),
        player=player.userid if player else "",
        is_guest=player.is_guest if player else False,
        zone=player.timezone if player else "UTC",
        token=new_token(timezone.now()),
        said=tuple(str(one) for one in messages.get_messages(request)),
        waiting=len(waiting_boards(player)) if player else 0,
        news=news_path(None, player) if player else "",
        is_unreached=player.is_unreached if player else False,
    )
    return {"site": site}


def main_address() -> str:
    """Return the address that takes commands from anybody."""
    return f"sarsen@{settings.SARSEN_DOMAIN}"
