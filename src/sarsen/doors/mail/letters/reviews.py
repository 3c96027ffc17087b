"""The letter that brings a review: what mattered, with the boards, and where to step on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.answers import RULE
from sarsen.doors.mail.letters.board_text import draw_text, wants_coordinates
from sarsen.doors.mail.letters.html import (
    BUTTON,
    LINE,
    SANS,
    unsubscribe_address,
    ways_to_answer,
)
from sarsen.drawing.png import png, width_of
from sarsen.drawing.pointing import Sign, pointed
from sarsen.language.reviews import (
    AGAIN,
    ReviewedGame,
    TurningPoint,
    lead_words,
    line_words,
    turn_sentence,
)
from sarsen.language.translating import _, translated
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.request import Player
from sarsen.services.reviews.view import view_review


@dataclass(frozen=True)
class _Part:
    """A turning point in the letter; `picture` is its name in the HTML part.

    Attributes:
        drawn, width: The picture and its width in pixels; None where none is sent.
    """

    turn: TurningPoint
    sentence: str
    line: str
    board: str
    words: str
    picture: str
    drawn: bytes | None
    width: int | None


def review(due: DueLetter) -> Letter:
    assert due.player is not None  # players ask for reviews
    board = due.facts["board"]
    state = view_review(board, due.player)
    title = translated(state.title)
    url = f"{settings.SARSEN_URL}/boards/{board}/review/"
    thread = f"board.{board}"
    if state.review is None:
        failed = _("The review of {board} could not be made. You can ask for it again:")
        text = f"{failed.format(board=title)}\n\n    review {board}\n\n{url}"
        return Letter(
            title, text, reply_to=reply_addresses.player_address(due.player), thread=thread
        )
    reviewed = state.review
    has_pictures = settings.SARSEN_MAIL_PICTURES
    parts = [
        _part(at, turn, position, due.player, has_picture=has_pictures)
        for at, (turn, position) in enumerate(zip(reviewed.turns, state.positions, strict=True))
    ]
    again = _again(reviewed, due.player)
    unsubscribe = unsubscribe_address(due)
    context = {
        "title": title,
        "lead": lead_words(reviewed),
        "proof": _proof(reviewed),
        "again": mark_safe(ways_to_answer(again)),  # noqa: S308  (escaped there)
        "parts": parts,
        "has_pictures": has_pictures,
        "url": url,
        "unsubscribe": unsubscribe,
        "sans": mark_safe(SANS),  # noqa: S308  (its quotes stand as they are)
        "rule": LINE,
        "button": BUTTON,
    }
    stop = _("To stop these mails:")
    footer = f"\n\n{stop} {unsubscribe}" if unsubscribe else ""
    return Letter(
        subject=title,
        text=_text(reviewed, parts, again, url) + footer,
        html=render_to_string("mail/review.html", context),
        reply_to=_reply_to(reviewed, due.player),
        thread=thread,
        pictures=tuple((part.picture, part.drawn) for part in parts if part.drawn),
        unsubscribe=unsubscribe,
    )


def _part(
    at: int, turn: TurningPoint, position: AnyPosition, reader: Player, *, has_picture: bool
) -> _Part:
    drawn = _drawn(turn, position) if has_picture else None
    return _Part(
        turn,
        turn_sentence(turn),
        line_words(turn.ply, turn.line),
        draw_text(position, with_coordinates=wants_coordinates(reader)),
        translated(drawing.describe(position)) if has_picture else "",
        f"turn-{at + 1}",
        drawn,
        width_of(drawn) if drawn else None,
    )


def _text(reviewed: ReviewedGame, parts: list[_Part], again: str, url: str) -> str:
    turns = (f"{part.sentence}\n\n{part.board}\n\n{part.line}" for part in parts)
    proof = _proof(reviewed)
    title = _("The review of {board}.").format(board=reviewed.title)
    head = f"{title}\n\n{lead_words(reviewed)}"
    sections = [f"{head}\n\n{proof}" if proof else head, *turns]
    steps = (
        _("To step through the lines and the proof:") if proof else _("To step through the lines:")
    )
    ways = "\n\n".join(filter(None, (again, f"{steps}\n{url}")))
    return f"{RULE.join(sections)}{RULE}{ways}"


def _again(reviewed: ReviewedGame, reader: Player) -> str:
    """Return how the reader tries own turning points again; "" where there are none."""
    if all(turn.player != reader.userid for turn in reviewed.turns):
        return ""
    line = f"review {reviewed.board} {AGAIN}"
    return _("To try your mistakes again, reply with `{line}`.").format(line=line)


def _proof(reviewed: ReviewedGame) -> str:
    """Write best play from where the result was proved; "" where nothing was."""
    if reviewed.proved_ply is None:
        return ""
    return line_words(reviewed.proved_ply, reviewed.proof)


def _drawn(turn: TurningPoint, position: AnyPosition) -> bytes:
    moves: list[tuple[Any, Sign]] = [
        (position.parse(turn.played), "cross"),
        (position.parse(turn.better), "ring"),
    ]
    return png(pointed(position, moves))


def _reply_to(reviewed: ReviewedGame, player: Player) -> str:
    address = reply_addresses.board_address(player, reviewed.board, len(reviewed.moves) + 1)
    return address or reply_addresses.player_address(player)
