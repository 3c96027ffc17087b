"""Pictures of positions: inside pages, and as files of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.web.themes import PICTURES, style_sheet, style_version
from sarsen.drawing.plan import plan
from sarsen.drawing.svg import svg

FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
FOR_A_WHILE = "public, max-age=60"
PRIVATE = "private, no-store"


def inline_picture(position: AnyPosition) -> SafeString:
    """Draw a position for a page, whose style sheet gives it its colours."""
    return _drawn(_Same(position))


def inline_plan(position: AnyPosition) -> SafeString:
    """Draw a position from straight above for a page; "" where its picture is flat already."""
    return _planned(_Same(position))


def in_words(position: AnyPosition, ended: str = "") -> str:
    """Say a position, and how the game was ended there."""
    return _described(_Same(position), ended)


def as_text(position: AnyPosition) -> str:
    """Draw a position in letters."""
    return _typed(_Same(position))


def caption(position: AnyPosition) -> str:
    """Return a text that says what the picture of a position shows."""
    return _title(_Same(position))


@dataclass(frozen=True, eq=False)
class _Same:
    """Stand for one position in memory.

    Positions that are equal need not look alike: what the last move was is no part of them.
    """

    position: AnyPosition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.position is self.position

    def __hash__(self) -> int:
        return id(self.position)


# A position that is shown again is the same in memory, for replays are remembered; and a
# large board takes as long to draw as all the rest of its page.
@lru_cache(maxsize=64)
def _drawn(same: _Same) -> SafeString:
    # The one SVG writer escapes every text it is given.
    return mark_safe(svg(drawing.scene(same.position), None))  # noqa: S308


@lru_cache(maxsize=64)
def _planned(same: _Same) -> SafeString:
    scene = plan(same.position)
    return mark_safe(svg(scene, None)) if scene else mark_safe("")  # noqa: S308


@lru_cache(maxsize=64)
def _described(same: _Same, ended: str) -> str:
    return drawing.describe(same.position, ended)


@lru_cache(maxsize=64)
def _typed(same: _Same) -> str:
    return drawing.text(same.position)


@lru_cache(maxsize=64)
def _title(same: _Same) -> str:
    return drawing.scene(same.position).title


def picture_file(
    position: AnyPosition, theme: str = "light", *, keep: str = FOR_EVER
) -> HttpResponse:
    """Draw a position as a file in the colours of one theme.

    Args:
        theme: A name of `themes.PICTURES`.
        keep: For how long browsers may keep it.
    """
    colours, is_striped = PICTURES[theme]
    picture = svg(drawing.scene(position), colours, is_striped=is_striped)
    return HttpResponse(picture, "image/svg+xml", headers={"Cache-Control": keep})


def send_style_sheet(request: HttpRequest) -> HttpResponse:
    """Send the colours of pages and boards in every theme."""
    keep = FOR_EVER if request.GET.get("v") == style_version() else FOR_A_DAY
    return HttpResponse(style_sheet(), "text/css", headers={"Cache-Control": keep})
