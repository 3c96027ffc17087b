"""Small pictures of boards as they stand, for lists; drawn once for everybody."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe

from sarsen import drawing
from sarsen.doors.web.pictures import FOR_A_WHILE, FOR_EVER
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import speaker
from sarsen.doors.web.themes import PICTURES
from sarsen.drawing.thumbnail import thumbnail
from sarsen.games import load
from sarsen.services.present import present

MOST_KEPT = 500  # pictures, of 10 to 40 kB each
ASK_AGAIN = "private, no-cache"


@require_safe
@explains_refusals
def send_thumbnail(
    request: HttpRequest, board: int, event: int, theme: str = "light"
) -> HttpResponse:
    """Send a board as it stands; its address names the event after which that is."""
    shown = present(board, speaker(request))
    tag = f'"{shown.event}-{theme}"'
    if shown.is_private and request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag, "Cache-Control": ASK_AGAIN})
    picture = _draw(shown.game, shown.position, theme)
    keep = FOR_EVER if event == shown.event else FOR_A_WHILE
    headers = {"ETag": tag, "Cache-Control": ASK_AGAIN if shown.is_private else keep}
    return HttpResponse(picture, "image/svg+xml", headers=headers)


@lru_cache(MOST_KEPT)
def _draw(game: str, position: str, theme: str) -> str:
    colours, is_striped = PICTURES[theme]
    scene = drawing.scene(load(game).read(position))
    return thumbnail(scene, colours, is_striped=is_striped)
