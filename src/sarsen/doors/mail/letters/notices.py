"""Letters that tell of one board: warnings, offers, words, and what an operator did."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.letters.board_text import result_line
from sarsen.doors.mail.letters.boards import board_letter, board_news, letter_view
from sarsen.doors.mail.send.composing import Letter
from sarsen.language.grammar.dates import moment
from sarsen.language.offers import moves_words
from sarsen.language.translating import _
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


def reminder(due: DueLetter) -> Letter:
    """Remind the player whose turn it is, once a turn."""
    view = letter_view(due)
    return board_letter(view, due, _still_your_turn(view, due, ""))


def last_warning(due: DueLetter) -> Letter:
    """Warn the player whose turn it is before the game is lost."""
    view = letter_view(due)
    lost = _("Without a move the game is lost then; a vacation stops the clock, too.")
    return board_letter(view, due, _still_your_turn(view, due, lost))


def forfeit(due: DueLetter) -> Letter:
    """Write that a player's time is used up, and the game over."""
    view = letter_view(due)
    late, me = due.facts["late"], due.player.userid if due.player else ""
    news = (
        _("Your time was used up: the game is over. {result}")
        if late == me
        else _("The time of {player} was used up: the game is over. {result}")
    )
    told = news.format(player=late, result=result_line(view))
    return board_letter(view, due, told)


def watched(due: DueLetter) -> Letter:
    facts = due.facts
    view = view_board(facts["board"], facts["ply"], event=facts.get("event"), boards=due.boards)
    news = f"You watch {view.title}. {board_news(view, due)}"
    return board_letter(view, due, news)


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
    """Write that an offer is declined, or withdrawn."""
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


def barred_here(due: DueLetter) -> Letter:
    """Write to the others at a board that one of its players is barred."""
    view = letter_view(due)
    who = due.facts["who"]
    news = (
        f"{who} was barred from this server, and the board is resigned in that name. "
        f"{result_line(view)}"
        if due.facts["is_over"]
        else f"{who} was barred from this server and cannot move any more. The clock runs on: "
        "the game ends when the time is used up."
    )
    return board_letter(view, due, news)


def resumed(due: DueLetter) -> Letter:
    """Write that the forfeit of a board is undone."""
    view = letter_view(due)
    facts, me = due.facts, due.player.userid if due.player else ""
    turn = "It is your turn" if facts["late"] == me else f"It is the turn of {facts['late']}"
    news = (
        "The end of this game is undone by an operator: it was lost on time, and goes on now. "
        f"{turn}, with a fresh clock. The result counts nowhere.\n\n"
        f"The reason: {facts['reason']}"
    )
    return board_letter(view, due, news)


def _letter(due: DueLetter, text: str, matter: str = "") -> Letter:
    """Write a letter in the thread of its board; its address speaks for the reader's seat."""
    assert due.player is not None  # these letters go to players
    facts: dict[str, Any] = due.facts
    try:
        subject = view_board(facts["board"], viewer=due.player, boards=due.boards).title
    except UserError:  # no board of the reader's any more
        subject = f"Board {facts['board']}"
    address = reply_addresses.board_address(
        due.player, facts["board"], facts["ply"] + 1, event=facts["event"], matter=matter
    )
    return Letter(subject, text, reply_to=address or None, thread=f"board.{facts['board']}")


def _still_your_turn(view: BoardView, due: DueLetter, otherwise: str) -> str:
    """Return a text that says until when the move must come; nothing any more once it has come."""
    if view.clock is None:
        return _("This was to remind you of your turn; it is not your turn any more.")
    zone = due.player.timezone if due.player else ""
    until = moment(view.clock.due_at, zone, timezone.now())
    still = _("It is still your turn: you must move by {until}.").format(until=until)
    return f"{still} {otherwise}".strip()
