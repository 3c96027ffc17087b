"""The first pages, home and what is being played, and what browsers install."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import resvg_py
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.doors.web.board.own_rows import own_rows
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.pictures import FOR_A_DAY
from sarsen.doors.web.frame.style_sheet import style_version
from sarsen.doors.web.frame.visitors import speaker
from sarsen.games import find, load
from sarsen.language.translating import N_
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.bots.accounts import Program, list_programs
from sarsen.services.challenges.lists import challenges_of, open_challenges
from sarsen.services.events.statistics import activity
from sarsen.services.matches.lobby import (
    ListedBoard,
    boards_numbered,
    ended_boards,
    running_boards,
)
from sarsen.services.notices import push
from sarsen.services.request import Player

MAX_SEEN = 6  # boards of which one plays by itself
MAX_OPEN = 5
MAX_WAITING = 8
# A game that plays by itself has so many plies at least, so that there is something to see.
MIN_SHOWN = 6
# Three programs to choose from; a page of its own has them all.
STRENGTHS = ((N_("Easy"), 1), (N_("Medium"), 3), (N_("Hard"), 6))
MAX_WATCHED = 24
MAX_ENDED = 12


def show_home(request: HttpRequest) -> HttpResponse:
    """Show the home page: to players what waits for them, to others how to begin."""
    player = speaker(request)
    games = [game.info for game in find().values()]
    waiting = _waiting(player, timezone.now()) if player else {}
    lively, challenges = activity(), open_challenges(player, most=MAX_OPEN)
    looking = len({challenge.challenger for challenge in challenges})
    facts = {
        "games": games,
        "for_two": [info for info in games if len(info.seats) == 2],
        "shown": None if any(waiting.values()) else _board_to_show(),
        "levels": _levels(list_programs()),
        "challenges": challenges,
        "lively": lively,
        "looking": looking if len(challenges) < MAX_OPEN else max(looking, lively.looking),
        **waiting,
    }
    return render(request, "web/site/home.html", facts)


@with_refusal_pages
def show_watch(request: HttpRequest) -> HttpResponse:
    """Show public games, in play and just over; of one game, where it is named."""
    name = load(requested).info.name if (requested := request.GET.get("game", "")) else ""
    facts = {
        "games": [game.info for game in find().values()],
        "chosen": name,
        "running": running_boards(name, most=MAX_WATCHED),
        "ended": ended_boards(name, most=MAX_ENDED),
    }
    return render(request, "web/board/watch.html", facts)


def _board_to_show() -> ListedBoard | None:
    """Return a public board with something to see: in play, else the newest that is over."""
    for list_boards in (running_boards, ended_boards):
        boards = list_boards(most=MAX_SEEN)
        if shown := next((board for board in boards if board.ply >= MIN_SHOWN), None):
            return shown
    return None


def _levels(programs: Sequence[Program]) -> list[tuple[str, str]]:
    """Return words and userids of a weak, a middling and a strong program, as far as there are."""
    levels = {program.level: program.userid for program in programs}
    return [(words, levels[level]) for words, level in STRENGTHS if level in levels]


def _waiting(player: Player, now: datetime) -> dict[str, list[Any]]:
    """Return what waits for a player: boards, the most urgent first, and invitations."""
    boards = boards_numbered(waiting_boards(player)[:MAX_WAITING])
    return {
        "to_move": own_rows(boards, player, now),
        "invitations": [
            challenge
            for challenge in challenges_of(player)
            if challenge.may_accept and challenge.challenger != player.userid
        ],
    }


SIZES = (192, 512)
PAPER = "#faf7f0"
# A system may cut a maskable icon to any shape that leaves the inner 80 in 100.
_SHRUNK = "translate(16 16) scale(.62) translate(-16 -16)"
_HERE = Path(__file__).parents[1] / "static" / "web"
# What the page of a board needs without a connection.
_NEEDED = (
    *("board-page.js", "board.js", "elements.js", "keys.js", "live.js", "navigation.js"),
    *("offline.js", "spots.js", "view.js"),
    *("board.css", "forms.css", "page.css"),
)


@require_safe
def send_manifest(request: HttpRequest) -> JsonResponse:
    """Send the manifest of the installable app."""
    about = {
        "id": "/",
        "name": "sarsen: board games by mail",
        "short_name": "sarsen",
        "start_url": reverse("my"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [_icon(size, purpose) for size in SIZES for purpose in ("any", "maskable")],
        "shortcuts": [
            {"name": "Next board", "url": reverse("next-board")},
            {"name": "Challenges", "url": reverse("challenges")},
        ],
    }
    return JsonResponse(
        about, content_type="application/manifest+json", headers={"Cache-Control": FOR_A_DAY}
    )


@require_safe
def send_icon(request: HttpRequest, size: int, purpose: str) -> HttpResponse:
    """Send the icon as a PNG."""
    if size not in SIZES:
        raise Http404
    return HttpResponse(_icon_png(size, purpose), "image/png", headers={"Cache-Control": FOR_A_DAY})


@require_safe
def send_favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for a page that names none: a picture, an operator's page."""
    return redirect(static("web/icon.svg"))


@require_safe
def send_worker(request: HttpRequest) -> HttpResponse:
    """Send the script that serves pages while there is no connection."""
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(_worker(), "text/javascript; charset=utf-8", headers=headers)


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker shows for an uncached page without a connection."""
    response = render(request, "web/site/offline.html")
    response["Cache-Control"] = "no-cache"
    return response


def _icon(size: int, purpose: str) -> dict[str, str]:
    return {
        "src": reverse(f"icon-{purpose}", args=[size]),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@cache
def _icon_png(size: int, purpose: str) -> bytes:
    picture = (_HERE / "icon.svg").read_text()
    if purpose == "maskable":
        start, end = picture.index("<g "), picture.index("</svg>")
        shrunk = f'<g transform="{_SHRUNK}">{picture[start:end]}</g>'
        picture = f'{picture[:start]}<rect width="32" height="32" fill="{PAPER}"/>{shrunk}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=size, height=size))


def _worker() -> str:
    style = f"{reverse('board-style')}?v={style_version()}"
    facts = {
        # Their addresses change with them: then another worker is installed, and keeps the newest.
        "NEEDED": [style, *(static(f"web/{name}") for name in _NEEDED)],
        "START": reverse("my"),
        "BOX": reverse("do"),
        "OFFLINE": reverse("offline"),
        "LOGOUT": reverse("logout"),
        "ICON": reverse("icon-any", args=[192]),
        # Without the version: a page that was kept may ask for older ones.
        "STATIC": static("").removesuffix(f"{settings.STATIC_VERSION}/"),
        "RENEW": reverse("renew-device"),
        "PUSH_KEY": push.public_key(),
    }
    constants = "".join(f"const {name} = {json.dumps(fact)};\n" for name, fact in facts.items())
    return constants + (_HERE / "worker.js").read_text()
