"""Letters about clocks: the reminder, the last warning, a game lost on time."""

from __future__ import annotations

from django.utils import timezone

from sarsen.doors.mail.boards import result_line
from sarsen.doors.mail.composing import Letter
from sarsen.doors.mail.letters.boards import board_letter
from sarsen.language.translating import _
from sarsen.language.wording.moments import moment
from sarsen.services.outbox import DueLetter
from sarsen.services.viewing import BoardView, view_board


def reminder(due: DueLetter) -> Letter:
    """Remind the player whose turn it is, once a turn."""
    view = _view(due)
    return board_letter(view, due, news=_still_your_turn(view, due, ""), is_answer=False)


def last_warning(due: DueLetter) -> Letter:
    """Warn the player whose turn it is before the game is lost."""
    view = _view(due)
    lost = _("Without a move the game is lost then; a vacation stops the clock, too.")
    return board_letter(view, due, news=_still_your_turn(view, due, lost), is_answer=False)


def forfeit(due: DueLetter) -> Letter:
    """Write the letter that tells everybody at the board that the time of one is used up."""
    view = _view(due)
    late, me = due.facts["late"], due.player.userid if due.player else ""
    news = (
        _("Your time was used up: the game is over. {result}")
        if late == me
        else _("The time of {player} was used up: the game is over. {result}")
    )
    told = news.format(player=late, result=result_line(view))
    return board_letter(view, due, news=told, is_answer=False)


def _view(due: DueLetter) -> BoardView:
    facts = due.facts
    return view_board(facts["board"], facts["ply"], viewer=due.player, event=facts["event"])


def _still_your_turn(view: BoardView, due: DueLetter, otherwise: str) -> str:
    """Return a text that says until when the move must come; nothing any more once it has come."""
    if view.clock is None:
        return _("This was to remind you of your turn; it is not your turn any more.")
    zone = due.player.timezone if due.player else ""
    until = moment(view.clock.due_at, zone, timezone.now())
    still = _("It is still your turn: you must move by {until}.").format(until=until)
    return f"{still} {otherwise}".strip()
