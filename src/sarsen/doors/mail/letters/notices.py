"""Letters that tell of one board: warnings, offers, words, and what an operator did."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.letter import Letter, Written
from sarsen.doors.mail.letters.board_text import result_line, winner_line
from sarsen.doors.mail.letters.boards import board_letter, board_news, letter_view
from sarsen.language.grammar.dates import moment
from sarsen.language.grammar.tokens import TALK
from sarsen.language.learning.claims import claim_words, not_proven
from sarsen.language.offers import moves_words
from sarsen.language.translating import _, translated
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
    lost = _("If you don't, you lose the game. A vacation also stops the clock.")
    return board_letter(view, due, _still_your_turn(view, due, lost))


def forfeit(due: DueLetter) -> Letter:
    """Write that a player's time is used up, and the game over."""
    view = letter_view(due)
    late, me = due.facts["late"], due.player.userid if due.player else ""
    news = (
        _("You ran out of time, and the game is over. {result}")
        if late == me
        else _("{player} ran out of time, and the game is over. {result}")
    )
    return board_letter(view, due, news.format(player=late, result=winner_line(view)))


def watched(due: DueLetter) -> Letter:
    facts = due.facts
    view = view_board(facts["board"], facts["ply"], event=facts.get("event"), boards=due.boards)
    watching = _("You follow {board}.").format(board=view.title)
    news = f"{watching} {board_news(view, due)}"
    return board_letter(view, due, news)


def offer(due: DueLetter) -> Letter:
    """Ask a player to agree to a draw, or to take moves back."""
    facts = due.facts
    board, by, what = facts["board"], facts["by"], facts["what"]
    if what == "draw":
        question = _("{player} offers a draw on board {board}.").format(player=by, board=board)
        otherwise = _("Making a move declines it.")
    else:
        request = _(
            "On board {board}, {player} asks to take back {moves}, and any moves after that."
        )
        moves = moves_words(tuple(facts["moves"]))
        question = request.format(board=board, player=by, moves=moves)
        stands = _("The request stands until you answer or {player} moves.")
        otherwise = stands.format(player=by)
    ways = _("Reply with one of these lines:")
    text = f"{question}\n\n{ways}\n\n    accept\n    reject\n\n{otherwise}"
    return _letter(due, text, matter=what)


def offer_answer(due: DueLetter) -> Letter:
    """Write that an offer is declined, or withdrawn."""
    facts = due.facts
    is_draw, by = facts["what"] == "draw", facts["by"]
    if facts["how"] == "declined":
        sentence = (
            _("{player} declines the draw on board {board}: the game goes on.")
            if is_draw
            else _("{player} declines the takeback on board {board}: the game goes on.")
        )
    else:
        sentence = (
            _("{player} no longer offers a draw on board {board}: the game goes on.")
            if is_draw
            else _("{player} no longer asks for a takeback on board {board}: the game goes on.")
        )
    return _letter(due, sentence.format(player=by, board=facts["board"]))


def claim_answer(due: DueLetter) -> Letter:
    """Write that a claim is not proven; its player reads nothing beside that."""
    facts = due.facts
    if due.player is not None and due.player.userid == facts["by"]:
        return _letter(due, not_proven())
    return _letter(due, claim_words(facts["by"], draw=facts["draw"]))


def chat(due: DueLetter) -> Letter:
    """Pass on what somebody says at a board."""
    facts = due.facts
    heading = _("{player} writes on board {board}:").format(
        player=facts["by"], board=facts["board"]
    )
    how = _(
        "Just reply, and your answer appears in the chat. A reply that is only a move or a command "
        "is carried out instead."
    )
    letter = _letter(due, "", matter=TALK)
    return replace(letter, parts=(heading, Written(facts["text"]), how))


def barred_here(due: DueLetter) -> Letter:
    """Write to the others at a board that one of its players is barred."""
    view = letter_view(due)
    userid = due.facts["who"]
    news = (
        _("The account of {player} was suspended, and the game counts as resigned. {result}")
        if due.facts["is_over"]
        else _(
            "The account of {player} was suspended, so {player} can no longer move. The clock "
            "runs on: the game ends when the time is up."
        )
    )
    return board_letter(view, due, news.format(player=userid, result=result_line(view)))


def resumed(due: DueLetter) -> Letter:
    """Write that the forfeit of a board is undone."""
    view = letter_view(due)
    facts, me = due.facts, due.player.userid if due.player else ""
    turn = (
        _("It is your turn, with a fresh clock.")
        if facts["late"] == me
        else _("It is {player}'s turn, with a fresh clock.").format(player=facts["late"])
    )
    undone = _(
        "This game was lost on time, but an operator has undone that: it goes on now. The old "
        "result no longer counts."
    )
    why = _("The reason: {reason}").format(reason=facts["reason"])
    return board_letter(view, due, f"{undone} {turn}\n\n{why}")


def _letter(due: DueLetter, text: str, matter: str = "") -> Letter:
    """Write a letter in the thread of its board; its address speaks for the reader's seat."""
    assert due.player is not None  # these letters go to players
    facts: dict[str, Any] = due.facts
    try:
        title = view_board(facts["board"], viewer=due.player, boards=due.boards).title
        subject = translated(title)
    except UserError:  # no board of the reader's any more
        subject = _("Board {board}").format(board=facts["board"])
    address = reply_addresses.board_address(
        due.player, facts["board"], facts["ply"] + 1, event=facts["event"], matter=matter
    )
    return Letter(subject, text, reply_to=address or None, thread=f"board.{facts['board']}")


def _still_your_turn(view: BoardView, due: DueLetter, otherwise: str) -> str:
    """Return a text that says until when the move must come; nothing any more once it has come."""
    if view.clock is None:
        return _("This was meant as a reminder, but it is no longer your turn.")
    zone = due.player.timezone if due.player else ""
    until = moment(view.clock.due_at, zone, timezone.now())
    still = _("It is still your turn. Please move by {until}.").format(until=until)
    return f"{still} {otherwise}".strip()
