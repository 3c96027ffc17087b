"""Letters that show one board: text, HTML and picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.mail.letter import Attachment, Letter
from sarsen.doors.mail.letters.board_text import (
    chat_text,
    clock_line,
    details,
    draw_text,
    headline,
    move_rows,
    moves_text,
    recent_chat,
    result_line,
    seats_line,
    wants_coordinates,
)
from sarsen.doors.mail.letters.html import LetterHtml, move_table, unsubscribe_address, write_page
from sarsen.drawing import scene
from sarsen.drawing.png import png, width_of
from sarsen.drawing.taps import words_among
from sarsen.language.contests.ladders import place_words
from sarsen.language.grammar.typography import wrap
from sarsen.language.moves import dropped_words, followed_words, uncovered_words
from sarsen.language.offers import moves_words
from sarsen.language.plans import planned_words
from sarsen.language.ratings import FinishedGame, ratings_text
from sarsen.language.replies import DroppedMove, FollowedMove, decode
from sarsen.language.translating import _, current_language, translated
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.contests.views.ladders import place_after
from sarsen.services.contests.views.listing import name_of
from sarsen.services.mail import reply_addresses
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.ratings.counting import view_finished
from sarsen.services.records.recording import view_record
from sarsen.services.reviews.making import are_made


def board(due: DueLetter) -> Letter:
    view = letter_view(due, personal=True)
    return board_letter(view, due, board_news(view, due))


def letter_view(due: DueLetter, *, personal: bool = False) -> BoardView:
    """Return the board that a letter tells of, as it stood at its ply and event."""
    return view_board(
        due.facts["board"],
        due.facts["ply"],
        viewer=due.player,
        event=due.facts.get("event"),
        personal=personal,
        boards=due.boards,
    )


def board_letter(view: BoardView, due: DueLetter, news: str, matter: str = "") -> Letter:
    """Write a letter that shows one board: text, HTML and picture.

    Args:
        matter: What the letter asks, of which its reply address speaks.
    """
    is_answer, is_watched = due.kind == "answer", due.kind == "watched"
    if is_watched and due.player:
        # Knows the board and speaks for no seat.
        reply_to = reply_addresses.watching_address(due.player, view.number)
    else:
        reply_to = _board_reply_to(view, due, matter)
    planned = planned_words(view.own.plan) if view.own else ""
    if planned and planned not in news:
        news = f"{news}\n\n{planned}"
    if is_watched:
        ways = _("To unfollow, reply with `unsubscribe`.")
    else:
        ways = _ways_to_answer(view, due, signed=reply_to.startswith("board-"))
    unsubscribe = "" if is_answer else unsubscribe_address(due)
    drawn = draw(view.position, due)
    ratings, record = _aftermath(view, due) if view.result else ("", "")
    moves, table = _written_moves(view, due.boards)
    page = LetterHtml(
        title=translated(view.title),
        news=news,
        headline=headline(view, news),
        seats=seats_line(view),
        clock=clock_line(view, due.player),
        words=drawn.words,
        width=None if drawn.picture is None else width_of(drawn.picture),
        effects=tuple(map(translated, view.position.effects())) if view.ply else (),
        ratings=ratings,
        chat=tuple((line.by, line.text) for line in recent_chat(view)),
        ways=ways,
        url=f"{settings.SARSEN_URL}/boards/{view.number}/",
        table=table,
        board=drawn.text,
        record=_("The record of the game is attached.") if record else "",
        unsubscribe=unsubscribe,
    )
    parts = (
        wrap("\n".join(filter(None, (news, *page.effects)))),
        wrap(page.headline),
        page.board,
        details(view, page.seats, page.clock, moves),
        wrap(ratings),
        page.record,
        f"{_('Chat:')}\n\n{wrap(chat_text(view))}" if page.chat else "",
        f"{wrap(ways)}\n{page.url}".lstrip(),
        f"{_('To stop these mails:')} {unsubscribe}" if unsubscribe else "",
    )
    return Letter(
        subject=translated(view.title),
        text="\n\n".join(filter(None, parts)),
        html=write_page(page),
        reply_to=reply_to,
        thread=f"board.{view.number}",
        pictures=() if drawn.picture is None else (("board", drawn.picture),),
        is_answer=is_answer,
        unsubscribe=unsubscribe,
        attachment=Attachment(f"{view.game.name}-{view.number}.txt", record.encode(), "plain")
        if record
        else None,
    )


def board_news(view: BoardView, due: DueLetter) -> str:
    """Return the news of a letter in a few sentences."""
    me = due.player.userid if due.player else ""
    plan = due.facts.get("plan", {})
    last = view.shown_moves[-1] if view.shown_moves else None
    played = (
        _("{player} played {move}.").format(player=view.players[last.seat], move=last.text)
        if last
        else ""
    )
    played = _chain_news(view, plan, me) or played
    if view.result:
        over = _over_words(view)
        is_by_move = view.position.outcome() is not None
        return f"{played} {over}" if is_by_move and played else over
    turn = view.players[view.position.seat]
    others = _("{player} moves next.") if view.shown_moves else _("{player} moves first.")
    yours = _("It is your turn.") if turn == me else others.format(player=turn)
    if "undone" in due.facts:
        undone = moves_words(tuple(due.facts["undone"]))
        taken_back = _("{player} accepts. Taken back: {moves}.")
        taken_back = taken_back.format(player=due.facts["by"], moves=undone)
        return " ".join(filter(None, (taken_back, yours, _own_news(view, plan))))
    if last is None:
        pair = _("It is one of a pair; the other is board {board}.").format(board=view.pair)
        return " ".join([_started_words(view), *([pair] if view.pair else []), yours])
    return " ".join(filter(None, (played, _own_news(view, plan), yours)))


def _started_words(view: BoardView) -> str:
    """Return that a game has started, of a contest also which one it is."""
    if view.contest is None:
        return _("The game has started.")
    return _("Contest {number}, {name}: the game has started.").format(
        number=view.contest, name=translated(name_of(view.contest))
    )


def _over_words(view: BoardView) -> str:
    """Return that a game is over and how it has ended, of a contest also which one it is."""
    result = result_line(view)
    if view.contest is None:
        return _("The game is over: {result}").format(result=result)
    return _("Contest {number}, {name}: the game is over. {result}").format(
        number=view.contest, name=translated(name_of(view.contest)), result=result
    )


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
        follow = _("To follow the game by mail, reply with `{line}`.")
        return follow.format(line=f"subscribe {view.number}")
    if not signed:
        example, *_others = example_moves(view.position)
        line = f"{view.game.name} move {view.number} USERID PASSWORD {example}"
        return _("To move: {line}").format(line=line)
    if due.player is None or view.players[view.to_move] != due.player.userid:
        return "\n".join(
            [
                _("To see the board again, reply with `show`."),
                _("You can also reply: draw, resign, or chat and your message.")
                if view.contest
                else _("You can also reply: draw, undo, resign, or chat and your message."),
            ]
        )
    move, *others = example_moves(view.position)
    examples = move
    for other in others:
        examples = _("{moves}, or {other}").format(moves=examples, other=other)
    facts = {"examples": examples, "move": move, "game": view.game.name}
    ways = (
        _("To move, reply with your move on one line, for example {examples}"),
        _("To try a move first: preview {move}. The rules: help {game}"),
        _("You can also reply: submit and a move, draw, resign, or chat and your message.")
        if view.contest
        else _(
            "You can also reply: submit and a move, draw, undo, resign, or chat and your message."
        ),
    )
    return "\n".join(ways).format(**facts)


def example_moves(position: AnyPosition) -> list[str]:
    """Return a legal move, if any names a place, and those that are said in a word: `swap`."""
    texts = [position.format(move) for move in position.legal_moves()]
    words = words_among(texts)
    placed = [text for text in texts if text not in words]
    return [*placed[len(placed) // 2 :][:1], *words]


def _ways_to_go_on(view: BoardView, *, signed: bool) -> str:
    """Return what can be asked for after a game: another one, and where this one turned."""
    if not signed:
        rematch = _("For a rematch with seats swapped: {line}")
        return rematch.format(line=f"rematch {view.number} USERID PASSWORD")
    ways = _("For a rematch with seats swapped, reply with `rematch`.")
    if view.ply and are_made():
        ways += "\n" + _("To find out where the game turned, reply with `review`.")
    return ways


def _written_moves(view: BoardView, boards: BoardCache) -> tuple[str, str]:
    """Write the moves shown as text and as HTML, once for all letters; "" where there are none."""

    def write() -> tuple[str, str]:
        rows = move_rows(view)
        return (moves_text(view, rows), move_table(view.players, rows)) if rows else ("", "")

    return boards.get_or_make(
        ("moves", view.number, view.ply, view.event, current_language()), write
    )


def _chain_news(view: BoardView, news: Mapping[str, Any], reader: str) -> str:
    """Return which move set off plans, and the moves that they played; "" for none."""
    by_plan = news.get("by_plan", ())
    moves = {move.ply: move for move in view.shown_moves}
    first = moves.get(news.get("began", 0))
    followed = [
        FollowedMove("" if player == reader else player, ply, moves[ply].text)
        for ply in by_plan
        if ply in moves and (player := view.players[moves[ply].seat])
    ]
    if first is None or not followed:
        return ""
    played = _("{player} played {move}.").format(player=view.players[first.seat], move=first.text)
    return f"{played} {followed_words(followed)}"


def _own_news(view: BoardView, news: Mapping[str, Any]) -> str:
    """Return what became of the reader's own plan; "" for nothing new.

    Args:
        news: The fact `plan` of the letter; see `services.plans.following`.
    """
    dropped = [DroppedMove(text, decode(why)) for text, why in news.get("dropped", ())]
    sentences = [dropped_words(dropped)]
    if news.get("uncovered") and view.shown_moves:
        last = view.shown_moves[-1]
        by = _("{move} by {player}").format(move=last.text, player=view.players[last.seat])
        sentences.append(uncovered_words(by))
    if news.get("again"):
        sentences.append(_("Your plan applies again to the current position."))
    return " ".join(filter(None, sentences))


def _aftermath(view: BoardView, due: DueLetter) -> tuple[str, str]:
    """Return what a finished game does to ratings and on its ladder, and its record."""

    def compute() -> tuple[FinishedGame | None, str]:
        game = view_finished(view.number, due.player, due.boards)
        return game, view_record(view.number, due.player, due.boards).text if game else ""

    # Once for both players; each reads of it in their own language.
    game, record = due.boards.get_or_make(("aftermath", view.number), compute)
    if game is None:
        return "", ""
    place = place_after(view.contest, view.number, due.player) if due.player else None
    ladder = place_words(place) if place else ""
    return "\n".join(filter(None, [ratings_text(game), ladder])), record


SMALL = 400  # pixels of the longer side; the largest boards of Vasco have 13 kB then


@dataclass(frozen=True)
class DrawnBoard:
    """One position as a letter shows it; `picture` is PNG or None; `words` stand in its place."""

    text: str
    words: str
    picture: bytes | None


def draw(position: AnyPosition, due: DueLetter, *, most: int | None = None) -> DrawnBoard:
    """Draw a position for a letter, once for all letters of a batch that show it alike.

    Args:
        most: Bytes that its picture may have; one of more is drawn smaller. None for any.
    """
    with_coordinates = wants_coordinates(due.player)

    def write() -> tuple[AnyPosition, str]:
        # With the position, so that its identity is not given again.
        return position, draw_text(position, with_coordinates=with_coordinates)

    def picture() -> tuple[AnyPosition, str, bytes | None]:
        if not settings.SARSEN_MAIL_PICTURES:
            return position, "", None
        image = png(scene(position))
        if most is not None and len(image) > most:
            image = png(scene(position), SMALL, SMALL)
        return position, translated(drawing.describe(position)), image

    # By identity: equal positions may differ in what their last move is marked by.
    written = ("written", id(position), with_coordinates, current_language())
    _, text = due.boards.get_or_make(written, write)
    drawn = ("drawn", id(position), current_language(), most)
    _, words, image = due.boards.get_or_make(drawn, picture)
    return DrawnBoard(text, words, image)
