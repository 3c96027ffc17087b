"""A reply as text of fixed width, with the boards it shows: for the API and terminals."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.help.rendering import page_text
from sarsen.language.clocks import clock_sentence
from sarsen.language.ratings import reason_words
from sarsen.language.replies import (
    HelpPage,
    Refusal,
    Reply,
    Several,
    Table,
    Tables,
    sentence_to_type,
    table_text,
)
from sarsen.language.translating import N_, _, translated
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.current_positions import BoardSummary, summarize_board
from sarsen.services.boards.view import BoardView
from sarsen.services.request import Player

# In place of the boards, which take an eighth of what a move costs; few programs read them.
NOT_DRAWN = N_("For the board as text, add `?text=true` to the address.")


def reply_text(
    reply: Reply | Refusal, viewer: Player | None, boards: BoardCache, *, draws: bool = True
) -> str:
    """Return a reply as text of fixed width in the active language.

    Args:
        draws: With the boards it shows; else with how to get them.
    """
    match reply:
        case Refusal():
            return "\n".join(
                filter(None, (f"{translated(reply.text)} [{reply.code}]", translated(reply.hint)))
            )
        case HelpPage():
            return page_text(reply)
        case Table():
            return table_text(reply)
        case Tables():
            return "\n\n".join(map(table_text, reply.tables)) or _("Nothing yet.")
        case Several():
            parts = (
                f"> {answer.line}\n{reply_text(answer.reply, viewer, boards, draws=draws)}"
                for answer in reply.answers
            )
            return "\n\n".join(parts)
        case _:
            shows = bool(getattr(reply, "shown_boards", ()))
            drawn = _boards(reply, viewer, boards) if draws else [translated(NOT_DRAWN)] * shows
            texts = [sentence_to_type(reply), *drawn]
            return "\n\n".join(filter(None, texts))


def board_text(view: BoardView | BoardSummary, viewer: Player | None) -> str:
    """Return a board as text: its title, the drawing, the last move's effects, whose turn it is."""
    pairs = zip(view.position.sides, view.players, strict=True)
    sides = ", ".join(f"{side} {player}" for side, player in pairs)
    lines = [*map(translated, view.position.effects())]
    if view.result:
        lines.append(reason_words(view.result))
    elif view.to_move is not None:
        lines.append(_("{player} to move.").format(player=view.players[view.to_move]))
        if view.clock:
            zone = viewer.timezone if viewer else ""
            lines.append(clock_sentence(view.clock, zone, timezone.now()))
    board = translated(drawing.text(view.position))
    return f"{translated(view.title)}: {sides}\n\n{board}\n\n" + "\n".join(lines)


def _boards(reply: Any, viewer: Player | None, boards: BoardCache) -> list[str]:
    texts = []
    for shown_board in getattr(reply, "shown_boards", ()):
        try:
            view = summarize_board(shown_board, viewer, boards)
        except UserError as refusal:  # what was done is still said
            texts.append(translated(refusal.text))
        else:
            texts.append(board_text(view, viewer))
    return texts
