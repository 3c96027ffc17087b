"""Pictures of positions inside pages, and as files in the colours of a theme."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.http import HttpResponse
from django.utils.safestring import SafeString, mark_safe

from sarsen import drawing
from sarsen.core.game import AnyPosition, GameInfo
from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.themes import PICTURES
from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.drawing.pointing import marked, moves_over
from sarsen.drawing.scene import Label, Scene
from sarsen.drawing.svg import svg, symbols
from sarsen.drawing.view import cells, pieces, plan, roles_of_sides
from sarsen.language.translating import ENGLISH, current_language, translated

FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
FOR_A_WHILE = "public, max-age=60"


def inline_picture(position: AnyPosition) -> SafeString:
    """Draw a position for a page, whose style sheet gives it its colours."""
    return _cached_picture(_IdentityKey(position), current_language())


def marked_picture(
    position: AnyPosition, marks: Sequence[str], arrows: Sequence[str]
) -> SafeString:
    """Draw a position for a page, with rings round places and arrows along ways."""
    if not marks and not arrows:
        return inline_picture(position)
    return mark_safe(svg(_translated(marked(position, marks, arrows)), None))  # noqa: S308


def advised_moves(position: AnyPosition, texts: Sequence[str]) -> SafeString:
    """Draw some moves, the best one first, to lie over the picture of a position in a page."""
    drawn = "".join(svg(one, None) for one in moves_over(position, texts))
    return mark_safe(f'<div class="advised" aria-hidden="true">{drawn}</div>')  # noqa: S308


def inline_plan(position: AnyPosition) -> SafeString:
    """Draw a position from straight above for a page; "" where its picture is flat already."""
    return _cached_plan(_IdentityKey(position), current_language())


@lru_cache
def inline_pieces(game: str) -> SafeString:
    """Draw the pieces that moves of a game name, for lists of moves; "" where they name none."""
    return mark_safe(symbols(pieces(game)))  # noqa: S308


def inline_cells(position: AnyPosition) -> str:
    """Return what stands on the places of a picture, as JSON: the places by the words for it."""
    return _cached_cells(_IdentityKey(position), current_language())


def colour_of_side(game: GameInfo, side: str) -> str:
    """Return the role of the palette in which a side is drawn; after a swap not its seat's."""
    seat, roles = game.seats.index(side), roles_of_sides(game.name)
    return roles[seat] if seat < len(roles) else "neutral"


def in_words(position: AnyPosition, ended: str = "") -> str:
    """Return a position in words of the language in force, and how the game was ended there."""
    return _cached_description(_IdentityKey(position), ended, current_language())


def as_text(position: AnyPosition) -> str:
    """Draw a position in letters."""
    return _cached_text(_IdentityKey(position), current_language())


def caption(position: AnyPosition) -> str:
    """Return a text that says what the picture of a position shows."""
    return translated(_cached_title(_IdentityKey(position)))


@dataclass(frozen=True, eq=False)
class _IdentityKey:
    """A cache key for one position object, compared by identity.

    Positions that are equal need not look alike: what the last move was is no part of them.
    """

    position: AnyPosition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.position is self.position

    def __hash__(self) -> int:
        return id(self.position)


# A position that is shown again is the same in memory, since replays are cached; and a
# large board takes as long to draw as the rest of its page.
@lru_cache(maxsize=64)
def _cached_picture(key: _IdentityKey, _language: str) -> SafeString:
    # The one SVG writer escapes every text it is given.
    return mark_safe(svg(_translated(drawing.scene(key.position)), None))  # noqa: S308


@lru_cache(maxsize=64)
def _cached_plan(key: _IdentityKey, _language: str) -> SafeString:
    scene = plan(key.position)
    return mark_safe(svg(_translated(scene), None)) if scene else mark_safe("")  # noqa: S308


def _translated(scene: Scene) -> Scene:
    """Return a scene with its words in the language in force."""
    if current_language() == ENGLISH:
        return scene
    shapes = (
        replace(shape, text=translated(shape.text))
        if isinstance(shape, Label) and isinstance(shape.text, Phrase)
        else shape
        for shape in scene.shapes
    )
    return replace(scene, title=translated(scene.title), shapes=tuple(shapes))


def translated_cells(position: AnyPosition) -> CellTable:
    """Return a position as a table of cells in the words of the language in force."""
    table = cells(position)
    if current_language() == ENGLISH:
        return table
    rows = (
        CellRow(
            translated(row.head),
            tuple(Cell(translated(cell.words), cell.spot) for cell in row.cells),
        )
        for row in table.rows
    )
    return CellTable(tuple(map(translated, table.columns)), tuple(rows))


@lru_cache(maxsize=64)
def _cached_cells(key: _IdentityKey, _language: str) -> str:
    places: dict[str, list[str]] = {}
    for row in translated_cells(key.position).rows:
        for cell in row.cells:
            if cell.spot and cell.words:
                places.setdefault(cell.words, []).append(cell.spot)
    grouped = {words: " ".join(spots) for words, spots in places.items()}
    return json.dumps(grouped, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def _cached_description(key: _IdentityKey, ended: str, _language: str) -> str:
    return translated(drawing.describe(key.position, ended))


@lru_cache(maxsize=64)
def _cached_text(key: _IdentityKey, _language: str) -> str:
    return translated(drawing.text(key.position))


@lru_cache(maxsize=64)
def _cached_title(key: _IdentityKey) -> str:
    return drawing.scene(key.position).title


def picture_file(
    position: AnyPosition, theme: str = "light", *, keep: str = FOR_EVER
) -> HttpResponse:
    """Draw a position as a file in the colours of one theme.

    Args:
        theme: A name of `colours.PICTURES`.
        keep: For how long browsers may keep it.
    """
    colours, is_striped = PICTURES[theme]
    picture = svg(drawing.scene(position), colours, is_striped=is_striped)
    return HttpResponse(picture, "image/svg+xml", headers={"Cache-Control": keep})
