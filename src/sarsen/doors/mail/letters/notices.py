"""Letters about what the server sends: to watchers, weekly, and when something was ended."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.doors.mail.boards import board_text, headline
from sarsen.doors.mail.composing import Letter
from sarsen.doors.mail.letters.boards import board_letter, board_news
from sarsen.doors.mail.wording import RULE
from sarsen.services import signing
from sarsen.services.outbox import DueLetter
from sarsen.services.viewing import view_board


def watched(due: DueLetter) -> Letter:
    facts = due.facts
    view = view_board(facts["board"], facts["ply"], event=facts.get("event"))
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
    return Letter(subject, text, reply_to=signing.player_address(due.player), thread="weekly")


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
    return Letter("Your webhook is switched off", text, reply_to=signing.player_address(due.player))


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
        "You may lose games without a mail", text, reply_to=signing.player_address(due.player)
    )
