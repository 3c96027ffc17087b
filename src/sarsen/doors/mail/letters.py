"""Word a letter: one function a kind, `write_letter` picks it."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.template.loader import render_to_string

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.doors.mail import pictures
from sarsen.doors.mail.boards import board_text, headline, move_rows, result_line, seats_line
from sarsen.doors.mail.composing import Letter
from sarsen.doors.mail.wording import answer_text, boards_of, lead
from sarsen.games import load
from sarsen.language.replies import Answer, ResignAsked, decode
from sarsen.services import signing
from sarsen.services.invitations import Invitation, view_challenge
from sarsen.services.outbox import DueLetter
from sarsen.services.viewing import BoardView, view_board


def write_letter(due: DueLetter) -> Letter:
    """Word a letter of any kind."""
    return _WRITERS[due.kind](due)


def _signup(due: DueLetter) -> Letter:
    userid, code = due.facts["userid"], due.facts["code"]
    text = (
        f"Somebody, we hope you, wants to play here as {userid} with this address.\n\n"
        "If it was you, answer this mail; any words will do. Or open\n\n"
        f"    {settings.SARSEN_URL}/welcome/{code}/\n\n"
        "If it was not, do nothing: no account is made, and no more mail comes."
    )
    reply_to = signing.welcome_address(code)
    return Letter(f"Is this your address, {userid}?", text, reply_to=reply_to)


def _welcome(due: DueLetter) -> Letter:
    assert due.player is not None  # an account exists from here on
    player = due.player
    begun = (
        f"Your account {player.userid} is ready."
        if due.facts["is_new"]
        else f"This address now belongs to your account {player.userid}."
    )
    text = (
        f"{begun}\n\n"
        "Answer this mail to play: whatever comes to its reply address is known to be\n"
        "from you, so keep that address to yourself. One line is one command:\n\n"
        f"    druid challenge {player.userid} anyone\n"
        "    list\n"
        "    help tutorial\n\n"
        f"The games and how to play them: {settings.SARSEN_URL}/"
    )
    reply_to = signing.player_address(player)
    return Letter(f"Welcome, {player.userid}", text, reply_to=reply_to, is_answer=True)


def _invitation(due: DueLetter) -> Letter:
    assert due.player is not None  # invitations go to players
    invitation = view_challenge(due.facts["challenge"])
    by = invitation.challenger or "Somebody who did not say who they are"
    title = f"{load(invitation.game).info.title} Challenge {invitation.number}"
    text = (
        f"{by} proposes a game of {_game_words(invitation)}: "
        f"{' v '.join(invitation.names)}; the first named moves first.\n\n"
        "Answer this mail with one of these lines:\n\n"
        "    accept\n"
        "    decline\n"
        "    decline I have too many games just now\n\n"
        f"The rules: {settings.SARSEN_URL}/games/{invitation.game}/"
    )
    reply_to = signing.invitation_address(due.player, invitation.number)
    return Letter(title, text, reply_to=reply_to, thread=f"challenge.{invitation.number}")


def _game_words(invitation: Invitation) -> str:
    terms = " ".join(f"--{name}" for name, value in invitation.terms.items() if value)
    return " ".join(filter(None, (load(invitation.game).info.title, invitation.options, terms)))


def _challenge_ended(due: DueLetter) -> Letter:
    facts = due.facts
    invitation = view_challenge(facts["challenge"])
    reason = f" and says:\n\n    {facts['reason']}" if facts["reason"] else "."
    text = f"{facts['by']} has {facts['how']} challenge {invitation.number}{reason}"
    title = f"{load(invitation.game).info.title} Challenge {invitation.number}"
    reply_to = signing.player_address(due.player) if due.player else ""
    return Letter(title, text, reply_to=reply_to, thread=f"challenge.{invitation.number}")


def _board(due: DueLetter) -> Letter:
    assert due.player is not None  # board letters go to players
    view = view_board(due.facts["board"], due.facts["ply"], viewer=due.player)
    return _board_letter(view, due, news=_news(view, due), is_answer=False)


def _news(view: BoardView, due: DueLetter) -> str:
    """Say in one sentence what this letter tells its reader."""
    if view.result:
        return f"The game is over: {result_line(view)}"
    me = due.player.userid if due.player else ""
    turn = view.players[view.position.seat]
    yours = "It is your turn." if turn == me else f"{turn} moves next."
    if not view.shown_moves:
        return f"The game has started. {yours}"
    last = view.shown_moves[-1]
    return f"{view.players[last.seat]} played {last.text}. {yours}"


def _answer(due: DueLetter) -> Letter:
    answer: Answer = decode(due.facts["answer"])
    notes = "\n".join(due.facts["notes"])
    views = boards_of(answer.reply, due.player)
    if len(views) == 1:
        news = "\n\n".join(filter(None, (f"> {answer.line}", lead(answer.reply), notes)))
        return _board_letter(views[0], due, news=news)
    text = "\n\n".join(filter(None, (answer_text(answer, due.player), notes)))
    subject = f"Re: {answer.line}" if answer.line else "Your mail"
    board = answer.reply.board if isinstance(answer.reply, ResignAsked) else due.facts["board"]
    reply_to = _reply_to(due, board)
    thread = f"board.{board}" if board else ""
    return Letter(subject, text, reply_to=reply_to, thread=thread, is_answer=True)


def _reply_to(due: DueLetter, board: int | None) -> str:
    if due.player is None:
        return ""
    if board is not None:
        try:
            view = view_board(board, viewer=due.player)
        except UserError:  # no board of theirs; the answer itself says so
            return signing.player_address(due.player)
        address = signing.board_address(due.player, board, view.last_ply + 1)
        if address:
            return address
    return signing.player_address(due.player)


def _board_letter(view: BoardView, due: DueLetter, *, news: str, is_answer: bool = True) -> Letter:
    """Write a letter that shows one board: text, HTML and picture."""
    reply_to = _board_reply_to(view, due)
    ways = _ways_to_answer(view, due, signed=reply_to.startswith("board-"))
    unsubscribe = ""
    if not is_answer and due.player:
        token = signing.unsubscribe_token(due.player)
        unsubscribe = f"{settings.SARSEN_URL}/unsubscribe/{token}/"
    picture = pictures.picture(view.position) if settings.SARSEN_MAIL_PICTURES else None
    words = drawing.describe(view.position)
    drawn = drawing.text(view.position)
    context = {
        "view": view,
        "news": news,
        "headline": headline(view),
        "seats": seats_line(view),
        "rows": move_rows(view),
        "effects": view.position.effects() if view.ply else (),
        "board": drawn,
        "ways": ways,
        "words": words,
        "url": f"{settings.SARSEN_URL}/boards/{view.number}/",
        "has_picture": picture is not None,
        "unsubscribe": unsubscribe,
    }
    footer = f"\n\nTo stop these mails: {unsubscribe}" if unsubscribe else ""
    return Letter(
        subject=view.title,
        text=f"{news}\n\n{board_text(view, drawn)}\n\n{ways}\n{context['url']}{footer}",
        html=render_to_string("mail/board.html", context),
        reply_to=reply_to,
        thread=f"board.{view.number}",
        picture=picture,
        picture_words=words,
        is_answer=is_answer,
        unsubscribe=unsubscribe,
    )


def _board_reply_to(view: BoardView, due: DueLetter) -> str:
    if due.player is None:
        return ""
    address = signing.board_address(due.player, view.number, view.ply + 1)
    return address or signing.player_address(due.player)


def _ways_to_answer(view: BoardView, due: DueLetter, *, signed: bool) -> str:
    if view.to_move is None or view.previewed:
        return ""
    moves = view.position.legal_moves()
    example = view.position.format(moves[len(moves) // 2])
    if not signed:
        return f"To move: {view.game.name} move {view.number} USERID PASSWORD {example}"
    if due.player is None or view.players[view.to_move] != due.player.userid:
        return "To see it again, answer this mail with `show`; to give up, with `resign`."
    return (
        f"To move, answer this mail with your move in one line, for example {example}\n"
        f"To try moves first: preview {example}. To give up: resign. "
        f"The rules: help {view.game.name}"
    )


def _paused(due: DueLetter) -> Letter:
    text = (
        "Somebody gave a wrong password for your account several times.\n\n"
        f"For {due.facts['minutes']} minutes no password is taken for it. You can go on playing: "
        "answering a mail\nof the server needs no password. If it was you, wait and try again."
    )
    reply_to = signing.player_address(due.player) if due.player else ""
    return Letter("Wrong passwords for your account", text, reply_to=reply_to)


def _sorry(due: DueLetter) -> Letter:
    text = (
        "A mail of yours could not be answered. That is a fault of this server, not of your\n"
        "mail; it is recorded for the people who run it. Nothing was changed. Please send it\n"
        "again, perhaps in another form: help commands"
    )
    return Letter("We are sorry", text, is_answer=True)


_WRITERS: dict[str, Callable[[DueLetter], Letter]] = {
    "signup": _signup,
    "welcome": _welcome,
    "invitation": _invitation,
    "challenge-ended": _challenge_ended,
    "board": _board,
    "answer": _answer,
    "paused": _paused,
    "sorry": _sorry,
}
