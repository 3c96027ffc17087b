"""Letters that show one board: text, HTML and picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from sarsen.doors.mail.letters.board_text import (
    chat_text,
    clock_line,
    details,
    effects_text,
    headline,
    move_rows,
    moves_text,
    result_line,
    seats_line,
)
from sarsen.doors.mail.letters.html import LetterHtml, move_table, unsubscribe_address, write_page
from sarsen.doors.mail.letters.pictures import draw
from sarsen.doors.mail.send.composing import Attachment, Letter
from sarsen.language.board_replies import (
    dropped_words,
    followed_words,
    planned_words,
    uncovered_words,
)
from sarsen.language.grammar.typography import wrap
from sarsen.language.offers import moves_words
from sarsen.language.ratings import FinishedGame, ratings_text
from sarsen.language.refusals import reworded
from sarsen.language.replies import DroppedMove, FollowedMove
from sarsen.language.translating import _, spoken
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.ratings.counting import view_finished
from sarsen.services.records.recording import view_record
from sarsen.services.reviews.requests import are_made


def board(due: DueLetter) -> Letter:
    assert due.player is not None  # board letters go to players
    facts = due.facts
    view = view_board(
        facts["board"],
        facts["ply"],
        viewer=due.player,
        event=facts.get("event"),
        personal=True,
        boards=due.boards,
    )
    return board_letter(view, due, news=board_news(view, due), is_answer=False)


def board_letter(
    view: BoardView,
    due: DueLetter,
    *,
    news: str,
    is_answer: bool = True,
    matter: str = "",
    is_watched: bool = False,
) -> Letter:
    """Write a letter that shows one board: text, HTML and picture.

    `matter` is what the letter asks, of which its reply address speaks. The reply address
    of a watcher knows the board and speaks for no seat.
    """
    if is_watched and due.player:
        reply_to = reply_addresses.watching_address(due.player, view.number)
    else:
        reply_to = _board_reply_to(view, due, matter)
    planned = standing_plan(view)
    if planned and planned not in news:
        news = f"{news}\n\n{planned}"
    chat = chat_text(view)
    ways = _ways_to_answer(view, due, signed=reply_to.startswith("board-"))
    if is_watched:
        ways = _("To watch no more, answer this mail with `unsubscribe`.")
    unsubscribe = "" if is_answer else unsubscribe_address(due)
    drawn = draw(view.position, due.boards)
    after = aftermath(view, due) if view.result else Aftermath()
    moves = written_moves(view, due.boards)
    url = f"{settings.SARSEN_URL}/boards/{view.number}/"
    page = LetterHtml(
        title=view.title,
        news=news,
        headline=headline(view),
        seats=seats_line(view),
        clock=clock_line(view, due.player),
        words=None if drawn.picture is None else drawn.words,
        effects=tuple(map(reworded, view.position.effects())) if view.ply else (),
        ratings=after.ratings,
        chat=chat,
        ways=ways,
        url=url,
        table=moves.table,
        board=drawn.text,
        record=_where_the_record_is() if after.record else "",
        unsubscribe=unsubscribe,
    )
    said = f"{_('Said at the board:')}\n\n{wrap(chat)}" if chat else ""
    parts = (
        "\n".join(filter(None, (wrap(news), effects_text(view)))),
        wrap(headline(view)),
        drawn.text,
        details(view, due.player, moves.text),
        wrap(after.ratings),
        page.record,
        said,
        f"{wrap(ways)}\n{url}".lstrip(),
        f"{_('To stop these mails:')} {unsubscribe}" if unsubscribe else "",
    )
    return Letter(
        subject=view.title,
        text="\n\n".join(filter(None, parts)),
        html=write_page(page),
        reply_to=reply_to,
        thread=f"board.{view.number}",
        picture=drawn.picture,
        picture_words=drawn.words,
        is_answer=is_answer,
        unsubscribe=unsubscribe,
        attachment=_record_file(view, after),
    )


def _where_the_record_is() -> str:
    return _("The record of the game is attached.")


def _record_file(view: BoardView, after: Aftermath) -> Attachment | None:
    """Return the signed record of a finished game as a file."""
    if not after.record:
        return None
    return Attachment(f"{view.game.name}-{view.number}.txt", after.record.encode(), "plain")


def board_news(view: BoardView, due: DueLetter) -> str:
    """Return one sentence that says what this letter tells its reader."""
    me = due.player.userid if due.player else ""
    plan = due.facts.get("plan", {})
    last = view.shown_moves[-1] if view.shown_moves else None
    played = (
        _("{player} played {move}.").format(player=view.players[last.seat], move=last.text)
        if last
        else ""
    )
    played = chain_news(view, plan, me) or played
    if view.result:
        over = _("The game is over: {result}").format(result=result_line(view))
        is_by_move = view.position.outcome() is not None
        return f"{played} {over}" if is_by_move and played else over
    turn = view.players[view.position.seat]
    others = _("{player} moves next.") if view.shown_moves else _("{player} moves first.")
    yours = _("It is your turn.") if turn == me else others.format(player=turn)
    if "undone" in due.facts:
        undone = moves_words(tuple(due.facts["undone"]))
        back = _("{player} agrees, and this is taken back: {moves}.")
        back = back.format(player=due.facts["by"], moves=undone)
        return " ".join(filter(None, (back, yours, own_news(view, plan))))
    if last is None:
        pair = _("It is one of a pair; the other is board {board}.").format(board=view.pair)
        return " ".join([_("The game has started."), *([pair] if view.pair else []), yours])
    return " ".join(filter(None, (played, own_news(view, plan), yours)))


def _board_reply_to(view: BoardView, due: DueLetter, matter: str) -> str:
    if due.player is None:
        return ""
    address = reply_addresses.board_address(
        due.player, view.number, view.ply + 1, event=view.event, matter=matter, boards=due.boards
    )
    return address or reply_addresses.player_address(due.player)


def _ways_to_answer(view: BoardView, due: DueLetter, *, signed: bool) -> str:
    if view.result:
        return _ways_to_go_on(view, signed=signed)
    if view.to_move is None or view.previewed:
        return ""
    if due.player is not None and due.player.userid not in view.players:
        told = _("To be told of its moves, answer this mail with `{line}`.")
        return told.format(line=f"subscribe {view.number}")
    if not signed:
        line = f"{view.game.name} move {view.number} USERID PASSWORD {_example(view)}"
        return _("To move: {line}").format(line=line)
    if due.player is None or view.players[view.to_move] != due.player.userid:
        return "\n".join(
            [
                _("To see it again, answer this mail with `show`."),
                _("Other words: draw, undo, resign, chat and your words."),
            ]
        )
    facts = {"move": _example(view), "game": view.game.name}
    ways = (
        _("To move, answer this mail with your move in one line, for example {move}"),
        _("To try moves first: preview {move}. The rules: help {game}"),
        _("Other words: submit and a move, draw, undo, resign, chat and your words."),
    )
    return "\n".join(ways).format(**facts)


def _example(view: BoardView) -> str:
    moves = view.position.legal_moves()
    return view.position.format(moves[len(moves) // 2])


def _ways_to_go_on(view: BoardView, *, signed: bool) -> str:
    """Return a text that says what can be asked for after a game: another one, and where this one
    turned.
    """
    if not signed:
        again = _("To play the same again with seats exchanged: {line}")
        return again.format(line=f"rematch {view.number} USERID PASSWORD")
    ways = _("To play the same again with seats exchanged, answer this mail with `rematch`.")
    if view.ply and are_made():
        ways += "\n" + _("To learn where the game turned, answer it with `review`.")
    return ways


@dataclass(frozen=True)
class WrittenMoves:
    """The moves shown, as text and as a table of HTML; both "" where there are none."""

    text: str
    table: str


def written_moves(view: BoardView, boards: BoardCache) -> WrittenMoves:
    """Write the moves of a view, once for all letters that show them."""

    def write() -> WrittenMoves:
        rows = move_rows(view)
        return WrittenMoves(
            moves_text(view, rows) if rows else "", move_table(view.players, rows) if rows else ""
        )

    return boards.once(("moves", view.number, view.ply, view.event, spoken()), write)


def chain_news(view: BoardView, news: Mapping[str, Any], reader: str) -> str:
    """Return a text that says which move set plans off, and what they played; "" when they played
    nothing.
    """
    by_plan = news.get("by_plan", ())
    moves = {move.ply: move for move in view.shown_moves}
    first = moves.get(news.get("began", 0))
    followed = [
        FollowedMove(_unless(reader, view.players[moves[ply].seat]), ply, moves[ply].text)
        for ply in by_plan
        if ply in moves
    ]
    if first is None or not followed:
        return ""
    return f"{view.players[first.seat]} played {first.text}. {followed_words(followed)}"


def own_news(view: BoardView, news: Mapping[str, Any]) -> str:
    """Return a text that says what became of the reader's own plan; "" for nothing new.

    Args:
        news: The fact `plan` of the letter; see `services.plans.following`.
    """
    dropped = [DroppedMove(text, why) for text, why in news.get("dropped", ())]
    sentences = [dropped_words(dropped)]
    if news.get("uncovered") and view.shown_moves:
        last = view.shown_moves[-1]
        sentences.append(uncovered_words(f"{last.text} by {view.players[last.seat]}"))
    if news.get("again"):
        sentences.append("Your plan holds again for the position as it stands now.")
    return " ".join(filter(None, sentences))


def standing_plan(view: BoardView) -> str:
    """Return a text that says what the reader has planned from here; "" for nothing."""
    return planned_words(view.own.plan) if view.own else ""


def _unless(reader: str, player: str) -> str:
    return "" if player == reader else player


@dataclass(frozen=True)
class Aftermath:
    """The words about a finished game; all "" while it runs."""

    ratings: str = ""
    record: str = ""


def aftermath(view: BoardView, due: DueLetter) -> Aftermath:
    """Return what a finished game does to ratings, and its record."""

    def look() -> tuple[FinishedGame | None, str]:
        game = view_finished(view.number, due.player, due.boards)
        return game, view_record(view.number, due.player, due.boards).text if game else ""

    # Once for both players; each reads of it in their own language.
    game, record = due.boards.once(("aftermath", view.number), look)
    return Aftermath() if game is None else Aftermath(ratings_text(game), record)
