"""A reply as JSON: in words, as at every door, and as facts."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse
from django.utils import timezone

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.help.rendering import page_text
from sarsen.language.replies import HelpPage, Refusal, Reply, Several, Table, Tables, encode
from sarsen.language.wording import sentence, table_text
from sarsen.language.wording.clocks import clock_sentence
from sarsen.services.call import Player
from sarsen.services.glances import Glance, glance
from sarsen.services.viewing import BoardView


def send_answer(reply: Reply, viewer: Player | None) -> JsonResponse:
    """Answer with what came of a command."""
    found = {"text": worded(reply, viewer), "reply": encode(reply)}
    response = JsonResponse(found, json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = "private, no-store"
    return response


def worded(reply: Reply | Refusal, viewer: Player | None) -> str:
    """Say a reply, with the boards it shows, as text of fixed width."""
    match reply:
        case Refusal():
            return "\n".join(filter(None, (f"{reply.text} [{reply.code}]", reply.hint)))
        case HelpPage():
            return page_text(reply)
        case Table():
            return table_text(reply)
        case Tables():
            return "\n\n".join(map(table_text, reply.tables)) or "Nothing yet."
        case Several():
            parts = (f"> {one.line}\n{worded(one.reply, viewer)}" for one in reply.answers)
            return "\n\n".join(parts)
        case _:
            return "\n\n".join(filter(None, [sentence(reply), *_boards(reply, viewer)]))


def board_words(view: BoardView | Glance, viewer: Player | None) -> str:
    """Say a board: its title, the drawing, what the last move caused, whose turn it is."""
    pairs = zip(view.position.sides, view.players, strict=True)
    sides = ", ".join(f"{side} {player}" for side, player in pairs)
    said = [*view.position.effects()]
    if view.result:
        said.append(view.result)
    elif view.to_move is not None:
        said.append(f"{view.players[view.to_move]} moves.")
        if view.clock:
            zone = viewer.timezone if viewer else ""
            said.append(clock_sentence(view.clock, zone, timezone.now()))
    return f"{view.title}: {sides}\n\n{drawing.text(view.position)}\n\n" + "\n".join(said)


def _boards(reply: Any, viewer: Player | None) -> list[str]:
    words = []
    for shown in getattr(reply, "shows", ()):
        try:
            view = glance(shown, viewer)
        except UserError as hidden:  # what was done is still said
            words.append(hidden.text)
        else:
            words.append(board_words(view, viewer))
    return words
