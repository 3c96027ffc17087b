"""A record at one ply as a single picture: the board, who plays, the move, links to step by.

It needs no script and no page around it: the links are part of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import escape

from sarsen import drawing
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.svg import FONT, svg
from sarsen.services.viewing import BoardView

LONGEST_MOVE = 36  # characters; a bounce of Gyges may have 200
_LETTERS = 30  # letters of a line, about: its size is that part of the width
_NAMES = ("First", "Back", "Next", "Last")
RELATIONS = ("first", "prev", "next", "last")


@dataclass(frozen=True)
class Steps:
    """Where the four links and the title lead; "" for a link that leads nowhere."""

    first: str
    prev: str
    next: str
    last: str
    board: str


@dataclass(frozen=True)
class _Frame:
    """The measures of the page, in units of the board's picture."""

    width: float
    board_height: float

    @property
    def letter(self) -> float:
        return self.width / _LETTERS

    @property
    def top(self) -> float:
        return self.letter * 2.2

    @property
    def height(self) -> float:
        return self.top + self.board_height + self.letter * 5.4


def record_page(view: BoardView, steps: Steps) -> str:
    """Draw the page as one SVG element; every text in it is escaped."""
    scene = drawing.scene(view.position)
    frame = _Frame(scene.width, scene.height)
    below = frame.top + scene.height
    parts = (
        # Far beyond the edges: a window of another shape shows more than the page.
        f'<rect x="-1000%" y="-1000%" width="2100%" height="2100%" {_fill("paper")}/>',
        _title(view, steps, frame),
        f'<g transform="translate(0 {frame.top:.2f})">{svg(scene)}</g>',
        _text(frame.width / 2, below + frame.letter * 1.4, frame.letter, _state(view), "ink"),
        _links(steps, frame, below + frame.letter * 2.2),
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="board" '
        f'viewBox="0 0 {frame.width:.2f} {frame.height:.2f}" font-family="{FONT}">'
        f"{''.join(parts)}</svg>"
    )


def _title(view: BoardView, steps: Steps, frame: _Frame) -> str:
    words = f"{view.title}: {' v '.join(view.players)}"
    size = min(frame.letter, frame.width / (0.58 * len(words)))
    text = _text(frame.width / 2, frame.letter * 1.5, size, words, "ink", bold=True)
    # A page of its own: the board's page cannot be framed.
    return f'<a href="{escape(steps.board)}" target="_blank" rel="noopener">{text}</a>'


def _state(view: BoardView) -> str:
    words = f"{view.ply} / {view.last_ply}"
    if view.ply:
        move = view.moves[view.ply - 1].text
        short = move if len(move) <= LONGEST_MOVE else f"{move[: LONGEST_MOVE - 1]}…"
        words += f" · {short}"
    return f"{words} · {view.result}" if view.result and len(words + view.result) < 52 else words


def _links(steps: Steps, frame: _Frame, y: float) -> str:
    width, height = frame.width / 4, frame.letter * 2.6
    drawn = []
    for place, (name, relation) in enumerate(zip(_NAMES, RELATIONS, strict=True)):
        x, to = place * width, getattr(steps, relation)
        box = (
            f'<rect x="{x + width * 0.04:.2f}" y="{y:.2f}" width="{width * 0.92:.2f}" '
            f'height="{height:.2f}" rx="{frame.letter * 0.3:.2f}" {_fill("ground")}/>'
        )
        role = "ink" if to else "ink-soft"
        middle = y + height / 2 + frame.letter * 0.35
        label = _text(x + width / 2, middle, frame.letter, name, role, bold=bool(to))
        if to:
            drawn.append(f'<a href="{escape(to)}" rel="{relation}">{box}{label}</a>')
        else:
            drawn.append(f'<g opacity=".5">{label}</g>')
    return "".join(drawn)


def _text(x: float, y: float, size: float, words: str, role: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" text-anchor="middle"{weight} '
        f"{_fill(role)}>{escape(words)}</text>"
    )


def _fill(role: str) -> str:
    return f'class="f-{role}" fill="{LIGHT[role]}"'
