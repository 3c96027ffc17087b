"""Letters about what the server sends: to watchers, weekly, and when something was ended."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.letters.answers import RULE
from sarsen.doors.mail.letters.board_text import board_text, headline, result_line
from sarsen.doors.mail.letters.boards import board_letter, board_news
from sarsen.doors.mail.send.composing import Letter
from sarsen.language.translating import _
from sarsen.language.wording import moment
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


def watched(due: DueLetter) -> Letter:
    facts = due.facts
    view = view_board(facts["board"], facts["ply"], event=facts.get("event"), boards=due.boards)
    news = f"You watch {view.title}. {board_news(view, due)}"
    return board_letter(view, due, news=news, is_answer=False, is_watched=True)


def weekly(due: DueLetter) -> Letter:
    assert due.player is not None  # subscribers are players
    facts = due.facts
    games = _games(tuple(facts["shown"]), tuple(facts["listed"]))
    count = f"{facts['ended']} game{'' if facts['ended'] == 1 else 's'}"
    named = len(facts["shown"]) + len(facts["listed"])
    more = f"\n\nAnd {facts['ended'] - named} more: list" if facts["ended"] > named else ""
    text = (
        f"In the week from {facts['begins']} {count} came to an end here.{RULE}{games}{more}\n\n"
        "To get this letter no more, answer it with `unsubscribe weekly`."
    )
    subject = f"Games that ended in the week from {facts['begins']}"
    return Letter(
        subject, text, reply_to=reply_addresses.player_address(due.player), thread="weekly"
    )


@lru_cache(maxsize=4)
def _games(shown: tuple[int, ...], listed: tuple[int, ...]) -> str:
    """Draw the games of a week: the same for everybody, so drawn once."""
    drawn, lines = [], []
    for board in shown:
        try:
            view = view_board(board)
        except UserError:  # a game that is no longer installed
            continue
        url = f"{settings.SARSEN_URL}/boards/{board}/"
        drawn.append(f"{board_text(view, None)}\n\n{url}")
    for board in listed:
        try:
            lines.append(headline(view_board(board)))
        except UserError:
            continue
    return RULE.join(filter(None, [*drawn, "\n".join(lines)]))


def webhook_off(due: DueLetter) -> Letter:
    assert due.player is not None  # webhooks are players'
    text = (
        f"Your webhook\n\n    {due.facts['address']}\n\n"
        f"did not take what it was called with: {due.facts['error']}. It was tried again and "
        "again; now it is switched off. When it works again:\n\n"
        f"    notices webhook {due.facts['address']}"
    )
    return Letter(
        "Your webhook is switched off", text, reply_to=reply_addresses.player_address(due.player)
    )


def warnings_off(due: DueLetter) -> Letter:
    assert due.player is not None  # their letters were stopped
    event = due.facts["event"]
    what = {"reminder": "Reminders that your time is running out", "ended": "The ends of games"}
    text = (
        f"{what[event]} are not mailed to you any more: somebody, we hope you, used the address "
        "for that in one of your mails.\n\n"
        "You may now lose games without a mail. To get these mails again, answer with\n\n"
        f"    notices {event} mail"
    )
    return Letter(
        "You may lose games without a mail",
        text,
        reply_to=reply_addresses.player_address(due.player),
    )


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
    return view_board(
        facts["board"],
        facts["ply"],
        viewer=due.player,
        event=facts["event"],
        boards=due.boards,
    )


def _still_your_turn(view: BoardView, due: DueLetter, otherwise: str) -> str:
    """Return a text that says until when the move must come; nothing any more once it has come."""
    if view.clock is None:
        return _("This was to remind you of your turn; it is not your turn any more.")
    zone = due.player.timezone if due.player else ""
    until = moment(view.clock.due_at, zone, timezone.now())
    still = _("It is still your turn: you must move by {until}.").format(until=until)
    return f"{still} {otherwise}".strip()
