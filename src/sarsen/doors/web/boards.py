"""A page for each board, at every ply of its record."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from sarsen import drawing
from sarsen.doors.web.move_table import lay_out
from sarsen.doors.web.pictures import inline_picture, picture_file
from sarsen.doors.web.refusals import explains_refusals
from sarsen.drawing.palette import DARK, LIGHT
from sarsen.services.viewing import BoardView, view_board


@dataclass(frozen=True)
class Side:
    """One player at a board.

    Attributes:
        name: What the side is called in this game.
        colour: The role its pieces are drawn in: `first`, `second` or `neutral`.
        is_to_move, has_won: As of the ply shown.
    """

    player: str
    name: str
    colour: str
    is_to_move: bool
    has_won: bool


@dataclass(frozen=True)
class Steps:
    """Addresses to step through a record; "" where there is nothing further."""

    first: str
    previous: str
    next: str
    last: str


@explains_refusals
def show_board(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a board as it is, or after some plies."""
    view = view_board(board, ply)
    facts = {
        "board": view,
        "sides": _sides(view),
        "picture": inline_picture(view.position),
        "words": drawing.describe(view.position),
        "text_board": drawing.text(view.position),
        "effects": view.position.effects(),
        "is_last": view.ply == view.last_ply,
        "shown_move": view.moves[view.ply - 1] if view.ply else None,
        "moves": lay_out(view.moves, len(view.players)),
        "steps": _steps(view),
        "mover": view.players[view.to_move] if view.to_move is not None else "",
    }
    return render(request, "web/board.html", facts)


@explains_refusals
def send_picture(request: HttpRequest, board: int, ply: int) -> HttpResponse:
    """Send the picture of a board in light colours."""
    return picture_file(view_board(board, ply).position, LIGHT)


@explains_refusals
def send_dark_picture(request: HttpRequest, board: int, ply: int) -> HttpResponse:
    """Send the picture of a board in dark colours."""
    return picture_file(view_board(board, ply).position, DARK)


def _sides(view: BoardView) -> tuple[Side, ...]:
    return tuple(
        Side(
            player=player,
            name=name,
            colour=_colour(view, name),
            is_to_move=view.to_move == seat,
            has_won=view.scores is not None and view.scores[seat] == 1,
        )
        for seat, (player, name) in enumerate(zip(view.players, view.position.sides, strict=True))
    )


def _colour(view: BoardView, side: str) -> str:
    """Give the colour of a side, which after a swap is not its seat's."""
    place = view.game.seats.index(side)
    return ("first", "second")[place] if place < 2 else "neutral"


def _steps(view: BoardView) -> Steps:
    here, last = view.ply, view.last_ply
    return Steps(
        first=_address(view, 0) if here > 0 else "",
        previous=_address(view, here - 1) if here > 0 else "",
        next=_address(view, here + 1) if here < last else "",
        last=reverse("board", args=[view.number]) if here < last else "",
    )


def _address(view: BoardView, ply: int) -> str:
    return reverse("board-ply", args=[view.number, ply])
