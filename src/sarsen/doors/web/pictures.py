"""Pictures of positions: inside pages, and as files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing.svg import style_sheet, svg

FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
FOR_A_WHILE = "public, max-age=60"
PRIVATE = "private, no-store"


def inline_picture(position: AnyPosition) -> SafeString:
    """Draw a position for a page, whose style sheet gives it its colours."""
    # The one SVG writer escapes every text it is given.
    return mark_safe(svg(drawing.scene(position)))  # noqa: S308


def picture_file(
    position: AnyPosition, colours: Mapping[str, str], *, keep: str = FOR_EVER
) -> HttpResponse:
    """Draw a position as a file in one set of colours.

    Args:
        keep: For how long browsers may keep it.
    """
    picture = svg(drawing.scene(position), colours)
    return HttpResponse(picture, "image/svg+xml", headers={"Cache-Control": keep})


def send_style_sheet(request: HttpRequest) -> HttpResponse:
    """Send the colours of boards in both themes."""
    keep = FOR_EVER if request.GET.get("v") == style_version() else FOR_A_DAY
    return HttpResponse(style_sheet(), "text/css", headers={"Cache-Control": keep})


@cache
def style_version() -> str:
    """Name the present style sheet; pages put it into the address."""
    return sha256(style_sheet().encode()).hexdigest()[:12]
