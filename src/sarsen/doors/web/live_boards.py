"""Boards that nobody keeps, to step through and to try: on rules pages, and one page each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.doors.web.pictures import inline_picture
from sarsen.services.practice import Practice

MOST_BUTTONS = 40  # legal moves that are buttons
MOST_NAMED = 500  # legal moves that the field knows


@dataclass(frozen=True)
class LiveBoard:
    """A board that nobody keeps, as a page shows it.

    Attributes:
        key: Names its parts within the page.
        moves_address, reason_address: Where a script learns which taps make which move, and
            why one makes none.
        first, previous, next, last: Addresses to step to; "" where there is nothing further.
        played: The moves up to the position shown.
        move: The last of them; "" at the start.
        legal: What can be played now; empty when there are too many.
        mover: The side to move; "" once the game is over.
        text: The same as a text board; "" where none is wanted.
        has_partner: The server answers each move.
    """

    key: str
    game: str
    options: str
    moves_address: str
    reason_address: str
    picture: SafeString
    words: str
    first: str
    previous: str
    next: str
    last: str
    at: int
    count: int
    played: tuple[str, ...]
    move: str
    effects: tuple[str, ...]
    legal: tuple[str, ...]
    has_buttons: bool
    mover: str
    result: str
    has_partner: bool = False
    text: str = ""
    typed: str = ""
    refusal: UserError | None = None


def live_board(
    practice: Practice,
    *,
    key: str,
    has_partner: bool = False,
    text: str = "",
    typed: str = "",
    refusal: UserError | None = None,
) -> LiveBoard:
    """Lay a board out that nobody keeps."""
    position, at, count = practice.position, practice.at, len(practice.moves)
    outcome = position.outcome()
    legal = () if outcome else _legal(practice)

    def to(ply: int, *, there: bool) -> str:
        return address(practice, ply, has_partner=has_partner) if there else ""

    return LiveBoard(
        key=key,
        game=practice.game.name,
        options=practice.options,
        moves_address=_asked("practice-moves", practice),
        reason_address=_asked("practice-reason", practice),
        picture=inline_picture(position),
        words=drawing.describe(position),
        first=to(0, there=at > 0),
        previous=to(at - 1, there=at > 0),
        next=to(at + 1, there=at < count),
        last=to(count, there=at < count),
        at=at,
        count=count,
        played=practice.moves[:at],
        move=practice.moves[at - 1] if at else "",
        effects=position.effects() if at else (),
        legal=legal,
        has_buttons=0 < len(legal) <= MOST_BUTTONS,
        mover="" if outcome else position.sides[position.seat],
        result=outcome.reason if outcome else "",
        has_partner=has_partner,
        text=text,
        typed=typed,
        refusal=refusal,
    )


def figure(board: LiveBoard) -> SafeString:
    """Write the board as a part of any page."""
    return mark_safe(render_to_string("web/live_board.html", {"live": board}))  # noqa: S308


def address(practice: Practice, at: int, *, has_partner: bool) -> str:
    """Return the page of a board that nobody keeps, after so many of its moves."""
    said = _record(practice, practice.moves)
    if at != len(practice.moves):
        said.append(("at", str(at)))
    if has_partner:
        said.append(("partner", "on"))
    page = reverse("practice", args=[practice.game.name])
    return f"{page}?{urlencode(said)}" if said else page


def _asked(name: str, practice: Practice) -> str:
    """Return the address at which something is asked of the position shown."""
    said = _record(practice, practice.moves[: practice.at])
    page = reverse(name, args=[practice.game.name])
    return f"{page}?{urlencode(said)}" if said else page


def _record(practice: Practice, moves: Sequence[str]) -> list[tuple[str, str]]:
    parts = (("options", practice.options), ("moves", " ".join(moves)))
    return [part for part in parts if part[1]]


def _legal(practice: Practice) -> tuple[str, ...]:
    moves = practice.position.legal_moves()
    if len(moves) > MOST_NAMED:
        return ()
    return tuple(practice.position.format(move) for move in moves)
