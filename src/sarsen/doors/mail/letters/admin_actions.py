"""Letters about what an operator did: to a player, or at a board."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.letters.boards import board_letter
from sarsen.doors.mail.reply.boards import result_line
from sarsen.doors.mail.send.composing import Letter
from sarsen.services.admin.roles import OPERATOR_PATH
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


def operator(due: DueLetter) -> Letter:
    """Write the letter that tells a player that they operate the server now, or not any more."""
    assert due.player is not None  # an operator is a player
    address = f"{settings.SARSEN_URL}/{OPERATOR_PATH}"
    text = (
        f"You are an operator of this server now. Log in, then open\n\n    {address}"
        if due.facts["is_one"]
        else "You are not an operator of this server any more. You are logged out everywhere."
    )
    subject = "You operate this server" if due.facts["is_one"] else "You operate it no more"
    return Letter(subject, text, reply_to=reply_addresses.player_address(due.player))


def access_ended(due: DueLetter) -> Letter:
    """Write the letter that tells a player that they are logged out everywhere."""
    assert due.player is not None  # whose sessions they were
    text = (
        "An operator of this server has logged you out everywhere, and revoked the tokens by "
        f"which programs spoke for you. The reason:\n\n    {due.facts['reason']}\n\n"
        f"Your games go on as they were. To log in again: {settings.SARSEN_URL}/login/"
    )
    reply_to = reply_addresses.player_address(due.player)
    return Letter("You were logged out everywhere", text, reply_to=reply_to)


def barred(due: DueLetter) -> Letter:
    """Write the letter that tells a player that they are barred, why, and what becomes of their
    boards.
    """
    facts = due.facts
    boards = [
        f"Resigned in your name: {_boards(facts['resigned'])}." if facts["resigned"] else "",
        f"Your clock runs on, and you cannot move: {_boards(facts['running'])}."
        if facts["running"]
        else "",
    ]
    text = (
        f"An operator of this server has closed it to your account {facts['userid']}. "
        f"The reason:\n\n    {facts['reason']}\n\n"
        "You cannot log in, speak by mail, or be challenged; what you queued is not played. "
        "Your finished games stay on record.\n\n" + "\n".join(filter(None, boards))
    )
    return Letter("This server is closed to you", text.rstrip())


def let_in(due: DueLetter) -> Letter:
    """Write the letter that tells a player that they may play again."""
    assert due.player is not None  # who was barred
    text = (
        f"Your account {due.facts['userid']} is open again. The reason:\n\n"
        f"    {due.facts['reason']}\n\n"
        "Answer this mail to play, for example with `list`. Programs need new tokens."
    )
    reply_to = reply_addresses.player_address(due.player)
    return Letter("You may play again", text, reply_to=reply_to)


def barred_here(due: DueLetter) -> Letter:
    """Write the letter that tells the others at a board that one of them is barred."""
    view = _view(due)
    who = due.facts["who"]
    news = (
        f"{who} was barred from this server, and the board is resigned in that name. "
        f"{result_line(view)}"
        if due.facts["is_over"]
        else f"{who} was barred from this server and cannot move any more. The clock runs on: "
        "the game ends when the time is used up."
    )
    return board_letter(view, due, news=news, is_answer=False)


def resumed(due: DueLetter) -> Letter:
    """Write the letter that tells everybody at a board that its forfeit is undone."""
    view = _view(due)
    facts, me = due.facts, due.player.userid if due.player else ""
    turn = "It is your turn" if facts["late"] == me else f"It is the turn of {facts['late']}"
    news = (
        "The end of this game is undone by an operator: it was lost on time, and goes on now. "
        f"{turn}, with a fresh clock. The result counts nowhere.\n\n"
        f"The reason: {facts['reason']}"
    )
    return board_letter(view, due, news=news, is_answer=False)


def _view(due: DueLetter) -> BoardView:
    facts = due.facts
    return view_board(
        facts["board"],
        facts["ply"],
        viewer=due.player,
        event=facts["event"],
        boards=due.boards,
    )


def _boards(numbers: list[int]) -> str:
    return ", ".join(f"board {number}" for number in numbers)
