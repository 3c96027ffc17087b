"""The picture of a board as a file of its own, and whether a visitor wants words instead."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe

from sarsen import drawing
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.pictures import FOR_A_WHILE, FOR_EVER, picture_file
from sarsen.doors.web.frame.themes import PICTURES
from sarsen.doors.web.frame.visitors import PRIVATE, REVALIDATED, keep_preference, speaker
from sarsen.drawing.svg import thumbnail
from sarsen.games import load
from sarsen.services.boards.current_positions import current_position
from sarsen.services.boards.view import view_board

WORDS, PICTURE = "words", "picture"
TAKEN = {"as": (WORDS, PICTURE)}
ASKED = "as"  # under which an address says it, and the browser remembers it from then on
COOKIE = "boards"
MAX_CACHED = 500  # pictures of 10 to 40 kB each, so 20 MB at most


@with_refusal_pages
def send_picture(request: HttpRequest, board: int, ply: int, theme: str = "light") -> HttpResponse:
    """Send the picture of a board in the colours of a theme."""
    view = view_board(board, ply, viewer=speaker(request))
    # A taken back move makes another position the one after so many plies.
    keep = PRIVATE if view.is_private else FOR_A_WHILE
    return picture_file(view.position, theme, keep=keep)


@require_safe
@with_refusal_pages
def send_thumbnail(
    request: HttpRequest, board: int, event: int, theme: str = "light"
) -> HttpResponse:
    """Send a board as it stands; its address names the event after which that is."""
    current = current_position(board, speaker(request))
    etag = f'"{current.event}-{theme}"'
    if current.is_private and request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag, "Cache-Control": REVALIDATED})
    picture = _draw_thumbnail(current.game, current.position, theme)
    keep = FOR_EVER if event == current.event else FOR_A_WHILE
    headers = {"ETag": etag, "Cache-Control": REVALIDATED if current.is_private else keep}
    return HttpResponse(picture, "image/svg+xml", headers=headers)


@lru_cache(MAX_CACHED)
def _draw_thumbnail(game: str, position: str, theme: str) -> str:
    colours, is_striped = PICTURES[theme]
    scene = drawing.scene(load(game).read(position))
    return thumbnail(scene, colours, is_striped=is_striped)


def prefers_words(request: HttpRequest) -> bool:
    """Return whether boards are to be shown in words, where the address does not say it."""
    return ASKED not in request.GET and request.COOKIES.get(COOKIE) == WORDS


def remember(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Have the browser remember what the address asks for, if it does."""
    if request.GET.get(ASKED) in (WORDS, PICTURE):
        keep_preference(request, response, COOKIE, request.GET[ASKED])
    return response
