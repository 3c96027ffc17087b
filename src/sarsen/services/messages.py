"""Words to players: a message to some, a broadcast to all."""

from __future__ import annotations

import re

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.language.commands import Broadcast, SendMessage
from sarsen.language.replies.messages import BroadcastAsked, MessageSent
from sarsen.language.typography import one_line
from sarsen.services import limits, questions
from sarsen.services.call import Call
from sarsen.services.notices import Event, notify_all
from sarsen.services.players import find_player
from sarsen.storage.models import Player

LONGEST_TEXT = 10_000  # characters
BROADCAST = "broadcast"
_SIGNATURE = re.compile(r"-- ?|__")
_ATTRIBUTION = re.compile(r"[^>]{1,200}(?:wrote|writes|schrieb|a écrit|escribió):")


def send_message(command: SendMessage, call: Call) -> MessageSent:
    """Send private words to some players; their addresses are shown to nobody."""
    player = call.player("message USERID PASSWORD bob: Hello!")
    text = clean_text(command.text, "message bob: Hello!")
    receivers = _receivers(command.to, player)
    for _ in receivers:
        limits.check(player, "message", call.now, what="messages")
    # The sender is not told who refuses him.
    reached = [one for one in receivers if player.key not in one.refuses]
    facts = {"from": player.userid, "to": [one.userid for one in receivers], "text": text}
    notify_all(reached, Event.MESSAGE, "message", facts, call.now)
    return MessageSent(tuple(one.userid for one in receivers))


def ask_broadcast(command: Broadcast, call: Call) -> BroadcastAsked:
    """Show a broadcast to its author as it would go out, and wait for a yes."""
    player = call.player("broadcast USERID PASSWORD")
    whole = clean_text(command.text, "broadcast: The server moves on Sunday.")
    text = without_quotes(whole)
    if not text:
        raise UserError(
            "There are only quoted words in this broadcast, none of your own.",
            code="text-missing",
            hint="broadcast: The server moves on Sunday.",
        )
    limits.look(player, BROADCAST, call.now, what="broadcasts")
    questions.ask(player, BROADCAST, {"text": text}, call.now)
    return BroadcastAsked(text, left_out=text != whole)


def clean_text(text: str, example: str) -> str:
    """Return words as they may be passed on: no control characters, not too long, not empty.

    Raises:
        UserError: The hint is the example.
    """
    if len(text) > LONGEST_TEXT:
        raise UserError(
            f"This text has {len(text)} characters; the most is {LONGEST_TEXT}.",
            code="text-too-long",
            hint="Send it in several parts.",
        )
    lines = [_clean_line(line) for line in text.split("\n")]
    clean = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    if not clean.strip():
        raise UserError("There are no words in this.", code="text-missing", hint=example)
    return clean


def without_quotes(text: str) -> str:
    """Cut what others wrote, and the signature, out of a text."""
    own: list[str] = []
    for line in text.split("\n"):
        if _SIGNATURE.fullmatch(line):
            break
        if not line.lstrip().startswith(">") and not _ATTRIBUTION.fullmatch(line.strip()):
            own.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(own)).strip("\n ")


def _clean_line(line: str) -> str:
    """Clean one line, and keep the blanks it begins with."""
    plain = one_line(line)
    # `one_line` would take the blank of `-- `, by which a signature begins.
    indent = len(line) - len(line.lstrip(" "))
    return " " * min(indent, 20) + plain if plain else ""


def _receivers(userids: tuple[str, ...], sender: Player) -> list[Player]:
    most = settings.SARSEN_MESSAGE_RECEIVERS
    wanted = list(dict.fromkeys(userid.strip(",;:").lower() for userid in userids))
    if len(wanted) > most:
        raise UserError(
            f"A message goes to at most {most} players.",
            code="too-many-receivers",
            hint="message " + " ".join(wanted[:2]) + ": Hello!",
        )
    receivers = [find_player(userid) for userid in wanted]
    program = next((one for one in receivers if one.level is not None), None)
    if program is not None:
        raise UserError(
            f"{program.userid} is a program and reads no messages; it plays.",
            code="message-to-program",
            hint=f"druid challenge me {program.userid}",
        )
    if sender in receivers:
        raise UserError(
            "That is your own userid; a note to yourself belongs to a board.",
            code="message-to-yourself",
            hint="notes 123 USERID PASSWORD A plan",
        )
    return receivers
