"""A player's account: how it is set, a form for everything that can be changed, the log."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from sarsen.doors.web.answers import lay_out
from sarsen.doors.web.speaker import actor, needs_account, speaker
from sarsen.games import find
from sarsen.language.commands import Account, ChangeNotices, Command, Deliveries, Subscribe
from sarsen.language.replies import Reply, Table
from sarsen.language.replies.notices import NoticesStand, Watching
from sarsen.language.translating import _, later
from sarsen.language.zones import zone_names
from sarsen.services.bounces import suspended
from sarsen.services.call import Player
from sarsen.services.dispatch import perform
from sarsen.services.exporting import export_lines
from sarsen.services.notices.choosing import feed_addresses
from sarsen.services.notices.devices import end_other_devices
from sarsen.services.passkeys import are_possible, passkeys_of
from sarsen.services.vacations import planned
from sarsen.services.web_sessions import end_others, open_sessions

CHANNELS = ("mail", "digest", "none")
MEANINGS = {
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
    return render(request, "web/account.html", facts)


@needs_account
def show_deliveries(request: HttpRequest) -> HttpResponse:
    """Show what was sent to the player lately, and how it went."""
    answer = lay_out(_ask(request, Deliveries()), speaker(request))
    return render(
        request, "web/report.html", {"title": _("What was sent to you"), "answer": answer}
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
        (event, _(MEANINGS.get(event, event)), channel, event not in FIXED)
        for event, channel in notices.rows
    ]
