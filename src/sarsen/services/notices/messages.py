"""Messages to some players, and broadcasts to all."""

from __future__ import annotations

import re
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.language.chat import (
    MAX_MESSAGE,
    MAX_RECEIVERS,
    BroadcastAsked,
    BroadcastSent,
    MessageSent,
)
from sarsen.language.commands import Announce, Broadcast, SendMessage
from sarsen.language.grammar.kept_text import kept_text
from sarsen.services import questions
from sarsen.services.limits import daily
from sarsen.services.notices import Event, news, notify_all
from sarsen.services.notices.announced_games import compose
from sarsen.services.notices.announcements import Audience, announce
from sarsen.services.players import find_player
from sarsen.services.request import Request
from sarsen.storage.models import News, Player

BROADCAST = "broadcast"
_SIGNATURE = re.compile(r"-- ?|__")
_ATTRIBUTION = re.compile(r"[^>]{1,200}(?:wrote|writes|schrieb|a écrit|escribió):")


def send_message(command: SendMessage, request: Request) -> MessageSent:
    """Send private words to some players; their addresses are shown to nobody."""
    player = request.player("message USERID PASSWORD bob: Hello!")
    text = clean_text(command.text, "message bob: Hello!")
    receivers = _receivers(command.to, player)
    for _ in receivers:
        daily.check(player, "message", request.now)
    # The sender does not learn which receivers refuse their messages.
    accepting = [receiver for receiver in receivers if player.key not in receiver.refuses]
    to = [receiver.userid for receiver in receivers]
    facts = {"from": player.userid, "number": player.pk, "to": to, "text": text}
    notify_all(accepting, Event.MESSAGE, "message", facts, request.now)
    return MessageSent(tuple(receiver.userid for receiver in receivers), text)


def ask_broadcast(command: Broadcast, request: Request) -> BroadcastAsked:
    """Show a broadcast to its author as it would go out, and wait for a yes."""
    player = request.player("broadcast USERID PASSWORD")
    whole = clean_text(command.text, "broadcast: The server moves on Sunday.")
    text = without_quotes(whole)
    if not text:
        raise UserError(
            "This broadcast has only quoted text and nothing of your own.",
            code="text-missing",
            hint="broadcast: The server moves on Sunday.",
        )
    daily.require_room(player, BROADCAST, request.now)
    if command.thread:
        news.find(command.thread)
    # Questions of earlier releases did not say that the text becomes public.
    facts = {"text": text, "thread": command.thread, "is_public": True}
    questions.ask(player, BROADCAST, facts, request.now)
    return BroadcastAsked(text, left_out=text != whole)


def ask_announcement(command: Announce, request: Request) -> BroadcastAsked:
    """Show the letter that announces a game to its author, and wait for a yes."""
    player = request.player("announce druid USERID PASSWORD")
    whole = clean_text(command.text, "announce druid") if command.text.strip() else ""
    own_words = without_quotes(whole)
    text, game, options = compose(command, player, own_words)
    daily.require_room(player, BROADCAST, request.now)
    facts = {"text": text, "is_public": True, "game": game, "options": options}
    questions.ask(player, BROADCAST, facts, request.now)
    return BroadcastAsked(text, left_out=own_words != whole)


def clean_text(text: str, example: str) -> str:
    """Return a text as written, without control characters; refuse an empty or too long one.

    Raises:
        UserError: The hint is the example.
    """
    if len(text) > MAX_MESSAGE:
        raise UserError(
            "The text has {count} characters; at most {most} are allowed.",
            code="text-too-long",
            hint="Send it in several parts.",
            count=len(text),
            most=MAX_MESSAGE,
        )
    clean = kept_text(text)
    if not clean:
        raise UserError("This message is empty.", code="text-missing", hint=example)
    return clean


def without_quotes(text: str) -> str:
    """Cut what others wrote, and the signature, out of a text."""
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if _SIGNATURE.fullmatch(line)), len(lines))
    own_lines = [line for line in lines[:end] if not _is_quoted(line)]
    if len(own_lines) == len(lines):
        return text
    return re.sub(r"\n{3,}", "\n\n", "\n".join(own_lines)).strip("\n")


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(">") or _ATTRIBUTION.fullmatch(line.strip()) is not None


def _receivers(userids: tuple[str, ...], sender: Player) -> list[Player]:
    most = MAX_RECEIVERS
    names = list(dict.fromkeys(userid.strip(",;:").lower() for userid in userids))
    if len(userids) > most:  # as they are sent, as the API's document counts them
        raise UserError(
            "A message goes to at most {most} players.",
            code="too-many-receivers",
            hint=Typed("message " + " ".join(names[:2]) + ": Hello!"),
            most=most,
        )
    receivers = [find_player(userid) for userid in names]
    program = next((receiver for receiver in receivers if receiver.level is not None), None)
    if program is not None:
        raise UserError(
            "{program} is a program and does not read messages.",
            code="message-to-program",
            hint=f"druid challenge me {program.userid}",
            program=program.userid,
        )
    if sender in receivers:
        raise UserError(
            "That is you. To write yourself a note, use a board's notes.",
            code="message-to-yourself",
            hint="notes 123 USERID PASSWORD A plan",
        )
    return receivers


def send_broadcast(facts: dict[str, Any], request: Request) -> BroadcastSent:
    """Publish a text, and announce it in batches to all players who want broadcasts."""
    player = request.player("confirm broadcast USERID PASSWORD")
    daily.check(player, "broadcast", request.now)
    text, game = facts["text"], facts.get("game", "")
    kind = News.Kind.GAME if game else News.Kind.BROADCAST
    event = Event.NEW_GAME if game else Event.BROADCAST
    told: dict[str, Any] = {"from": player.userid, "number": player.pk, "text": text}
    if game:
        told |= {"game": game, "options": facts["options"]}
    numbers: dict[str, int] = {}
    if facts.get("is_public"):
        announced = {name: told[name] for name in ("game", "options") if name in told}
        thread = facts.get("thread", 0)
        numbers = news.publish(player, kind, text, request.now, thread=thread, **announced)
    announce(Audience.ALL, event, "broadcast", {**told, **numbers}, request.now, author=player)
    return BroadcastSent(player.userid, numbers.get("news", 0), game)
