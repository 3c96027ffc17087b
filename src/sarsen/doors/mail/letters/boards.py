"""Letters that show one board: text, HTML and picture."""

from __future__ import annotations

from django.conf import settings
from django.template.loader import render_to_string

from sarsen import drawing
from sarsen.doors.mail import pictures
from sarsen.doors.mail.boards import board_text, headline, move_rows, result_line, seats_line
from sarsen.doors.mail.composing import Letter
from sarsen.services import signing
from sarsen.services.outbox import DueLetter
from sarsen.services.viewing import BoardView, view_board


def board(due: DueLetter) -> Letter:
    assert due.player is not None  # board letters go to players
    view = view_board(due.facts["board"], due.facts["ply"], viewer=due.player)
    return board_letter(view, due, news=_news(view, due), is_answer=False)


def board_letter(view: BoardView, due: DueLetter, *, news: str, is_answer: bool = True) -> Letter:
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
