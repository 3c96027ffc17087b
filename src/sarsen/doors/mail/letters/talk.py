"""Letters of what one side asks the other at a board, and of what is said there."""

from __future__ import annotations

from typing import Any

from sarsen.core.errors import UserError
from sarsen.doors.mail.composing import Letter
from sarsen.language.wording.offers import moves_words
from sarsen.services import signing
from sarsen.services.outbox import DueLetter
from sarsen.services.viewing import BoardView, view_board


def offer(due: DueLetter) -> Letter:
    """Ask a player to agree to a draw, or to take moves back."""
    facts = due.facts
    board, by, what = facts["board"], facts["by"], facts["what"]
    if what == "draw":
        asked = f"{by} offers a draw on board {board}."
        otherwise = "A move at the board declines it."
    else:
        moves = moves_words(tuple(facts["moves"]))
        asked = f"{by} asks on board {board} to take back {moves}, and what may follow."
        otherwise = f"The wish stands until you answer or {by} moves."
    text = f"{asked}\n\nAnswer this mail with one of these lines:\n\n    accept\n    reject"
    return _letter(due, f"{text}\n\n{otherwise}", matter=what)


def offer_answer(due: DueLetter) -> Letter:
    """Write the letter that tells a player of a no to an offer, or that it is taken off."""
    facts = due.facts
    is_draw, by = facts["what"] == "draw", facts["by"]
    if facts["how"] == "declined":
        said = f"{by} declines {'a draw' if is_draw else 'to take a move back'}"
    else:
        said = f"{by} no longer {'offers a draw' if is_draw else 'asks to take a move back'}"
    return _letter(due, f"{said} on board {facts['board']}: the game goes on.")


def chat(due: DueLetter) -> Letter:
    """Pass on what somebody says at a board."""
    facts = due.facts
    lines = "\n".join(f"    {line}".rstrip() for line in facts["text"].splitlines())
    text = (
        f"{facts['by']} says at board {facts['board']}:\n\n{lines}\n\n"
        "To say something back, answer this mail with `chat` and your words."
    )
    return _letter(due, text)


def _letter(due: DueLetter, text: str, matter: str = "") -> Letter:
    """Write a letter in the thread of its board; its address speaks for the reader's seat."""
    assert due.player is not None  # these letters go to players
    facts: dict[str, Any] = due.facts
    view = _view(due)
    address = signing.board_address(
        due.player, facts["board"], facts["ply"] + 1, event=facts["event"], matter=matter
    )
    return Letter(
        subject=view.title if view else f"Board {facts['board']}",
        text=text,
        reply_to=address or signing.player_address(due.player),
        thread=f"board.{facts['board']}",
    )


def _view(due: DueLetter) -> BoardView | None:
    try:
        return view_board(due.facts["board"], viewer=due.player)
    except UserError:  # no board of the reader's any more
        return None
