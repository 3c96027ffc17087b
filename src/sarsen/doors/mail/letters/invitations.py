"""Letters that bring a challenge to a mail address, and the first one after it was accepted."""

from __future__ import annotations

from django.conf import settings

from sarsen.core.game import AnyPosition
from sarsen.doors.mail.letter import Letter
from sarsen.doors.mail.letters.boards import (
    board_letter,
    board_news,
    draw,
    example_moves,
    letter_view,
)
from sarsen.doors.mail.letters.html import board_picture, document, preformatted, prose
from sarsen.doors.mail.letters.messages import game_words, terms_explained, title
from sarsen.drawing.png import width_of
from sarsen.games import load
from sarsen.language.challenges import ANYONE, terms_words
from sarsen.language.grammar.typography import wrap
from sarsen.language.translating import _
from sarsen.services.challenges.invitations import Invitation, find_link, view_invitation
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter


def mail_invitation(due: DueLetter) -> Letter:
    """Return the invitation of somebody without an account; it has no free text of the inviter."""
    invitation = view_invitation(due.facts["challenge"])
    code = due.facts["code"]
    page = f"{settings.SARSEN_URL}/invited/{code}/"
    info = load(invitation.game).info
    position = load(invitation.game).start(invitation.options)
    drawn = draw(position, due)
    subject = _("{player} invites you to a game of {game}").format(
        player=invitation.challenger, game=info.title
    )
    opening = _opening(invitation, info.title)
    closing = f"{_ways(invitation, position, due.facts['userid'])}\n\n{_closing(invitation, page)}"
    width = None if drawn.picture is None else width_of(drawn.picture)
    picture = board_picture(drawn.words, width)
    html = "\n".join([prose(opening), picture, preformatted(drawn.text), prose(closing)])
    return Letter(
        subject,
        f"{wrap(opening)}\n\n{drawn.text}\n\n{wrap(closing)}",
        html=document(subject, html),
        reply_to=reply_addresses.friend_address(code),
        thread=f"challenge.{invitation.number}",
        pictures=() if drawn.picture is None else (("board", drawn.picture),),
        unsubscribe=f"{page}never/",
    )


def link_invitation(due: DueLetter) -> Letter:
    """Return the letter about a challenge that was sent to an address of a player."""
    assert due.player is not None  # a player has that address
    invitation = view_invitation(due.facts["challenge"])
    proposed = _(
        "{player} would like to play {game} with you, and asked us to write to this mail address "
        "without knowing whose it is. If you accept, {player} learns that it is yours."
    ).format(player=invitation.challenger, game=game_words(invitation))
    ways = _("To accept, reply with this line. Otherwise just ignore this mail.")
    block = _("To block this player: {line}").format(line=f"refuse {invitation.challenger}")
    text = (
        f"{proposed}\n\n"
        f"{terms_explained(invitation.terms)}"
        f"{ways}\n\n"
        f"    accept {find_link(invitation.number)}\n\n"
        f"{_('The rules:')} {settings.SARSEN_URL}/games/{invitation.game}/\n\n"
        f"{block}"
    )
    return Letter(title(invitation), text, thread=f"challenge.{invitation.number}")


def joined(due: DueLetter) -> Letter:
    """Return the board after an invitation was accepted by mail, and what the account needs."""
    assert due.player is not None  # an account exists from here on
    view = letter_view(due, personal=True)
    welcome = _(
        "Welcome, {userid}! Your account is ready, and the game has started. You need no password: "
        "the server knows that replies to its mails are from you, so keep their reply addresses to "
        "yourself. To play on the web, log in with your mail address at {address}"
    ).format(userid=due.player.userid, address=f"{settings.SARSEN_URL}/login/")
    news = board_news(view, due)
    return board_letter(view, due, f"{welcome}\n\n{news}" if due.facts["is_new"] else news)


def _opening(invitation: Invitation, game: str) -> str:
    """Return who asks for which game."""
    proposed = _(
        "{player} would like to play {game} with you. This is sarsen, a server for board games by "
        "mail and on the web: you send a move as one line, at your own pace, and get the board "
        "back. It costs nothing."
    ).format(player=invitation.challenger, game=f"{game} {invitation.options}".strip())
    first = (
        _("You move first.")
        if invitation.names[0] == ANYONE
        else _("{player} moves first.").format(player=invitation.challenger)
    )
    terms = "".join(f"\n    {words}" for words in terms_words(invitation.terms))
    return "\n\n".join(filter(None, (f"{proposed} {first}", terms.strip("\n"))))


def _ways(invitation: Invitation, position: AnyPosition, userid: str) -> str:
    """Return how to accept."""
    ways = _("To play, reply with this line:")
    if invitation.names[position.seat] == ANYONE:
        example = example_moves(position)[0]
        ways = _("To play, reply with your first move, such as {move}, or with this line:").format(
            move=example
        )
    named = _("You will be called {userid} here. For another name, add it: `accept NAME`").format(
        userid=userid
    )
    return f"{ways}\n\n    accept\n\n{named}"


def _closing(invitation: Invitation, page: str) -> str:
    """Return where to accept on the web, where the rules are, and how to say no."""
    no = _(
        "If you don't want to play, reply with `decline`, or just ignore this mail: this server "
        "invites nobody twice. To say no with one click:"
    )
    return "\n\n".join(
        [
            f"{_('Or open')}\n\n    {page}",
            f"{_('The rules:')} {settings.SARSEN_URL}/games/{invitation.game}/",
            f"{no} {page}never/",
        ]
    )
